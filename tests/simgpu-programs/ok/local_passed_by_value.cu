// SPDX-License-Identifier: MIT
/* local_passed_by_value.cu: a kernel leaves its variable's value to the next
 * one; a function reads its caller's variable. */
#include "../check.h"

__device__ int kept;

__device__ __noinline__ int sum_of(const volatile int *four)
{
    return four[0] + four[1] + four[2] + four[3];
}

__global__ void keep(int at)
{
    volatile int mine[4] = {1, 2, 3, 4};
    mine[at] = 5;
    kept = sum_of(mine);
}

__global__ void use(int *x) { x[0] = kept; }

int main(void)
{
    int *x, sum = 0;
    CHECK(cudaMalloc(&x, sizeof *x) == cudaSuccess);
    keep<<<1, 1>>>(2);
    use<<<1, 1>>>(x);
    cudaMemcpy(&sum, x, sizeof sum, cudaMemcpyDeviceToHost);
    CHECK(sum == 12);
    cudaFree(x);
    return 0;
}
