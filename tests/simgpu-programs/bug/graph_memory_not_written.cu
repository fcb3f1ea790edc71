// SPDX-License-Identifier: MIT
/* graph_memory_not_written.cu: each launch allocates anew: what the launch
 * before wrote is not there any more. */
#include <cstdio>

__global__ void count(int *x, int first)
{
    if (first)
        x[threadIdx.x] = 0;
    x[threadIdx.x] += 1; // finds: uninitialised
}

int main()
{
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaGraphNode_t nodes[3];
    size_t n = 3;
    int *x, first = 1;
    cudaStreamCreate(&stream);
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    cudaMallocAsync(&x, 32 * sizeof *x, stream);
    count<<<1, 32, 0, stream>>>(x, first);
    cudaFreeAsync(x, stream);
    cudaStreamEndCapture(stream, &graph);
    cudaGraphInstantiateWithFlags(&exec, graph, 0);
    cudaGraphLaunch(exec, stream);
    cudaGraphGetNodes(graph, nodes, &n);
    void *args[] = {&x, &first};
    cudaKernelNodeParams p = {};
    p.func = (void *)count;
    p.gridDim = 1;
    p.blockDim = 32;
    p.kernelParams = args;
    first = 0;
    for (size_t i = 0; i < n; i++) {
        cudaGraphNodeType type;
        cudaGraphNodeGetType(nodes[i], &type);
        if (type == cudaGraphNodeTypeKernel)
            cudaGraphExecKernelNodeSetParams(exec, nodes[i], &p);
    }
    cudaGraphLaunch(exec, stream);
    printf("%s\n", cudaGetErrorName(cudaStreamSynchronize(stream)));
    return 0;
}
