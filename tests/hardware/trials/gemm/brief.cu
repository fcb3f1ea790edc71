// SPDX-License-Identifier: MIT
/*
 * brief.cu: trials of bf16 products whose rows begin anywhere: C is large and k
 * brief, or k is long and C narrow. Chapter 23's kernels were slower than
 * cuBLAS there.
 *
 *   brief   gemm_brief.cuh, with tiles of several sizes
 *   now     chapter 17's step 6, which copies such matrices first
 *
 * A row of the table names rows x columns per tile, blocks per multiprocessor
 * (b), and parts of k (p), which are the blocks of a cluster.
 */
#include "contest.cuh"
#include "op/gemm_brief.cuh"

using brief::element;
using brief::tile;

template <class T> static bool launch(const struct product *p, int parts)
{
    return brief::launch<T>((const element *)p->a, (const element *)p->b,
                            (element *)p->c, p->s, 1.0f, 0.0f, parts,
                            0) == cudaSuccess;
}

// With all numbers of parts, twice as many each, that leave each two steps of k
// and do not fill the multiprocessors more than `fill` times.
template <class T> static void add_one(const struct product *p, int fill)
{
    int tiles = brief::tiles_of<T>(p->s);
    int steps = (p->s.K - 1) / brief::BK + 1;

    for (int parts = 1; parts == 1 || (parts <= 16 && 2 * parts <= steps &&
                                       tiles * parts <=
                                           processors * T::BLOCKS * fill);
         parts *= 2) {
        char name[64];

        snprintf(name, sizeof name, "brief %dx%d b%d p%d", T::BM, T::BN,
                 T::BLOCKS, parts);
        add(name, launch<T>, parts, true);
    }
}

static void one(int M, int N, int K)
{
    contest<element>("bf16 ", M, N, K, 8e-3f, false,
                     stage_of<element, gemm_bf16_bf16>,
                     [](const struct product *p) {
                         add_one<tile<64, 64, 4>>(p, 1);
                         add_one<tile<64, 64, 5>>(p, 1);
                         add_one<tile<64, 64, 6>>(p, 1);
                         add_one<tile<128, 64, 2>>(p, 1);
                         add_one<tile<128, 64, 3>>(p, 1);
                         add_one<tile<64, 128, 2>>(p, 1);
                         add_one<tile<64, 128, 3>>(p, 1);
                     });
}

int main()
{
    contest_open();
#ifdef SIMULATED
    one(70, 131, 53);
    one(129, 67, 32);
    one(65, 130, 44);
    one(67, 20, 383);
    one(1, 1, 1);
    one(33, 255, 129);
    one(33, 51, 21);
#else
    one(2336, 1089, 53); // warms up, too
    one(2336, 1089, 53);
    one(1696, 2039, 107);
    one(2528, 2943, 32);
    one(2048, 3830, 43);
    one(1108, 255, 27);
    one(1658, 20, 3835);
    one(3936, 89, 1709);
    one(162, 2498, 22);
    one(736, 742, 46);
    one(3628, 224, 18);
    one(2424, 576, 256);
    one(4096, 4096, 64);
#endif
    return 0;
}
