// SPDX-License-Identifier: MIT
// mutant: the rows are in grid.y, which ends at 65535
// chapter: 05 forward
// expect: LAUNCH 65535
#include "op/dwconv.h"

enum { THREADS = 256 };

static __global__ void forward(const float *x, const float *w, float *y,
                               struct dwconv_shape s)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= s.L)
        return;
    int i = blockIdx.y * s.L + t;
    int h = blockIdx.y % s.H;
    float sum = 0;
    for (int k = 0; k <= t && k < s.K; k++)
        sum += w[h * s.K + k] * x[i - k];
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
    dim3 grid((shape.L + THREADS - 1) / THREADS, shape.B * shape.H);

    (void)workspace;
    forward<<<grid, THREADS, 0, stream>>>(x, w, y, shape);
    return cudaGetLastError();
}
