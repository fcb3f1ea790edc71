// SPDX-License-Identifier: MIT
// says: too much shared data: 65536 bytes of static arrays, 49152 at most
/* too_much_static_shared.cu: built for compute_75 alone, ptxas never sees it;
 * the driver would, when it loads the kernels. */
// alone: all kernels of its program are refused
#include "../check.h"

__global__ void last(float *x)
{
    __shared__ float tile[16384];
    tile[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    x[threadIdx.x] = tile[31 - threadIdx.x];
}

int main(void)
{
    float *x;
    CUDA(cudaMalloc(&x, 32 * sizeof *x));
    CUDA(cudaMemset(x, 0, 32 * sizeof *x));
    last<<<1, 32>>>(x);
    CHECK(cudaGetLastError() == cudaErrorInvalidPtx);
    CUDA(cudaFree(x));
    return 0;
}
