// SPDX-License-Identifier: MIT
/* per_thread_streams.cu: a thread's default stream does not wait for another
 * thread's. */
// options: -lineinfo --default-stream per-thread
#include "../check.h"

#include <thread>

enum { N = 1024, THREADS = 128 };

__global__ void set(int *x)
{
    x[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}

__global__ void add(int *x)
{
    x[blockIdx.x * blockDim.x + threadIdx.x] += 1; // finds: race
}

int main(void)
{
    int *x;
    CUDA(cudaMalloc(&x, N * sizeof *x));
    set<<<N / THREADS, THREADS>>>(x);
    std::thread other([=] { add<<<N / THREADS, THREADS>>>(x); });
    other.join();
    CUDA(cudaDeviceSynchronize());
    return 0;
}
// says: per_thread_streams.cu:13, in set on the default stream of thread 1
// says: this one is on the default stream of thread 2
