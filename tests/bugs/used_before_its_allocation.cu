// SPDX-License-Identifier: MIT
/* One stream uses what another allocates, without an event. */
__global__ void fill(int *x)
{
    x[blockIdx.x * THREADS + threadIdx.x] = 7; // finds: race
}

static void run(void)
{
    int *x;
    cudaStream_t first = stream(), second = stream();
    CUDA(cudaMallocAsync((void **)&x, N * sizeof *x, first));
#ifdef MENDED
    CUDA(cudaStreamSynchronize(first));
#endif
    fill<<<BLOCKS, THREADS, 0, second>>>(x);
    launched();
    CUDA(cudaFree(x));
}
