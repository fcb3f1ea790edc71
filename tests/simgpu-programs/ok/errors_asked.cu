// SPDX-License-Identifier: MIT
/* errors_asked.cu: calls that fail on purpose; the program clears their errors,
 * looks at them, or asks what they mean. Nothing is to be said. */
#include "../check.h"

/* The largest half, quarter, ... that there is. */
static size_t most(void)
{
    size_t bytes = (size_t)1 << 50;
    void *p;
    while (cudaMalloc(&p, bytes) != cudaSuccess)
        bytes /= 2;
    CUDA(cudaFree(p));
    cudaGetLastError();
    return bytes;
}

int main(void)
{
    int *x, host[32];
    cudaEvent_t never;
    float ms;
    CHECK(most() > (size_t)1 << 30);
    CUDA(cudaMalloc(&x, sizeof host));
    for (int n = 0; n < 3; n++)
        cudaMemcpy(host, x, sizeof host, cudaMemcpyHostToDevice);
    CHECK(cudaPeekAtLastError() == cudaErrorInvalidValue);
    CUDA(cudaEventCreate(&never));
    cudaEventElapsedTime(&ms, never, never);
    CHECK(cudaGetLastError() == cudaErrorInvalidResourceHandle);
    cudaError_t error = cudaMemset(host, 0, sizeof host);
    CHECK(*cudaGetErrorString(error) != '\0');
    CUDA(cudaFree(x));
    return 0;
}
