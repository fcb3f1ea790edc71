// SPDX-License-Identifier: MIT
/* thread_graphs.cu: two threads launch a graph each, on the stream that is each
 * thread's own; nothing orders nodes of the one and nodes of the other. */
// options: -lineinfo --default-stream per-thread
#include "../check.h"

#include <thread>

enum { THREADS = 64 };

__global__ void fill(int *x)
{
    x[threadIdx.x] = 1;
}

__global__ void add_up(const int *x, int *sum)
{
    atomicAdd(sum, x[threadIdx.x]); // finds: race
}

static void add(cudaGraph_t graph, void *kernel, void **args)
{
    cudaGraphNode_t node;
    struct cudaKernelNodeParams p = {};
    p.func = kernel;
    p.gridDim = dim3(1);
    p.blockDim = dim3(THREADS);
    p.kernelParams = args;
    CUDA(cudaGraphAddKernelNode(&node, graph, NULL, 0, &p));
}

/* Two nodes, which have nothing to do with each other. */
static void launch(void *kernel, void **first, void **second)
{
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    CUDA(cudaGraphCreate(&graph, 0));
    add(graph, kernel, first);
    add(graph, kernel, second);
#if CUDART_VERSION >= 12000
    CUDA(cudaGraphInstantiate(&exec, graph, 0));
#else
    CUDA(cudaGraphInstantiate(&exec, graph, NULL, NULL, 0));
#endif
    CUDA(cudaGraphLaunch(exec, 0));
}

int main(void)
{
    int *x, *y, *sums;
    CUDA(cudaMalloc(&x, THREADS * sizeof *x));
    CUDA(cudaMalloc(&y, THREADS * sizeof *y));
    CUDA(cudaMalloc(&sums, 2 * sizeof *sums));
    CUDA(cudaMemset(sums, 0, 2 * sizeof *sums));
    CUDA(cudaDeviceSynchronize());
    int *other = sums + 1;
    void *fill_x[] = {&x}, *fill_y[] = {&y};
    void *sum_x[] = {&x, &sums}, *sum_y[] = {&y, &other};
    launch((void *)fill, fill_x, fill_y);
    std::thread late([&] { launch((void *)add_up, sum_x, sum_y); });
    late.join();
    CUDA(cudaDeviceSynchronize());
    return 0;
}
// says: , 128 times
// says: thread_graphs.cu:13, in fill on the default stream of thread 1, in a graph
// says: nothing orders the two; this one is on the default stream of thread 2, in a graph
