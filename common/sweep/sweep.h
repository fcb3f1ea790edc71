// SPDX-License-Identifier: MIT
/*
 * sweep.h: a sweep: how long each of several kernels takes at many shapes.
 *
 *   sweep_read, sweep_free   a file, whole
 *   sweep_open               a file to add rows to, new or from an earlier run
 *   sweep_add                one row, in the file before the call returns
 *   sweep_keep               one more row, in memory alone
 *   sweep_of_shape           the rows of one shape that are there already
 *   sweep_find               a row that is there already
 *   sweep_table              a line per shape: each kernel's median time
 *   sweep_peers              the same of what is measured beside them
 *   sweep_draws, sweep_redraw, sweep_draws_free
 *                            a table as other sweeps might have had it
 *
 * The file is text. First what was measured, and where, a line each:
 *
 *   # op<TAB>gemm_f32
 *   # source<TAB>measured            or: predicted, by the simulated GPU
 *   # gpu<TAB>NVIDIA H200            and the other fields of SWEEP_ABOUT
 *
 * then the names of the columns, and a row per shape, kernel and repeat:
 *
 *   set<TAB>M<TAB>N<TAB>K<TAB>kernel<TAB>repeat<TAB>outcome<TAB>ms
 *   train<TAB>37<TAB>45<TAB>29<TAB>tile32<TAB>0<TAB>ok<TAB>0.0061
 *
 * An outcome that is not ok has "-" in place of a time, or says more.
 *
 * Its hard idea: rows are only ever added, each by one write. What is
 * interrupted loses the row at hand and no other; the next run cuts off half a
 * line, reads what is there, and goes on. Rows of another GPU, driver, toolkit
 * or power limit do not belong into the same file: sweep_open refuses.
 */
#ifndef SWEEP_SWEEP_H
#define SWEEP_SWEEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum {
    SWEEP_DIMS = 6,     /* as OP_MAX_DIMS */
    SWEEP_KERNELS = 32, /* candidates per operator */
    SWEEP_NAME = 32,
    SWEEP_TEXT = 96,
};

/* Held-out shapes are drawn before tuning, and nothing is fitted to them. A
 * map's shapes lie on a grid, for the picture. */
#define SWEEP_SETS(X) X(train) X(held_out) X(map)
enum sweep_set {
#define X(name) SWEEP_##name,
    SWEEP_SETS(X)
#undef X
    SWEEP_N_SETS,
};

/* What became of one candidate at one shape. A row that is not ok has no
 * time, and its kernel is out of the running there. */
#define SWEEP_OUTCOMES(X)                                                      \
    X(ok) X(wrong) X(launch) X(hang) X(crash) X(refused) X(unbuilt) X(pruned)
enum sweep_outcome {
#define X(name) SWEEP_##name,
    SWEEP_OUTCOMES(X)
#undef X
    SWEEP_N_OUTCOMES,
};

/* Where it comes from. Those with true must agree when rows are added. */
#define SWEEP_ABOUT(X)                                                         \
    X(op, true) X(source, true) X(gpu, true) X(driver, true)                   \
    X(toolkit, true) X(power_limit, true) X(seed, true) X(date, false)         \
    X(commit, false) X(multiprocessors, false) X(flops_per_second, false)      \
    X(bytes_per_second, false)
struct sweep_about {
#define X(name, must) char name[SWEEP_TEXT];
    SWEEP_ABOUT(X)
#undef X
};

struct sweep_row {
    enum sweep_set set;
    int dim[SWEEP_DIMS];
    char kernel[SWEEP_NAME];
    int repeat; /* from 0 */
    enum sweep_outcome outcome;
    double ms;  /* of one launch; NAN unless ok */
    char why[SWEEP_TEXT]; /* may say more of an outcome that is not ok */
};

struct sweep {
    struct sweep_about about;
    int n_dims;
    char dim_name[SWEEP_DIMS][SWEEP_NAME];
    int n_rows;
    struct sweep_row *rows;
};

/* false: error says what is wrong, with file and line. */
bool sweep_read(const char *path, struct sweep *sweep, char *error,
                size_t error_size);
void sweep_free(struct sweep *sweep);

/* `wanted`: about, n_dims and dim_name of the rows to come. Makes the file, or
 * goes on with it: then *sweep, which the caller frees, has its rows. NULL:
 * error says why, and what to do. */
FILE *sweep_open(const char *path, const struct sweep *wanted,
                 struct sweep *sweep, char *error, size_t error_size);
/* Into the file and into sweep->rows; false: the disk is full. */
bool sweep_add(FILE *file, struct sweep *sweep, const struct sweep_row *row);
void sweep_keep(struct sweep *sweep, const struct sweep_row *row);
/* The rows of this set and shape alone: they may lie anywhere among all, and
 * who asks for many of them asks these. The caller frees it. */
struct sweep sweep_of_shape(const struct sweep *sweep,
                            const struct sweep_row *of);
/* The row of this set, shape, kernel and repeat; or NULL. */
const struct sweep_row *sweep_find(const struct sweep *sweep,
                                   const struct sweep_row *of);

/* All that is known of one shape. */
struct sweep_shape {
    enum sweep_set set;
    int dim[SWEEP_DIMS];
    double ms[SWEEP_KERNELS]; /* the median of the repeats; NAN: dropped */
};

struct sweep_table {
    int n_dims, n_kernels, n_shapes;
    char kernel[SWEEP_KERNELS][SWEEP_NAME]; /* in the order of the rows */
    struct sweep_shape *shapes;
};

/* A kernel with any row that is not ok at a shape is dropped there. Shapes
 * where no kernel is left are omitted, and so is one that an interruption left
 * without rows of some kernel. The caller frees table.shapes. */
struct sweep_table sweep_table(const struct sweep *sweep);
/* Of peers: kernels with this at the beginning of their names. They are other
 * people's, and in no sweep_table. */
#define SWEEP_PEER "peer_"
struct sweep_table sweep_peers(const struct sweep *sweep);
/* A table as other sweeps might have had it: the spread of a result over many
 * draws is what the noise of the measurements makes of it. The rows of one
 * kernel at one shape are linked once, so that a draw costs no search. */
struct sweep_draws {
    const struct sweep *sweep;     /* is kept as it is meanwhile */
    struct sweep_table table;      /* sweep_table's, until the first draw */
    int (*first)[SWEEP_KERNELS];   /* per shape: a row; -1: none */
    int *next;                     /* per row: another of the same, or -1 */
};
struct sweep_draws sweep_draws(const struct sweep *sweep);
/* At the shapes of a set, each median in d->table becomes that of as many
 * repeats, drawn from those that were measured, with replacement. */
void sweep_redraw(struct sweep_draws *d, enum sweep_set set, uint64_t *state);
void sweep_draws_free(struct sweep_draws *d);

#endif
