// SPDX-License-Identifier: MIT
/* cudaMemset is work of the default stream, for which this stream does not
 * wait; nor does the host. */
__global__ void count(const int *x, int *even)
{
    int i = blockIdx.x * THREADS + threadIdx.x;
    if (x[i] % 2 == 0)
        atomicAdd(even, 1); // finds: race
}

static void run(void)
{
    int *x = cells(N), *even = unset(1);
    cudaStream_t apart = stream();
    CUDA(cudaDeviceSynchronize());
    CUDA(cudaMemset(even, 0, sizeof *even));
#ifdef MENDED
    CUDA(cudaStreamSynchronize(0));
#endif
    count<<<BLOCKS, THREADS, 0, apart>>>(x, even);
    launched();
}
