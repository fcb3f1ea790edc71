// SPDX-License-Identifier: MIT
// mistake: threads beyond the row return before the tile is filled
// chapter: 06 forward
// expect: MEMORY uninitialised
// say: Those that return on line [0-9]+ write nothing
// say: launched as grid
#include "op/dwconv.h"

enum { TILE = 128, CHUNK = 32 };

static __global__ void forward(const float *x, const float *w, float *y,
                               struct dwconv_shape s)
{
    __shared__ float tile[CHUNK - 1 + TILE]; /* x[first, ...) of this row */
    __shared__ float taps[CHUNK];
    int tiles = (s.L + TILE - 1) / TILE;
    int row = blockIdx.x / tiles;
    int h = row % s.H;
    int t0 = blockIdx.x % tiles * TILE;
    int t = t0 + threadIdx.x;
    const float *x_row = x + (size_t)row * s.L;
    float sum = 0;

    if (t >= s.L)
        return;
    for (int k0 = 0; k0 < s.K && k0 < t0 + TILE; k0 += CHUNK) {
        int first = t0 - k0 - (CHUNK - 1);
        for (int i = threadIdx.x; i < CHUNK - 1 + TILE; i += TILE) {
            int u = first + i;
            tile[i] = u >= 0 && u < s.L ? x_row[u] : 0;
        }
        if (threadIdx.x < CHUNK) {
            int k = k0 + threadIdx.x;
            taps[threadIdx.x] = k < s.K ? w[h * s.K + k] : 0;
        }
        __syncthreads(); /* tile and taps are complete before they are read */
        for (int k = 0; k < CHUNK; k++)
            sum += taps[k] * tile[threadIdx.x + CHUNK - 1 - k];
        __syncthreads(); /* all have read before the next chunk overwrites */
    }
    if (t < s.L)
        y[(size_t)row * s.L + t] = sum;
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
    unsigned blocks = (unsigned)shape.B * shape.H *
                      ((shape.L + TILE - 1) / TILE);
    (void)workspace;
    forward<<<blocks, TILE, 0, stream>>>(x, w, y, shape);
    return cudaGetLastError();
}
