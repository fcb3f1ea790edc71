// SPDX-License-Identifier: MIT
/* Two streams write every second byte each, then one writes all. */
__global__ void write(unsigned char *x, int first, int step)
{
    int i = first + step * threadIdx.x;
    if (i < 2 * THREADS)
        x[i] = first + 1; // finds: race
}

static void run(void)
{
    unsigned char *x = (unsigned char *)cells(THREADS);
    cudaStream_t first = stream(), second = stream();
    CUDA(cudaDeviceSynchronize());
    write<<<1, THREADS, 0, first>>>(x, 0, 2);
#ifdef MENDED
    write<<<1, THREADS, 0, second>>>(x, 1, 2);
#else
    write<<<1, THREADS, 0, second>>>(x, 1, 1);
#endif
    launched();
}
