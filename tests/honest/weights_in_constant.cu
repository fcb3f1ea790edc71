// SPDX-License-Identifier: MIT
// honest: weights copied to constant memory on the stream
// chapter: 05 forward
// expect: PASS
#include "op/dwconv.h"

enum { THREADS = 256 };

enum { TAPS = 8192 }; /* of 16384 floats of constant memory */

static __constant__ float taps[TAPS];

static __global__ void forward(const float *x, const float *w, float *y,
                               struct dwconv_shape s)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= (unsigned)(s.B * s.H * s.L))
        return;
    int t = i % s.L;
    int h = i / s.L % s.H;
    float sum = 0;
    const float *mine = s.H * s.K <= TAPS ? taps : w;
    for (int k = 0; k <= t && k < s.K; k++)
        sum += mine[h * s.K + k] * x[i - k];
    y[i] = sum;
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
    (void)workspace;
    size_t bytes = (size_t)shape.H * shape.K * sizeof *w;

    if (bytes <= TAPS * sizeof *w)
        cudaMemcpyToSymbolAsync(taps, w, bytes, 0, cudaMemcpyDeviceToDevice,
                                stream);
    forward<<<(n + THREADS - 1) / THREADS, THREADS, 0, stream>>>(
        x, w, y, shape);
    return cudaGetLastError();
}
