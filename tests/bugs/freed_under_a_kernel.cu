// SPDX-License-Identifier: MIT
/* cudaFree does not wait if cudaMallocAsync allocated the memory. */
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
    CUDA(cudaStreamSynchronize(first));
#else
    CUDA(cudaStreamSynchronize(second));
#endif
    CUDA(cudaFree(x)); // finds: race in cudaFree
    launched();
}
