// SPDX-License-Identifier: MIT
/*
 * form.h: what an instruction is, apart from what it computes.
 *
 *   form          one opcode form: spelling, operands, work, flags
 *   form_work     the unit that executes it, and for how long
 *   issue_class   its kind, for reports and for the latency of its result
 *
 * The forms stand in decode/decode_table.c, one row each. Register allocation,
 * control flow, the scoreboard and the traffic report read them there, and
 * never look at an opcode's name.
 */
#ifndef SIMGPU_FORM_H
#define SIMGPU_FORM_H

#include <stdint.h>

#include "simgpu/gpu.h"

/* Class, its name in reports, and the clocks until a result can be used. What
 * memory takes depends on where the data is: model/traffic_access.c. The clocks
 * of arithmetic are those of compute capability 7 to 9 as published
 * microbenchmarks give them (4 to 6 for the main pipes). */
#define ISSUE_CLASS_LIST(X)                                                    \
    X(FP32, "fp32", 4)                                                         \
    X(FP64, "fp64", 8)                                                         \
    X(FP16, "fp16", 4)        /* bf16 too */                                   \
    X(TENSOR, "tensor", 33)   /* matrix products */                            \
    X(INTEGER, "integer", 5)                                                   \
    X(SPECIAL, "special", 20) /* reciprocal, square root, sine */              \
    X(MOVE, "move", 2)        /* mov, cvt, selp, and parameters */             \
    X(COMPARE, "compare", 5)                                                   \
    X(GLOBAL, "global", 0)                                                     \
    X(SHARED, "shared", 0)                                                     \
    X(LOCAL, "local", 0)                                                       \
    X(ATOMIC, "atomic", 0)                                                     \
    X(EXCHANGE, "exchange", 23) /* shfl, vote: through the shared unit */      \
    X(CONTROL, "control", 5)                                                   \
    X(BARRIER, "barrier", 20)

enum issue_class {
#define X(name, word, clocks) ISSUE_##name,
    ISSUE_CLASS_LIST(X)
#undef X
    ISSUE_CLASSES,
};

const char *issue_name(enum issue_class class);
unsigned issue_clocks(enum issue_class class);

/* What executes an instruction. PTX has single instructions that the hardware
 * does in many (integer division): ops is how many operations of the pipe they
 * cost, latency the clocks until their result can be used (0: the class's). */
struct form_work {
    uint8_t class;    /* enum issue_class; of a plain access by its space */
    uint8_t pipe;     /* enum gpu_pipe */
    uint16_t ops;
    uint16_t latency;
    uint16_t special; /* turns of the unit of special functions besides */
};

/* Warp instructions that are issued for one of PTX: the operations of its pipe,
 * but for tensor cores and exchanges, whose operations are not instructions.
 * work may be NULL. */
unsigned issue_slots(const struct form_work *work);

enum form_flag {
    FORM_JUMPS = 1 << 0,    /* goes to a label among its operands */
    FORM_LEAVES = 1 << 1,   /* nothing behind it is reached: ret, exit, trap */
    FORM_CALLS = 1 << 2,    /* may need local memory whose size is not known */
    FORM_MEETS = 1 << 3,    /* lanes that its guard parted meet behind it */
    FORM_FENCES = 1 << 4,   /* a compiler moves nothing across it */
    FORM_BY_SPACE = 1 << 5, /* its class is the space that it accesses */
    FORM_LOADS = 1 << 6,
    FORM_STORES = 1 << 7,
    FORM_BARRIER = 1 << 8,  /* threads of a block wait for each other */
    FORM_COMMITS = 1 << 9,  /* closes a group of asynchronous copies */
    FORM_WAITS = 1 << 10,   /* for asynchronous copies */
    FORM_SLEEPS = 1 << 11,  /* for as many nanoseconds as it says */
};

struct form {
    const char *words;    /* a spelling: decode/rows.h */
    const char *operands; /* "=444": decode/rows.h */
    const struct form_work *work;
    uint16_t flops;       /* per lane: floating-point operations of any type,
                             those of tensor cores included */
    uint16_t flags;       /* enum form_flag */
};

#endif
