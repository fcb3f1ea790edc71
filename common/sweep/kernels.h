// SPDX-License-Identifier: MIT
/*
 * kernels.h: the candidates of a chapter: candidates.tsv.
 *
 *   kernels_read
 *
 * A candidate is a kernel of a solution with other constants. A line, with tabs
 * between its columns:
 *
 *   vector64   14/gemm   BM=64 BN=64   64 64   1   no
 *
 * its name; chapter and kernel, 0 for one in common/sweep (compiled for
 * compute_90 if it is called ..._hopper, for compute_90a if ..._wgmma, else for
 * compute_80); what the kernel's enum is to say instead, - for nothing; the
 * rows and columns of its tile; the blocks that a multiprocessor runs at a
 * time; whether it splits k among blocks: no, or how:
 *
 *   yes        into as many parts as run at a time, each of 16 of k at least
 *   16x128     the same, but at most 16, and of 128
 *   16x128/2   twice as many, as long as 2 blocks per multiprocessor hold all
 *   8x16/32/64 the same with 32; and 64 tiles run at a time, since a block
 *              has several, a warp each
 *   few8x320   15/few: as 8x320, and with a tile that depends on the product
 *   vector     among a block's threads, whose number depends on the product
 *
 * So no kernel is written twice, and a tuner tries what a reader would try by
 * hand.
 */
#ifndef SWEEP_KERNELS_H
#define SWEEP_KERNELS_H

#include "sweep/plan.h"
#include "sweep/sweep.h"

struct sweep_kernel {
    char name[SWEEP_NAME];
    int chapter;
    char kernel[SWEEP_NAME];
    char constants[SWEEP_TEXT]; /* "BM=64 BN=64", or "-" */
    int tile_m, tile_n, blocks;
    bool splits;
    struct plan_rule rule; /* the same, and how k is split */
};

struct sweep_kernels {
    int n;
    struct sweep_kernel kernel[SWEEP_KERNELS];
};

/* false: error says what is wrong, with file and line. */
bool kernels_read(const char *path, struct sweep_kernels *list, char *error,
                  size_t error_size);

#endif
