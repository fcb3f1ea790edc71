// SPDX-License-Identifier: MIT
/* One stream reads what another writes, without an event. */
__global__ void make(int *x)
{
    int i = blockIdx.x * THREADS + threadIdx.x;
    x[i] = i; // against
}

__global__ void use(const int *x, int *y)
{
    int i = blockIdx.x * THREADS + threadIdx.x;
    y[i] = x[i] + 1; // finds: race
}

static void run(void)
{
    int *x = unset(N), *y = unset(N);
    cudaStream_t first = stream(), second = stream();
    make<<<BLOCKS, THREADS, 0, first>>>(x);
#ifdef MENDED
    cudaEvent_t made = event();
    CUDA(cudaEventRecord(made, first));
    CUDA(cudaStreamWaitEvent(second, made, 0));
#endif
    use<<<BLOCKS, THREADS, 0, second>>>(x, y);
    launched();
}
