// SPDX-License-Identifier: MIT
/*
 * plan.h: how a candidate shares a product out among blocks, and what of it
 * takes time.
 *
 *   plan_of    tiles, parts of k, blocks, rounds
 *   plan_row   what takes time, and which constants it is multiplied by
 *   plan_ms    the sum
 *   plan_floor what it takes at least, by roofs alone
 *
 * In C and C++: what `make tune FOREST=25` prints includes it.
 *
 * Its hard idea: which of two kernels is the faster turns on numbers that jump,
 * above all into how many parts k is cut and how many rounds of blocks that
 * makes. No tree can learn such jumps from two thousand shapes; the rules
 * behind them are a line each. So candidates.tsv says them (kernels.h).
 */
#ifndef SWEEP_PLAN_H
#define SWEEP_PLAN_H

#include <math.h>

enum plan_kind {
    PLAN_WHOLE,   /* no block shares k with others */
    PLAN_PARTS,   /* as many parts as run at a time */
    PLAN_DOUBLED, /* twice as many, as long as all run at a time */
    PLAN_FEW,     /* 15/few: it chooses among four tiles */
    PLAN_VECTOR,  /* vector.cuh: among blocks of five kinds, that share no k */
};

enum {
    PLAN_TERMS = 10,
    PLAN_ALIGNED = 9, /* classes of alignment */
    PLAN_REGIMES = 5, /* of these two, at most; the others have one */
    /* A cluster lies within a group of multiprocessors. An H200's 132 are seven
     * groups of 16 or 18, and a smaller one; pairs of blocks fit anywhere. */
    PLAN_GROUP = 17,
    PLAN_PAIR = 2,
    PLAN_THREADS = 1024, /* a multiprocessor's, of a kernel that takes up to 64
                            registers */
};

struct plan_rule {
    enum plan_kind kind;
    int tile_m, tile_n; /* of C, per block */
    int blocks;         /* that a multiprocessor runs at a time */
    int most;           /* parts of k, at most */
    int least;          /* of k that a part has, at least */
    int fill;           /* blocks per multiprocessor for which k is split */
};

struct plan {
    double tiles, parts;
    double deep;    /* of k per block */
    double rounds;  /* of blocks */
    double per;     /* blocks per multiprocessor, of the one with most */
    int regime;
};

/* The tile that 15/few takes: op/gemm_few.cuh has the reasons. Tiles of one row
 * are as many as tiles of 8 where M is 1. */
static inline int plan_few(double M, double N, double K, int processors,
                           struct plan_rule *r)
{
    enum { FEW_ROWS = 64, SMALL = 1 << 27, LARGE = 3 };
    int small = M * N * K <= SMALL;
    int eights = ceil(M / 8) * ceil(N / 64) <= 2.0 * processors;

    r->kind = PLAN_PARTS;
    if (M > FEW_ROWS && !small) {
        r->tile_m = 128;
        r->tile_n = 256;
        r->fill = r->blocks = 1;
        r->most = SMALL;
        r->least = 16;
        return LARGE;
    }
    if (M <= 8 || (M > 16 && small && eights)) {
        r->tile_m = 8;
        r->tile_n = 64;
        return 0;
    }
    if (M <= 16) {
        r->tile_m = 16;
        return 1;
    }
    r->tile_m = 32;
    r->fill = r->blocks = 1;
    return 2;
}

/* The cells of a block of sweep/vector.cuh, and of k that a thread has: its
 * other threads have the rest. */
static inline int plan_vector(double M, double N, double K,
                              struct plan_rule *r)
{
    enum { FEW = 132, SHORT = 1024 }; /* as there */
    int few = M * N <= FEW, brief = K <= SHORT, wide = N > 1 && !few;
    int threads = wide    ? brief ? 512 : 1024
                  : brief ? 128
                  : few   ? 512
                          : 256;

    r->tile_m = 1;
    r->tile_n = wide ? 4 : 1;
    r->blocks = PLAN_THREADS / threads;
    r->least = threads / r->tile_n;
    return wide ? !brief : brief ? 2 : few ? 3 : 4;
}

/* How many clusters of so many blocks run at a time, `each` blocks to a
 * multiprocessor. */
static inline int plan_clusters(int parts, int processors, int each)
{
    if (parts <= PLAN_PAIR)
        return processors * each / parts;
    return processors / PLAN_GROUP * (PLAN_GROUP * each / parts) +
           processors % PLAN_GROUP * each / parts;
}

/* Whether parts are blocks of a cluster; else, they are a block's warps, or
 * blocks that may run anywhere. */
