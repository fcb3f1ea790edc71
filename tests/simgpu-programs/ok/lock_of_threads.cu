// SPDX-License-Identifier: MIT
/* lock_of_threads.cu: every thread of several blocks takes a lock, whose
 * hand-overs order what the threads do behind it; all others poll meanwhile.
 * Without the short cuts of race_graph.c this takes a minute. */
#include <cuda/atomic>

#include "../check.h"

enum { BLOCKS = 4, THREADS = 64 };

using flag = cuda::atomic<int, cuda::thread_scope_device>;

__global__ void count_in_turn(flag *lock, int *count)
{
    while (lock->exchange(1, cuda::memory_order_acquire))
        ;
    *count = *count + 1;
    lock->store(0, cuda::memory_order_release);
}

int main(void)
{
    int *x, host;
    CUDA(cudaMalloc(&x, 2 * sizeof *x));
    CUDA(cudaMemset(x, 0, 2 * sizeof *x));
    count_in_turn<<<BLOCKS, THREADS>>>(reinterpret_cast<flag *>(x), x + 1);
    CUDA(cudaMemcpy(&host, x + 1, sizeof host, cudaMemcpyDeviceToHost));
    CHECK_OF(host == BLOCKS * THREADS, host, BLOCKS * THREADS);
    return 0;
}
