// SPDX-License-Identifier: MIT
/* graphs.cu: a chain of small kernels recorded once and launched often; the
 * same graph made node by node, changed, and run again; two streams that join
 * in one graph; what a capture does not allow. */
#include "../check.h"

enum { N = 3000, THREADS = 256, BLOCKS = (N + THREADS - 1) / THREADS };

__global__ void add(float *x, int n, float what)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] += what;
}

__global__ void scale(float *x, int n, float by)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] *= by;
}

static void CUDART_CB count(void *counter)
{
    ++*(int *)counter;
}

static float *x, *y, *h;

static void recorded(cudaStream_t stream)
{
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaStreamCaptureStatus status;
    int called = 0;
    size_t nodes = 0;
    CUDA(cudaMemset(x, 0, N * sizeof *x));
    CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    CUDA(cudaStreamIsCapturing(stream, &status));
    CHECK(status == cudaStreamCaptureStatusActive);
    add<<<BLOCKS, THREADS, 0, stream>>>(x, N, 1);
    scale<<<BLOCKS, THREADS, 0, stream>>>(x, N, 2);
    CUDA(cudaMemcpyAsync(h, x, N * sizeof *h, cudaMemcpyDeviceToHost, stream));
    CUDA(cudaLaunchHostFunc(stream, count, &called));
    CUDA(cudaStreamEndCapture(stream, &graph));
    CHECK(called == 0); /* nothing has run */
    CUDA(cudaGraphGetNodes(graph, NULL, &nodes));
    CHECK(nodes == 4);
    CUDA(cudaGraphInstantiateWithFlags(&exec, graph, 0));
    for (int launch = 0; launch < 5; launch++)
        CUDA(cudaGraphLaunch(exec, stream));
    CUDA(cudaStreamSynchronize(stream));
    for (int i = 0; i < N; i++)
        CHECK(h[i] == 62); /* ((((0 + 1) 2 + 1) 2 + ... */
    CHECK(called == 5);
    CUDA(cudaGraphExecDestroy(exec));
    CUDA(cudaGraphDestroy(graph));
}

static cudaKernelNodeParams launch_of(void *kernel, void **args)
{
    cudaKernelNodeParams p = {};
    p.func = kernel;
    p.gridDim = dim3(BLOCKS);
    p.blockDim = dim3(THREADS);
    p.kernelParams = args;
    return p;
}

static void node_by_node(cudaStream_t stream)
{
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaGraphNode_t fill, plus, times, back;
    int n = N;
    float what = 3, by = 5;
    void *add_args[] = {&x, &n, &what}, *scale_args[] = {&x, &n, &by};
    CUDA(cudaGraphCreate(&graph, 0));
    cudaMemsetParams zero = {};
    zero.dst = x;
    zero.elementSize = 4;
    zero.width = N;
    zero.height = 1;
    CUDA(cudaGraphAddMemsetNode(&fill, graph, NULL, 0, &zero));
    cudaKernelNodeParams p = launch_of((void *)scale, scale_args);
    CUDA(cudaGraphAddKernelNode(&times, graph, NULL, 0, &p));
    p = launch_of((void *)add, add_args);
    CUDA(cudaGraphAddKernelNode(&plus, graph, &fill, 1, &p));
    what = -1; /* the node has a copy */
    CUDA(cudaGraphAddMemcpyNode1D(&back, graph, &times, 1, h, x,
                                  N * sizeof *h, cudaMemcpyDeviceToHost));
#if CUDART_VERSION >= 13000
    CUDA(cudaGraphAddDependencies(graph, &plus, &times, NULL, 1));
#else
    CUDA(cudaGraphAddDependencies(graph, &plus, &times, 1));
#endif
    CUDA(cudaGraphInstantiateWithFlags(&exec, graph, 0));
    CUDA(cudaGraphLaunch(exec, stream));
    CUDA(cudaStreamSynchronize(stream));
    CHECK(h[0] == 15 && h[N - 1] == 15);
    what = 4;
    p = launch_of((void *)add, add_args);
    CUDA(cudaGraphExecKernelNodeSetParams(exec, plus, &p));
    CUDA(cudaGraphLaunch(exec, stream));
    CUDA(cudaStreamSynchronize(stream));
    CHECK(h[0] == 20 && h[N - 1] == 20);
    CUDA(cudaGraphExecDestroy(exec));
    CUDA(cudaGraphDestroy(graph));
}

