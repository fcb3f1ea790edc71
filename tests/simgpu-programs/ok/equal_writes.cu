// SPDX-License-Identifier: MIT
/* equal_writes.cu: all threads that find a negative number raise one flag. That
 * is a note and no finding, however many they are. */
// notes: equal_writes
#include "../check.h"

enum { THREADS = 64, BLOCKS = 3, N = THREADS * BLOCKS };

__global__ void any_negative(const int *x, int *flag)
{
    if (x[blockIdx.x * THREADS + threadIdx.x] < 0)
        *flag = 1;
}

int main(void)
{
    int h[N], *x, *flag, found = 0;
    for (int i = 0; i < N; i++)
        h[i] = i % 2 ? i : -i;
    CUDA(cudaMalloc(&x, sizeof h));
    CUDA(cudaMalloc(&flag, sizeof *flag));
    CUDA(cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice));
    CUDA(cudaMemset(flag, 0, sizeof *flag));
    any_negative<<<BLOCKS, THREADS>>>(x, flag);
    CUDA(cudaMemcpy(&found, flag, sizeof found, cudaMemcpyDeviceToHost));
    CHECK(found == 1);
    puts("ok");
    return 0;
}
