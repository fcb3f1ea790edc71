// SPDX-License-Identifier: MIT
// honest: a thread computes t and t + 32 of a row, and slides along it
// chapter: 05 input_grad
// expect: PASS
#include "op/dwconv.h"

enum { LANES = 32, ROWS = 8, EACH = 2 };

static __global__ void input_grad(const float *dy, const float *w, float *dx,
                                  struct dwconv_shape s)
{
    int parts = (s.L + LANES * EACH - 1) / (LANES * EACH);
    long long job = (long long)blockIdx.x * ROWS + threadIdx.y;
    long long row = job / parts;
    if (row >= (long long)s.B * s.H)
        return;
    int t = (int)(job % parts) * LANES * EACH + threadIdx.x;
    const float *from = dy + row * s.L, *taps = w + row % s.H * s.K;
    float sum[EACH] = {0, 0};

    for (int k = 0; k < s.K && t + k < s.L; k++)
        for (int i = 0; i < EACH; i++)
            if (t + i * LANES + k < s.L)
                sum[i] += taps[k] * from[t + i * LANES + k];
    for (int i = 0; i < EACH; i++)
        if (t + i * LANES < s.L)
            dx[row * s.L + t + i * LANES] = sum[i];
}

size_t dwconv_input_grad_workspace(struct dwconv_shape shape)
{
    (void)shape;
    return 0;
}

cudaError_t dwconv_input_grad(const float *dy, const float *w, float *dx,
                              struct dwconv_shape shape, void *workspace,
                              cudaStream_t stream)
{
    long long parts = (shape.L + LANES * EACH - 1) / (LANES * EACH);
    long long jobs = parts * shape.B * shape.H;

    (void)workspace;
    input_grad<<<(unsigned)((jobs + ROWS - 1) / ROWS), dim3(LANES, ROWS), 0,
                 stream>>>(dy, w, dx, shape);
    return cudaGetLastError();
}
