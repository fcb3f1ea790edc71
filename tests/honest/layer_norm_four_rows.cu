// SPDX-License-Identifier: MIT
// honest: the last block has fewer rows than its arrays, and reads only those
// chapter: 21 two_sums
// expect: PASS
#include "op/layer_norm.h"

enum { ROWS = 4, LANES = 32 }; // a warp per row

static __device__ float over_warp(float v)
{
    for (int s = LANES / 2; s; s /= 2)
        v += __shfl_xor_sync(~0u, v, s);
    return v;
}

/* The block's warps take its columns in turn, for all its rows at once. nvcc
 * loads mean and inv in front of the loop, also those of rows that are not
 * there. */
static __global__ void layer_norm(const float *x, const float *gamma,
                                  const float *beta, float *y,
                                  layer_norm_shape s, float eps)
{
    __shared__ float mean[ROWS], inv[ROWS];
    int lane = threadIdx.x, warp = threadIdx.y, row0 = blockIdx.x * ROWS;

    if (row0 + warp < s.R) {
        const float *row = x + (size_t)(row0 + warp) * s.C;
        float sum = 0, squares = 0;

        for (int c = lane; c < s.C; c += LANES)
            sum += row[c];
        float m = over_warp(sum) / s.C;
        for (int c = lane; c < s.C; c += LANES)
            squares += (row[c] - m) * (row[c] - m);
        squares = over_warp(squares);
        if (lane == 0) {
            mean[warp] = m;
            inv[warp] = rsqrtf(squares / s.C + eps);
        }
    }
    __syncthreads(); // mean and inv are there
    for (int c = warp * LANES + lane; c < s.C; c += LANES * ROWS)
        for (int r = 0; r < ROWS; r++)
            if (row0 + r < s.R) {
                size_t at = (size_t)(row0 + r) * s.C + c;

                y[at] = (x[at] - mean[r]) * inv[r] * gamma[c] + beta[c];
            }
}

size_t layer_norm_f32_workspace(layer_norm_shape)
{
    return 0;
}

cudaError_t layer_norm_f32(const float *x, const float *gamma,
                           const float *beta, float *y, layer_norm_shape s,
                           float eps, void *, cudaStream_t stream)
{
    layer_norm<<<(s.R - 1) / ROWS + 1, dim3(LANES, ROWS), 0, stream>>>(
        x, gamma, beta, y, s, eps);
    return cudaGetLastError();
}
