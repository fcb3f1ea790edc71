// SPDX-License-Identifier: MIT
/* No bug: a function of the host, called when one stream has come to it, lets
 * the host go on with another; and a graph whose branches meet. */
__global__ void add(int *x, int by)
{
    x[threadIdx.x] += by;
}

static void CUDART_CB let_go(void *flag)
{
    *(volatile int *)flag = 1;
}

static void run(void)
{
    int *x = cells(THREADS), *y = cells(THREADS);
    volatile int flag = 0;
    cudaStream_t first = stream(), second = stream();
    cudaEvent_t fork = event(), joined = event();
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    CUDA(cudaDeviceSynchronize());
    add<<<1, THREADS, 0, first>>>(x, 1);
    CUDA(cudaLaunchHostFunc(first, let_go, (void *)&flag));
    while (!flag)
        ;
    add<<<1, THREADS, 0, second>>>(x, 2);
    CUDA(cudaStreamSynchronize(second));
    CUDA(cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal));
    add<<<1, THREADS, 0, first>>>(x, 1);
    CUDA(cudaEventRecord(fork, first));
    CUDA(cudaStreamWaitEvent(second, fork, 0));
    add<<<1, THREADS, 0, second>>>(x, 1);
    add<<<1, THREADS, 0, first>>>(y, 1);
    CUDA(cudaEventRecord(joined, second));
    CUDA(cudaStreamWaitEvent(first, joined, 0));
    add<<<1, THREADS, 0, first>>>(x, 1);
    CUDA(cudaStreamEndCapture(first, &graph));
#if CUDART_VERSION >= 12000
    CUDA(cudaGraphInstantiate(&exec, graph, 0));
#else
    CUDA(cudaGraphInstantiate(&exec, graph, NULL, NULL, 0));
#endif
    for (int k = 0; k < 3; k++)
        CUDA(cudaGraphLaunch(exec, first));
    CUDA(cudaGraphLaunch(exec, second)); /* follows its last launch */
    add<<<1, THREADS, 0, second>>>(y, 1);
    launched();
}
