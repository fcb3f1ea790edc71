// SPDX-License-Identifier: MIT
/* source_rewritten.cu: the host fills its one pinned buffer again while a copy may
 * still read it; and again after it has waited for another stream.
 * ok/source_rewritten.cu waits. */
// options: -lineinfo -g
// says: 2 findings
// says: a write by the host to pinned memory
// says: out of it need not be over: nothing has waited for stream 3 since
// says: source_rewritten.cu:23, in fill
// says: the copy: at
// says: source_rewritten.cu:28, in send
// says: source_rewritten.cu:44, in main
#include "../check.h"

enum { N = 2048, BYTES = N * sizeof(int) };

static int *x, *host;
static cudaStream_t stream, other;

static void fill(int value)
{
    for (int i = 0; i < N; i++)
        host[i] = value;
}

static void send(void)
{
    CUDA(cudaMemcpyAsync(x, host, BYTES, cudaMemcpyHostToDevice,
                         stream));
}

int main(void)
{
    CUDA(cudaMalloc(&x, BYTES));
    CUDA(cudaMallocHost(&host, BYTES));
    CUDA(cudaStreamCreate(&stream));
    CUDA(cudaStreamCreate(&other));
    fill(1);
    send();
    CHECK(host[3] == 1); /* to read is no fault */
    fill(2);
    send();
    CUDA(cudaStreamSynchronize(other));
    host[N - 1] = 3;
    CUDA(cudaStreamSynchronize(stream));
    return 0;
}
