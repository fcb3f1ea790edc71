// SPDX-License-Identifier: MIT
/* histogram.cu: atomics in shared and in global memory, bytes, grid stride;
 * every atomic the language has, once. */
#include "../check.h"

enum { BINS = 64, N = 40000 };

__global__ void histogram(const unsigned char *data, int n, unsigned *bins)
{
    __shared__ unsigned local[BINS];
    for (int b = threadIdx.x; b < BINS; b += blockDim.x)
        local[b] = 0;
    __syncthreads(); // cleared before threads count in it
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
         i += gridDim.x * blockDim.x)
        atomicAdd(&local[data[i] % BINS], 1u);
    __syncthreads(); // counted before it is summed
    for (int b = threadIdx.x; b < BINS; b += blockDim.x)
        atomicAdd(&bins[b], local[b]);
}

__global__ void each_atomic(int *x, unsigned long long *big, float *f)
{
    int t = threadIdx.x;
    atomicMin(&x[0], t);
    atomicMax(&x[1], t);
    atomicOr(&x[2], 1 << (t % 8));
    atomicAnd(&x[3], ~(1 << (t % 8)));
    atomicXor(&x[4], t);
    atomicSub(&x[5], 1);
    atomicInc((unsigned *)&x[6], 9);
    atomicExch(&x[7], 5);
    atomicAdd(big, 1ull << 33);
    atomicAdd(f, 0.5f);
    int old = x[8], seen; // a lock-free increment
    do {
        seen = old;
        old = atomicCAS(&x[8], seen, seen + 1);
    } while (old != seen);
}

static void check_histogram(void)
{
    static unsigned char data[N];
    unsigned expected[BINS] = {0}, got[BINS], *dbins;
    unsigned char *ddata;
    for (int i = 0; i < N; i++) {
        data[i] = (unsigned char)(i * i / 7);
        expected[data[i] % BINS]++;
    }
    CUDA(cudaMalloc(&ddata, N));
    CUDA(cudaMalloc(&dbins, sizeof got));
    CUDA(cudaMemcpy(ddata, data, N, cudaMemcpyHostToDevice));
    CUDA(cudaMemset(dbins, 0, sizeof got));
    histogram<<<7, 96>>>(ddata, N, dbins);
    CUDA(cudaMemcpy(got, dbins, sizeof got, cudaMemcpyDeviceToHost));
    for (int b = 0; b < BINS; b++)
        CHECK(got[b] == expected[b]);
    CUDA(cudaFree(ddata));
    CUDA(cudaFree(dbins));
}

int main(void)
{
    int x[9] = {1000, -1000, 0, 0xff, 0, 0, 0, 0, 0}, *dx;
    unsigned long long big = 0, *dbig;
    float f = 0, *df;
    check_histogram();
    CUDA(cudaMalloc(&dx, sizeof x));
    CUDA(cudaMalloc(&dbig, sizeof big));
    CUDA(cudaMalloc(&df, sizeof f));
    CUDA(cudaMemcpy(dx, x, sizeof x, cudaMemcpyHostToDevice));
    CUDA(cudaMemset(dbig, 0, sizeof big));
    CUDA(cudaMemset(df, 0, sizeof f));
    each_atomic<<<1, 64>>>(dx, dbig, df);
    CUDA(cudaMemcpy(x, dx, sizeof x, cudaMemcpyDeviceToHost));
    CUDA(cudaMemcpy(&big, dbig, sizeof big, cudaMemcpyDeviceToHost));
    CUDA(cudaMemcpy(&f, df, sizeof f, cudaMemcpyDeviceToHost));
    CHECK(x[0] == 0 && x[1] == 63 && x[2] == 0xff && x[3] == 0);
    CHECK(x[4] == 0 && x[5] == -64 && x[6] == 64 % 10 && x[7] == 5);
    CHECK(x[8] == 64);
    CHECK(big == 64ull << 33 && f == 32.0f);
    return 0;
}
