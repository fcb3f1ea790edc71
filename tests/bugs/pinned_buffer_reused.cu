// SPDX-License-Identifier: MIT
/* The buffer of the host goes out by one stream before the other has filled
 * it. */
static void run(void)
{
    int *x = cells(N), *y = unset(N), *h = pinned(N);
    cudaStream_t in = stream(), out = stream();
    CUDA(cudaDeviceSynchronize());
    CUDA(cudaMemcpyAsync(h, x, N * sizeof *h, cudaMemcpyDeviceToHost, in));
#ifdef MENDED
    CUDA(cudaStreamSynchronize(in));
#endif
    CUDA(cudaMemcpyAsync(y, h, N * sizeof *h, cudaMemcpyHostToDevice,
                         out)); // finds: race in memcpy
    launched();
}
