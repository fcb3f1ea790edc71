// SPDX-License-Identifier: MIT
// Stage 21, softmax, step 4: rows of every length, and memory never idle.
// New: the next row is copied to shared memory while this one is worked on; a
// row is shared by some lanes, a block, or several blocks (op/row_chip.cuh).
// Before: step 3; a block for each row, and rows of up to 4096 columns.
// Counter: global_bytes_over_compulsory stays 1 for long rows too.

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

size_t softmax_f32_workspace(struct softmax_shape shape)
{
    //> todo workspace (about 1 line)
    return row_chip_workspace<softmax<float, 8>>(shape.R, shape.C);
    //< todo
}

cudaError_t softmax_f32(const float *x, float *y, struct softmax_shape shape,
                        void *workspace, cudaStream_t stream)
{
    //> todo launch (about 12 lines)
    enum { MANY = 8, FEW = 4, SHORT = 512 }; // vectors; columns

    // Short rows leave more lanes of a warp for other rows.
    cudaError_t error =
        shape.C <= SHORT
            ? row_chip_run(softmax<float, FEW>{x, y}, shape.R, shape.C,
                           workspace, stream)
            : row_chip_run(softmax<float, MANY>{x, y}, shape.R, shape.C,
                           workspace, stream);

    if (error != cudaSuccess)
        return error;
    //< todo
    return cudaGetLastError();
}
