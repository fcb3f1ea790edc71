// SPDX-License-Identifier: MIT
/* fft.cu: a transform of length 1024 per block with cuComplex in shared memory,
 * radix 2, there and back; and one of doubles against a sum on the host. */
#include <cuComplex.h>
#include <math.h>

#include "../check.h"

enum { N = 1024, LOG_N = 10, ROWS = 3 };

__global__ void transform(cuFloatComplex *data, float sign)
{
    extern __shared__ cuFloatComplex x[];
    cuFloatComplex *row = data + (size_t)blockIdx.x * N;
    int t = threadIdx.x;
    for (int i = t; i < N; i += blockDim.x)
        x[__brev((unsigned)i) >> (32 - LOG_N)] = row[i];
    for (int half = 1; half < N; half *= 2) {
        __syncthreads(); // of the last step, or the load
        int j = t % half, at = t / half * 2 * half + j;
        float s, c;
        sincospif(sign * j / half, &s, &c);
        cuFloatComplex u = x[at];
        cuFloatComplex v = cuCmulf(x[at + half], make_cuFloatComplex(c, s));
        x[at] = cuCaddf(u, v);
        x[at + half] = cuCsubf(u, v);
    }
    __syncthreads(); // x is transformed
    for (int i = t; i < N; i += blockDim.x)
        row[i] = x[i];
}

__global__ void slow(const cuDoubleComplex *x, int n, cuDoubleComplex *y)
{
    int k = blockIdx.x * blockDim.x + threadIdx.x;
    cuDoubleComplex sum = make_cuDoubleComplex(0, 0);
    if (k >= n)
        return;
    for (int i = 0; i < n; i++) {
        double s, c;
        sincospi(-2.0 * ((long)k * i % n) / n, &s, &c);
        sum = cuCfma(x[i], make_cuDoubleComplex(c, s), sum);
    }
    y[k] = cuCdiv(sum, make_cuDoubleComplex(sqrt((double)n), 0));
}

int main(void)
{
    cuFloatComplex *x;
    CUDA(cudaMallocManaged(&x, ROWS * N * sizeof *x));
    for (int i = 0; i < ROWS * N; i++)
        x[i] = make_cuFloatComplex(cosf(i * 0.37f), i % 7);
    transform<<<ROWS, N / 2, N * sizeof *x>>>(x, -1);
    CUDA(cudaDeviceSynchronize());
    for (int r = 0; r < ROWS; r++) {
        double sum = 0; // the first of a row is its sum
        for (int i = 0; i < N; i++)
            sum += (r * N + i) % 7;
        CHECK(fabs(cuCimagf(x[r * N]) - sum) < 0.01);
    }
    transform<<<ROWS, N / 2, N * sizeof *x>>>(x, 1);
    CUDA(cudaDeviceSynchronize());
    for (int i = 0; i < ROWS * N; i++) {
        CHECK(fabsf(cuCrealf(x[i]) / N - cosf(i * 0.37f)) < 1e-5f);
        CHECK(fabsf(cuCimagf(x[i]) / N - i % 7) < 1e-5f);
    }

    int n = 45;
    cuDoubleComplex *a, *b;
    double energy[2] = {0, 0};
    CUDA(cudaMallocManaged(&a, n * sizeof *a));
    CUDA(cudaMallocManaged(&b, n * sizeof *b));
    for (int i = 0; i < n; i++)
        a[i] = make_cuDoubleComplex(i * i % 11, 1.0 / (i + 1));
    slow<<<1, 64>>>(a, n, b);
    CUDA(cudaDeviceSynchronize());
    for (int i = 0; i < n; i++) {
        energy[0] += cuCabs(a[i]) * cuCabs(a[i]);
        energy[1] += cuCabs(b[i]) * cuCabs(b[i]);
    }
    CHECK(fabs(energy[0] / energy[1] - 1) < 1e-12);
    return 0;
}
