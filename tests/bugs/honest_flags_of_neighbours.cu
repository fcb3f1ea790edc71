// SPDX-License-Identifier: MIT
/* No bug: each block waits for its left neighbour alone, by a flag per block, and
 * every thread of it may raise that. */
__global__ void wave(int *x, volatile int *done)
{
    int t = threadIdx.x, b = blockIdx.x;
    if (b > 0) {
        while (!done[b - 1])
            ;
        __threadfence();
    }
    int before = b ? x[(b - 1) * THREADS + THREADS - 1 - t] : 0;
    x[b * THREADS + t] = before + 1;
    __threadfence();
    __syncthreads();
    if (t == 77)
        done[b] = 1;
}

static void run(void)
{
    int h[N], *x = cells(N);
    wave<<<BLOCKS, THREADS>>>(x, cells(BLOCKS));
    CUDA(cudaMemcpy(h, x, sizeof h, cudaMemcpyDeviceToHost));
    for (int i = 0; i < N; i++)
        CHECK(h[i] == i / THREADS + 1);
    launched();
}
