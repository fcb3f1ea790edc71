// SPDX-License-Identifier: MIT
/* late_copies.cu: a copy to pinned memory is there when the host has waited for
 * its stream, an event behind it, or a stream that waits for it; not when it
 * has waited for another stream, or asked once. */
#include "../check.h"

enum { N = 32, BYTES = N * sizeof(int), LATE = -1 };

static cudaStream_t mine, other, apart;
static cudaEvent_t event;
static int *x, *host;

__global__ void fill(int *x)
{
    x[threadIdx.x] = 7;
}

static void copy(void)
{
    fill<<<1, N, 0, mine>>>(x);
    CUDA(cudaMemcpyAsync(host, x, BYTES, cudaMemcpyDeviceToHost, mine));
}

static void waits(void)
{
    copy();
    CUDA(cudaStreamSynchronize(other));
    CHECK(host[3] == LATE);
    CUDA(cudaStreamSynchronize(apart));
    CHECK(host[3] == LATE);
    CUDA(cudaStreamSynchronize(mine));
    CHECK(host[3] == 7);
    copy();
    CUDA(cudaEventRecord(event, mine));
    CUDA(cudaStreamWaitEvent(other, event, 0));
    CHECK(host[3] == LATE);
    CUDA(cudaStreamSynchronize(other));
    CHECK(host[3] == 7);
    copy();
    CUDA(cudaEventRecord(event, other)); /* not behind the copy */
    CUDA(cudaEventSynchronize(event));
    CHECK(host[3] == LATE);
    CUDA(cudaEventRecord(event, mine));
    CUDA(cudaEventSynchronize(event));
    CHECK(host[3] == 7);
}

/* The default stream waits for all streams but the non-blocking one. */
static void default_stream(void)
{
    copy();
    fill<<<1, N>>>(x + N);
    CUDA(cudaStreamSynchronize(0));
    CHECK(host[3] == 7);
    copy();
    fill<<<1, N>>>(x + N);
    fill<<<1, N, 0, other>>>(x + 2 * N);
    CUDA(cudaStreamSynchronize(other));
    CHECK(host[3] == 7);
    copy();
    CUDA(cudaMemcpy(host, x, BYTES, cudaMemcpyDeviceToHost));
    CHECK(host[3] == 7);
}

static void queries(void)
{
    int asked = 1;
    copy();
    CUDA(cudaEventRecord(event, mine));
    FAILS(cudaErrorNotReady, cudaEventQuery(event));
    CHECK(host[3] == LATE);
    for (; cudaEventQuery(event) == cudaErrorNotReady; asked++)
        CHECK(asked < 1000);
    CHECK(host[3] == 7);
    CUDA(cudaStreamQuery(mine));
    CUDA(cudaEventQuery(event));
    copy();
    FAILS(cudaErrorNotReady, cudaStreamQuery(mine));
    while (cudaStreamQuery(mine) != cudaSuccess)
        ;
    CHECK(host[3] == 7);
    copy();
    CUDA(cudaDeviceSynchronize());
    CUDA(cudaStreamQuery(mine));
    CUDA(cudaStreamQuery(other));
    CUDA(cudaGetLastError()); /* "not ready" is no error */
}

static void times(void)
{
    cudaEvent_t begin;
    float ms = -1;
    CUDA(cudaEventCreate(&begin));
    CUDA(cudaEventRecord(begin, mine));
    copy();
    CUDA(cudaEventRecord(event, mine));
    FAILS(cudaErrorNotReady, cudaEventElapsedTime(&ms, begin, event));
    CUDA(cudaEventSynchronize(event));
    CUDA(cudaEventElapsedTime(&ms, begin, event));
    CHECK(ms >= 0);
}

int main(void)
{
    CUDA(cudaMalloc(&x, 3 * BYTES));
    /* Only what has its pages to itself is a finding (bug/early_read.cu). */
    CUDA(cudaMallocHost(&host, 2 * BYTES));
    CUDA(cudaStreamCreate(&mine));
    CUDA(cudaStreamCreate(&other));
    CUDA(cudaStreamCreateWithFlags(&apart, cudaStreamNonBlocking));
    CUDA(cudaEventCreate(&event));
    waits();
    default_stream();
    queries();
    times();
    return 0;
}
