// SPDX-License-Identifier: MIT
/* The only stream that the program makes does not wait for the default one, nor
 * does that for it. */
__global__ void fill(int *x)
{
    x[threadIdx.x] = 1; // against
}

__global__ void add_up(const int *x, int *sum)
{
    atomicAdd(sum, x[threadIdx.x]); // finds: race
}

static void run(void)
{
    int *x = cells(THREADS), *sum = cells(1);
    cudaStream_t apart = stream();
    CUDA(cudaDeviceSynchronize());
    fill<<<1, THREADS, 0, apart>>>(x);
#ifdef MENDED
    CUDA(cudaStreamSynchronize(apart));
#endif
    add_up<<<1, THREADS>>>(x, sum);
    launched();
}
