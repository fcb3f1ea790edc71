// SPDX-License-Identifier: MIT
/* launches_kernels.cu: a kernel that launches a kernel is refused by name. */
// arch: 90
// units: block_sum.cu
// says: cudaLaunchKernel: cudaErrorNotSupported
// says: kernels that launch kernels (dynamic parallelism) are not simulated
#include "../check.h"

__global__ void child(int *x)
{
    x[threadIdx.x] = 1;
}

__global__ void parent(int *x)
{
    child<<<1, 32>>>(x);
}

int main(void)
{
    int *x;
    CUDA(cudaMalloc(&x, 32 * sizeof *x));
    parent<<<1, 1>>>(x);
    return 0;
}
