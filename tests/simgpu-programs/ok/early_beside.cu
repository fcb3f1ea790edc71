// SPDX-License-Identifier: MIT
/* early_beside.cu: what the host may do while a copy to pinned memory is on its
 * way: touch the memory beside it, also in its page; free it; wait in another
 * thread; catch its own SIGSEGV. bug/early_read.cu is its twin. */
#include <setjmp.h>
#include <signal.h>
#include <string.h>
#include <thread>

#include "../check.h"

enum { PAGE = 4096 / sizeof(int), N = 4 * PAGE, BYTES = N * sizeof(int) };

static int *x, *host;
static cudaStream_t stream;
static sigjmp_buf back;

static void start(int from, int n)
{
    CUDA(cudaMemcpyAsync(host + from, x + from, n * sizeof(int),
                         cudaMemcpyDeviceToHost, stream));
}

static void beside(void)
{
    memset(host, 0, BYTES);
    start(PAGE + 8, 2 * PAGE - 16); /* the pages 1 and 2, but for some words */
    for (int k = 0; k < PAGE + 8; k++)
        CHECK(host[k]++ == 0);
    for (int k = 3 * PAGE - 8; k < N; k++)
        CHECK(host[k]++ == 0);
    CUDA(cudaStreamSynchronize(stream));
    for (int k = 0; k < N; k++)
        CHECK(host[k] == 1);
}

static void twice(void)
{
    start(0, N);
    start(PAGE, 8); /* into what is on its way itself */
    CUDA(cudaMemcpyAsync(x, host, BYTES, cudaMemcpyHostToDevice, stream));
    CUDA(cudaStreamSynchronize(stream));
    CHECK(host[0] == 1 && host[PAGE] == 1);
}

static void in_a_thread(void)
{
    start(0, N);
    std::thread waits([] { CUDA(cudaStreamSynchronize(stream)); });
    waits.join();
    CHECK(host[N - 1] == 1);
}

static void caught(int)
{
    siglongjmp(back, 1);
}

/* From now on nothing is watched. When a copy lands, no GPU says. */
static void own_handler(void)
{
    start(0, N);
    CUDA(cudaStreamSynchronize(stream));
    signal(SIGSEGV, caught);
    start(0, N);
    if (!sigsetjmp(back, 1)) {
        *(volatile int *)8 = 1;
        CHECK(false);
    }
    CHECK(!SIMULATED || host[5] == -1);
    CUDA(cudaStreamSynchronize(stream));
    CHECK(host[5] == 1);
}

int main(void)
{
    int h[N];
    for (int k = 0; k < N; k++)
        h[k] = 1;
    CUDA(cudaMalloc(&x, BYTES));
    CUDA(cudaMallocHost(&host, BYTES));
    CUDA(cudaMemcpy(x, h, BYTES, cudaMemcpyHostToDevice));
    CUDA(cudaStreamCreate(&stream));
    beside();
    twice();
    in_a_thread();
    own_handler();
    CUDA(cudaFreeHost(host));
    return 0;
}
