// SPDX-License-Identifier: MIT
/* source_rewritten.cu: a pinned buffer is filled again after each way to wait for
 * the copy that reads it: also by a host function behind it, by a copy into it,
 * and beside what is copied. */
#include "../check.h"

enum { N = 2048, BYTES = N * sizeof(int), PART = 1024 };

static int *x, *host;
static cudaStream_t stream, other;
static cudaEvent_t event;

__global__ void waits(volatile int *flag)
{
    while (!*flag)
        ;
}

static void fill(int value)
{
    for (int i = 0; i < N; i++)
        host[i] = value;
}

static void CUDART_CB refill(void *)
{
    fill(7);
}

static void send(void)
{
    CUDA(cudaMemcpyAsync(x, host, BYTES, cudaMemcpyDefault, stream));
}

int main(void)
{
    int seen, *flag;
    CUDA(cudaMalloc(&x, BYTES));
    CUDA(cudaMallocHost(&host, BYTES));
    CUDA(cudaMallocHost(&flag, sizeof *flag));
    CUDA(cudaStreamCreate(&stream));
    CUDA(cudaStreamCreate(&other));
    CUDA(cudaEventCreate(&event));
    fill(1);
    send();
    CUDA(cudaStreamSynchronize(stream));
    fill(2);
    send();
    CUDA(cudaEventRecord(event, stream));
    CUDA(cudaStreamWaitEvent(other, event, 0));
    CUDA(cudaStreamSynchronize(other));
    fill(3);
    send();
    CUDA(cudaEventRecord(event, stream));
    while (cudaEventQuery(event) == cudaErrorNotReady)
        ;
    fill(4);
    send();
    CUDA(cudaMemcpy(&seen, x, sizeof seen, cudaMemcpyDeviceToHost));
    CHECK_OF(seen == 4, seen, 4); /* the default stream waits for the other */
    fill(5);
    send();
    CUDA(cudaLaunchHostFunc(stream, refill, NULL));
    CUDA(cudaMemcpyAsync(host, x, BYTES, cudaMemcpyDeviceToHost, stream));
    CUDA(cudaStreamSynchronize(stream));
    CHECK_OF(host[3] == 5, host[3], 5);
    *(volatile int *)flag = 0;
    waits<<<1, 1, 0, stream>>>(flag);
    send(); /* its turn has not come */
    CUDA(cudaLaunchHostFunc(stream, refill, NULL));
    *(volatile int *)flag = 1;
    CUDA(cudaStreamSynchronize(stream));
    CHECK_OF(host[N - 1] == 7, host[N - 1], 7);
    CUDA(cudaMemcpyAsync(x, host, PART * sizeof(int), cudaMemcpyHostToDevice,
                         stream));
    host[PART] = 8;
    CUDA(cudaDeviceSynchronize());
    host[0] = 9;
    CUDA(cudaFreeHost(host));
    CUDA(cudaFreeHost(flag));
    CUDA(cudaFree(x));
    return 0;
}
