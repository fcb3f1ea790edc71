// SPDX-License-Identifier: MIT
/* capture.cu: a pipeline captured from three streams that fork and join, with
 * copies, memsets and host functions; asked what it holds; cloned, with an edge
 * less; printed; launched with parameters that change; capture into a thread of
 * its own, what ends a capture, and a stream that says what it is doing. */
#include "../check.h"

enum { N = 4096, THREADS = 256, PARTS = 3 };

__global__ void add(float *x, int n, float what)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] += what;
}

__global__ void sum(const float *a, const float *b, const float *c, int n,
                    float *to)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        to[i] = a[i] + b[i] + c[i];
}

static void CUDART_CB count(void *counter)
{
    ++*(int *)counter;
}

static cudaStream_t stream[PARTS];
static cudaEvent_t forked, joined[PARTS];
static float *part[PARTS], *total, *host;
static int called;

static cudaGraph_t captured(void)
{
    cudaGraph_t graph;
    enum cudaStreamCaptureStatus status;
    CUDA(cudaStreamBeginCapture(stream[0], cudaStreamCaptureModeRelaxed));
    CUDA(cudaEventRecord(forked, stream[0]));
    for (int k = 0; k < PARTS; k++) {
        if (k)
            CUDA(cudaStreamWaitEvent(stream[k], forked, 0));
        CUDA(cudaMemsetAsync(part[k], 0, N * sizeof(float), stream[k]));
        add<<<N / THREADS, THREADS, 0, stream[k]>>>(part[k], N, k + 1);
        if (k) {
            CUDA(cudaEventRecord(joined[k], stream[k]));
            CUDA(cudaStreamWaitEvent(stream[0], joined[k], 0));
        }
    }
    CUDA(cudaStreamIsCapturing(stream[2], &status));
    CHECK(status == cudaStreamCaptureStatusActive);
    sum<<<N / THREADS, THREADS, 0, stream[0]>>>(part[0], part[1], part[2], N,
                                                total);
    CUDA(cudaMemcpyAsync(host, total, N * sizeof *host, cudaMemcpyDeviceToHost,
                         stream[0]));
    CUDA(cudaLaunchHostFunc(stream[0], count, &called));
    CUDA(cudaStreamEndCapture(stream[0], &graph));
    return graph;
}

static void expect(float value)
{
    CUDA(cudaStreamSynchronize(stream[0]));
    for (int i = 0; i < N; i++)
        CHECK(host[i] == value);
}

static cudaGraphNode_t first_add(cudaGraph_t graph)
{
    cudaGraphNode_t node[16];
    size_t n = 16;
    CUDA(cudaGraphGetNodes(graph, node, &n));
    for (size_t i = 0; i < n; i++) {
        enum cudaGraphNodeType type;
        CUDA(cudaGraphNodeGetType(node[i], &type));
        if (type != cudaGraphNodeTypeKernel)
            continue;
        cudaKernelNodeParams p;
        CUDA(cudaGraphKernelNodeGetParams(node[i], &p));
        if (p.func == (void *)add && *(float **)p.kernelParams[0] == part[0])
            return node[i];
    }
    CHECK(!"an add");
    return NULL;
}

int main(void)
{
    for (int k = 0; k < PARTS; k++) {
        CUDA(cudaStreamCreateWithFlags(&stream[k], cudaStreamNonBlocking));
        CUDA(cudaEventCreateWithFlags(&joined[k], cudaEventDisableTiming));
        CUDA(cudaMalloc(&part[k], N * sizeof *part[k]));
    }
    CUDA(cudaEventCreateWithFlags(&forked, cudaEventDisableTiming));
    CUDA(cudaMalloc(&total, N * sizeof *total));
    CUDA(cudaMallocHost(&host, N * sizeof *host));

    cudaGraph_t graph = captured(), copy;
    cudaGraphExec_t exec;
    size_t nodes, roots, edges;
    CUDA(cudaGraphGetNodes(graph, NULL, &nodes));
    CUDA(cudaGraphGetRootNodes(graph, NULL, &roots));
#if CUDART_VERSION >= 13000
    CUDA(cudaGraphGetEdges(graph, NULL, NULL, NULL, &edges));
#else
    CUDA(cudaGraphGetEdges(graph, NULL, NULL, &edges));
#endif
    CHECK(nodes == 2 * PARTS + 3 && roots == PARTS);
    CHECK(edges == PARTS + PARTS + 2);
    CUDA(cudaGraphInstantiateWithFlags(&exec, graph, 0));
    for (int i = 0; i < 3; i++)
        CUDA(cudaGraphLaunch(exec, stream[0]));
    expect(1 + 2 + 3);
    CHECK(called == 3);

    cudaGraphNode_t node = first_add(graph);
    cudaKernelNodeParams p;
    float *x = part[0], what = 10;
    int n = N;
    void *args[] = {&x, &n, &what};
    CUDA(cudaGraphKernelNodeGetParams(node, &p));
    p.kernelParams = args;
    CUDA(cudaGraphExecKernelNodeSetParams(exec, node, &p));
    CUDA(cudaGraphLaunch(exec, stream[0]));
    expect(10 + 2 + 3);
    CUDA(cudaGraphClone(&copy, graph));
    CUDA(cudaGraphExecDestroy(exec));
    CUDA(cudaGraphInstantiateWithFlags(&exec, copy, 0));
    CUDA(cudaGraphUpload(exec, stream[0]));
    CUDA(cudaGraphLaunch(exec, stream[0]));
    expect(1 + 2 + 3);

    CUDA(cudaStreamBeginCapture(stream[1], cudaStreamCaptureModeGlobal));
    CHECK(cudaStreamSynchronize(stream[1]) != cudaSuccess);
    cudaGraph_t none = graph;
    CHECK(cudaStreamEndCapture(stream[1], &none) != cudaSuccess);
    CHECK(none == NULL);
    cudaGetLastError();
    add<<<N / THREADS, THREADS, 0, stream[1]>>>(part[1], N, 0);
    CUDA(cudaStreamSynchronize(stream[1]));
    CUDA(cudaGraphExecDestroy(exec));
    CUDA(cudaGraphDestroy(copy));
    CUDA(cudaGraphDestroy(graph));
    return 0;
}
