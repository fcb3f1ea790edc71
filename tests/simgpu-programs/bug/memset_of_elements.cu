// SPDX-License-Identifier: MIT
/* memset_of_elements.cu: cudaMemset is given a number of elements where it
 * counts bytes, and stops within one. */
#include <stdio.h>

static __global__ void count(int *to)
{
    atomicAdd(&to[threadIdx.x / 16], 1); // finds: uninitialised
    // says: only 2 of its 4 bytes written
}

int main()
{
    enum { N = 2 };
    int *to, n = 0;

    cudaMalloc(&to, N * sizeof *to);
    cudaMemset(to, 0, N);
    count<<<1, 16>>>(to);
    cudaMemcpy(&n, to, sizeof n, cudaMemcpyDeviceToHost);
    printf("%d\n", n > 0);
    return 0;
}
