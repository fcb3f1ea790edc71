// SPDX-License-Identifier: MIT
// Stage 21, softmax in bf16: half the bytes, the same sums.
// New: 8 elements per vector of 16 bytes; sums and exponentials stay in fp32.
// Before: step 4 in fp32.
// Counter: global_bytes_over_compulsory is 1, of half as many bytes.

#include "op/row_chip.cuh"
#include "op/softmax.h"

#include <math_constants.h>

//> todo kernel (about 66 lines)
// A row of softmax: a thread keeps exponentials, from its own largest value.
template <typename T, int N> struct softmax {
    typedef T element;
    enum {
        INPUTS = 1,
        VECTORS = N,
        ROUNDS = 2,
        HELD = N * CHIP_VECTOR / sizeof(T) // elements that a thread keeps
    };
    struct partial {
        float max, sum;
    };
    struct settled {
        float scale;
    };
    struct kept {};

    const T *x;
    T *y;

    __device__ const T *input(int) const { return x; }
    __device__ T *output() const { return y; }
    static __device__ float pad() { return -CUDART_INF_F; }
    static __device__ partial none() { return {-CUDART_INF_F, 0.0f}; }

    // By how much a sum shrinks when the largest value grows from m to max.
    // Equal infinities are no growth, where their difference would be NaN.
    static __device__ float shrink(float m, float max)
    {
        return m == max ? 1.0f : chip_exp(m - max);
    }
    static __device__ partial join(partial p, int lanes)
    {
        float max = chip_max(p.max, lanes);

        return {max, chip_sum(p.sum * shrink(p.max, max), lanes)};
    }
    __device__ partial local(float *v, unsigned) const
    {
        partial p = none();

#pragma unroll
        for (int i = 0; i < HELD; i++)
            p.max = fmaxf(p.max, v[i]);

        float from = p.max == -CUDART_INF_F ? 0.0f : p.max;
#pragma unroll
        for (int i = 0; i < HELD; i++) {
            v[i] = chip_exp(v[i] - from);
            p.sum += v[i];
        }
        return p;
    }
    __device__ settled settle(partial own, partial all) const
    {
        return {shrink(own.max, all.max) / all.sum};
    }
    template <class Share> __device__ kept keep(const Share &) const
    {
        return {};
    }
    __device__ float finish(const float *v, int i, settled s, kept) const
    {
        return v[i] * s.scale;
    }
};
//< todo

size_t softmax_bf16_workspace(struct softmax_shape shape)
{
    //> todo workspace (about 1 line)
    return row_chip_workspace<softmax<softmax_bf16_t, 4>>(shape.R, shape.C);
    //< todo
}

cudaError_t softmax_bf16(const softmax_bf16_t *x, softmax_bf16_t *y,
                         struct softmax_shape shape, void *workspace,
                         cudaStream_t stream)
{
    //> todo launch (about 12 lines)
    enum { MANY = 4, FEW = 2, SHORT = 512 }; // vectors; columns

    // Short rows leave more lanes of a warp for other rows.
    cudaError_t error =
        shape.C <= SHORT
            ? row_chip_run(softmax<softmax_bf16_t, FEW>{x, y}, shape.R,
                           shape.C, workspace, stream)
            : row_chip_run(softmax<softmax_bf16_t, MANY>{x, y}, shape.R,
                           shape.C, workspace, stream);

    if (error != cudaSuccess)
        return error;
    //< todo
    return cudaGetLastError();
}
