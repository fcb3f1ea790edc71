// SPDX-License-Identifier: MIT
/* The next round's memset does not wait for this round's kernel. */
__global__ void add(const int *x, int *sum)
{
    atomicAdd(sum, x[threadIdx.x]); // against
}

static void run(void)
{
    int *x = cells(THREADS), *sum = cells(1);
    cudaStream_t first = stream(), second = stream();
    CUDA(cudaDeviceSynchronize());
    add<<<1, THREADS, 0, first>>>(x, sum);
#ifdef MENDED
    CUDA(cudaStreamSynchronize(first));
#endif
    CUDA(cudaMemsetAsync(sum, 1, sizeof *sum, second)); // finds: race in memset
    launched();
}
