// SPDX-License-Identifier: MIT
// library: block_sum.cu
/* units_grid_sum.cu: a reduction in one cooperative launch, whose blocks meet
 * at a grid barrier; the sum of a block comes from a static library. */
#include "../check.h"
#include "../units/block_sum.h"

#include <cooperative_groups.h>
#include <vector>

enum { N = 20000, THREADS = 128 };

__global__ void reduce(const int *in, int n, long long *partial,
                       long long *total)
{
    cooperative_groups::grid_group grid = cooperative_groups::this_grid();
    long long sum = 0;
    for (int i = (int)grid.thread_rank(); i < n; i += (int)grid.size())
        sum += in[i];
    sum = block_sum(sum);
    if (threadIdx.x == 0)
        partial[blockIdx.x] = sum;
    grid.sync(); /* every block's sum is there */
    if (blockIdx.x)
        return;
    sum = 0;
    for (unsigned b = threadIdx.x; b < gridDim.x; b += blockDim.x)
        sum += partial[b];
    sum = block_sum(sum);
    if (threadIdx.x == 0)
        *total = sum;
}

int main()
{
    std::vector<int> h(N);
    int *in, blocks;
    long long *partial, *total, wanted = 0, got;
    for (int i = 0; i < N; i++)
        wanted += h[i] = (int)(i * 2654435761u >> 8) - (1 << 23);
    CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
        &blocks, reduce, THREADS, SUM_SHARED_BYTES));
    CHECK(blocks >= 1);
    blocks = 10; /* no more than one per multiprocessor */
    CUDA(cudaMalloc(&in, N * sizeof *in));
    CUDA(cudaMalloc(&partial, blocks * sizeof *partial));
    CUDA(cudaMalloc(&total, sizeof *total));
    CUDA(cudaMemcpy(in, h.data(), N * sizeof *in, cudaMemcpyHostToDevice));
    int n = N;
    void *args[] = {&in, &n, &partial, &total};
    CUDA(cudaLaunchCooperativeKernel((void *)reduce, blocks, THREADS, args,
                                     SUM_SHARED_BYTES, NULL));
    CUDA(cudaMemcpy(&got, total, sizeof got, cudaMemcpyDeviceToHost));
    CHECK(got == wanted);
    printf("the sum of %d numbers\n", N);
}
