// SPDX-License-Identifier: MIT
/* Each block counts in shared memory, rightly, and adds its counts to everybody's
 * as if it were alone. */
enum { BINS = 64 };

__global__ void histogram(const int *x, int *bins)
{
    __shared__ int mine[BINS];
    int t = threadIdx.x;
    if (t < BINS)
        mine[t] = 0;
    __syncthreads();
    atomicAdd(&mine[x[blockIdx.x * THREADS + t] % BINS], 1);
    __syncthreads();
    if (t < BINS)
#ifdef MENDED
        atomicAdd(&bins[t], mine[t]);
#else
        bins[t] += mine[t]; // finds: race
#endif
}

static void run(void)
{
    int h[N], *x = cells(N);
    for (int i = 0; i < N; i++)
        h[i] = i * 7;
    CUDA(cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice));
    histogram<<<BLOCKS, THREADS>>>(x, cells(BINS));
    launched();
}
