// SPDX-License-Identifier: MIT
/* cudaFreeAsync is ordered in its own stream only. */
__global__ void fill(int *x)
{
    x[blockIdx.x * THREADS + threadIdx.x] = 7; // against
}

static void run(void)
{
    int *x;
    cudaStream_t first = stream(), second = stream();
    CUDA(cudaMallocAsync((void **)&x, N * sizeof *x, first));
    fill<<<BLOCKS, THREADS, 0, first>>>(x);
#ifdef MENDED
    CUDA(cudaFreeAsync(x, first));
#else
    CUDA(cudaFreeAsync(x, second)); // finds: race in cudaFreeAsync
#endif
    CUDA(cudaStreamSynchronize(second));
    launched();
}
