// SPDX-License-Identifier: MIT
/* last_block.cu: a sum in one launch: each block writes its part before a
 * fence and counts itself; the block that counts last fences and adds the
 * parts. */
#include "../check.h"

enum { THREADS = 128, BLOCKS = 24, N = 10000 };

__device__ unsigned arrived;

static __device__ int block_sum(int v)
{
    __shared__ int part[THREADS];
    part[threadIdx.x] = v;
    for (int half = THREADS / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half)
            part[threadIdx.x] += part[threadIdx.x + half];
    }
    __syncthreads();
    return part[0];
}

__global__ void sum(const int *x, int n, int *parts, int *total)
{
    __shared__ bool is_last;
    int v = 0;
    for (int i = blockIdx.x * THREADS + threadIdx.x; i < n;
         i += BLOCKS * THREADS)
        v += x[i];
    v = block_sum(v);
    if (threadIdx.x == 0) {
        parts[blockIdx.x] = v;
        __threadfence();
        is_last = atomicAdd(&arrived, 1) == BLOCKS - 1;
    }
    __syncthreads();
    if (!is_last)
        return;
    __threadfence(); // before it reads what other blocks wrote
    v = block_sum(threadIdx.x < BLOCKS ? parts[threadIdx.x] : 0);
    if (threadIdx.x == 0) {
        *total = v;
        arrived = 0;
    }
}

int main(void)
{
    static int x[N];
    int *dx, *parts, *total, got, want = 0;
    for (int i = 0; i < N; i++)
        want += x[i] = i % 97;
    CUDA(cudaMalloc(&dx, sizeof x));
    CUDA(cudaMalloc(&parts, BLOCKS * sizeof *parts));
    CUDA(cudaMalloc(&total, sizeof *total));
    CUDA(cudaMemcpy(dx, x, sizeof x, cudaMemcpyHostToDevice));
    for (int launch = 0; launch < 2; launch++) {
        sum<<<BLOCKS, THREADS>>>(dx, N, parts, total);
        CUDA(cudaMemcpy(&got, total, sizeof got, cudaMemcpyDeviceToHost));
        CHECK(got == want);
    }
    CUDA(cudaFree(dx));
    CUDA(cudaFree(parts));
    CUDA(cudaFree(total));
    return 0;
}
