// SPDX-License-Identifier: MIT
// finds: 1
/* grid_sync.cu: heat along a rod. All steps in one cooperative launch: between
 * two steps every block waits for every other. A grid that the GPU cannot hold
 * at once is refused, which the report lists. */
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include "../check.h"

namespace cg = cooperative_groups;

enum { N = 6000, STEPS = 12, THREADS = 128 };

__global__ void heat(float *now, float *next, int n, int steps)
{
    cg::grid_group grid = cg::this_grid();
    for (int s = 0; s < steps; s++) {
        for (unsigned i = grid.thread_rank(); i < n; i += grid.size()) {
            float left = i > 0 ? now[i - 1] : 0.0f;
            float right = i + 1 < n ? now[i + 1] : 0.0f;
            next[i] = 0.25f * left + 0.5f * now[i] + 0.25f * right;
        }
        grid.sync();
        float *old = now;
        now = next;
        next = old;
    }
}

/* A whole sum in one launch: tiles of a warp, then blocks, then the grid. */
__global__ void sum(const float *x, int n, float *parts, float *total)
{
    cg::grid_group grid = cg::this_grid();
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<32> tile = cg::tiled_partition<32>(block);
    __shared__ float of_tile[THREADS / 32];
    float v = 0;
    for (unsigned i = grid.thread_rank(); i < n; i += grid.size())
        v += x[i];
    v = cg::reduce(tile, v, cg::plus<float>());
    if (tile.thread_rank() == 0)
        of_tile[tile.meta_group_rank()] = v;
    block.sync();
    if (block.thread_rank() == 0) {
        v = 0;
        for (float part : of_tile)
            v += part;
        parts[blockIdx.x] = v;
    }
    grid.sync();
    if (grid.thread_rank() == 0) {
        v = 0;
        for (unsigned b = 0; b < gridDim.x; b++)
            v += parts[b];
        *total = v;
    }
}

static float x[N], want[N], other[N];

static void heat_on_host(void)
{
    for (int s = 0; s < STEPS; s++) {
        for (int i = 0; i < N; i++)
            other[i] = 0.25f * (i > 0 ? want[i - 1] : 0.0f) + 0.5f * want[i] +
                       0.25f * (i + 1 < N ? want[i + 1] : 0.0f);
        for (int i = 0; i < N; i++)
            want[i] = other[i];
    }
}

int main(void)
{
    int n = N, steps = STEPS, per_sm;
    float *now, *next, *parts, *total, host_total = 0, got;
    cudaDeviceProp gpu;
    CUDA(cudaGetDeviceProperties(&gpu, 0));
    CHECK(gpu.cooperativeLaunch);
    CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_sm, heat, THREADS,
                                                       0));
    CHECK(per_sm >= 1);
    for (int i = 0; i < N; i++)
        x[i] = want[i] = (float)(i * 37 % 64);
    CUDA(cudaMalloc(&now, sizeof x));
    CUDA(cudaMalloc(&next, sizeof x));
    CUDA(cudaMalloc(&parts, 48 * sizeof *parts));
    CUDA(cudaMalloc(&total, sizeof *total));
    CUDA(cudaMemcpy(now, x, sizeof x, cudaMemcpyHostToDevice));

    void *heat_args[] = {&now, &next, &n, &steps};
    CUDA(cudaLaunchCooperativeKernel((void *)heat, dim3(24), dim3(THREADS),
                                     heat_args, 0, 0));
    CUDA(cudaMemcpy(x, now, sizeof x, cudaMemcpyDeviceToHost));
    heat_on_host();
    for (int i = 0; i < N; i++) {
        CHECK(x[i] == want[i]); /* quarters of small integers: exact */
        host_total += want[i];
    }

    void *sum_args[] = {&now, &n, &parts, &total};
    CUDA(cudaLaunchCooperativeKernel((void *)sum, dim3(40), dim3(THREADS),
                                     sum_args, 0, 0));
    CUDA(cudaMemcpy(&got, total, sizeof got, cudaMemcpyDeviceToHost));
    CHECK(got > host_total * 0.9999f && got < host_total * 1.0001f);

    unsigned too_many = (unsigned)(per_sm * gpu.multiProcessorCount + 1);
    CHECK(cudaLaunchCooperativeKernel((void *)heat, dim3(too_many),
                                      dim3(THREADS), heat_args, 0, 0) ==
          cudaErrorCooperativeLaunchTooLarge);
    CUDA(cudaFree(now));
    CUDA(cudaFree(next));
    CUDA(cudaFree(parts));
    CUDA(cudaFree(total));
    return 0;
}
