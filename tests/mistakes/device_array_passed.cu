// SPDX-License-Identifier: MIT
// mistake: a __device__ array is passed as an argument
// chapter: 01 add
// expect: MEMORY
// say: In host code its name stands for a host address
#include "op/vector_add.h"
__device__ float table[1024];
static __global__ void add(const float *a, const float *b, float *c, int n, const float *t)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i] + t[i % 1024];
}
size_t vector_add_workspace(struct vector_add_shape shape) { (void)shape; return 0; }
cudaError_t vector_add(const float *a, const float *b, float *c, struct vector_add_shape shape, void *workspace, cudaStream_t stream)
{
    (void)workspace;
    add<<<(shape.N + 255) / 256, 256, 0, stream>>>(a, b, c, shape.N, table);
    return cudaGetLastError();
}