static inline int plan_is_clustered(struct plan_rule r)
{
    return r.kind == PLAN_DOUBLED && r.blocks == r.fill;
}

static inline struct plan plan_of(struct plan_rule r, double M, double N,
                                  double K, int processors)
{
    int regime = r.kind == PLAN_FEW      ? plan_few(M, N, K, processors, &r)
                 : r.kind == PLAN_VECTOR ? plan_vector(M, N, K, &r)
                                         : 0;
    double tiles = ceil(M / r.tile_m) * ceil(N / r.tile_n), parts = 1;
    double room = (double)processors * r.fill, blocks;
    struct plan p;

    if (r.kind == PLAN_PARTS)
        parts = fmax(1, fmin(floor(room / tiles),
                             fmin(r.most, floor(K / r.least))));
    while (r.kind == PLAN_DOUBLED && 2 * parts <= r.most &&
           (2 * parts - 0.5) * r.least < K && 2 * parts * tiles <= room)
        parts *= 2; // the last part may be half of the others
    blocks = tiles * parts;
    p.tiles = tiles;
    p.parts = parts;
    p.deep = ceil(K / (r.kind == PLAN_VECTOR ? r.least : parts));
    p.rounds = ceil(blocks / ((double)processors * r.blocks));
    p.per = ceil(blocks / processors);
    if (plan_is_clustered(r) && parts > 1) {
        p.rounds = ceil(tiles / plan_clusters((int)parts, processors,
                                              r.blocks));
        p.per = ceil(tiles / plan_clusters((int)parts, processors, 1));
    }
    p.regime = regime;
    return p;
}

/* Whether rows of n elements begin on 16 bytes, on 4, or on less. */
static inline int plan_aligned(int n, int element_bytes)
{
    return n * element_bytes % 16 == 0 ? 2 : n * element_bytes % 4 == 0;
}

static inline int plan_class(int N, int K, int element_bytes)
{
    return plan_aligned(N, element_bytes) * 3 + plan_aligned(K, element_bytes);
}

/* Each is 0 or more. */
static inline void plan_terms(struct plan p, double M, double N, double K,
                              double term[PLAN_TERMS])
{
    term[0] = 1;                 /* the launch */
    term[1] = p.rounds * p.deep; /* a block waits for its own loads */
    term[2] = p.per * p.deep;    /* a multiprocessor's blocks take turns */
    term[3] = p.rounds;          /* a block's beginning and end */
    term[4] = p.per;
    term[5] = p.parts > 1;       /* somebody adds up the parts */
    term[6] = p.parts;
    term[7] = M * K;             /* bytes of A, B and C */
    term[8] = K * N;
    term[9] = M * N;
}

/* Which of a kernel's rows of constants a product takes, and its terms. */
static inline int plan_row(struct plan_rule rule, int M, int N, int K,
                           int processors, int element_bytes,
                           double term[PLAN_TERMS])
{
    struct plan p = plan_of(rule, M, N, K, processors);

    plan_terms(p, M, N, K, term);
    return p.regime * PLAN_ALIGNED + plan_class(N, K, element_bytes);
}

/* constant: a kernel's rows. */
static inline double plan_ms(struct plan_rule rule,
                             const double (*constant)[PLAN_TERMS], int M,
                             int N, int K, int processors, int element_bytes)
{
    double term[PLAN_TERMS], ms = 0;
    int row = plan_row(rule, M, N, K, processors, element_bytes, term);

    for (int i = 0; i < PLAN_TERMS; i++)
        ms += constant[row][i] * term[i];
    return ms;
}

struct plan_roofs {
    double flops_per_second, bytes_per_second; /* of memory */
};

/* In ms: the flops of whole tiles; or what the tiles read, each for itself,
 * which comes from L2, PLAN_L2 times as fast as from memory. Of 15/few, whose
 * tile depends on the product, no more is known than 0. */
#define PLAN_L2 2.0
static inline double plan_floor(struct plan_rule r, double M, double N,
                                double K, int element_bytes,
                                struct plan_roofs roofs)
{
    double tiles = ceil(M / r.tile_m) * ceil(N / r.tile_n);
    double flops = 2 * tiles * r.tile_m * r.tile_n * K;
    double bytes = tiles * (r.tile_m + r.tile_n) * K * element_bytes;

    if (r.kind == PLAN_FEW || !(roofs.flops_per_second > 0) ||
        !(roofs.bytes_per_second > 0))
        return 0;
    return 1e3 * fmax(flops / roofs.flops_per_second,
                      bytes / (PLAN_L2 * roofs.bytes_per_second));
}

#endif
