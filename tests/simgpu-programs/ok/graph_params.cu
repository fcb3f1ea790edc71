// SPDX-License-Identifier: MIT
/* graph_params.cu: a captured graph is asked what its nodes do, one argument is
 * changed by what it answers, and events tie it to work outside. */
#include "../check.h"

enum { N = 1000, THREADS = 128, BLOCKS = (N + THREADS - 1) / THREADS };

__global__ void axpy(float a, const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] += a * x[i];
}

__global__ void set(float *x, float value, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] = value;
}

static void CUDART_CB count(void *counter)
{
    ++*(int *)counter;
}

static float *x, *y, h[N];

/* Looks at one node; returns whether it is the kernel. */
static bool ask(cudaGraphNode_t node, int *counter, int seen[3])
{
    cudaGraphNodeType type;
    CUDA(cudaGraphNodeGetType(node, &type));
    if (type == cudaGraphNodeTypeMemset) {
        cudaMemsetParams p = {};
        CUDA(cudaGraphMemsetNodeGetParams(node, &p));
        CHECK(p.dst == y && p.value == 0);
        CHECK(p.width * p.elementSize * p.height == N * sizeof *y);
        seen[0]++;
    } else if (type == cudaGraphNodeTypeMemcpy) {
        cudaMemcpy3DParms p = {};
        CUDA(cudaGraphMemcpyNodeGetParams(node, &p));
        CHECK(p.srcPtr.ptr == y && p.dstPtr.ptr == h);
        CHECK(p.extent.width == N * sizeof *y);
        seen[1]++;
    } else if (type == cudaGraphNodeTypeHost) {
        cudaHostNodeParams p = {};
        CUDA(cudaGraphHostNodeGetParams(node, &p));
        CHECK(p.fn == count && p.userData == counter);
        seen[2]++;
    }
    return type == cudaGraphNodeTypeKernel;
}

int main()
{
    cudaStream_t stream, other;
    cudaEvent_t ready;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaGraphNode_t nodes[8], kernel = NULL;
    size_t n = 8;
    int counter = 0, seen[3] = {0}, waits = 0;
    CUDA(cudaStreamCreate(&stream));
    CUDA(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
    CUDA(cudaEventCreateWithFlags(&ready, cudaEventDisableTiming));
    CUDA(cudaMalloc(&x, N * sizeof *x));
    CUDA(cudaMalloc(&y, N * sizeof *y));
    CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    CUDA(cudaMemsetAsync(y, 0, N * sizeof *y, stream));
    CUDA(cudaStreamWaitEvent(stream, ready, cudaEventWaitExternal));
    axpy<<<BLOCKS, THREADS, 16, stream>>>(2, x, y, N);
    CUDA(cudaMemcpyAsync(h, y, N * sizeof *y, cudaMemcpyDeviceToHost, stream));
    CUDA(cudaLaunchHostFunc(stream, count, &counter));
    CUDA(cudaStreamEndCapture(stream, &graph));
    CUDA(cudaGraphGetNodes(graph, nodes, &n));
    CHECK(n == 5);
    for (size_t i = 0; i < n; i++) {
        cudaGraphNodeType type;
        cudaEvent_t event;
        CUDA(cudaGraphNodeGetType(nodes[i], &type));
        if (type == cudaGraphNodeTypeWaitEvent) {
            CUDA(cudaGraphEventWaitNodeGetEvent(nodes[i], &event));
            CHECK(event == ready);
            waits++;
        }
        if (ask(nodes[i], &counter, seen))
            kernel = nodes[i];
    }
    CHECK(kernel && waits == 1 && seen[0] == 1 && seen[1] == 1 &&
          seen[2] == 1);
    cudaKernelNodeParams p = {};
    CUDA(cudaGraphKernelNodeGetParams(kernel, &p));
    CHECK(p.func == (void *)axpy && p.sharedMemBytes == 16);
    CHECK(p.gridDim.x == BLOCKS && p.blockDim.x == THREADS);
    CHECK(*(float *)p.kernelParams[0] == 2 && *(int *)p.kernelParams[3] == N);
    float three = 3;
    void *args[] = {&three, p.kernelParams[1], p.kernelParams[2],
                    p.kernelParams[3]};
    p.kernelParams = args;
    CUDA(cudaGraphInstantiateWithFlags(&exec, graph, 0));
    CUDA(cudaGraphExecKernelNodeSetParams(exec, kernel, &p));
    for (int round = 1; round <= 3; round++) {
        /* The graph waits for this, on a stream that it does not know. */
        set<<<BLOCKS, THREADS, 0, other>>>(x, (float)round, N);
        CUDA(cudaEventRecord(ready, other));
        CUDA(cudaGraphLaunch(exec, stream));
        CUDA(cudaStreamSynchronize(stream));
        for (int i = 0; i < N; i++)
            CHECK(h[i] == 3 * round);
        CHECK(counter == round);
    }
    CUDA(cudaGraphExecDestroy(exec));
    CUDA(cudaGraphDestroy(graph));
    puts("a graph knows what it does");
    return 0;
}
