// SPDX-License-Identifier: MIT
// honest: a warp holds 32 cells of a row and shuffles them
// chapter: 05 forward
// expect: PASS
#include "op/dwconv.h"

enum { WARP = 32, WARPS = 4 };

static __global__ void forward(const float *x, const float *w, float *y,
                               struct dwconv_shape s)
{
    int lane = threadIdx.x % WARP;
    int row = blockIdx.x * WARPS + threadIdx.x / WARP;
    if (row >= s.B * s.H)
        return;
    const float *now = x + (size_t)row * s.L;
    const float *taps = w + row % s.H * s.K;

    for (int t0 = 0; t0 < s.L; t0 += WARP) {
        int t = t0 + lane;
        float sum = 0;
        for (int k0 = 0; k0 < s.K && k0 < t0 + WARP; k0 += WARP) {
            /* high: x[t0 - k0 + lane], low: the 32 before them. */
            int u = t - k0;
            float high = u >= 0 && u < s.L ? now[u] : 0;
            float low = u >= WARP && u - WARP < s.L ? now[u - WARP] : 0;
            float tap = k0 + lane < s.K ? taps[k0 + lane] : 0;
            for (int k = 0; k < WARP; k++) {
                float a = __shfl_sync(~0u, high, (lane - k) & (WARP - 1));
                float b = __shfl_sync(~0u, low, (lane - k) & (WARP - 1));
                sum += __shfl_sync(~0u, tap, k) * (lane >= k ? a : b);
            }
        }
        if (t < s.L)
            y[(size_t)row * s.L + t] = sum;
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
    unsigned rows = shape.B * shape.H;

    (void)workspace;
    forward<<<(rows + WARPS - 1) / WARPS, WARPS * WARP, 0, stream>>>(x, w, y,
                                                                     shape);
    return cudaGetLastError();
}
