// SPDX-License-Identifier: MIT
/* message_relaxed.cu: relaxed accesses of cuda::atomic_ref are no race, and no
 * message either; nor are atomics without fences. */
// since: 12
// says: no __threadfence() came between it and the write of the flag
// says: unfenced in relaxed
// says: unfenced in exchange
// says: 2 findings
#include "../check.h"

#include <cuda/atomic>

typedef cuda::atomic_ref<int, cuda::thread_scope_device> shared_int;

__global__ void relaxed(int *message, int *flag, int *got)
{
    shared_int text(*message), raised(*flag);
    if (blockIdx.x == 0) {
        text.store(42, cuda::memory_order_relaxed);
        raised.store(1, cuda::memory_order_relaxed);
        return;
    }
    while (!raised.load(cuda::memory_order_relaxed))
        ;
    *got = text.load(cuda::memory_order_relaxed);
}

__global__ void released(int *message, int *flag, int *got)
{
    shared_int text(*message), raised(*flag);
    if (blockIdx.x == 0) {
        text.store(42, cuda::memory_order_relaxed);
        raised.store(1, cuda::memory_order_release);
        return;
    }
    while (!raised.load(cuda::memory_order_acquire))
        ;
    *got = text.load(cuda::memory_order_relaxed);
}

__global__ void exchange(int *message, int *flag, int *got)
{
    if (blockIdx.x == 0) {
        atomicExch(message, 42);
        atomicExch(flag, 1);
        return;
    }
    while (atomicAdd(flag, 0) == 0)
        ;
    *got = *(volatile int *)message; // finds: unfenced
}

__global__ void fenced(int *message, int *flag, int *got)
{
    shared_int raised(*flag);
    if (blockIdx.x == 0) {
        atomicExch(message, 42);
        cuda::atomic_thread_fence(cuda::memory_order_release,
                                  cuda::thread_scope_device);
        raised.store(1, cuda::memory_order_relaxed);
        return;
    }
    while (!raised.load(cuda::memory_order_relaxed))
        ;
    cuda::atomic_thread_fence(cuda::memory_order_acquire,
                              cuda::thread_scope_device);
    *got = *(volatile int *)message;
}

int main(void)
{
    int *x;
    CUDA(cudaMalloc(&x, 12 * sizeof *x));
    CUDA(cudaMemset(x, 0, 12 * sizeof *x));
    relaxed<<<2, 1>>>(x, x + 1, x + 2);
    released<<<2, 1>>>(x + 3, x + 4, x + 5);
    exchange<<<2, 1>>>(x + 6, x + 7, x + 8);
    fenced<<<2, 1>>>(x + 9, x + 10, x + 11);
    CUDA(cudaDeviceSynchronize());
    return 0;
}
