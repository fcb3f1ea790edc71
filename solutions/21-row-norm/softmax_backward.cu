// SPDX-License-Identifier: MIT
// Stage 21, the gradient of softmax.
// New: two inputs on chip at once; half the vectors of each.
// Before: step 4; one input.
// Counter: global_bytes_over_compulsory is 1: two loads, one store.

#include "op/row_chip.cuh"
#include "op/softmax.h"

//> todo kernel (about 45 lines)
// A row of softmax's gradient: one sum, of products.
template <typename T, int N> struct softmax_backward {
    typedef T element;
    enum {
        INPUTS = 2,
        VECTORS = N,
        ROUNDS = 2,
        HELD = N * CHIP_VECTOR / sizeof(T) // elements of each input
    };
    struct partial {
        float sum;
    };
    typedef partial settled;
    struct kept {};

    const T *y, *dy;
    T *dx;

    __device__ const T *input(int i) const { return i ? dy : y; }
    __device__ T *output() const { return dx; }
    static __device__ float pad() { return 0.0f; }
    static __device__ partial none() { return {0.0f}; }
    static __device__ partial join(partial p, int lanes)
    {
        return {chip_sum(p.sum, lanes)};
    }
    __device__ partial local(float *v, unsigned) const
    {
        partial p = none();

#pragma unroll
        for (int i = 0; i < HELD; i++)
            p.sum += v[i] * v[HELD + i];
        return p;
    }
    __device__ settled settle(partial, partial all) const { return all; }
    template <class Share> __device__ kept keep(const Share &) const
    {
        return {};
    }
    __device__ float finish(const float *v, int i, settled s, kept) const
    {
        return v[i] * (v[HELD + i] - s.sum);
    }
};
//< todo

size_t softmax_backward_f32_workspace(struct softmax_shape shape)
{
    //> todo workspace (about 1 line)
    return row_chip_workspace<softmax_backward<float, 4>>(shape.R, shape.C);
    //< todo
}

cudaError_t softmax_backward_f32(const float *y, const float *dy, float *dx,
                                 struct softmax_shape shape, void *workspace,
                                 cudaStream_t stream)
{
    //> todo launch (about 6 lines)
    cudaError_t error =
        row_chip_run(softmax_backward<float, 4>{y, dy, dx}, shape.R,
                     shape.C, workspace, stream);

    if (error != cudaSuccess)
        return error;
    //< todo
    return cudaGetLastError();
}
