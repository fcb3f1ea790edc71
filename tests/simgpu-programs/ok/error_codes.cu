// SPDX-License-Identifier: MIT
// finds: 10
/* error_codes.cu: what calls answer that cannot work. error_codes.out is what
 * the same program printed on an H200. The last kernel writes through a null
 * pointer. */
#include <cooperative_groups.h>

#include <cstdio>
#include <cstdlib>

__global__ void set(int *x) { x[threadIdx.x] = 1; }
__global__ void __launch_bounds__(64) bounded(int *x) { x[threadIdx.x] = 1; }
__global__ void shared(int *x)
{
    extern __shared__ int dynamic[];
    dynamic[threadIdx.x] = 1;
    x[threadIdx.x] = dynamic[threadIdx.x];
}
__device__ int variable[4];

static void CUDART_CB nothing(void *) {}

/* 13.0 has given up two codes for others. */
static cudaError_t now(cudaError_t error)
{
#if CUDART_VERSION < 13000
    if (error == cudaErrorInvalidConfiguration)
        return cudaErrorInvalidValue;
    if (error == cudaErrorInvalidDeviceFunction)
        return cudaErrorInvalidResourceHandle;
#endif
    return error;
}

static void say(const char *what, cudaError_t error)
{
    cudaError_t last = cudaGetLastError();
    printf("%s: %s%s\n", what, cudaGetErrorName(now(error)),
           last == error ? "" : last ? ", last another" : ", not last");
}
#define SAY(call) say(#call, call)
#define LAUNCH(what, ...)                                                      \
    do {                                                                       \
        __VA_ARGS__;                                                           \
        say(what, cudaPeekAtLastError());                                      \
    } while (0)

static int *d, *m, h[64];

static void launches(void)
{
    LAUNCH("no blocks", (set<<<0, 32>>>(d)));
    LAUNCH("1025 threads", (set<<<1, 1025>>>(d)));
    LAUNCH("65 of 64 threads", (bounded<<<1, 65>>>(d)));
    LAUNCH("49153 bytes", (shared<<<1, 32, 49153>>>(d)));
    SAY(cudaFuncSetAttribute(shared,
                             cudaFuncAttributeMaxDynamicSharedMemorySize,
                             1 << 20));
    void *args[] = {&d};
    SAY(cudaLaunchKernel((void *)h, dim3(1), dim3(1), args, 0, 0));
    SAY(cudaLaunchCooperativeKernel((void *)set, dim3(100000), dim3(64), args,
                                    0, 0));
    int n = -1;
    SAY(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, set, 0, 0));
    SAY(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, set, 2048, 0));
    printf("%d blocks of 2048 threads\n", n);
    cudaFuncAttributes about;
    SAY(cudaFuncGetAttributes(&about, (void *)h));
}

static void memory(void)
{
    void *p = h;
    size_t pitch;
    cudaPointerAttributes about;
    SAY(cudaMalloc(&p, (size_t)1 << 50));
    SAY(cudaMalloc(&p, 0));
    printf("%s\n", p ? "a pointer" : "null");
    SAY(cudaMalloc(NULL, 4));
    SAY(cudaMallocManaged(&p, 0));
    SAY(cudaMallocManaged(&p, 4, 77));
    SAY(cudaMallocPitch(&p, &pitch, 0, 4));
    SAY(cudaFree(h));
    SAY(cudaFree(d + 1));
    SAY(cudaFreeHost(h));
    SAY(cudaHostUnregister(h));
    SAY(cudaHostGetDevicePointer(&p, h, 0));
    SAY(cudaPointerGetAttributes(&about, h));
    printf("type %d\n", (int)about.type);
    SAY(cudaMemcpy(d, h, 1 << 20, cudaMemcpyHostToDevice));
    SAY(cudaMemcpy(d, h, 4, (cudaMemcpyKind)9));
    SAY(cudaMemset(h, 0, 4));
    SAY(cudaMemset(d, 0, 1 << 22));
    SAY(cudaMemcpy2D(h, 8, d, 8, 16, 2, cudaMemcpyDeviceToHost));
    SAY(cudaMemset2D(d, 8, 0, 16, 2));
    SAY(cudaMemcpyToSymbol(variable, h, 32));
    SAY(cudaMemcpyToSymbol(variable, h, 8, 12));
    SAY(cudaMemcpyToSymbol(h, h, 4));
    SAY(cudaGetSymbolAddress(&p, h));
}

static void streams(void)
{
    cudaStream_t s;
    cudaEvent_t e, f, bare;
    float ms;
    SAY(cudaStreamCreateWithFlags(&s, 99));
    SAY(cudaStreamCreate(&s));
    SAY(cudaEventCreate(&e));
    SAY(cudaEventCreate(&f));
    SAY(cudaEventCreateWithFlags(&bare, cudaEventDisableTiming));
    SAY(cudaEventQuery(e));
    SAY(cudaEventSynchronize(e));
    SAY(cudaStreamWaitEvent(s, e, 0));
    SAY(cudaEventElapsedTime(&ms, e, f));
    SAY(cudaEventRecord(e, s));
    SAY(cudaEventRecord(bare, s));
    SAY(cudaStreamSynchronize(s));
    SAY(cudaEventElapsedTime(&ms, e, bare));
    SAY(cudaEventElapsedTime(&ms, e, f));
    SAY(cudaSetDevice(63));
    SAY(cudaSetDevice(-1));
    SAY(cudaDeviceSetLimit((cudaLimit)99, 1));
    SAY(cudaStreamDestroy(s));
    SAY(cudaEventDestroy(e));
    SAY(cudaEventDestroy(f));
    SAY(cudaEventDestroy(bare));
}

