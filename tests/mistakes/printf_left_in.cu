// SPDX-License-Identifier: MIT
// mistake: printf is left in
// chapter: 05 forward
// expect: PASS
// say: Take that out before you time it
#include <stdio.h>
#include "op/dwconv.h"
static __global__ void forward(const float *x, const float *w, float *y, struct dwconv_shape s)
{
    unsigned n = s.B * s.H * s.L, i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int t = i % s.L, h = i / s.L % s.H;
    float sum = 0.0f;
    for (int k = 0; k <= t && k < s.K; k++)
        sum += w[h * s.K + k] * x[i - k];
    y[i] = sum;
    if (i == 0) printf("y[0] = %g\n", sum);
}
size_t dwconv_forward_workspace(struct dwconv_shape shape) { (void)shape; return 0; }
cudaError_t dwconv_forward(const float *x, const float *w, float *y, struct dwconv_shape shape, void *workspace, cudaStream_t stream)
{
    (void)workspace;
    unsigned n = shape.B * shape.H * shape.L;
    forward<<<(n + 255) / 256, 256, 0, stream>>>(x, w, y, shape);
    return cudaGetLastError();
}
