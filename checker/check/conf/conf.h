// SPDX-License-Identifier: MIT
/*
 * conf.h: chapter.conf, read and checked.
 *
 *   conf_read        path -> struct conf, or an error naming file and line
 *   conf_extension   which file a kernel is
 *   conf_shape_text  one of its sim_shapes, for people
 *   conf_is_c        whether it is C on the host, which launches nothing
 *
 * Unknown sections and keys, shapes an operator refuses and gates on unknown
 * counters are errors: a misspelt gate must not be a gate that always holds.
 */
#ifndef CHECK_CONF_H
#define CHECK_CONF_H

#include "gate.h"
#include "op/op.h"

/* A chapter has at most a handful of kernels, three paths at present. */
enum { CONF_KERNELS = 16, CONF_SHAPES = 16, CONF_GATES = 8 };

/* Where make bench times the newest stage of an operator beside its peers. */
struct peer_shape {
    char name[24]; /* "study": what its rows in the book are called */
    struct op_shape shape;
};

struct kernel_conf {
    char name[32];      /* NAME.cu */
    const struct op *op;
    bool host;          /* a whole program, not a stage */
    bool timer;         /* a timer: NAME.c, no kernel */
    bool study;         /* a step of a study: NAME.c, no kernel */
    bool optional;      /* not needed for the chapter's PASS */
    bool deterministic; /* equal bits whatever the order of blocks */
    int n_sim_shapes;
    struct op_shape sim_shapes[CONF_SHAPES]; /* gates: at the first, unless
                                                they name another */
    int multiprocessors[CONF_SHAPES]; /* that its simulated GPU has; 0: all */
    unsigned off[CONF_SHAPES]; /* bit i: the op's buffer i begins one element
                                  behind a boundary */
    struct op_shape tile;                    /* a block's work at least, or 0 */
    bool has_time_shape;
    struct op_shape time_shape;
    double min_speedup; /* 0: none is asked for */
    double min_percent_of_roof; /* of the nearer ceiling, on a GPU; 0: none */
    int previous;             /* chapter of the stage before; 0: see below */
    char previous_kernel[32]; /* and its kernel; "": the chapter's previous */
    int n_gates;
    struct gate gates[CONF_GATES];
    bool has_time_gate;
    struct gate time_gate; /* without a GPU: at time_shape */
    int n_peer_shapes;
    struct peer_shape peer_shapes[CONF_SHAPES];
    char apart[32]; /* the chapter's kernel that computes it step by step: make
                       bench times it there too; "": none */
};

struct conf {
    char title[80];
    bool host;     /* the chapter's kernels are whole programs */
    bool timer;    /* or timers */
    bool study;    /* or steps of a study */
    int previous;  /* number of the stage before; 0: none */
    char arch[24]; /* "compute_75" */
    int n_kernels;
    struct kernel_conf kernels[CONF_KERNELS];
};

/* error: "chapters/05-x/chapter.conf:12: what is wrong". */
bool conf_read(const char *path, struct conf *conf, char *error,
               size_t error_size);
/* "M516 N4 K208 on 4", of shape i. */
void conf_shape_text(const struct kernel_conf *kernel, int i, char *text,
                     size_t size);
/* Of its source: "cu", or "c". */
const char *conf_extension(const struct kernel_conf *kernel);
bool conf_is_c(const struct kernel_conf *kernel);

#endif
