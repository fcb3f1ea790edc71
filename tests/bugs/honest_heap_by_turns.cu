// SPDX-License-Identifier: MIT
/* No bug: launches of two streams, in order, get the same bytes of the device's
 * heap from each other; so do blocks, each its own. */
__global__ void reverse(int *x)
{
    __shared__ int *turned;
    int l = threadIdx.x;
    if (l == 0)
        turned = (int *)malloc(THREADS * sizeof *turned);
    __syncthreads();
    turned[THREADS - 1 - l] = x[blockIdx.x * THREADS + l];
    __syncthreads();
    x[blockIdx.x * THREADS + l] = turned[l];
    __syncthreads();
    if (l == THREADS - 1)
        free(turned);
}

static void run(void)
{
    int *x = cells(N);
    cudaStream_t each[2] = {stream(), stream()};
    cudaEvent_t over = event();
    CUDA(cudaDeviceSetLimit(cudaLimitMallocHeapSize, N * sizeof *x * 2));
    CUDA(cudaDeviceSynchronize());
    for (int k = 0; k < 7; k++) {
        CUDA(cudaStreamWaitEvent(each[k % 2], over, 0));
        reverse<<<BLOCKS, THREADS, 0, each[k % 2]>>>(x);
        CUDA(cudaEventRecord(over, each[k % 2]));
    }
    launched();
}
