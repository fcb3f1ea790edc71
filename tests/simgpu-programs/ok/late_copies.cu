// SPDX-License-Identifier: MIT
/* late_copies.cu: a copy to pinned memory is there when the host has waited for
 * its stream, an event behind it, or a stream that waits for it. On the
 * simulated GPU it is not when the host has waited for another stream, or asked
 * once; on a GPU, that may have been long enough. */
#include "../check.h"

enum { N = 32, BYTES = N * sizeof(int), LATE = -1 };

static cudaStream_t mine, other, apart;
static cudaEvent_t event;
static int *x, *host, value = 6;

__global__ void fill(int *x, int value)
{
    x[threadIdx.x] = value;
}

static int may_be_late(void)
{
    return !SIMULATED || host[3] == LATE;
}

static int may_be_busy(cudaError_t answer)
{
    return answer == cudaErrorNotReady || (!SIMULATED && !answer);
}

static void copy(void)
{
    fill<<<1, N, 0, mine>>>(x, ++value);
    CUDA(cudaMemcpyAsync(host, x, BYTES, cudaMemcpyDeviceToHost, mine));
}

static void waits(void)
{
    copy();
    CUDA(cudaStreamSynchronize(other));
    CHECK(may_be_late());
    CUDA(cudaStreamSynchronize(apart));
    CHECK(may_be_late());
    CUDA(cudaStreamSynchronize(mine));
    CHECK_OF(host[3] == value, host[3], value);
    copy();
    CUDA(cudaEventRecord(event, mine));
    CUDA(cudaStreamWaitEvent(other, event, 0));
    CHECK(may_be_late());
    CUDA(cudaStreamSynchronize(other));
    CHECK_OF(host[3] == value, host[3], value);
    copy();
    CUDA(cudaEventRecord(event, other)); /* not behind the copy */
    CUDA(cudaEventSynchronize(event));
    CHECK(may_be_late());
    CUDA(cudaEventRecord(event, mine));
    CUDA(cudaEventSynchronize(event));
    CHECK_OF(host[3] == value, host[3], value);
}

/* The default stream waits for all streams but the non-blocking one. */
static void default_stream(void)
{
    copy();
    fill<<<1, N>>>(x + N, 0);
    CUDA(cudaStreamSynchronize(0));
    CHECK_OF(host[3] == value, host[3], value);
    copy();
    fill<<<1, N>>>(x + N, 0);
    fill<<<1, N, 0, other>>>(x + 2 * N, 0);
    CUDA(cudaStreamSynchronize(other));
    CHECK_OF(host[3] == value, host[3], value);
    copy();
    CUDA(cudaMemcpy(host, x, BYTES, cudaMemcpyDeviceToHost));
    CHECK_OF(host[3] == value, host[3], value);
}

static void queries(void)
{
    int asked = 1;
    copy();
    CUDA(cudaEventRecord(event, mine));
    CHECK(may_be_busy(cudaEventQuery(event)));
    CHECK(may_be_late());
    for (; cudaEventQuery(event) == cudaErrorNotReady; asked++)
        CHECK(asked < 1000 || !SIMULATED);
    CHECK_OF(host[3] == value, host[3], value);
    CUDA(cudaStreamQuery(mine));
    CUDA(cudaEventQuery(event));
    copy();
    CHECK(may_be_busy(cudaStreamQuery(mine)));
    while (cudaStreamQuery(mine) != cudaSuccess)
        ;
    CHECK_OF(host[3] == value, host[3], value);
    copy();
    CUDA(cudaDeviceSynchronize());
    CUDA(cudaStreamQuery(mine));
    CUDA(cudaStreamQuery(other));
    cudaError_t last = cudaGetLastError(); /* "not ready" is no error */
    CHECK(!last || (!SIMULATED && last == cudaErrorNotReady));
}

static void times(void)
{
    cudaEvent_t begin;
    float ms = -1;
    CUDA(cudaEventCreate(&begin));
    CUDA(cudaEventRecord(begin, mine));
    copy();
    CUDA(cudaEventRecord(event, mine));
    CHECK(may_be_busy(cudaEventElapsedTime(&ms, begin, event)));
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
