// SPDX-License-Identifier: MIT
/* The graph's last node depends on one of the two that it needs. */
__global__ void set(int *x, int to)
{
    x[threadIdx.x] = to; // against
}

__global__ void add(const int *x, const int *y, int *sum)
{
    int early = x[threadIdx.x];
    sum[threadIdx.x] = early + y[threadIdx.x]; // finds: race
}

static void run(void)
{
    int *x = cells(THREADS), *y = cells(THREADS), *sum = cells(THREADS);
    cudaStream_t first = stream(), second = stream();
    cudaEvent_t fork = event(), joined = event();
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    CUDA(cudaDeviceSynchronize());
    CUDA(cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal));
    CUDA(cudaEventRecord(fork, first));
    CUDA(cudaStreamWaitEvent(second, fork, 0));
    set<<<1, THREADS, 0, first>>>(x, 1);
    set<<<1, THREADS, 0, second>>>(y, 2);
    CUDA(cudaEventRecord(joined, second));
#ifdef MENDED
    CUDA(cudaStreamWaitEvent(first, joined, 0));
#endif
    add<<<1, THREADS, 0, first>>>(x, y, sum);
    CUDA(cudaStreamWaitEvent(first, joined, 0));
    CUDA(cudaStreamEndCapture(first, &graph));
#if CUDART_VERSION >= 12000
    CUDA(cudaGraphInstantiate(&exec, graph, 0));
#else
    CUDA(cudaGraphInstantiate(&exec, graph, NULL, NULL, 0));
#endif
    CUDA(cudaGraphLaunch(exec, first));
    launched();
}
