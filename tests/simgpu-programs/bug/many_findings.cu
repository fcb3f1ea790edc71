// SPDX-License-Identifier: MIT
/* many_findings.cu: 150 arrays, each set on two streams that nothing orders, and
 * as many wrong frees in one loop. The twin in ok/streams.cu waits. */
// says: 151 findings
// says: and more, which the report of --report has: 50 race, 1 calls
#include "../check.h"

int main(void)
{
    enum { N = 150 };
    cudaStream_t stream[2];
    char *x[N];
    CUDA(cudaStreamCreate(&stream[0]));
    CUDA(cudaStreamCreate(&stream[1]));
    for (int k = 0; k < N; k++)
        CUDA(cudaMalloc(&x[k], 64));
    CUDA(cudaDeviceSynchronize());
    for (int k = 0; k < 2 * N; k++)
        CUDA(cudaMemsetAsync(x[k / 2], k, 64, stream[k % 2]));
    for (int k = 0; k < N; k++)
        FAILS(cudaErrorInvalidValue, cudaFree(x[k] + 4));
    return 0;
}
