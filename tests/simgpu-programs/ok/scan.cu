// SPDX-License-Identifier: MIT
/* scan.cu: an inclusive prefix sum over several blocks, in three kernels;
 * constant memory and __device__ variables by symbol. */
#include "../check.h"

enum { THREADS = 128, BLOCKS = 9, N = THREADS * BLOCKS - 50 };

__constant__ int scale[2];
__device__ int block_sum[BLOCKS];
__device__ int launches = 40;

__global__ void scan_blocks(const int *in, int *out)
{
    __shared__ int s[2][THREADS];
    int t = threadIdx.x, i = blockIdx.x * THREADS + t, from = 0;
    s[0][t] = i < N ? in[i] * scale[0] + scale[1] : 0;
    for (int d = 1; d < THREADS; d *= 2, from ^= 1) {
        __syncthreads(); // the row read now was written just before
        s[from ^ 1][t] = s[from][t] + (t >= d ? s[from][t - d] : 0);
    }
    if (i < N)
        out[i] = s[from][t];
    if (t == THREADS - 1)
        block_sum[blockIdx.x] = s[from][t];
}

__global__ void scan_sums(void)
{
    for (int b = 1; b < BLOCKS; b++)
        block_sum[b] += block_sum[b - 1];
    launches += 2;
}

__global__ void add_sums(int *out)
{
    int i = blockIdx.x * THREADS + threadIdx.x;
    if (blockIdx.x > 0 && i < N)
        out[i] += block_sum[blockIdx.x - 1];
}

int main(void)
{
    static int in[N], out[N];
    int *din, *dout, factor[2] = {3, 1}, sum = 0, last, count;
    void *address;
    size_t bytes;
    for (int i = 0; i < N; i++)
        in[i] = i % 17 - 5;
    CUDA(cudaMalloc(&din, sizeof in));
    CUDA(cudaMalloc(&dout, sizeof out));
    CUDA(cudaMemcpy(din, in, sizeof in, cudaMemcpyHostToDevice));
    CUDA(cudaMemcpyToSymbol(scale, factor, sizeof factor));
    scan_blocks<<<BLOCKS, THREADS>>>(din, dout);
    scan_sums<<<1, 1>>>();
    add_sums<<<BLOCKS, THREADS>>>(dout);
    CUDA(cudaMemcpy(out, dout, sizeof out, cudaMemcpyDeviceToHost));
    for (int i = 0; i < N; i++) {
        sum += 3 * in[i] + 1;
        CHECK(out[i] == sum);
    }
    CUDA(cudaMemcpyFromSymbol(&last, block_sum, sizeof last,
                              (BLOCKS - 1) * sizeof last));
    CHECK(last == sum);
    CUDA(cudaMemcpyFromSymbol(&count, launches, sizeof count));
    CHECK(count == 42);
    CUDA(cudaGetSymbolSize(&bytes, block_sum));
    CHECK(bytes == sizeof(int) * BLOCKS);
    CUDA(cudaGetSymbolAddress(&address, block_sum));
    CUDA(cudaMemset(address, 0, bytes));
    FAILS(cudaErrorInvalidValue,
          cudaMemcpyToSymbol(scale, factor, sizeof factor, 4));
    return 0;
}
