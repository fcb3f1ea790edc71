// SPDX-License-Identifier: MIT
/* no_dynamic_shared.cu: the launch forgets the bytes of its dynamic shared
 * memory. */
// says: at byte 0 of tile (0 bytes)
// says: the launch gives it no bytes: they are the third argument
#include "../check.h"

extern __shared__ int tile[];

__global__ void reverse(int *x)
{
    tile[threadIdx.x] = x[threadIdx.x]; // finds: out_of_bounds
    __syncthreads();
    x[threadIdx.x] = tile[31 - threadIdx.x];
}

int main(void)
{
    int *x;
    CUDA(cudaMalloc(&x, 32 * sizeof *x));
    CUDA(cudaMemset(x, 0, 32 * sizeof *x));
    reverse<<<1, 32>>>(x);
    CHECK(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
    return 0;
}
