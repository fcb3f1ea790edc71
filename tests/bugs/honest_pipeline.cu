// SPDX-License-Identifier: MIT
/* No bug: two buffers, a stream that brings, one that computes, one that takes
 * away; each says by an event when a buffer is ready, and when it is free. */
enum { CHUNKS = 7, BUFFERS = 2 };

__global__ void twice(const int *x, int *y)
{
    int i = blockIdx.x * THREADS + threadIdx.x;
    y[i] = 2 * x[i];
}

static void run(void)
{
    int *h = pinned(CHUNKS * N), *result = pinned(CHUNKS * N);
    int *x[BUFFERS], *y[BUFFERS];
    cudaEvent_t came[BUFFERS], computed[BUFFERS], gone[BUFFERS];
    cudaStream_t bring = stream(), compute = stream(), take = stream();
    for (int b = 0; b < BUFFERS; b++) {
        x[b] = unset(N), y[b] = unset(N);
        came[b] = event(), computed[b] = event(), gone[b] = event();
    }
    for (int c = 0; c < CHUNKS; c++) {
        int b = c % BUFFERS;
        CUDA(cudaStreamWaitEvent(bring, computed[b], 0));
        CUDA(cudaMemcpyAsync(x[b], h + c * N, N * sizeof *h,
                             cudaMemcpyHostToDevice, bring));
        CUDA(cudaEventRecord(came[b], bring));
        CUDA(cudaStreamWaitEvent(compute, came[b], 0));
        CUDA(cudaStreamWaitEvent(compute, gone[b], 0));
        twice<<<BLOCKS, THREADS, 0, compute>>>(x[b], y[b]);
        CUDA(cudaEventRecord(computed[b], compute));
        CUDA(cudaStreamWaitEvent(take, computed[b], 0));
        CUDA(cudaMemcpyAsync(result + c * N, y[b], N * sizeof *h,
                             cudaMemcpyDeviceToHost, take));
        CUDA(cudaEventRecord(gone[b], take));
    }
    CUDA(cudaStreamSynchronize(take));
    for (int i = 0; i < CHUNKS * N; i++)
        CHECK(result[i] == 2 * h[i]);
    CUDA(cudaFreeHost(h));
    CUDA(cudaFreeHost(result));
}
