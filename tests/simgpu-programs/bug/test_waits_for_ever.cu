// SPDX-License-Identifier: MIT
/* test_waits_for_ever.cu: copies that promised to arrive beside the count that
 * the threads were to bring themselves. The finding is that of try_wait: what
 * the mbarrier lacks. */
// arch: 80
// says: the mbarrier of line 17: 0 of 32 arrivals came; the others never do
#include "../check.h"

__global__ void ring(const float *x, float *y)
{
    __shared__ float s[32];
    __shared__ unsigned long long full;
    unsigned at = (unsigned)__cvta_generic_to_shared(&full);
    unsigned to = (unsigned)__cvta_generic_to_shared(&s[threadIdx.x]);
    unsigned done = 0;
    if (threadIdx.x == 0)
        asm volatile("mbarrier.init.shared.b64 [%0], 32;" ::"r"(at));
    __syncthreads();
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;\n"
                 "cp.async.mbarrier.arrive.shared.b64 [%2];" ::"r"(to),
                 "l"(x + threadIdx.x), "r"(at) : "memory"); // not .noinc
    while (!done)
        asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }" : "=r"(done) : "r"(at) : "memory"); // finds: deadlock
    y[threadIdx.x] = s[31 - threadIdx.x];
}

int main(void)
{
    float *x;
    CUDA(cudaMalloc(&x, 64 * sizeof *x));
    CUDA(cudaMemset(x, 0, 64 * sizeof *x));
    ring<<<1, 32>>>(x, x + 32);
    CHECK(cudaDeviceSynchronize() == cudaErrorLaunchTimeout);
    return 0;
}
