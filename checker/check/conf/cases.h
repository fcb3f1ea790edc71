// SPDX-License-Identifier: MIT
/*
 * cases.h: which inputs a kernel is checked on.
 *
 *   cases_make, cases_free
 *   case_unlisted           one more, of a size that a check came upon
 *   case_longer             one more, with an extent longer than any listed
 *
 * The operator's awkward sizes and the chapter's own: small ones with every
 * family of inputs that the operator names, the others with two, integers and
 * another one in its turn, or integers alone where a size is about indices. A
 * kernel whose blocks compute large tiles finds no size small.
 * GRADE=1, and SHAPE=, take every family at any size. The chapter's first, big
 * shape comes with the operator's first family, and with integers, or with
 * these alone. Numbers count all families and never change: CASE=17 means the
 * same sizes whatever the seed, unless DRAW= asks for sizes from the seed.
 *
 * Where a block takes one tile after the other until all are done, it needs
 * more tiles than the GPU holds blocks. Such a size is small on a simulated GPU
 * of few multiprocessors.
 */
#ifndef CHECK_CASES_H
#define CHECK_CASES_H

#include "conf.h"

struct test_case {
    int number;            /* for CASE= */
    struct op_problem problem;
    int multiprocessors;   /* of the simulated GPU; 0: all that it has */
    unsigned off;          /* bit i: buffer i begins one element behind a
                              boundary of 256 bytes */
    bool gates;            /* counters are taken here */
    bool shuffle;          /* run again with blocks and warps shuffled */
};

struct case_list {
    int n;
    struct test_case *cases;
};

struct case_choice {
    int only;                      /* CASE=; -1: all */
    const struct op_shape *shape;  /* SHAPE=, or NULL */
    int multiprocessors;           /* SHAPE="... on N"; 0: all there are */
    int draw;                      /* DRAW=: this many sizes that the seed
                                      draws, and no others; 0: the listed */
    uint64_t seed;
    bool thorough;                 /* GRADE=1: every family, the big ones
                                      shuffled too, sizes that the seed draws */
    bool once;                     /* run: launch it a single time */
};

/* An empty list: there is no such case. total: how many there are to choose
 * from. */
struct case_list cases_make(const struct kernel_conf *kernel,
                            const struct case_choice *choice, int *total);
void cases_free(struct case_list *list);

/* Integers, where the operator has any; CASE= does not know it. */
struct test_case case_unlisted(const struct op *op,
                               const struct op_shape *shape, uint64_t seed);

/* Likewise: extent d is beyond what everybody can read of the kernel's cases,
 * up to what is timed, or four times as long if it is the length of rows that a
 * cluster of blocks can still hold. false: there is no such size. */
bool case_longer(const struct kernel_conf *kernel, int d, uint64_t seed,
                 struct test_case *c);

/* A well mixed number for item i under a seed (splitmix64). */
uint64_t seed_mix(uint64_t seed, uint64_t i);

#endif
