// SPDX-License-Identifier: MIT
/* filter_passes.cu: of ok/units_filter.cu: rows, then columns. */
#include "../check.h"
#include "filter.h"

enum { TILE = 32 };

__constant__ float weights[TAPS];
__device__ int edge_loads;

static __device__ int inside(int i, int n)
{
    if (i >= 0 && i < n)
        return i;
    atomicAdd(&edge_loads, 1);
    return i < 0 ? 0 : n - 1;
}

/* Each block filters TILE elements along the pass, of one row or column. */
template <bool rows> __global__ void pass(const float *in, float *out)
{
    __shared__ float tile[TILE + 2 * RADIUS];
    const int n = rows ? WIDTH : HEIGHT, step = rows ? 1 : WIDTH;
    const int first = blockIdx.x * TILE, line = blockIdx.y;
    in += rows ? line * WIDTH : line;
    out += rows ? line * WIDTH : line;
    for (int i = threadIdx.x; i < TILE + 2 * RADIUS; i += TILE)
        if (first + i - RADIUS < n + RADIUS)
            tile[i] = in[inside(first + i - RADIUS, n) * step];
    __syncthreads(); /* the tile is complete */
    int at = first + threadIdx.x;
    float sum = 0;
    for (int t = 0; t < TAPS && at < n; t++)
        sum += weights[t] * tile[threadIdx.x + t];
    if (at < n)
        out[at * step] = sum;
}

void filter(const float *in, float *between, float *out)
{
    pass<true><<<dim3((WIDTH + TILE - 1) / TILE, HEIGHT), TILE>>>(in, between);
    CUDA(cudaGetLastError());
    pass<false><<<dim3((HEIGHT + TILE - 1) / TILE, WIDTH), TILE>>>(between,
                                                                   out);
    CUDA(cudaGetLastError());
}
