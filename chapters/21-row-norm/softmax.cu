// SPDX-License-Identifier: MIT
// Stage 21, softmax, step 5: long rows stay on chip, in several blocks.
// New: a cluster of blocks owns a row that is too long for one, and reduces it
// through each other's shared memory.
// Before: step 4; rows of more than 32768 columns were read twice.
// Counter: global_bytes_over_compulsory falls from 1.5 to 1 for long rows.

#include "op/row_cluster.cuh"
#include "op/softmax.h"

#include <math_constants.h>

//> todo kernel (about 82 lines)
// What is known of some values of a row: the largest, and the sum of
// exp(value - max).
template <typename T> struct softmax {
    typedef T element;
    enum { INPUTS = 1, WIDTH = CHIP_VECTOR / sizeof(T) };
    struct partial {
        float max, sum;
    };
    typedef partial settled; // the largest, and the reciprocal of the sum

    const T *x;
    T *y;

    __device__ const T *input(int) const { return x; }
    __device__ T *output() const { return y; }
    static __device__ float pad() { return -CUDART_INF_F; }
    static __device__ partial none() { return {-CUDART_INF_F, 0.0f}; }
    // -inf - -inf would be NaN, where no value has come yet.
    static __device__ float from(float max)
    {
        return max == -CUDART_INF_F ? 0.0f : max;
    }
    template <class Spot>
    __device__ void add(partial &p, const float *v, const Spot &) const
    {
        float max = p.max;

#pragma unroll
        for (int e = 0; e < WIDTH; e++)
            max = fmaxf(max, v[e]);
        p.sum *= chip_exp(p.max - from(max));
#pragma unroll
        for (int e = 0; e < WIDTH; e++)
            p.sum += chip_exp(v[e] - from(max));
        p.max = max;
    }
    static __device__ partial join(partial p, int lanes)
    {
        float max = chip_max(p.max, lanes);

        return {max, chip_sum(p.sum * chip_exp(p.max - from(max)), lanes)};
    }
    __device__ settled settle(partial p) const
    {
        return {from(p.max), 1.0f / p.sum};
    }
    template <class Spot>
    __device__ void finish(const float *v, settled s, const Spot &,
                           float *out) const
    {
#pragma unroll
        for (int e = 0; e < WIDTH; e++)
            out[e] = chip_exp(v[e] - s.max) * s.sum;
    }
};
//< todo

size_t softmax_f32_workspace(struct softmax_shape shape)
{
    //> todo workspace (about 2 lines)
    (void)shape;
    return 0;
    //< todo
}

cudaError_t softmax_f32(const float *x, float *y, struct softmax_shape shape,
                        void *workspace, cudaStream_t stream)
{
    //> todo launch (about 6 lines)
    (void)workspace; // none was asked for
    softmax<float> op = {x, y};
    cudaError_t error =
        chip_fits<softmax<float>>(shape.C)
            ? row_chip_run(op, shape.R, shape.C, stream)
            : row_twice_run(op, shape.R, shape.C, sums_of_nothing(), shape.R,
                            stream);

    if (error != cudaSuccess)
        return error;
    //< todo
    return cudaGetLastError();
}
