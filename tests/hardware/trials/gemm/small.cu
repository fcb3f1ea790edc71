// SPDX-License-Identifier: MIT
/*
 * small.cu: trials of small bf16 products on Hopper (compute_90a), where the
 * tiles of chapter 17 are too few: gemm_hopper_split.cuh.
 *
 * A row of the table names rows x columns per tile, pairs of tiles on chip (s)
 * and blocks per tile (split). The blocks of a tile are a cluster, and share k.
 * At the end each sends to each other, through shared memory, its sums of the
 * columns that the other stores. `now` is chapter 17's step 6.
 *
 * At 1024 cubed there are 128 tiles of 128 x 64, each of which loads 384 KiB;
 * or 64 of 128 x 128, in two parts of 256 KiB; or 32 of 128 x 256, in four
 * parts of 192 KiB.
 */
#include "contest.cuh"
#include "op/gemm_hopper_split.cuh"

using split::element;

template <int BN, int GROUPS, int STAGES, int SPLIT>
static bool launch(const struct product *p, int)
{
    struct gemm_shape s = p->s;

    return (s.N | s.K) % 8 == 0 && (s.K - 1) / split::BK + 1 >= SPLIT &&
           split::launch<BN, GROUPS, STAGES, SPLIT>(
               (const element *)p->a, (const element *)p->b, (element *)p->c,
               s, 1.0f, 0.0f, NULL, 0) == cudaSuccess;
}

template <int BN, int GROUPS, int STAGES, int SPLIT> static void add_one(void)
{
    char name[64];

    snprintf(name, sizeof name, "%dx%d s%d split %d", GROUPS * WGMMA_M, BN,
             STAGES, SPLIT);
    add(name, launch<BN, GROUPS, STAGES, SPLIT>, 0, true);
}

static void candidates(const struct product *)
{
    add_one<64, 2, 6, 1>();
    add_one<128, 1, 6, 1>();
    add_one<128, 2, 5, 1>();
    add_one<128, 2, 5, 2>();
    add_one<128, 1, 6, 2>();
    add_one<256, 2, 4, 2>();
    add_one<256, 2, 4, 4>();
    add_one<256, 1, 4, 4>();
    add_one<128, 1, 6, 4>();
    add_one<128, 1, 6, 8>();
    add_one<128, 2, 5, 4>();
    add_one<64, 1, 8, 1>();
    add_one<64, 1, 8, 2>();
    add_one<64, 1, 8, 4>();
    add_one<64, 1, 8, 8>();
}

static void one(int M, int N, int K)
{
    contest<element>("bf16 ", M, N, K, 8e-3f, false,
                     stage_of<element, gemm_bf16_bf16>, candidates);
}

int main()
{
    contest_open();
#ifdef SIMULATED
    one(128, 256, 320);
    one(12, 256, 512);
    one(130, 72, 520);
#else
    one(1024, 1024, 1024); // warms up, too
    one(1024, 1024, 1024);
    one(512, 512, 512);
    one(2048, 2048, 2048);
    one(1024, 1024, 4096);
    one(64, 4096, 4096);
    one(16, 4096, 4096);
    one(1, 4096, 4096);
    one(16, 4096, 2752);
    one(8, 7168, 576);
    one(1533, 96, 3024);
    one(499, 416, 2368);
    one(3906, 64, 3136);
    one(2424, 576, 256);
    one(416, 1088, 3104);
    one(322, 352, 1216);
    one(136, 1088, 832);
    one(1984, 3104, 640);
#endif
    return 0;
}
