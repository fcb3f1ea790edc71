// SPDX-License-Identifier: MIT
/*
 * slabs.cuh: gemm_slab.cuh's kernel in a contest.
 *
 *   slab_of          launches it with an epilogue
 *   plain, swish     epilogues: C is the product, or bias and Swish are applied
 *   layer            chapter 20's step 2, as a candidate
 */
#ifndef TRIAL_SLABS_CUH
#define TRIAL_SLABS_CUH

#include "contest.cuh"
#include "op/gemm_slab.cuh"
#include "op/linear.h"

struct plain {
    float *C;
    int ldc;

    __device__ void operator()(int row, int col, float v) const
    {
        C[(size_t)row * ldc + col] = v;
    }

    __device__ void operator()(int row, int col, float4 v) const
    {
        *(float4 *)(C + (size_t)row * ldc + col) = v;
    }
};

struct swish {
    struct plain to;
    const float *bias;

    static __device__ float of(float z)
    {
        return __fdividef(z, 1.0f + __expf(-z));
    }

    __device__ void operator()(int row, int col, float v) const
    {
        to(row, col, of(v + bias[col]));
    }

    __device__ void operator()(int row, int col, float4 v) const
    {
        float4 b = *(const float4 *)(bias + col);

        to(row, col, make_float4(of(v.x + b.x), of(v.y + b.y), of(v.z + b.z),
                                 of(v.w + b.w)));
    }
};

template <class T, class Epilogue>
static bool slab_of(const struct product *p, int parts, Epilogue epilogue)
{
    struct gemm_shape s = p->s;

    return slab_launch<T>((const float *)p->a, (const float *)p->b, s, parts,
                          (size_t)p->c % 16 == 0 && s.ldc % 4 == 0, epilogue,
                          0) == cudaSuccess;
}

static bool layer(const struct product *p, int)
{
    return linear_swish((const float *)p->a, (const float *)p->b,
                        (const float *)p->half, (float *)p->c,
                        {p->s.M, p->s.N, p->s.K}, p->scratch,
                        0) == cudaSuccess;
}

#endif
