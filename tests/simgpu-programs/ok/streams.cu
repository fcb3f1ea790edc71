// SPDX-License-Identifier: MIT
/* streams.cu: streams, events, asynchronous copies from pinned memory, host
 * functions, stream-ordered allocation. */
#include "../check.h"

enum { STREAMS = 3, N = 5000 };

__global__ void scale(float *x, int n, float by)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] *= by;
}

static void CUDART_CB count(void *counter)
{
    ++*(int *)counter;
}

int main(void)
{
    cudaStream_t stream[STREAMS];
    cudaEvent_t start, stop, bare;
    float *h, *d, ms = -1;
    int called = 0, least, greatest;
    struct cudaPointerAttributes about;
    CUDA(cudaMallocHost(&h, STREAMS * N * sizeof *h));
    CUDA(cudaMalloc(&d, STREAMS * N * sizeof *d));
    CUDA(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    CUDA(cudaStreamCreate(&stream[0]));
    CUDA(cudaStreamCreateWithFlags(&stream[1], cudaStreamNonBlocking));
    CUDA(cudaStreamCreateWithPriority(&stream[2], cudaStreamNonBlocking,
                                      greatest));
    CUDA(cudaEventCreate(&start));
    CUDA(cudaEventCreate(&stop));
    CUDA(cudaEventCreateWithFlags(&bare, cudaEventDisableTiming));
    for (int i = 0; i < STREAMS * N; i++)
        h[i] = i;
    CUDA(cudaEventRecord(start, stream[0]));
    for (int s = 0; s < STREAMS; s++) {
        size_t bytes = N * sizeof *h;
        CUDA(cudaMemcpyAsync(d + s * N, h + s * N, bytes,
                             cudaMemcpyHostToDevice, stream[s]));
        scale<<<(N + 127) / 128, 128, 0, stream[s]>>>(d + s * N, N, s + 2);
        CUDA(cudaMemcpyAsync(h + s * N, d + s * N, bytes,
                             cudaMemcpyDeviceToHost, stream[s]));
        CUDA(cudaLaunchHostFunc(stream[s], count, &called));
        CUDA(cudaEventRecord(bare, stream[s]));
        CUDA(cudaStreamWaitEvent(stream[0], bare, 0));
    }
    CUDA(cudaEventRecord(stop, stream[0]));
    CUDA(cudaEventSynchronize(stop));
    CUDA(cudaEventElapsedTime(&ms, start, stop));
    CHECK(ms >= 0);
    FAILS(cudaErrorInvalidResourceHandle,
          cudaEventElapsedTime(&ms, start, bare));
    CUDA(cudaDeviceSynchronize());
    CHECK(called == STREAMS);
    for (int i = 0; i < STREAMS * N; i++)
        CHECK(h[i] == (float)i * (i / N + 2));
    CUDA(cudaPointerGetAttributes(&about, d + 5));
    CHECK(about.type == cudaMemoryTypeDevice && about.devicePointer == d + 5);
    CUDA(cudaPointerGetAttributes(&about, h + 5));
    CHECK(about.type == cudaMemoryTypeHost);
    CUDA(cudaPointerGetAttributes(&about, &ms));
    CHECK(about.type == cudaMemoryTypeUnregistered);
    void *p;
    CUDA(cudaMallocAsync(&p, 1000, stream[1]));
    CUDA(cudaMemsetAsync(p, 1, 1000, stream[1]));
    CUDA(cudaFreeAsync(p, stream[1]));
    for (int s = 0; s < STREAMS; s++) {
        CUDA(cudaStreamSynchronize(stream[s]));
        CUDA(cudaStreamQuery(stream[s]));
        CUDA(cudaStreamDestroy(stream[s]));
    }
    CUDA(cudaEventDestroy(start));
    CUDA(cudaEventDestroy(stop));
    CUDA(cudaEventDestroy(bare));
    CUDA(cudaFree(d));
    CUDA(cudaFreeHost(h));
    return 0;
}
