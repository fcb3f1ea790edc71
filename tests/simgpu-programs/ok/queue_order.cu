// SPDX-License-Identifier: MIT
/* queue_order.cu: work that comes while a kernel polls keeps the order of
 * streams, events and the default stream, and two threads of the host do not
 * hold each other up. What may wait on a GPU comes before: kernels are loaded,
 * the pool has its memory. bug/queue_order.cu is its twin. */
#include <thread>

#include "../check.h"

enum { N = 256 };

__global__ void for_flag(volatile int *flag)
{
    while (*flag == 0)
        ;
}

/* Every step is another one, so that only one order has this result. */
__global__ void step(int *x, int add)
{
    x[threadIdx.x] = 3 * x[threadIdx.x] + add;
}

static volatile int *flag;
static int *x, *y;

static void CUDART_CB raise_flag(void *)
{
    *flag = 1;
}

static int first(const int *p)
{
    int h[N];
    CUDA(cudaMemcpy(h, p, sizeof h, cudaMemcpyDeviceToHost));
    for (int k = 1; k < N; k++)
        CHECK(h[k] == h[0]);
    return h[0];
}

/* From now on the pool has memory for this stream, and gives none back. */
static void fill_pool(cudaStream_t stream)
{
    int *more;
    cudaMemPool_t pool;
    unsigned long long all = ~0ull;
    CUDA(cudaDeviceGetDefaultMemPool(&pool, 0));
    CUDA(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &all));
    CUDA(cudaMallocAsync((void **)&more, N * sizeof *more, stream));
    CUDA(cudaMemsetAsync(more, 0, N * sizeof *more, stream));
    CUDA(cudaFreeAsync(more, stream));
}

/* polling: flag, 1, event; other: 2 behind the event, and the memory that it
 * needs meanwhile; the default stream: 4 behind both. */
static void events(cudaStream_t polling, cudaStream_t other)
{
    int *more;
    cudaEvent_t event;
    CUDA(cudaEventCreate(&event));
    for_flag<<<1, 1, 0, polling>>>(flag);
    step<<<1, N, 0, polling>>>(x, 1);
    CUDA(cudaEventRecord(event, polling));
    CUDA(cudaMallocAsync((void **)&more, N * sizeof *more, other));
    CUDA(cudaMemsetAsync(more, 0, N * sizeof *more, other));
    step<<<1, N, 0, other>>>(more, 5);
    CUDA(cudaFreeAsync(more, other)); /* does not wait for the kernel */
    CUDA(cudaLaunchHostFunc(other, raise_flag, NULL));
    CUDA(cudaStreamWaitEvent(other, event, 0));
    step<<<1, N, 0, other>>>(x, 2);
    step<<<1, N>>>(x, 4);
    CUDA(cudaDeviceSynchronize());
    CHECK_OF(first(x) == 3 * (3 * 1 + 2) + 4, first(x), 19);
}

/* Its own stream, whose work ends while the other thread's kernel polls. */
static void second_thread(cudaStream_t mine)
{
    for (int k = 0; k < 5; k++)
        step<<<1, N, 0, mine>>>(y, k);
    CUDA(cudaStreamSynchronize(mine));
    *flag = 1;
}

static void threads(cudaStream_t polling)
{
    cudaStream_t mine;
    CUDA(cudaStreamCreateWithFlags(&mine, cudaStreamNonBlocking));
    for_flag<<<1, 1, 0, polling>>>(flag);
    step<<<1, N, 0, polling>>>(x, 1);
    std::thread other(second_thread, mine);
    CUDA(cudaStreamSynchronize(polling));
    other.join();
    CUDA(cudaStreamDestroy(mine));
    CHECK_OF(first(x) == 1, first(x), 1);
    CHECK_OF(first(y) == 58, first(y), 58);
}

int main(void)
{
    cudaStream_t polling, other;
    LOAD(for_flag);
    LOAD(step);
    CUDA(cudaMalloc(&x, N * sizeof *x));
    CUDA(cudaMalloc(&y, N * sizeof *y));
    CUDA(cudaMallocHost((void **)&flag, sizeof *flag));
    CUDA(cudaStreamCreate(&polling));
    CUDA(cudaStreamCreate(&other));
    CUDA(cudaMemset(x, 0, N * sizeof *x));
    CUDA(cudaMemset(y, 0, N * sizeof *y));
    *flag = 0;
    fill_pool(other);
    CUDA(cudaDeviceSynchronize());
    events(polling, other);
    CUDA(cudaMemset(x, 0, N * sizeof *x));
    CUDA(cudaDeviceSynchronize());
    *flag = 0;
    threads(polling);
    return 0;
}
