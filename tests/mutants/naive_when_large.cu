// SPDX-License-Identifier: MIT
// mutant: coalesced at small sizes; the kernel of 04 at the one that is timed
// chapter: 05 forward
// expect: SLOW PREDICTED
#include "op/dwconv.h"

enum {
    THREADS = 256, // per block
    TAPS = 64      // products added up before they join the sum
};

static __global__ void naive(const float *x, const float *w, float *y,
                             struct dwconv_shape s)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i >= (unsigned)(s.B * s.H * s.L))
        return;
    int h = i % s.H, t = i / s.H % s.L, row = (i / s.H / s.L * s.H + h) * s.L;
    float sum = 0.0f;

    for (int k = 0; k <= t && k < s.K; k++)
        sum += w[h * s.K + k] * x[row + t - k];
    y[row + t] = sum;
}

static __global__ void forward(const float *x, const float *w, float *y,
                               struct dwconv_shape s)
{
    unsigned n = s.B * s.H * s.L;
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i >= n) // the last block has threads to spare
        return;

    int t = i % s.L; // neighbouring threads, neighbouring times
    int h = i / s.L % s.H;
    int b = i / s.L / s.H;

    int row = (b * s.H + h) * s.L; // where x[b,h,0] and y[b,h,0] stand
    int taps = min(s.K, s.L);      // tap L would reach before time 0
    float sum = 0.0f;

    for (int first = 0; first < taps; first += TAPS) {
        float part = 0.0f;

        for (int k = first; k < min(taps, first + TAPS); k++)
            if (k <= t) // x begins at time 0
                part += w[h * s.K + k] * x[row + t - k];
        sum += part;
    }
    y[row + t] = sum;
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
    unsigned n = shape.B * shape.H * shape.L;
    unsigned blocks = (n + THREADS - 1) / THREADS;

    if (n > 1u << 24)
        naive<<<blocks, THREADS, 0, stream>>>(x, w, y, shape);
    else
        forward<<<blocks, THREADS, 0, stream>>>(x, w, y, shape);
    return cudaGetLastError();
}
