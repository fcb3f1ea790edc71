// SPDX-License-Identifier: MIT
/*
 * study.h: what the steps of a study over shapes are given, and must answer.
 *
 *   study_map      what share of the roof each shape reaches, and its cliffs
 *   study_cause    why one of two neighbouring shapes is so much slower
 *   study_tune     which kernel is the fastest, within a budget
 *   study_rules    which kernel to launch, by rules
 *   study_tree     the same by a decision tree, fitted to measured times
 *
 * All of it is C on the host. The kernels that a study chooses from compute the
 * matrix product C (M x N) = A (M x K) B (K x N) in fp32. Times are in
 * milliseconds.
 */
#ifndef WB_STUDY_H
#define WB_STUDY_H

#include <math.h>
#include <stdbool.h>

#include "stage.h"

enum {
    STUDY_KERNELS = 32,  /* at most */
    STUDY_REPEATS = 9,   /* measurements of one kernel at one shape, at most */
    STUDY_FEATURES = 9,  /* what a tree may ask of a shape */
    STUDY_DEPTH = 8,     /* of a tree, at most */
    STUDY_NODES = (2 << STUDY_DEPTH) - 1,
};

struct study_shape {
    int M, N, K;
};

/* One of the kernels, as its constants describe it. */
struct study_kernel {
    const char *name;
    int tile_m, tile_n; /* of C, per block: padded where a tile is not full */
    int blocks;         /* that a multiprocessor runs at a time */
    bool splits;        /* along k, until all multiprocessors have work */
};

struct study_gpu {
    int multiprocessors;
    double flops_per_ms, bytes_per_ms; /* measured ceilings */
    double launch_ms;                  /* of an empty kernel */
};

/* A place of the map: what each kernel took there, several times. NAN: it did
 * not run, or its result was wrong. */
struct study_point {
    struct study_shape shape;
    int n_kernels, n_repeats;
    double ms[STUDY_KERNELS][STUDY_REPEATS];
};

struct study_cell {
    double share; /* of the roof, of the fastest kernel: 1 is all of it */
    bool cliff;   /* less than half of what a neighbour reaches */
};

enum study_cause {
    STUDY_NO_CAUSE,  /* no factor below grew by more than a fifth */
    STUDY_ALIGNMENT, /* rows do not begin on 16 bytes: narrow accesses */
    STUDY_TILE,      /* tiles stick out of the matrix */
    STUDY_WAVE,      /* the last round of blocks leaves multiprocessors idle */
    STUDY_KERNEL,    /* another kernel was chosen, and the wrong one */
    STUDY_L2,        /* what neighbouring blocks share left L2 between uses */
    STUDY_LAUNCH,    /* the launch itself takes a good part of the time */
};

/* What is known of one kernel's run at one shape. */
struct study_run {
    struct study_shape shape;
    const struct study_kernel *kernel; /* the one that was chosen */
    double ms;
    double other_ms;      /* of the other run's kernel at this shape */
    double bytes_asked;   /* by loads and stores */
    double sector_bytes;  /* 32 per sector that they touched */
    double memory_bytes;  /* that left or entered device memory */
};

/* How a candidate ended. */
enum study_end {
    STUDY_UNKNOWN, /* it was not measured yet */
    STUDY_OK,
    STUDY_WRONG,   /* its result is wrong */
    STUDY_FAILED,  /* its launch was refused */
    STUDY_HUNG,    /* it was stopped after a while: this costs most time */
};

/* A search among kernels for one shape. `log` outlives an interruption: it is
 * what a search has already paid for. */
struct study_tuner {
    struct study_shape shape;
    const struct study_gpu *gpu;
    const struct study_kernel *kernels;
    int n;
    double budget_ms; /* of measuring; do not begin when it is used up */
    double spent_ms;  /* so far */
    struct {
        enum study_end end;
        double ms;    /* if STUDY_OK */
    } log[STUDY_KERNELS];
    /* Runs candidate i, writes log[i], and adds what it took to spent_ms. */
    void (*measure)(struct study_tuner *tuner, int i);
};

/* What a tree learns from: one shape. */
struct study_example {
    double feature[STUDY_FEATURES]; /* study_features */
    bool held_out;                  /* for the grade alone: nothing is fitted
                                       to it */
    double ms[STUDY_KERNELS];       /* NAN: not a choice */
};

/* A question, or, with feature = -1, an answer. Node 0 is the first. */
struct study_node {
    int feature;      /* is feature[feature] <= threshold? */
    double threshold;
    int yes, no;      /* the next node if it is, and if it is not */
    int kernel;       /* the answer, an index */
};

/* How often 2 divides n; 3 if more often. Rows of n cells begin on 2, 4 or 8
 * times as many bytes as those of an odd number, and copies may be as wide. */
static inline double study_alignment(int n)
{
    return n % 8 == 0 ? 3 : n % 4 == 0 ? 2 : n % 2 == 0;
}

/* Sizes count in octaves: from 16 to 32 is as far as from 1600 to 3200. */
static inline void study_features(struct study_shape s,
                                  double feature[STUDY_FEATURES])
{
    feature[0] = log2(s.M);
    feature[1] = log2(s.N);
    feature[2] = log2(s.K);
    feature[3] = log2(s.M) + log2(s.N); /* cells of C */
    feature[4] = log2(s.M) - log2(s.N); /* tall or wide */
    feature[5] = study_alignment(s.N);  /* of the rows of B and C */
    feature[6] = feature[3] + feature[2]; /* work */
    feature[7] = feature[3] - feature[2]; /* flat or deep: cells over K */
    feature[8] = study_alignment(s.K);    /* of the rows of A */
}

STAGE_BEGIN

/* `down` rows of `across` points, whose neighbours are one up, down, left and
 * right. A cell's roof is the nearer of two: flops at flops_per_ms; the bytes
 * of A, B and C, each once, at bytes_per_ms. */
STAGE_EXPORT void study_map(const struct study_point *points, int down,
                            int across, const struct study_gpu *gpu,
                            struct study_cell *cells);

/* Why `bad` reaches less of the roof than its neighbour `good`. */
STAGE_EXPORT enum study_cause study_cause(const struct study_run *good,
                                          const struct study_run *bad,
                                          const struct study_gpu *gpu);

/* The index of the fastest of those that were measured and are STUDY_OK, -1 if
 * there is none. What the log knows is not measured again. */
STAGE_EXPORT int study_tune(struct study_tuner *tuner);

/* An index into kernels. */
STAGE_EXPORT int study_rules(struct study_shape shape,
                             const struct study_kernel *kernels, int n,
                             const struct study_gpu *gpu);

/* Fills nodes and returns how many: at most 2^(depth + 1) - 1, and no question
 * deeper than `depth` (0: a single answer). */
STAGE_EXPORT int study_tree(const struct study_example *examples, int n,
                            int n_kernels, int depth,
                            struct study_node *nodes);

STAGE_END

#endif
