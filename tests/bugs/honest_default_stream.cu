// SPDX-License-Identifier: MIT
/* No bug: ordinary streams and the default one wait for each other, and copies
 * without a stream for all of it. */
__global__ void add(int *x, int by)
{
    x[threadIdx.x] += by;
}

static void run(void)
{
    int *x = cells(THREADS), h[THREADS];
    cudaStream_t first, second;
    CUDA(cudaStreamCreate(&first));
    CUDA(cudaStreamCreate(&second));
    add<<<1, THREADS, 0, first>>>(x, 1);
    add<<<1, THREADS>>>(x, 2);
    add<<<1, THREADS, 0, second>>>(x, 3);
    CUDA(cudaMemcpy(h, x, sizeof h, cudaMemcpyDeviceToHost));
    CHECK(h[5] == 6);
    add<<<1, THREADS, 0, first>>>(x, 4);
    CUDA(cudaMemset(x, 0, sizeof h));
    add<<<1, THREADS, 0, cudaStreamPerThread>>>(x, 5);
    CUDA(cudaMemcpyAsync(h, x, sizeof h, cudaMemcpyDeviceToHost,
                         cudaStreamPerThread));
    CHECK(h[5] == 5);
    add<<<1, THREADS, 0, first>>>(x, 4);
    CUDA(cudaFree(x));
    launched();
}
