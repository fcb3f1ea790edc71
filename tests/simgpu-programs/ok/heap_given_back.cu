// SPDX-License-Identifier: MIT
/* heap_given_back.cu: in one launch, kernels ask for several times as much as
 * the device's heap has, and give it back: what is live fits all the time. */
#include "../check.h"

enum { THREADS = 256, ROUNDS = 100, BYTES = 1024, LARGE = 3 << 20, TURNS = 20 };

__global__ void small_pieces(int *sums)
{
    int sum = 0;
    for (int i = 0; i < ROUNDS; i++) {
        volatile int *p = (int *)malloc(BYTES);
        p[0] = i;
        sum += p[0];
        free((void *)p);
    }
    sums[threadIdx.x] = sum;
}

__global__ void large_pieces(int *got)
{
    for (int i = 0; i < TURNS; i++) {
        void *p = malloc(LARGE);
        *got += p != NULL;
        free(p);
    }
    void *half = malloc(LARGE), *more = malloc(2 * LARGE);
    *got += half && !more; // 9 MB of 8
    free(half);
}

int main(void)
{
    int *sums, back[THREADS];
    CUDA(cudaMalloc(&sums, sizeof back));
    CUDA(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 8 << 20));
    small_pieces<<<1, THREADS>>>(sums);
    CUDA(cudaMemcpy(back, sums, sizeof back, cudaMemcpyDeviceToHost));
    for (int t = 0; t < THREADS; t++)
        CHECK(back[t] == ROUNDS * (ROUNDS - 1) / 2);
    CUDA(cudaMemset(sums, 0, sizeof *sums));
    large_pieces<<<1, 1>>>(sums);
    CUDA(cudaMemcpy(back, sums, sizeof *sums, cudaMemcpyDeviceToHost));
    CHECK(back[0] == TURNS + 1);
    return 0;
}