/* x and y are worked on side by side; the second stream comes in by an event
 * and goes out by another. */
static void two_streams(cudaStream_t a, cudaStream_t b)
{
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaEvent_t fork, join;
    size_t roots = 0;
    CUDA(cudaEventCreateWithFlags(&fork, cudaEventDisableTiming));
    CUDA(cudaEventCreateWithFlags(&join, cudaEventDisableTiming));
    CUDA(cudaStreamBeginCapture(a, cudaStreamCaptureModeThreadLocal));
    CUDA(cudaMemsetAsync(x, 0, N * sizeof *x, a));
    CUDA(cudaMemcpyAsync(y, x, N * sizeof *x, cudaMemcpyDeviceToDevice, a));
    CUDA(cudaEventRecord(fork, a));
    CUDA(cudaStreamWaitEvent(b, fork, 0));
    add<<<BLOCKS, THREADS, 0, a>>>(x, N, 7);
    add<<<BLOCKS, THREADS, 0, b>>>(y, N, 8);
    CUDA(cudaEventRecord(join, b));
    CUDA(cudaStreamWaitEvent(a, join, 0));
    CUDA(cudaStreamEndCapture(a, &graph));
    CUDA(cudaGraphGetRootNodes(graph, NULL, &roots));
    CHECK(roots == 1);
    CUDA(cudaGraphInstantiateWithFlags(&exec, graph, 0));
    CUDA(cudaGraphLaunch(exec, a));
    CUDA(cudaStreamSynchronize(a));
    CUDA(cudaMemcpy(h, y, N * sizeof *h, cudaMemcpyDeviceToHost));
    CHECK(h[0] == 8 && h[N - 1] == 8);
    CUDA(cudaGraphExecDestroy(exec));
    CUDA(cudaGraphDestroy(graph));
    CUDA(cudaEventDestroy(fork));
    CUDA(cudaEventDestroy(join));
}

static void not_allowed(cudaStream_t stream, cudaStream_t other)
{
    cudaGraph_t graph;
    cudaEvent_t event;
    CUDA(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
    CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    CHECK(cudaStreamSynchronize(stream) == cudaErrorStreamCaptureUnsupported);
    CHECK(cudaStreamEndCapture(stream, &graph) ==
          cudaErrorStreamCaptureInvalidated);
    CHECK(graph == NULL);
    CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    CUDA(cudaEventRecord(event, stream));
    CUDA(cudaStreamWaitEvent(other, event, 0));
    add<<<1, 32, 0, other>>>(x, 32, 1); /* not joined */
    CHECK(cudaStreamEndCapture(stream, &graph) ==
          cudaErrorStreamCaptureUnjoined);
    CHECK(cudaStreamEndCapture(stream, &graph) == cudaErrorIllegalState);
    cudaGetLastError();
    CUDA(cudaEventDestroy(event));
}

int main(void)
{
    cudaStream_t a, b;
    CUDA(cudaMalloc(&x, N * sizeof *x));
    CUDA(cudaMalloc(&y, N * sizeof *y));
    CUDA(cudaMallocHost(&h, N * sizeof *h));
    CUDA(cudaStreamCreate(&a));
    CUDA(cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking));
    recorded(a);
    node_by_node(a);
    two_streams(a, b);
    not_allowed(a, b);
    CUDA(cudaStreamDestroy(a));
    CUDA(cudaStreamDestroy(b));
    CUDA(cudaFree(x));
    CUDA(cudaFree(y));
    CUDA(cudaFreeHost(h));
    return 0;
}
