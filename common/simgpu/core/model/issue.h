// SPDX-License-Identifier: MIT
/*
 * issue.h: what kind of work an instruction is.
 *
 *   issue_class_of   "fma.rn.f32" -> ISSUE_FP32
 */
#ifndef SIMGPU_ISSUE_H
#define SIMGPU_ISSUE_H

/* Name, and the clocks until its result can be used. Memory's depend on where
 * the data is: traffic.c. The clocks of arithmetic are those of compute
 * capability 7 to 9 as published microbenchmarks give them (4 to 6 for the
 * main pipes). */
#define ISSUE_CLASS_LIST(X)                                                    \
    X(FP32, "fp32", 4)                                                         \
    X(FP64, "fp64", 8)                                                         \
    X(FP16, "fp16", 4)                                                         \
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

enum issue_class issue_class_of(const char *op);
const char *issue_name(enum issue_class class);
unsigned issue_clocks(enum issue_class class);

#endif
