// SPDX-License-Identifier: MIT
/* The second stream is made while the first one works, and nothing makes it wait
 * for that. */
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
    cudaStream_t first, second;
    CUDA(cudaStreamCreate(&first));
    fill<<<1, THREADS, 0, first>>>(x);
    CUDA(cudaStreamCreate(&second));
#ifdef MENDED
    CUDA(cudaStreamSynchronize(first));
#endif
    add_up<<<1, THREADS, 0, second>>>(x, sum);
    launched();
}
