// SPDX-License-Identifier: MIT
/* polls.cu: kernels that poll for long and end: two blocks whose registers are
 * the same at each turn, a lock, a wait that counts its tries, and a flag that
 * the host sets. */
#include <unistd.h>

#include "../check.h"

/* How often it was whose turn is kept in memory alone. */
__global__ void in_turn(volatile int *turn, volatile int *count, int most)
{
    int me = blockIdx.x;
    for (;;) {
        while (*turn != me)
            ;
        __threadfence();
        int n = *count + 1;
        *count = n;
        __threadfence();
        *turn = 1 - me;
        if (n >= most)
            return;
    }
}

__global__ void locked(int *lock, volatile int *count, int times)
{
    for (int n = 0; n < times; n++) {
        while (atomicCAS(lock, 0, 1) != 0)
            ;
        __threadfence();
        *count = *count + 1;
        __threadfence();
        atomicExch(lock, 0);
    }
}

__global__ void gives_up(volatile int *flag, int *tries, int most)
{
    int n = 0;
    while (*flag == 0 && n < most)
        n++;
    *tries = n;
}

__global__ void for_host(volatile int *flag, int *got)
{
    while (*flag == 0)
        ;
    *got = *flag;
}

int main(void)
{
    int *x, host[4], *flag;
    CUDA(cudaMalloc(&x, sizeof host));
    CUDA(cudaMemset(x, 0, sizeof host));
    in_turn<<<2, 1>>>(x, x + 1, 500);
    CUDA(cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost));
    CHECK_OF(host[1] == 501, host[1], 501);

    CUDA(cudaMemset(x, 0, sizeof host));
    locked<<<20, 1>>>(x, x + 1, 20);
    CUDA(cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost));
    CHECK_OF(host[1] == 400, host[1], 400);

    CUDA(cudaMemset(x, 0, sizeof host));
    gives_up<<<1, 1>>>(x, x + 1, 100000);
    CUDA(cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost));
    CHECK_OF(host[1] == 100000, host[1], 100000);

    CUDA(cudaMallocHost(&flag, sizeof *flag));
    *flag = 0;
    for_host<<<1, 1>>>(flag, x + 2);
    usleep(500000);
    *(volatile int *)flag = 5;
    CUDA(cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost));
    CHECK_OF(host[2] == 5, host[2], 5);
    return 0;
}
