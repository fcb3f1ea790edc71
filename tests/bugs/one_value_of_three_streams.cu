// SPDX-License-Identifier: MIT
/* Three streams put one value into the same words, which is no race, but for one
 * that means something else. */
__global__ void mark(int *x, int as)
{
    x[threadIdx.x] = as; // finds: race
}

static void run(void)
{
    int *x = cells(THREADS);
    cudaStream_t each[3] = {stream(), stream(), stream()};
    CUDA(cudaDeviceSynchronize());
    for (int k = 0; k < 3; k++)
#ifdef MENDED
        mark<<<1, THREADS, 0, each[k]>>>(x, 1);
#else
        mark<<<1, THREADS, 0, each[k]>>>(x, k == 2 ? 2 : 1);
#endif
    launched();
}
