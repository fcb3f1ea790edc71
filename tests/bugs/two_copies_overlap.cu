// SPDX-License-Identifier: MIT
/* Two halves, each copied by a stream of its own; one is a word too long. */
static void run(void)
{
    int *x = unset(N), *h = pinned(N);
    cudaStream_t first = stream(), second = stream();
#ifdef MENDED
    const size_t n = N / 2;
#else
    const size_t n = N / 2 + 1;
#endif
    CUDA(cudaMemcpyAsync(x, h, n * sizeof *x, cudaMemcpyHostToDevice, first));
    CUDA(cudaMemcpyAsync(x + N / 2, h + N / 2, N / 2 * sizeof *x,
                         cudaMemcpyHostToDevice,
                         second)); // finds: race in memcpy
    launched();
}
