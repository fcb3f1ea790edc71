// SPDX-License-Identifier: MIT
/* host_values_copied.cu: what malloc returned and a variable on the stack are
 * copied, and kernels are given the copies. */
#include "../check.h"

#include <stdlib.h>

__global__ void twice(int *x) { x[threadIdx.x] *= 2; }

int main(void)
{
    int stack[32] = {21}, *heap = (int *)calloc(32, sizeof *heap), *x;
    CHECK(cudaMalloc(&x, sizeof stack) == cudaSuccess);
    cudaMemcpy(x, stack, sizeof stack, cudaMemcpyHostToDevice);
    twice<<<1, 32>>>(x);
    cudaMemcpy(heap, x, sizeof stack, cudaMemcpyDeviceToHost);
    CHECK(heap[0] == 42 && heap[31] == 0);
    cudaFree(x);
    free(heap);
    return 0;
}
