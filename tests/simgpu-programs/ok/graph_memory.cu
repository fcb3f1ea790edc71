// SPDX-License-Identifier: MIT
/* graph_memory.cu: memory that graphs allocate and free: captured, as nodes of
 * their own, handed from one graph to another, left for the next launch to
 * free; and what such a graph does not allow. */
#include "../check.h"

enum { N = 2000, THREADS = 128, BLOCKS = (N + THREADS - 1) / THREADS };

__global__ void fill(int *x, int n, int value)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] = value + i;
}

__global__ void add(int *to, const int *from, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        to[i] += from[i];
}

static int *out, h[N];

static void expect(int times)
{
    CUDA(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
    for (int i = 0; i < N; i++)
        CHECK(h[i] == times * (5 + i));
}

/* Two allocations on two streams, both gone when the graph ends. */
static void captured(cudaStream_t stream, cudaStream_t other)
{
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaEvent_t fork, join;
    cudaGraphNode_t nodes[16];
    size_t n = 16;
    int *a, *b, allocations = 0, frees = 0;
    CUDA(cudaEventCreateWithFlags(&fork, cudaEventDisableTiming));
    CUDA(cudaEventCreateWithFlags(&join, cudaEventDisableTiming));
    CUDA(cudaMemset(out, 0, N * sizeof *out));
    CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    CUDA(cudaMallocAsync(&a, N * sizeof *a, stream));
    CUDA(cudaEventRecord(fork, stream));
    CUDA(cudaStreamWaitEvent(other, fork, 0));
    fill<<<BLOCKS, THREADS, 0, stream>>>(a, N, 5);
    CUDA(cudaMallocAsync(&b, N * sizeof *b, other));
    fill<<<BLOCKS, THREADS, 0, other>>>(b, N, 5);
    CUDA(cudaEventRecord(join, other));
    CUDA(cudaStreamWaitEvent(stream, join, 0));
    add<<<BLOCKS, THREADS, 0, stream>>>(out, a, N);
    CUDA(cudaFreeAsync(a, stream));
    add<<<BLOCKS, THREADS, 0, stream>>>(out, b, N);
    CUDA(cudaFreeAsync(b, stream));
    CUDA(cudaStreamEndCapture(stream, &graph));
    CUDA(cudaGraphGetNodes(graph, nodes, &n));
    for (size_t i = 0; i < n; i++) {
        cudaGraphNodeType type;
        CUDA(cudaGraphNodeGetType(nodes[i], &type));
        allocations += type == cudaGraphNodeTypeMemAlloc;
        frees += type == cudaGraphNodeTypeMemFree;
    }
    CHECK(n == 8 && allocations == 2 && frees == 2 && a != b);
    CUDA(cudaGraphInstantiateWithFlags(&exec, graph, 0));
    for (int launch = 0; launch < 3; launch++)
        CUDA(cudaGraphLaunch(exec, stream));
    CUDA(cudaStreamSynchronize(stream));
    expect(6);
    CUDA(cudaGraphExecDestroy(exec));
    CUDA(cudaGraphDestroy(graph));
    CUDA(cudaEventDestroy(fork));
    CUDA(cudaEventDestroy(join));
}

static cudaMemAllocNodeParams allocation(size_t bytes)
{
    cudaMemAllocNodeParams p = {};
    p.poolProps.allocType = cudaMemAllocationTypePinned;
    p.poolProps.location.type = cudaMemLocationTypeDevice;
    p.poolProps.location.id = 0;
    p.bytesize = bytes;
    return p;
}

static cudaKernelNodeParams launch_of(void *kernel, void **args)
{
    cudaKernelNodeParams p = {};
    p.func = kernel;
    p.gridDim = BLOCKS;
    p.blockDim = THREADS;
    p.kernelParams = args;
    return p;
}

/* One graph allocates and fills; another adds up and frees. */
static void from_graph_to_graph(cudaStream_t stream)
{
    cudaGraph_t maker, user;
    cudaGraphExec_t make, use;
    cudaGraphNode_t alloc, kernel, freed;
    cudaMemAllocNodeParams memory = allocation(N * sizeof(int)), same;
    int n = N, value = 5;
    void *left;
    CUDA(cudaMemset(out, 0, N * sizeof *out));
    CUDA(cudaGraphCreate(&maker, 0));
    CUDA(cudaGraphAddMemAllocNode(&alloc, maker, NULL, 0, &memory));
    int *x = (int *)memory.dptr;
    CHECK(x);
    CUDA(cudaGraphMemAllocNodeGetParams(alloc, &same));
    CHECK(same.dptr == x && same.bytesize == N * sizeof *x);
    void *args[] = {&x, &n, &value};
    cudaKernelNodeParams filling = launch_of((void *)fill, args);
    CUDA(cudaGraphAddKernelNode(&kernel, maker, &alloc, 1, &filling));
    CUDA(cudaGraphCreate(&user, 0));
    void *more[] = {&out, &x, &n};
    cudaKernelNodeParams adding = launch_of((void *)add, more);
    CUDA(cudaGraphAddKernelNode(&kernel, user, NULL, 0, &adding));
    CUDA(cudaGraphAddMemFreeNode(&freed, user, &kernel, 1, x));
    CUDA(cudaGraphMemFreeNodeGetParams(freed, &left));
    CHECK(left == x);
    CUDA(cudaGraphInstantiateWithFlags(&make, maker, 0));
    CUDA(cudaGraphInstantiateWithFlags(&use, user, 0));
    for (int round = 0; round < 2; round++) {
        CUDA(cudaGraphLaunch(make, stream));
        CUDA(cudaGraphLaunch(use, stream));
    }
    CUDA(cudaStreamSynchronize(stream));
    expect(2);
    CUDA(cudaGraphLaunch(make, stream));
    add<<<BLOCKS, THREADS, 0, stream>>>(out, x, N);
    CUDA(cudaFreeAsync(x, stream)); /* outside of any graph */
    CUDA(cudaStreamSynchronize(stream));
    expect(3);
    CUDA(cudaGraphExecDestroy(make));
    CUDA(cudaGraphExecDestroy(use));
    CUDA(cudaGraphDestroy(maker));
    CUDA(cudaGraphDestroy(user));
}

/* The next launch frees what the last one left. */
static void freed_by_the_next_launch(cudaStream_t stream)
{
    cudaGraph_t graph, copy;
    cudaGraphExec_t exec, second;
    cudaGraphNode_t child;
    unsigned long long used = 0, high = 0, none = 0;
    int *x;
    CUDA(cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh,
                                        &none));
    CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    CUDA(cudaMallocAsync(&x, N * sizeof *x, stream));
    fill<<<BLOCKS, THREADS, 0, stream>>>(x, N, 5);
    CUDA(cudaStreamEndCapture(stream, &graph));
    CHECK(cudaGraphClone(&copy, graph) != cudaSuccess);
    CUDA(cudaGraphInstantiateWithFlags(
        &exec, graph, cudaGraphInstantiateFlagAutoFreeOnLaunch));
    CHECK(cudaGraphInstantiateWithFlags(&second, graph, 0) != cudaSuccess);
    cudaGraph_t parent;
    CUDA(cudaGraphCreate(&parent, 0));
    CHECK(cudaGraphAddChildGraphNode(&child, parent, NULL, 0, graph) !=
          cudaSuccess);
    cudaGetLastError();
    for (int launch = 0; launch < 3; launch++)
        CUDA(cudaGraphLaunch(exec, stream));
    CUDA(cudaMemcpyAsync(out, x, N * sizeof *x, cudaMemcpyDeviceToDevice,
                         stream));
    CUDA(cudaStreamSynchronize(stream));
    expect(1);
    CUDA(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent,
                                        &used));
    CUDA(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh,
                                        &high));
    CHECK(used >= N * sizeof *x && high >= used);
    CUDA(cudaFree(x));
    CUDA(cudaDeviceGraphMemTrim(0));
    CUDA(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent,
                                        &used));
    CHECK(used == 0);
    CUDA(cudaGraphExecDestroy(exec));
    CUDA(cudaGraphDestroy(parent));
    CUDA(cudaGraphDestroy(graph));
}

int main()
{
    cudaStream_t stream, other;
    CUDA(cudaStreamCreate(&stream));
    CUDA(cudaStreamCreate(&other));
    CUDA(cudaMalloc(&out, N * sizeof *out));
    captured(stream, other);
    from_graph_to_graph(stream);
    freed_by_the_next_launch(stream);
    puts("graphs allocate and free");
    return 0;
}
