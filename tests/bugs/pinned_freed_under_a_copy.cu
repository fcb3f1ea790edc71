// SPDX-License-Identifier: MIT
/* The host's buffer is freed while a copy into it is pending. */
static void run(void)
{
    int *x = cells(N), *h = pinned(N);
    cudaStream_t in = stream();
    CUDA(cudaDeviceSynchronize());
    CUDA(cudaMemcpyAsync(h, x, N * sizeof *h, cudaMemcpyDeviceToHost, in));
#ifdef MENDED
    CUDA(cudaStreamSynchronize(in));
#endif
    CUDA(cudaFreeHost(h)); // finds: race in cudaFreeHost
    launched();
}
