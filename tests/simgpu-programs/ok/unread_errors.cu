// SPDX-License-Identifier: MIT
/* unread_errors.cu: calls that fail, and nobody asks for their errors.
 * errors_asked.cu is its twin. */
// options: -lineinfo -g
// remarks: 5003 failed calls whose errors nobody asked for
// remarks: cudaMalloc: cudaErrorMemoryAllocation (out of memory)
// remarks: cudaMemcpy: cudaErrorInvalidValue (invalid argument)
// remarks: is memory of the GPU; the call says cudaMemcpyHostToDevice
// remarks: cudaEventElapsedTime: cudaErrorInvalidResourceHandle
// remarks: (invalid resource handle), 5000 times
// remarks: /unread_errors.cu:18, in allocate
// remarks: /unread_errors.cu:28, in main
// remarks: /unread_errors.cu:32, in main
#include "../check.h"

static void allocate(int **to, int bits)
{
    cudaMalloc(to, (size_t)1 << bits);
}

int main(void)
{
    int *large = NULL, *x, host[32];
    cudaEvent_t never;
    float ms;
    allocate(&large, 45);
    cudaMalloc(&x, sizeof host);
    cudaMemcpy(host, x, sizeof host, cudaMemcpyHostToDevice);
    cudaMalloc(&large, (size_t)1 << 46);
    cudaEventCreate(&never);
    for (int n = 0; n < 5000; n++)
        cudaEventElapsedTime(&ms, never, never);
    cudaDeviceSynchronize();
    return 0;
}
