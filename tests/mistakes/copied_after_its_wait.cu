// SPDX-License-Identifier: MIT
// mistake: the copy starts behind the wait that should be its own
// chapter: 18 relu
// expect: MEMORY|RACE
// say: earlier: one +that +begins +after +this +wait
#include <cuda_pipeline_primitives.h>

#include "op/elementwise.h"

enum { THREADS = 128 };

static __global__ void map(const float *x, float *y, unsigned n)
{
    __shared__ float row[THREADS];
    unsigned i = blockIdx.x * THREADS + threadIdx.x;

    __pipeline_wait_prior(0);
    if (i < n)
        __pipeline_memcpy_async(&row[threadIdx.x], &x[i], sizeof(float));
    __pipeline_commit();
    __syncthreads();
    if (i < n)
        y[i] = row[threadIdx.x] < 0.0f ? 0.0f : row[threadIdx.x];
}

cudaError_t elementwise_relu_f32(const float *x, float *y,
                                 struct elementwise_shape shape,
                                 void *workspace, cudaStream_t stream)
{
    (void)workspace;
    map<<<(shape.N - 1) / THREADS + 1, THREADS, 0, stream>>>(x, y, shape.N);
    return cudaGetLastError();
}
