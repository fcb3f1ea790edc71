// SPDX-License-Identifier: MIT
// honest: each warp stages its own rows; __syncwarp is enough
// chapter: 06 inputs
// expect: PASS
#include "op/dwconv.h"

enum { WARP = 32, WARPS = 4, THREADS = WARP * WARPS, ROWS = 8, FLOATS = 256 };

/* For shapes that do not fit on chip. */
static __global__ void straight(const float *x, const float *w, float *y,
                                struct dwconv_shape s)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= (unsigned)(s.B * s.H * s.L))
        return;
    int t = i % s.L;
    int h = i / s.L % s.H;
    float sum = 0;
    for (int k = 0; k <= t && k < s.K; k++)
        sum += w[h * s.K + k] * x[i - k];
    y[i] = sum;
}

/* A warp owns ROWS batches of one channel: L and K are at most FLOATS. */
static __global__ void forward(const float *x, const float *w, float *y,
                               struct dwconv_shape s)
{
    __shared__ float rows[WARPS][FLOATS], weights[WARPS][FLOATS];
    int lane = threadIdx.x % WARP;
    float *row = rows[threadIdx.x / WARP]; /* no other warp touches it */
    float *taps = weights[threadIdx.x / WARP];
    unsigned job = blockIdx.x * WARPS + threadIdx.x / WARP;
    int h = job % s.H;
    int b0 = job / s.H * ROWS; /* may pass B in the last block */

    for (int k = lane; k < s.K; k += WARP)
        taps[k] = w[h * s.K + k];
    for (int b = b0; b < b0 + ROWS && b < s.B; b++) {
        size_t first = ((size_t)b * s.H + h) * s.L;

        __syncwarp(); /* all lanes have read the row before */
        for (int t = lane; t < s.L; t += WARP)
            row[t] = x[first + t];
        __syncwarp(); /* the row and its weights are complete */
        for (int t = lane; t < s.L; t += WARP) {
            float sum = 0;
            for (int k = 0; k <= t && k < s.K; k++)
                sum += taps[k] * row[t - k];
            y[first + t] = sum;
        }
    }
}

size_t dwconv_forward_workspace(struct dwconv_shape shape)
{
    (void)shape;
    return 0;
}

cudaError_t dwconv_forward(const float *x, const float *w, float *y,
                           struct dwconv_shape shape, void *workspace,
                           cudaStream_t stream)
{
    unsigned n = shape.B * shape.H * shape.L;
    unsigned jobs = (shape.B + ROWS - 1) / ROWS * shape.H;

    (void)workspace;
    if (shape.L <= FLOATS && shape.K <= FLOATS)
        forward<<<(jobs + WARPS - 1) / WARPS, THREADS, 0, stream>>>(x, w, y,
                                                                    shape);
    else
        straight<<<(n + THREADS - 1) / THREADS, THREADS, 0, stream>>>(
            x, w, y, shape);
    return cudaGetLastError();
}
