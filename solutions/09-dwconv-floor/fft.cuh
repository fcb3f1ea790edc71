// SPDX-License-Identifier: MIT
/*
 * fft.cuh: the forward path through cuFFT, to compare with: pad to 2 L, so that
 * nothing wraps round; transform x and w; multiply; transform back; keep L.
 *
 *   fft_make, fft_forward, fft_free
 *
 * Its work grows as L log L, the direct sum's as L K.
 */
#ifndef WB_FFT_CUH
#define WB_FFT_CUH

#include <cufft.h>

#include "op/dwconv.h"

enum { FFT_THREADS = 256 };

struct fft {
    cufftHandle rows, taps, back; // (B H) rows, H rows, and back
    float *padded;                // (B H, 2 L)
    cufftComplex *x, *w;          // (B H, L + 1), (H, L + 1)
};

static __global__ void fft_pad(const float *from, float *to, int length,
                               int padded, size_t cells)
{
    size_t i = (size_t)blockIdx.x * FFT_THREADS + threadIdx.x;
    int t = i % padded;

    if (i < cells)
        to[i] = t < length ? from[i / padded * length + t] : 0.0f;
}

// x becomes x w / size: cuFFT does not divide.
static __global__ void fft_multiply(cufftComplex *x, const cufftComplex *w,
                                    size_t per_batch, size_t cells, float size)
{
    size_t i = (size_t)blockIdx.x * FFT_THREADS + threadIdx.x;

    if (i >= cells)
        return;

    cufftComplex p = x[i], q = w[i % per_batch];

    x[i] = make_float2((p.x * q.x - p.y * q.y) / size,
                       (p.x * q.y + p.y * q.x) / size);
}

static __global__ void fft_crop(const float *from, float *to, int length,
                                int padded, size_t cells)
{
    size_t i = (size_t)blockIdx.x * FFT_THREADS + threadIdx.x;

    if (i < cells)
        to[i] = from[i / length * padded + i % length];
}

static unsigned fft_blocks(size_t cells)
{
    return (unsigned)((cells - 1) / FFT_THREADS + 1);
}

static bool fft_make(struct fft *f, struct dwconv_shape s)
{
    int n = 2 * s.L, rows = s.B * s.H;
    size_t cells = (size_t)rows * n;

    return s.K <= s.L &&
           cufftPlan1d(&f->rows, n, CUFFT_R2C, rows) == CUFFT_SUCCESS &&
           cufftPlan1d(&f->taps, n, CUFFT_R2C, s.H) == CUFFT_SUCCESS &&
           cufftPlan1d(&f->back, n, CUFFT_C2R, rows) == CUFFT_SUCCESS &&
           cudaMalloc(&f->padded, cells * sizeof(float)) == cudaSuccess &&
           cudaMalloc(&f->x, (cells / 2 + rows) * sizeof *f->x) ==
               cudaSuccess &&
           cudaMalloc(&f->w, (size_t)s.H * (s.L + 1) * sizeof *f->w) ==
               cudaSuccess;
}

static void fft_free(struct fft *f)
{
    cufftDestroy(f->rows);
    cufftDestroy(f->taps);
    cufftDestroy(f->back);
    cudaFree(f->padded);
    cudaFree(f->x);
    cudaFree(f->w);
}

static cudaError_t fft_forward(struct fft *f, const float *x, const float *w,
                               float *y, struct dwconv_shape s)
{
    size_t rows = (size_t)s.B * s.H, n = 2 * (size_t)s.L, half = s.L + 1;

    fft_pad<<<fft_blocks(s.H * n), FFT_THREADS>>>(w, f->padded, s.K, (int)n,
                                                  s.H * n);
    if (cufftExecR2C(f->taps, f->padded, f->w) != CUFFT_SUCCESS)
        return cudaErrorUnknown;
    fft_pad<<<fft_blocks(rows * n), FFT_THREADS>>>(x, f->padded, s.L, (int)n,
                                                   rows * n);
    if (cufftExecR2C(f->rows, f->padded, f->x) != CUFFT_SUCCESS)
        return cudaErrorUnknown;
    fft_multiply<<<fft_blocks(rows * half), FFT_THREADS>>>(
        f->x, f->w, s.H * half, rows * half, (float)n);
    if (cufftExecC2R(f->back, f->x, f->padded) != CUFFT_SUCCESS)
        return cudaErrorUnknown;
    fft_crop<<<fft_blocks(rows * s.L), FFT_THREADS>>>(
        f->padded, y, s.L, (int)n, rows * s.L);
    return cudaGetLastError();
}

#endif
