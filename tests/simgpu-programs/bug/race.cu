// SPDX-License-Identifier: MIT
/* race.cu: a missing barrier between writing a tile and reading it. */
// says: of tile (512 bytes)
#include "../check.h"

__global__ void reverse(int *x)
{
    __shared__ int tile[128];
    tile[threadIdx.x] = x[threadIdx.x];
    x[threadIdx.x] = tile[127 - threadIdx.x]; // finds: race
}

int main(void)
{
    int *x;
    CUDA(cudaMalloc(&x, 128 * sizeof *x));
    CUDA(cudaMemset(x, 0, 128 * sizeof *x));
    reverse<<<1, 128>>>(x);
    CUDA(cudaDeviceSynchronize());
    return 0;
}
