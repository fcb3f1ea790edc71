// SPDX-License-Identifier: MIT
/* printf.cu: device printf, every conversion; expected output beside it in
 * printf.out: order within a warp, and before the host's own next line. */
#include "../check.h"

__global__ void say(const char *unused)
{
    if (threadIdx.x == 0)
        printf("%d %5u|%-4d|%x %c%% %s\n", -3, 7u, 12, 255, 'z', "text");
    printf("thread %d of %d\n", threadIdx.x, blockDim.x);
    if (threadIdx.x == 1)
        printf("%.3f %e %g %lld %llu %p\n", 1.5, 2.5e10, 0.1f, -(1ll << 40),
               ~0ull, (void *)0x10);
}

__global__ void plain(void)
{
    printf("no arguments\n");
}

int main(void)
{
    printf("before\n");
    say<<<1, 3>>>(NULL);
    CUDA(cudaDeviceSynchronize());
    printf("between\n");
    plain<<<2, 1>>>();
    CUDA(cudaDeviceSynchronize());
    printf("after\n");
    return 0;
}
