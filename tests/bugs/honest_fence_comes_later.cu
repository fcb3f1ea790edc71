// SPDX-License-Identifier: MIT
/* No bug: a flag without fences starts the others on work of their own; the
 * volatile data is read behind a later flag, with fences, or a later kernel. */
__global__ void start(volatile int *x, volatile int *flag, int *got)
{
    if (threadIdx.x)
        return;
    if (blockIdx.x == 0) {
        x[0] = 1;
        x[1] = 2;
        flag[0] = 1;
        __threadfence();
        flag[1] = 1;
        return;
    }
    while (!flag[0])
        ;
    got[blockIdx.x] = 1;
    while (!flag[1])
        ;
    __threadfence();
    got[blockIdx.x] += x[0];
}

__global__ void finish(volatile int *x, int *got)
{
    if (threadIdx.x == 0)
        got[blockIdx.x] += x[1];
}

static void run(void)
{
    int h[3], *x = cells(2), *got = cells(3);
    start<<<3, LANES>>>(x, cells(2), got);
    finish<<<3, LANES>>>(x, got);
    CUDA(cudaMemcpy(h, got, sizeof h, cudaMemcpyDeviceToHost));
    CHECK(h[0] == 2 && h[1] == 4 && h[2] == 4);
    launched();
}
