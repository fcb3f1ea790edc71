// SPDX-License-Identifier: MIT
// honest: rows and weights in dynamic shared memory
// chapter: 06 forward
// expect: PASS
#include "op/dwconv.h"

enum { THREADS = 64, ROWS = 8, SHARED = 48 * 1024 / 4 }; /* floats */

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

/* A block owns ROWS batches of one channel: its weights in shared[0, taps), a
 * row of x after them. */
static __global__ void forward(const float *x, const float *w, float *y,
                               struct dwconv_shape s)
{
    extern __shared__ float shared[];
    int taps = s.K < s.L ? s.K : s.L; /* later ones reach no x */
    float *row = shared + taps;
    int h = blockIdx.x % s.H;
    int b0 = blockIdx.x / s.H * ROWS;

    for (int k = threadIdx.x; k < taps; k += blockDim.x)
        shared[k] = w[h * s.K + k];
    for (int b = b0; b < b0 + ROWS && b < s.B; b++) {
        size_t first = ((size_t)b * s.H + h) * s.L;

        __syncthreads(); /* all have read the row before */
        for (int t = threadIdx.x; t < s.L; t += blockDim.x)
            row[t] = x[first + t];
        __syncthreads(); /* the row and its weights are complete */
        for (int t = threadIdx.x; t < s.L; t += blockDim.x) {
            float sum = 0;
            for (int k = 0; k <= t && k < taps; k++)
                sum += shared[k] * row[t - k];
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
    unsigned blocks = (shape.B + ROWS - 1) / ROWS * shape.H;
    long floats = shape.L + (shape.K < shape.L ? shape.K : shape.L);

    (void)workspace;
    if (floats <= SHARED)
        forward<<<blocks, THREADS, floats * sizeof *x, stream>>>(x, w, y,
                                                                 shape);
    else
        straight<<<(n + THREADS - 1) / THREADS, THREADS, 0, stream>>>(
            x, w, y, shape);
    return cudaGetLastError();
}
