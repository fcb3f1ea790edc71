// SPDX-License-Identifier: MIT
/* heap_after_free.cu: memory of malloc in a kernel, freed in one launch and read
 * in the next but one. */
#include "../check.h"

__device__ double *kept;

__global__ void prepare(void)
{
    kept = (double *)malloc(4 * sizeof *kept);
    kept[1] = 1;
    free(kept);
}

__global__ void other(void)
{
    free(malloc(1 << 20));
}

__global__ void use(double *y)
{
    *y = kept[1]; // finds: use_after_free
}

int main(void)
{
    double *y;
    CUDA(cudaMalloc(&y, sizeof *y));
    prepare<<<1, 1>>>();
    other<<<1, 1>>>();
    CUDA(cudaDeviceSynchronize());
    use<<<1, 1>>>(y);
    FAILS(cudaErrorIllegalAddress, cudaDeviceSynchronize());
    return 0;
}
// says: read of 8 bytes in global memory at byte 8 of memory of malloc in a kernel (32 bytes)
// says: freed at
// says: heap_after_free.cu:12
