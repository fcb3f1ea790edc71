// SPDX-License-Identifier: MIT
// Stage 24, the gradient of bias and Swish.
// New: the pass that makes dz also sums it, so dz is not read again for dbias.
// Before: the optimiser, which has no sums.
// Counter: global_bytes_over_compulsory stays near 1.

#include "op/block.h"

enum {
    THREADS = 256, // per block
    LANES = 32,
    TOGETHER = 1 << 17, // threads in all: they run at the same time
    LEAST = 16          // sequences per thread: its sum is one number for all
};
#define ALL_LANES 0xffffffffu

// The sum over a block's threads, in a fixed order; thread 0 has it.
static __device__ float block_sum(float value)
{
    __shared__ float warps[THREADS / LANES];
    int lane = threadIdx.x % LANES, warp = threadIdx.x / LANES;

    for (int far = LANES / 2; far > 0; far /= 2)
        value += __shfl_down_sync(ALL_LANES, value, far);
    if (lane == 0)
        warps[warp] = value;
    __syncthreads(); // each warp has left its sum
    value = threadIdx.x < THREADS / LANES ? warps[threadIdx.x] : 0.0f;
    for (int far = LANES / 2; warp == 0 && far > 0; far /= 2)
        value += __shfl_down_sync(ALL_LANES, value, far);
    return value;
}

// The slope of swish at a.
static __device__ float slope(float a)
{
    //> todo slope (about 2 lines)
    float s = __fdividef(1.0f, 1.0f + __expf(-a));

    return s * (1.0f + a * (1.0f - s));
    //< todo
}

// How many threads share the sequences at one (h, t): thread i of all stands at
// cell i of the first `slices` sequences.
static unsigned slices(struct block_shape s)
{
    unsigned most = (TOGETHER - 1) / ((unsigned)s.H * s.L) + 1;
    unsigned enough = ((unsigned)s.B - 1) / LEAST + 1;

    return most < enough ? most : enough;
}

// Thread i takes cell i of the array and the cells `apart`, 2 `apart`, ...
// after it. apart is a multiple of H L, so all are at the same (h, t) of other
// sequences. Leaves its sum in sums[i]: as an array, sums is (slices, H, L).
static __global__ void swish_cells(const float *__restrict__ z,
                                   const float *bias,
                                   const float *__restrict__ dy,
                                   float *__restrict__ dz, float *sums,
                                   struct block_shape s, unsigned apart)
{
    unsigned i = blockIdx.x * THREADS + threadIdx.x; // may pass apart
    size_t n = (size_t)s.B * s.H * s.L;

    if (i >= apart)
        return;
    //> todo cells (about 11 lines)
    float own = bias[i / s.L % s.H], sum = 0.0f;
    unsigned cells = (unsigned)((n - 1 - i) / apart) + 1;

#pragma unroll 8
    for (unsigned c = 0; c < cells; c++) {
        size_t cell = i + (size_t)c * apart;
        float g = dy[cell] * slope(z[cell] + own);

        dz[cell] = g;
        sum += g;
    }
    sums[i] = sum;
    //< todo
}

// A block per channel h = blockIdx.x.
static __global__ void swish_channel(const float *sums, float *dbias,
                                     struct block_shape s, unsigned slices)
{
    //> todo channel (about 7 lines)
    unsigned h = blockIdx.x;
    float sum = 0.0f;

    for (unsigned r = threadIdx.x; r < slices * s.L; r += THREADS)
        sum += sums[((size_t)(r / s.L) * s.H + h) * s.L + r % s.L];
    sum = block_sum(sum);
    if (threadIdx.x == 0)
        dbias[h] = sum;
    //< todo
}

size_t swish_backward_workspace(struct block_shape shape)
{
    return (size_t)slices(shape) * shape.H * shape.L * sizeof(float); // sums
}

cudaError_t swish_backward(const float *z, const float *bias, const float *dy,
                           float *dz, float *dbias, struct block_shape shape,
                           void *workspace, cudaStream_t stream)
{
    unsigned apart = slices(shape) * shape.H * shape.L;
    float *sums = (float *)workspace;

    swish_cells<<<(apart - 1) / THREADS + 1, THREADS, 0, stream>>>(
        z, bias, dy, dz, sums, shape, apart);
    swish_channel<<<shape.H, THREADS, 0, stream>>>(sums, dbias, shape,
                                                   slices(shape));
    return cudaGetLastError();
}
