// SPDX-License-Identifier: MIT
// since: 12
// arch: 90
/* dependent_launch.cu: a chain of kernels that may begin before the one in front
 * of them has ended. Each does what needs nobody first, and then waits: every
 * thread; one for its block; one for its cluster; nobody, because the host has
 * waited. */
#include <cooperative_groups.h>

#include "../units/dependent.h"

namespace cg = cooperative_groups;
enum { STEPS = 20 };

__global__ void all_wait(const int *x, int *y)
{
    __shared__ int weight[THREADS];
    int i = blockIdx.x * THREADS + threadIdx.x;
    weight[threadIdx.x] = (int)threadIdx.x % 3;
    __syncthreads(); // weight is complete
    cudaGridDependencySynchronize();
    cudaTriggerProgrammaticLaunchCompletion();
    y[i] = x[N - 1 - i] + weight[THREADS - 1 - threadIdx.x];
}

__global__ void one_waits(const int *x, int *y)
{
    int i = blockIdx.x * THREADS + threadIdx.x;
    if (threadIdx.x == 0)
        cudaGridDependencySynchronize();
    __syncthreads(); // one has waited for all
    y[i] = x[i] + 1;
    cudaTriggerProgrammaticLaunchCompletion();
}

__global__ void __cluster_dims__(2, 1, 1) cluster_waits(const int *x, int *y)
{
    int i = blockIdx.x * THREADS + threadIdx.x;
    cudaTriggerProgrammaticLaunchCompletion();
    if (cg::this_cluster().thread_rank() == 0)
        cudaGridDependencySynchronize();
    cg::this_cluster().sync(); // one has waited for all
    y[i] = x[i] * 3 % 1000;
}

static int got[N], want[N], then[N];

int main(void)
{
    int *x = cells(), *y = cells();
    cudaStream_t stream;
    CUDA(cudaStreamCreate(&stream));
    CUDA(cudaDeviceSynchronize());
    for (int n = 0; n < STEPS; n++) {
        launch_beside(all_wait, stream, x, y);
        launch_beside(one_waits, stream, y, x);
        launch_beside(cluster_waits, stream, x, y);
        launch_beside(one_waits, stream, y, x);
    }
    CUDA(cudaMemcpyAsync(got, x, sizeof got, cudaMemcpyDeviceToHost, stream));
    CUDA(cudaStreamSynchronize(stream));
    for (int n = 0; n < STEPS; n++) {
        for (int i = 0; i < N; i++)
            then[i] = want[N - 1 - i] + (THREADS - 1 - i % THREADS) % 3;
        for (int i = 0; i < N; i++)
            want[i] = (then[i] + 1) * 3 % 1000 + 1;
    }
    for (int i = 0; i < N; i++)
        CHECK(got[i] == want[i]);
    return 0;
}
