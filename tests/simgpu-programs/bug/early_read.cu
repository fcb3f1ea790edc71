// SPDX-License-Identifier: MIT
/* early_read.cu: the host touches pinned memory before the copy into it has
 * landed: by a read, by memcpy, and by a write. ok/early_beside.cu waits, or
 * touches what lies beside it. */
// options: -lineinfo -g
// says: 4 findings
// says: a read by the host of pinned memory
// says: has not landed: nothing has waited for stream 3 since
// says: early_read.cu:39, in main
// says: the copy: at
// says: early_read.cu:26, in start
// says: early_read.cu:41, in main
// says: a write by the host to pinned memory
// says: early_read.cu:44, in main
// says: early_read.cu:46, in main
#include <string.h>

#include "../check.h"

enum { N = 2048, PAGE = 1024, BYTES = N * sizeof(int) };

static int *x, *host;

static void start(int n, cudaStream_t stream)
{
    CUDA(cudaMemcpyAsync(host, x, n * sizeof(int), cudaMemcpyDeviceToHost,
                         stream));
}

int main(void)
{
    int all[N];
    cudaStream_t stream;
    CUDA(cudaMalloc(&x, BYTES));
    CUDA(cudaMallocHost(&host, BYTES));
    CUDA(cudaStreamCreate(&stream));
    CUDA(cudaMemsetAsync(x, 0, BYTES, stream));
    start(N, stream);
    int sum = host[3] + host[N - 1]; /* one finding, though two pages */
    start(N, stream);
    memcpy(all, host, sizeof all);
    CHECK(all[5] == -1 && sum == -2); /* as the host sees it until then */
    start(N, stream);
    host[3] = 7;
    start(PAGE, stream);
    CHECK(host[PAGE - 1] == -1 && host[PAGE] == -1);
    CUDA(cudaStreamSynchronize(stream));
    CHECK(host[3] == 0 && host[N - 1] == 0);
    return 0;
}
