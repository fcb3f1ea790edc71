// SPDX-License-Identifier: MIT
/* occupancy.cu: asks how many threads a block should have, and how many blocks
 * fit; raises the limit of dynamic shared memory; launches what it was told. */
#include "../check.h"

__global__ void square(float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] *= x[i];
}

__global__ void __launch_bounds__(128) reverse(float *x, int n)
{
    extern __shared__ float tile[];
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        tile[i] = x[i];
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        x[i] = tile[n - 1 - i];
}

static size_t a_float_a_thread(int threads)
{
    return threads * sizeof(float);
}

int main(void)
{
    enum { N = 15000 }; /* 60,000 bytes: more than any block has unasked */
    static float h[N];
    float *d;
    int threads, blocks, per_sm, fewer, warps_a_sm;
    cudaDeviceProp gpu;
    cudaFuncAttributes about;
    CUDA(cudaGetDeviceProperties(&gpu, 0));
    CUDA(cudaDeviceGetAttribute(&warps_a_sm,
                                cudaDevAttrMaxThreadsPerMultiProcessor, 0));
    CHECK(warps_a_sm == gpu.maxThreadsPerMultiProcessor);
    CUDA(cudaOccupancyMaxPotentialBlockSize(&blocks, &threads, square));
    CHECK(threads >= 32 && threads <= 1024 && threads % 32 == 0);
    CHECK(blocks >= gpu.multiProcessorCount);
    CUDA(cudaOccupancyMaxPotentialBlockSizeVariableSMem(&blocks, &threads,
                                                        square,
                                                        a_float_a_thread));
    CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_sm, square, 256,
                                                       0));
    CHECK(per_sm * 256 <= gpu.maxThreadsPerMultiProcessor && per_sm >= 1);
    CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&fewer, square, 256,
                                                       40000));
    CHECK(fewer >= 1 && fewer < per_sm);
    CUDA(cudaFuncGetAttributes(&about, reverse));
    CHECK(about.maxThreadsPerBlock == 128 && about.sharedSizeBytes == 0);

    for (int i = 0; i < N; i++)
        h[i] = (float)(i % 2000);
    CUDA(cudaMalloc(&d, sizeof h));
    CUDA(cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice));
    square<<<(N + threads - 1) / threads, threads>>>(d, N);
    CUDA(cudaFuncSetAttribute(reverse,
                              cudaFuncAttributeMaxDynamicSharedMemorySize,
                              N * sizeof(float)));
    reverse<<<1, 128, N * sizeof(float)>>>(d, N);
    CUDA(cudaGetLastError());
    CUDA(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
    for (int i = 0; i < N; i++) {
        float was = (float)((N - 1 - i) % 2000);
        CHECK(h[i] == was * was);
    }
    CUDA(cudaFree(d));
    return 0;
}
