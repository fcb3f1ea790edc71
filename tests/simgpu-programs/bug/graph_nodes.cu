// SPDX-License-Identifier: MIT
/* graph_nodes.cu: a graph of one writer and two readers, without edges between
 * them. One launch of it is one launch, with two races. */
#include "../check.h"

enum { THREADS = 64, LAUNCHES = 3 };

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

int main(void)
{
    int *x, *sum;
    CUDA(cudaMalloc(&x, THREADS * sizeof *x));
    CUDA(cudaMalloc(&sum, sizeof *sum));
    CUDA(cudaMemset(sum, 0, sizeof *sum));
    void *fill_args[] = {&x}, *sum_args[] = {&x, &sum};
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    CUDA(cudaGraphCreate(&graph, 0));
    add(graph, (void *)fill, fill_args);
    add(graph, (void *)add_up, sum_args);
    add(graph, (void *)add_up, sum_args);
#if CUDART_VERSION >= 12000
    CUDA(cudaGraphInstantiate(&exec, graph, 0));
#else
    CUDA(cudaGraphInstantiate(&exec, graph, NULL, NULL, 0));
#endif
    for (int k = 0; k < LAUNCHES; k++)
        CUDA(cudaGraphLaunch(exec, 0));
    CUDA(cudaDeviceSynchronize());
    return 0;
}
// says: 384 times in 3 launches
// says: against a write at
// says: nothing orders the two: they are two nodes of a graph without an edge
