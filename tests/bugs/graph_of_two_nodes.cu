// SPDX-License-Identifier: MIT
/* A graph of two kernel nodes without an edge, launched once, by the default
 * stream: there is no second stream. */
__global__ void fill(int *x, int to)
{
    x[threadIdx.x] = to; // against
}

__global__ void add_up(const int *x, int *sum)
{
    atomicAdd(sum, x[threadIdx.x]); // finds: race
}

static cudaGraphNode_t node(cudaGraph_t graph, void *kernel, void **args,
                            cudaGraphNode_t *after)
{
    cudaGraphNode_t made;
    struct cudaKernelNodeParams p = {};
    p.func = kernel;
    p.gridDim = dim3(1);
    p.blockDim = dim3(THREADS);
    p.kernelParams = args;
    CUDA(cudaGraphAddKernelNode(&made, graph, after, after != NULL, &p));
    return made;
}

static void run(void)
{
    int *x = cells(THREADS), *sum = cells(1), to = 3;
    void *fill_args[] = {&x, &to}, *sum_args[] = {&x, &sum};
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    CUDA(cudaGraphCreate(&graph, 0));
    cudaGraphNode_t first = node(graph, (void *)fill, fill_args, NULL), *after;
#ifdef MENDED
    after = &first;
#else
    after = NULL;
    (void)first;
#endif
    node(graph, (void *)add_up, sum_args, after);
#if CUDART_VERSION >= 12000
    CUDA(cudaGraphInstantiate(&exec, graph, 0));
#else
    CUDA(cudaGraphInstantiate(&exec, graph, NULL, NULL, 0));
#endif
    CUDA(cudaGraphLaunch(exec, 0));
    launched();
}
