// SPDX-License-Identifier: MIT
/* The event is recorded in another stream than the work to wait for. */
__global__ void make(int *x)
{
    x[blockIdx.x * THREADS + threadIdx.x] = 1; // against
}

__global__ void halve(int *x, float *y)
{
    int i = blockIdx.x * THREADS + threadIdx.x;
    y[i] = 0.5f * x[i]; // against
}

__global__ void clear(int *x)
{
    x[blockIdx.x * THREADS + threadIdx.x] = 0; // finds: race
}

static void run(void)
{
    int *x = unset(N);
    float *y = (float *)unset(N);
    cudaStream_t first = stream(), second = stream();
    cudaEvent_t read = event();
    make<<<BLOCKS, THREADS, 0, first>>>(x);
    halve<<<BLOCKS, THREADS, 0, first>>>(x, y);
#ifdef MENDED
    CUDA(cudaEventRecord(read, first));
#else
    CUDA(cudaEventRecord(read, second));
#endif
    CUDA(cudaStreamWaitEvent(second, read, 0));
    clear<<<BLOCKS, THREADS, 0, second>>>(x);
    launched();
}
