// SPDX-License-Identifier: MIT
// Instructions of many forms: a seed for the fuzzer, small on purpose.
#include <cuda_fp16.h>

extern "C" __global__ void instructions(float4 *x, unsigned *u, __half2 *h,
                                        double *d, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i >= n)
        return;
    float4 four = x[i];
    four.x = __fmaf_rn(four.y, four.z, sinf(four.w));
    x[i] = four;
    u[i] = __shfl_xor_sync(~0u, u[i], 1) + __popc(__ballot_sync(~0u, i & 1));
    atomicAdd(u, __byte_perm(u[i], i, 0x3210));
    h[i] = __hfma2(h[i], h[i], h[i]);
    d[i] = sqrt(d[i]) / (double)i;
    switch (u[i] & 7) {
    case 0: u[i] ^= 5; break;
    case 1: u[i] = __brev(u[i]); break;
    case 2: u[i] = __funnelshift_l(u[i], i, 3); break;
    case 3: u[i] = u[i] % 7; break;
    case 4: u[i] = min((int)u[i], -3); break;
    default: u[i] = clock(); break;
    }
    __syncwarp();
    asm volatile("cp.async.commit_group;\ncp.async.wait_group 0;");
}
