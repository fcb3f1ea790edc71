// SPDX-License-Identifier: MIT
/* barrier_short_of_one.cu: a cuda::barrier for all threads of the block, of
 * which one never arrives. Before sm_80 the others poll, read a clock and sleep
 * for longer and longer, so that no two turns have the same registers. */
// says: in shared memory at byte 0 of all (8 bytes)
// says: polls for ever, whatever a clock says
#include <cuda/barrier>

#include "../check.h"

using block_barrier = cuda::barrier<cuda::thread_scope_block>;

__global__ void meet(int *x)
{
    __shared__ alignas(8) char all[sizeof(block_barrier)];
    block_barrier *b = reinterpret_cast<block_barrier *>(all);
    if (threadIdx.x == 0)
        init(b, blockDim.x);
    __syncthreads();
    if (threadIdx.x > 0)
        b->arrive_and_wait(); // finds: deadlock
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
