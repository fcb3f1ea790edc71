// SPDX-License-Identifier: MIT
/* latch_waits.cu: a latch of the toolkit that expects one thread too many. Its
 * wait is a function of a header; the finding names the line that called it. */
// arch: 80
// since: 12
// says: polls for ever
#include "../check.h"

#include <cuda/latch>

using Latch = cuda::latch<cuda::thread_scope_block>;

__global__ void meet(int *x)
{
    __shared__ alignas(8) char room[sizeof(Latch)];
    auto *all = reinterpret_cast<Latch *>(room);
    if (threadIdx.x == 0)
        new (all) Latch(65);
    __syncthreads();
    all->arrive_and_wait(); // finds: deadlock
    x[threadIdx.x] = 1;
}

int main(void)
{
    int *x;
    CUDA(cudaMalloc(&x, 64 * sizeof *x));
    meet<<<1, 64>>>(x);
    CHECK(cudaDeviceSynchronize() == cudaErrorLaunchTimeout);
    return 0;
}
