// SPDX-License-Identifier: MIT
/* histogram_streams.cu: the histogram of two halves on two streams; each warp
 * counts into bins of its own in shared memory before a block adds them up. */
#include "../check.h"

#include <vector>

enum { BINS = 97, WARPS = 4, THREADS = 32 * WARPS, BLOCKS = 6, N = 30000 };

__global__ void histogram(const unsigned char *x, int n, unsigned *bins)
{
    extern __shared__ unsigned own[]; /* [WARPS][BINS] */
    for (int i = threadIdx.x; i < WARPS * BINS; i += THREADS)
        own[i] = 0;
    __syncthreads(); /* every bin is zero */
    unsigned *mine = own + threadIdx.x / 32 * BINS;
    for (int i = blockIdx.x * THREADS + threadIdx.x; i < n;
         i += gridDim.x * THREADS)
        atomicAdd(&mine[x[i] % BINS], 1);
    __syncthreads(); /* every warp has counted */
    for (int b = threadIdx.x; b < BINS; b += THREADS) {
        unsigned sum = 0;
        for (int w = 0; w < WARPS; w++)
            sum += own[w * BINS + b];
        atomicAdd(&bins[b], sum);
    }
}

int main()
{
    unsigned char *pinned, *x[2];
    unsigned *bins, wanted[BINS] = {0}, got[BINS];
    cudaStream_t stream[2];
    cudaEvent_t cleared;
    CUDA(cudaMallocHost(&pinned, N));
    CUDA(cudaMalloc(&bins, sizeof got));
    CUDA(cudaEventCreateWithFlags(&cleared, cudaEventDisableTiming));
    for (int i = 0; i < N; i++)
        wanted[(pinned[i] = (unsigned char)(i * 2654435761u >> 21)) % BINS]++;
    for (int s = 0; s < 2; s++) {
        CUDA(cudaStreamCreateWithFlags(&stream[s], cudaStreamNonBlocking));
        CUDA(cudaMalloc(&x[s], N / 2));
    }
    CUDA(cudaMemsetAsync(bins, 0, sizeof got, stream[0]));
    CUDA(cudaEventRecord(cleared, stream[0]));
    CUDA(cudaStreamWaitEvent(stream[1], cleared, 0));
    for (int s = 0; s < 2; s++) {
        CUDA(cudaMemcpyAsync(x[s], pinned + s * (N / 2), N / 2,
                             cudaMemcpyHostToDevice, stream[s]));
        histogram<<<BLOCKS, THREADS, WARPS * BINS * sizeof *bins,
                    stream[s]>>>(x[s], N / 2, bins);
        CUDA(cudaGetLastError());
    }
    CUDA(cudaDeviceSynchronize());
    CUDA(cudaMemcpy(got, bins, sizeof got, cudaMemcpyDeviceToHost));
    for (int b = 0; b < BINS; b++)
        CHECK(got[b] == wanted[b]);
    printf("%d bins on two streams\n", BINS);
    return 0;
}
