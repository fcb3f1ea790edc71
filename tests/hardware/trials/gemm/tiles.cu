// SPDX-License-Identifier: MIT
/*
 * tiles.cu: trials of fp32 products for which chapter 23's kernels are
 * slower than cuBLAS, and of chapter 20's linear layer at batch 256:
 * gemm_slab.cuh with tiles of many sizes.
 *
 *   slab    C = A B
 *   swish   the layer: bias and Swish, out of registers
 *   layer   chapter 20's step 2
 *   now     chapter 15's step 7
 *
 * A row of the table names rows x columns per tile and per thread, slices of
 * a block (x), tiles on chip per slice (s), of k at a time (k), blocks per
 * multiprocessor (b), and the parts of k (p), which are a cluster's blocks.
 */
#include "slabs.cuh"

template <class T> static bool product_of(const struct product *p, int parts)
{
    return slab_of<T>(p, parts, plain{(float *)p->c, p->s.ldc});
}

// Zeros are the bias: what `half` is full of.
template <class T> static bool layer_of(const struct product *p, int parts)
{
    return slab_of<T>(p, parts, swish{{(float *)p->c, p->s.ldc},
                                      (const float *)p->half});
}

template <class T>
static void add_named(const char *what, launcher *launch, int parts,
                      bool result)
{
    char name[64];

    snprintf(name, sizeof name, "%s %dx%d %dx%d x%d s%d k%d b%d p%d", what,
             T::BM, T::BN, T::TM, T::TN, T::SLICES, T::STAGES, T::BK,
             T::BLOCKS, parts);
    add(name, launch, parts, result);
}

// With one part of k, and as many as run at a time, or one less.
template <class T> static void add_one(const struct product *p)
{
    int steps = (p->s.K - 1) / T::BK + 1;
    int most = min(processors * T::BLOCKS / slab_tiles<T>(p->s),
                   min((int)PORTABLE, steps / T::SLICES / 4));

    add_named<T>("slab", product_of<T>, 1, true);
    for (int parts = max(2, most - 1); parts <= most; parts++)
        add_named<T>("slab", product_of<T>, parts, true);
}

template <class T> static void add_layer(int parts)
{
    add_named<T>("slab", product_of<T>, parts, true);
    add_named<T>("swish", layer_of<T>, parts, false);
}

//           BM   BN  TM TN  x  s  k  b
typedef slab<64, 64, 8, 16, 4, 4, 8, 2> square;
typedef slab<64, 64, 8, 16, 8, 3, 8, 1> square_deep;
typedef slab<64, 64, 8, 8, 4, 4, 8, 2> square_many;
typedef slab<64, 48, 8, 12, 8, 3, 8, 1> slim_deep;
typedef slab<64, 48, 8, 12, 4, 4, 8, 2> slim;
typedef slab<64, 96, 8, 12, 4, 4, 8, 1> wide_deep;
typedef slab<64, 96, 8, 12, 2, 4, 8, 2> wide;
typedef slab<64, 80, 8, 20, 8, 3, 8, 1> eighty_deep;
typedef slab<64, 32, 8, 8, 4, 4, 8, 4> narrow;
typedef slab<64, 32, 8, 8, 8, 3, 8, 2> narrow_deep;
typedef slab<32, 64, 4, 16, 8, 3, 8, 2> flat_deep;
typedef slab<64, 128, 8, 16, 4, 4, 8, 1> flat;
typedef slab<128, 128, 8, 16, 2, 4, 8, 1> large;
typedef slab<128, 128, 8, 8, 2, 3, 8, 1> large_many;
typedef slab<128, 64, 8, 16, 2, 4, 8, 2> tall;

static void candidates(const struct product *p)
{
    add_one<square>(p);
    add_one<square_deep>(p);
    add_one<square_many>(p);
    add_one<slim_deep>(p);
    add_one<slim>(p);
    add_one<wide_deep>(p);
    add_one<wide>(p);
    add_one<eighty_deep>(p);
    add_one<narrow>(p);
    add_one<narrow_deep>(p);
    add_one<flat_deep>(p);
    add_one<flat>(p);
    add_one<large>(p);
    add_one<large_many>(p);
    add_one<tall>(p);
}

static void layers(const struct product *)
{
    add("layer", layer, 0, false);
    add_layer<flat>(1);
    add_layer<square>(1);
    add_layer<slab<64, 64, 8, 16, 4, 3, 16, 2>>(1);
    add_layer<slab<64, 64, 8, 16, 4, 6, 8, 2>>(1);
    add_layer<square_many>(1);
    add_layer<large>(2);
    add_layer<large_many>(2);
    add_layer<tall>(2);
    add_layer<slab<128, 64, 8, 16, 4, 4, 8, 1>>(1);
    add_layer<slab<64, 128, 8, 16, 4, 6, 8, 1>>(1);
}

static void one(int M, int N, int K)
{
    contest<float>("", M, N, K, 1e-6f, false, stage_of<float, gemm_f32>,
                   candidates);
}

static void one_layer(int M, int N, int K)
{
    contest<float>("layer ", M, N, K, 1e-6f, false, stage_of<float, gemm_f32>,
                   layers);
}

int main()
{
    contest_open();
#ifdef SIMULATED
    one(70, 131, 53);
    one(67, 36, 420);
    one_layer(72, 132, 130);
#else
    one_layer(256, 4096, 4096); // warms up, too
    one_layer(256, 4096, 4096);
    one(3936, 89, 1709);
    one(391, 2029, 202);
    one(3717, 153, 3380);
    one(128, 2630, 613);
    one(3968, 480, 576);
    one(255, 1062, 576);
    one(416, 1088, 3104);
    one(928, 161, 874);
    one(2424, 576, 256);
    one(574, 3280, 183);
    one(864, 608, 93);
    one(1696, 2039, 107);
    one(3520, 352, 2682);
    one(2048, 2048, 2048);
#endif
    return 0;
}
