// SPDX-License-Identifier: MIT
/* arrival_beside_bytes.cu: the bytes of a phase are on their way, and one of its
 * two arrivals never comes: that is what the finding says. */
// arch: 90
// since: 12
// says: the mbarrier of line 18: 1 of 2 arrivals came; the others never do
#include "../check.h"

__global__ void ring(const int *x, int *y)
{
    __shared__ alignas(16) int s[32];
    __shared__ unsigned long long full;
    unsigned at = (unsigned)__cvta_generic_to_shared(&full);
    unsigned to = (unsigned)__cvta_generic_to_shared(s);
    unsigned done = 0;
    if (threadIdx.x == 0) {
        // of which one is missing
        asm volatile("mbarrier.init.shared.b64 [%0], 2;" ::"r"(at));
        asm volatile("fence.mbarrier_init.release.cluster;");
        asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], 128;" ::"r"(at));
        asm volatile("cp.async.bulk.shared::cluster.global"
                     ".mbarrier::complete_tx::bytes [%0], [%1], 128, [%2];" ::
                         "r"(to), "l"(x), "r"(at) : "memory");
    }
    __syncwarp();
    while (!done)
        asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }" : "=r"(done) : "r"(at) : "memory"); // finds: deadlock
    y[threadIdx.x] = s[31 - threadIdx.x];
}

int main(void)
{
    int *x;
    CUDA(cudaMalloc(&x, 64 * sizeof *x));
    CUDA(cudaMemset(x, 0, 64 * sizeof *x));
    ring<<<1, 32>>>(x, x + 32);
    CHECK(cudaDeviceSynchronize() == cudaErrorLaunchTimeout);
    return 0;
}
