// SPDX-License-Identifier: MIT
// Stage 21, the gradient of softmax in bf16.
// New: nothing but the type; the sum stays in fp32.
// Before: the same in fp32.
// Counter: global_bytes_over_compulsory is 1, of half as many bytes.

#include "op/row_cluster.cuh"
#include "op/softmax.h"

//> todo kernel (about 35 lines)
// A row of softmax's gradient: one sum, of products.
template <typename T> struct softmax_backward {
    typedef T element;
    enum { INPUTS = 2, WIDTH = CHIP_VECTOR / sizeof(T) };
    struct partial {
        float sum;
    };
    typedef partial settled;

    const T *y, *dy;
    T *dx;

    __device__ const T *input(int i) const { return i ? dy : y; }
    __device__ T *output() const { return dx; }
    static __device__ float pad() { return 0.0f; }
    static __device__ partial none() { return {0.0f}; }
    template <class Spot>
    __device__ void add(partial &p, const float *v, const Spot &) const
    {
#pragma unroll
        for (int e = 0; e < WIDTH; e++)
            p.sum += v[e] * v[WIDTH + e];
    }
    static __device__ partial join(partial p, int lanes)
    {
        return {chip_sum(p.sum, lanes)};
    }
    __device__ settled settle(partial p) const { return p; }
    template <class Spot>
    __device__ void finish(const float *v, settled s, const Spot &,
                           float *out) const
    {
#pragma unroll
        for (int e = 0; e < WIDTH; e++)
            out[e] = v[e] * (v[WIDTH + e] - s.sum);
    }
};
//< todo

size_t softmax_backward_bf16_workspace(struct softmax_shape shape)
{
    //> todo workspace (about 2 lines)
    (void)shape;
    return 0;
    //< todo
}

cudaError_t softmax_backward_bf16(const softmax_bf16_t *y,
                                  const softmax_bf16_t *dy, softmax_bf16_t *dx,
                                  struct softmax_shape shape, void *workspace,
                                  cudaStream_t stream)
{
    //> todo launch (about 6 lines)
    (void)workspace; // none was asked for
    softmax_backward<softmax_bf16_t> op = {y, dy, dx};
    cudaError_t error =
        row_cluster_run<by_cluster>(op, shape.R, shape.C, stream);

    if (error != cudaSuccess)
        return error;
    //< todo
    return cudaGetLastError();
}
