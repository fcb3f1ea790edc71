// SPDX-License-Identifier: MIT
// Stage 20, a linear layer: step 2, the epilogue inside the product.
// New: bias and activation are applied where the sums still are in registers.
// Before: step 1; two arrays went to memory and back, and two more launches.
// Counter: global_store_sectors falls to a third: the result alone.

#include "op/linear_tile.cuh"

enum { THREADS = 256 }; // per block, of the elementwise kernels

//> todo kernel (about 25 lines)
// The product's epilogue: it stores what it is given.
struct store {
    float *to;
    int width; // of a row

    __device__ void operator()(int row, int col, const float *sum,
                               int count) const
    {
        float *at = to + (size_t)row * width + col;

        if (count == 4 && width % 4 == 0)
            *(float4 *)at = make_float4(sum[0], sum[1], sum[2], sum[3]);
        else
            for (int e = 0; e < count; e++)
                at[e] = sum[e];
    }
};

// to = from + bias
static __global__ void add_bias(const float *from, const float *bias,
                                float *to, unsigned n, unsigned width)
{
    unsigned i = blockIdx.x * THREADS + threadIdx.x; // may pass n

    if (i < n)
        to[i] = from[i] + bias[i % width];
}

// to = swish(from)
static __global__ void activate(const float *from, float *to, unsigned n)
{
    unsigned i = blockIdx.x * THREADS + threadIdx.x;

    if (i < n)
        to[i] = __fdividef(from[i], 1.0f + __expf(-from[i]));
}
//< todo

size_t linear_swish_workspace(struct linear_shape shape)
{
    //> todo workspace (about 2 lines)
    return 2 * (size_t)shape.M * shape.N * sizeof(float); // X W; X W + bias
    //< todo
}

cudaError_t linear_swish(const float *X, const float *W, const float *bias,
                         float *Y, struct linear_shape shape, void *workspace,
                         cudaStream_t stream)
{
    //> todo launch (about 4 lines)
    unsigned n = shape.M * shape.N, blocks = (n - 1) / THREADS + 1;
    float *product = (float *)workspace, *biased = product + n;
    struct store plain = {product, shape.N};

    linear_tiles(X, W, shape, plain, stream);
    add_bias<<<blocks, THREADS, 0, stream>>>(product, bias, biased, n, shape.N);
    activate<<<blocks, THREADS, 0, stream>>>(biased, Y, n);
    //< todo
    return cudaGetLastError();
}
