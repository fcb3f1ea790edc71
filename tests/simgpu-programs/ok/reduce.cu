// SPDX-License-Identifier: MIT
/* reduce.cu: a block reduction by shuffles, a template, float atomics,
 * votes, and dynamic shared memory beyond 48 KiB. */
#include "../check.h"

template <int THREADS>
__global__ void sum(const int *in, int n, int *out)
{
    __shared__ int partial[THREADS / 32];
    int v = 0, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    for (int i = blockIdx.x * THREADS + threadIdx.x; i < n;
         i += gridDim.x * THREADS)
        v += in[i];
    for (int d = 16; d > 0; d /= 2)
        v += __shfl_down_sync(0xffffffff, v, d);
    if (lane == 0)
        partial[warp] = v;
    __syncthreads(); // warp 0 reads every warp's sum
    if (warp == 0) {
        v = lane < THREADS / 32 ? partial[lane] : 0;
        for (int d = 16; d > 0; d /= 2)
            v += __shfl_xor_sync(0xffffffff, v, d);
        if (lane == 0)
            atomicAdd(out, v);
    }
}

__global__ void votes(unsigned *out)
{
    unsigned odd = __ballot_sync(0xffffffff, threadIdx.x & 1);
    int all = __all_sync(0xffffffff, threadIdx.x < 32);
    int any = __any_sync(0xffffffff, threadIdx.x == 99);
    if (threadIdx.x == 0) {
        out[0] = odd;
        out[1] = all;
        out[2] = any;
        out[3] = __popc(__activemask());
    }
}

extern __shared__ float big[];

__global__ void reverse(float *x, int n)
{
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        big[i] = x[i];
    __syncthreads(); // read back to front
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        x[i] = big[n - 1 - i];
}

static void check_sum(void)
{
    enum { N = 10007 };
    static int in[N];
    int *din, *dout, expected = 0, got;
    for (int i = 0; i < N; i++)
        expected += in[i] = i * 7 % 1001 - 500;
    CUDA(cudaMalloc(&din, sizeof in));
    CUDA(cudaMalloc(&dout, sizeof got));
    CUDA(cudaMemcpy(din, in, sizeof in, cudaMemcpyHostToDevice));
    CUDA(cudaMemset(dout, 0, sizeof got));
    sum<256><<<5, 256>>>(din, N, dout);
    CUDA(cudaMemcpy(&got, dout, sizeof got, cudaMemcpyDeviceToHost));
    CHECK(got == expected);
    CUDA(cudaFree(din));
    CUDA(cudaFree(dout));
}

static void check_votes(void)
{
    unsigned *d, h[4];
    CUDA(cudaMalloc(&d, sizeof h));
    votes<<<1, 32>>>(d);
    CUDA(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
    CHECK(h[0] == 0xaaaaaaaau && h[1] && !h[2]);
    CUDA(cudaFree(d));
}

static void check_large_shared(void)
{
    enum { N = 15000 }; // 60,000 bytes: more than 48 KiB
    static float h[N];
    float *d;
    for (int i = 0; i < N; i++)
        h[i] = i;
    CUDA(cudaMalloc(&d, sizeof h));
    CUDA(cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice));
    CUDA(cudaFuncSetAttribute(
        reverse, cudaFuncAttributeMaxDynamicSharedMemorySize, sizeof h));
    reverse<<<1, 128, sizeof h>>>(d, N);
    CUDA(cudaGetLastError());
    CUDA(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
    for (int i = 0; i < N; i++)
        CHECK(h[i] == N - 1 - i);
    CUDA(cudaFree(d));
}

int main(void)
{
    check_sum();
    check_votes();
    check_large_shared();
    return 0;
}
