// SPDX-License-Identifier: MIT
/* No bug: the host polls a stream, then continues in another. */
__global__ void add(int *x, int by)
{
    x[threadIdx.x] += by;
}

static void run(void)
{
    int *x = cells(THREADS);
    cudaStream_t first = stream(), second = stream();
    cudaEvent_t done = event();
    CUDA(cudaDeviceSynchronize());
    for (int round = 0; round < 3; round++) {
        add<<<1, THREADS, 0, first>>>(x, 1);
        CUDA(cudaEventRecord(done, first));
        while (cudaEventQuery(done) == cudaErrorNotReady)
            ;
        add<<<1, THREADS, 0, second>>>(x, 2);
        while (cudaStreamQuery(second) == cudaErrorNotReady)
            ;
    }
    launched();
}
