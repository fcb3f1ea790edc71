// SPDX-License-Identifier: MIT
/* The event is recorded before the kernel to wait for. */
__global__ void make(int *x)
{
    x[blockIdx.x * THREADS + threadIdx.x] = 1; // against
}

__global__ void add(const int *x, int *sum)
{
    int i = blockIdx.x * THREADS + threadIdx.x;
    atomicAdd(sum, x[i]); // finds: race
}

static void run(void)
{
    int *x = cells(N), *sum = cells(1);
    cudaStream_t first = stream(), second = stream();
    cudaEvent_t made = event();
    CUDA(cudaDeviceSynchronize());
#ifndef MENDED
    CUDA(cudaEventRecord(made, first));
#endif
    make<<<BLOCKS, THREADS, 0, first>>>(x);
#ifdef MENDED
    CUDA(cudaEventRecord(made, first));
#endif
    CUDA(cudaStreamWaitEvent(second, made, 0));
    add<<<BLOCKS, THREADS, 0, second>>>(x, sum);
    launched();
}
