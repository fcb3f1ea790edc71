// SPDX-License-Identifier: MIT
// mutant: one thread per tap: atomics add in no fixed order
// chapter: 05 forward
// expect: NONDETERMINISTIC
#include "op/dwconv.h"

enum { THREADS = 256 };

static __global__ void forward(const float *x, const float *w, float *y,
                               struct dwconv_shape s)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= (unsigned)(s.B * s.H * s.L))
        return;
    int k = blockIdx.y;
    int t = i % s.L;
    int h = i / s.L % s.H;
    if (k <= t)
        atomicAdd(y + i, w[h * s.K + k] * x[i - k]);
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
    dim3 grid((n + THREADS - 1) / THREADS, shape.K);

    cudaMemsetAsync(y, 0, n * sizeof *y, stream);
    forward<<<grid, THREADS, 0, stream>>>(x, w, y, shape);
    return cudaGetLastError();
}
