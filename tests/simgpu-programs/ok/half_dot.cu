// SPDX-License-Identifier: MIT
/* half_dot.cu: arithmetic on pairs of half and of bfloat16: a dot product, a
 * polynomial, minima and comparisons, checked element by element on the host. */
// arch: 80
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "../check.h"

enum { PAIRS = 4096, THREADS = 256, BLOCKS = 8 };

__global__ void dot(const __half2 *a, const __half2 *b, int n, float *out)
{
    __shared__ float part[THREADS / 32];
    __half2 sum = __float2half2_rn(0);
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
         i += gridDim.x * blockDim.x)
        sum = __hfma2(a[i], b[i], sum);
    float x = __low2float(sum) + __high2float(sum);
    for (int d = 16; d; d /= 2)
        x += __shfl_down_sync(0xffffffff, x, d);
    if (threadIdx.x % 32 == 0)
        part[threadIdx.x / 32] = x;
    __syncthreads(); // part is complete
    if (threadIdx.x)
        return;
    for (int w = 1; w < THREADS / 32; w++)
        x += part[w];
    atomicAdd(out, x);
}

__global__ void polynomial(const __half *x, int n, __half *y, __half *least)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    __half v = i < n ? x[i] : __ushort_as_half(0x7c00);
    if (i < n)
        y[i] = __hfma(__hmul(v, v), __float2half(0.5f),
                      __hadd(v, __float2half(1)));
    for (int d = 16; d; d /= 2)
        v = __hmin(v, __shfl_xor_sync(0xffffffff, v, d));
    if (i < n && i % 32 == 0)
        least[i / 32] = v;
}

__global__ void brains(const __nv_bfloat162 *x, int n, __nv_bfloat162 *y,
                       int *above)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    __nv_bfloat162 v = __hadd2(__hmul2(x[i], x[i]), x[i]);
    y[i] = __hmax2(v, __float2bfloat162_rn(1));
    if (__hbgt2(v, __float2bfloat162_rn(1)))
        atomicAdd(above, 1);
}

static __half2 *ones(int n)
{
    __half2 *p;
    CUDA(cudaMallocManaged(&p, n * sizeof *p));
    for (int i = 0; i < n; i++)
        p[i] = __floats2half2_rn(i % 4, 1);
    return p;
}

int main(void)
{
    __half2 *a = ones(PAIRS), *b = ones(PAIRS);
    float *sum;
    int *above;
    CUDA(cudaMallocManaged(&sum, sizeof *sum));
    CUDA(cudaMallocManaged(&above, sizeof *above));
    *sum = 0;
    *above = 0;
    dot<<<BLOCKS, THREADS>>>(a, b, PAIRS, sum);
    CUDA(cudaDeviceSynchronize());
    CHECK(*sum == PAIRS / 4 * (0 + 1 + 4 + 9) + PAIRS);

    int n = 1000;
    __half *x, *y, *least;
    CUDA(cudaMallocManaged(&x, n * sizeof *x));
    CUDA(cudaMallocManaged(&y, n * sizeof *y));
    CUDA(cudaMallocManaged(&least, n / 32 * sizeof *y + sizeof *y));
    for (int i = 0; i < n; i++)
        x[i] = __float2half((i * 37 % 101 - 50) / 16.f);
    polynomial<<<(n + THREADS - 1) / THREADS, THREADS>>>(x, n, y, least);
    CUDA(cudaDeviceSynchronize());
    for (int i = 0; i < n; i++) {
        float v = __half2float(x[i]);
        float square = __half2float(__float2half(v * v));
        float up = __half2float(__float2half(v + 1));
        CHECK(__half2float(y[i]) ==
              __half2float(__float2half(square * 0.5f + up)));
    }
    for (int w = 0; w < (n + 31) / 32; w++) {
        float low = 100;
        for (int i = w * 32; i < n && i < w * 32 + 32; i++)
            low = fminf(low, __half2float(x[i]));
        CHECK(__half2float(least[w]) == low);
    }

    __nv_bfloat162 *p, *q;
    CUDA(cudaMallocManaged(&p, n * sizeof *p));
    CUDA(cudaMallocManaged(&q, n * sizeof *q));
    for (int i = 0; i < n; i++)
        p[i] = __floats2bfloat162_rn(i % 5 - 2, i % 3);
    brains<<<(n + 127) / 128, 128>>>(p, n, q, above);
    CUDA(cudaDeviceSynchronize());
    int expected = 0;
    for (int i = 0; i < n; i++) {
        float u = i % 5 - 2, v = i % 3;
        u = u * u + u;
        v = v * v + v;
        CHECK(__low2float(q[i]) == fmaxf(u, 1));
        CHECK(__high2float(q[i]) == fmaxf(v, 1));
        expected += u > 1 && v > 1;
    }
    CHECK(*above == expected);
    return 0;
}