static cudaStream_t s, t;

static void capture_and(const char *what, cudaError_t (*call)(void))
{
    cudaGraph_t graph = NULL;
    cudaStreamCaptureStatus status;
    cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
    say(what, call());
    cudaStreamIsCapturing(s, &status);
    printf("    status %d, ", (int)status);
    say("end", cudaStreamEndCapture(s, &graph));
    printf("    %s\n", graph ? "a graph" : "none");
    if (graph)
        cudaGraphDestroy(graph);
}

static cudaError_t wait(void) { return cudaStreamSynchronize(s); }
static cudaError_t ask(void) { return cudaStreamQuery(s); }
static cudaError_t wait_all(void) { return cudaDeviceSynchronize(); }
static cudaError_t malloc_now(void)
{
    void *p = NULL;
    return cudaMalloc(&p, 4);
}
static cudaError_t copy_now(void)
{
    return cudaMemcpy(h, d, 4, cudaMemcpyDeviceToHost);
}
static cudaError_t fill_now(void) { return cudaMemset(d, 0, 4); }
static cudaError_t fill_later(void) { return cudaMemsetAsync(d, 0, 4, s); }
static cudaError_t call_later(void)
{
    return cudaLaunchHostFunc(s, nothing, NULL);
}
static cudaError_t on_default_stream(void)
{
    set<<<1, 32>>>(d);
    return cudaPeekAtLastError();
}
static cudaError_t begin_again(void)
{
    return cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
}
static cudaError_t fork_and_forget(void)
{
    cudaEvent_t e;
    cudaEventCreateWithFlags(&e, cudaEventDisableTiming);
    cudaEventRecord(e, s);
    cudaStreamWaitEvent(t, e, 0);
    set<<<1, 32, 0, t>>>(d);
    cudaEventDestroy(e);
    return cudaPeekAtLastError();
}
static cudaError_t wait_for_captured_event(void)
{
    cudaEvent_t e;
    cudaEventCreateWithFlags(&e, cudaEventDisableTiming);
    cudaEventRecord(e, s);
    cudaError_t error = cudaEventSynchronize(e);
    cudaEventDestroy(e);
    return error;
}

static void captures(void)
{
    cudaGraph_t graph;
    SAY(cudaStreamCreate(&s));
    SAY(cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking));
    SAY(cudaStreamBeginCapture(0, cudaStreamCaptureModeGlobal));
    SAY(cudaStreamEndCapture(s, &graph));
    capture_and("nothing but a fill", fill_later);
    capture_and("a host function", call_later);
    capture_and("cudaStreamSynchronize", wait);
    capture_and("cudaStreamQuery", ask);
    capture_and("cudaDeviceSynchronize", wait_all);
    capture_and("cudaMalloc", malloc_now);
    capture_and("cudaMemcpy", copy_now);
    capture_and("cudaMemset", fill_now);
    capture_and("the default stream", on_default_stream);
    capture_and("cudaStreamBeginCapture", begin_again);
    capture_and("a fork that nobody joins", fork_and_forget);
    capture_and("cudaEventSynchronize", wait_for_captured_event);
}

static void graphs(void)
{
    cudaGraph_t graph;
    cudaGraphNode_t a, b;
    cudaGraphExec_t exec;
    SAY(cudaGraphCreate(&graph, 0));
    SAY(cudaGraphAddEmptyNode(&a, graph, NULL, 0));
    SAY(cudaGraphAddEmptyNode(&b, graph, &a, 1));
#if CUDART_VERSION >= 13000
    say("an edge twice", cudaGraphAddDependencies(graph, &a, &b, NULL, 1));
    say("a circle", cudaGraphAddDependencies(graph, &b, &a, NULL, 1));
#else
    say("an edge twice", cudaGraphAddDependencies(graph, &a, &b, 1));
    say("a circle", cudaGraphAddDependencies(graph, &b, &a, 1));
#endif
    SAY(cudaGraphInstantiateWithFlags(&exec, graph, 0));
    SAY(cudaGraphDestroy(graph));
}

int main()
{
    SAY(cudaGetLastError());
    SAY(cudaMalloc(&d, 4096));
    SAY(cudaMallocManaged(&m, 4096));
    launches();
    memory();
    streams();
    captures();
    graphs();
    SAY(cudaFree(d));
    SAY(cudaFree(d));
    SAY(cudaFree(m));
    SAY(cudaFree(NULL));
    set<<<1, 32>>>(NULL);
    say("at the launch", cudaPeekAtLastError());
    SAY(cudaDeviceSynchronize());
    SAY(cudaDeviceSynchronize());
    SAY(cudaMalloc(&d, 4));
    SAY(cudaGetLastError());
    return 0;
}
