// SPDX-License-Identifier: MIT
// An exercise of chapter 06: this kernel is wrong. Its author tried L = 48 and
// got the right numbers. Let the checker say where it is wrong, then say why.

#include "op/dwconv.h"

enum { TIMES = 64, TAPS = 64 }; // of a tile

static __global__ void forward(const float *x, const float *w, float *y,
                               struct dwconv_shape s, int tiles)
{
    __shared__ float x_tile[TIMES];
    __shared__ float w_tile[TAPS];

    unsigned row = blockIdx.x / tiles; // b * H + h
    int t0 = blockIdx.x % tiles * TIMES, t = t0 + threadIdx.x;
    int taps = min(s.K, (int)TAPS);

    x_tile[threadIdx.x] = t < s.L ? x[row * s.L + t] : 0.0f;
    if ((int)threadIdx.x < taps)
        w_tile[threadIdx.x] = w[row % s.H * s.K + threadIdx.x];
    __syncthreads(); // the tiles are full: they may be read

    float sum = 0.0f;

    for (int k = 0; k < taps && k <= (int)threadIdx.x; k++)
        sum += w_tile[k] * x_tile[threadIdx.x - k];
    if (t < s.L)
        y[row * s.L + t] = sum;
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
    (void)workspace;
    int tiles = (shape.L - 1) / TIMES + 1;

    forward<<<shape.B * shape.H * tiles, TIMES, 0, stream>>>(x, w, y, shape,
                                                             tiles);
    return cudaGetLastError();
}
