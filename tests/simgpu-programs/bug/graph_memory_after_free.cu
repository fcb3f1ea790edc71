// SPDX-License-Identifier: MIT
// says: at byte 0 of allocation 2 (128 bytes)
/* graph_memory_after_free.cu: a graph frees its memory, and a kernel behind
 * that reads it; the second launch must not find the first one's bytes. */
#include <cstdio>

__global__ void set(int *x)
{
    x[threadIdx.x] = 1;
}

__global__ void get(int *to, const int *x)
{
    to[threadIdx.x] = x[threadIdx.x]; // finds: use_after_free
}

int main()
{
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    int *x, *to;
    cudaStreamCreate(&stream);
    cudaMalloc(&to, 32 * sizeof *to);
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    cudaMallocAsync(&x, 32 * sizeof *x, stream);
    set<<<1, 32, 0, stream>>>(x);
    cudaFreeAsync(x, stream);
    get<<<1, 32, 0, stream>>>(to, x);
    cudaStreamEndCapture(stream, &graph);
    cudaGraphInstantiateWithFlags(&exec, graph, 0);
    cudaGraphLaunch(exec, stream);
    printf("%s\n", cudaGetErrorName(cudaStreamSynchronize(stream)));
    return 0;
}
