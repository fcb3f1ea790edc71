// SPDX-License-Identifier: MIT
// Stage 07, depthwise convolution, forward, step 2 of 5: a tile per warp.
// New: a warp copies its 32 rows through a tile of its own in shared memory.
// Since step 1: lanes load and store neighbours; a lane reads its row on chip.
// Counter: global_load_sectors_per_request falls from 32 to 4.

#include "op/dwconv.h"

//> todo kernel (about 100 lines)
enum {
    LANES = 32,
    TILE = 48, // time steps, and taps, that a lane has in registers
    WARPS = 4, // per block
    BLOCKS = 3 // per multiprocessor: as many as the registers allow
};

#define NO_ROW 0xffffffffu

// x holds the same TILE time steps as the sums: tap t - s, s <= t. Only the
// first `length` are in the row.
static __device__ void add_own(float *sum, const float *w, const float *x,
                               unsigned length)
{
#pragma unroll
    for (int s = 0; s < TILE; s++) {
        float one = s < length ? x[s] : 0.0f;

#pragma unroll
        for (int t = s; t < TILE; t++)
            sum[t] += w[t - s] * one;
    }
}

// x holds the TILE time steps before: tap t - s + TILE, s > t.
static __device__ void add_before(float *sum, const float *w, const float *x)
{
#pragma unroll
    for (int s = 0; s < TILE; s++) {
        float one = x[s];

#pragma unroll
        for (int t = 0; t < s; t++)
            sum[t] += w[t - s + TILE] * one;
    }
}

// A lane owns a row, and keeps the weights of its channel in registers.
static __global__ void __launch_bounds__(WARPS *LANES, BLOCKS)
    forward(const float *x, const float *w, float *y, struct dwconv_shape s,
            unsigned rows)
{
    unsigned row = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned start = row < rows ? row * s.L : NO_ROW;
    unsigned channel = row % s.H;

    if (start == NO_ROW) // the last block has lanes to spare
        return;
    for (unsigned first = 0; first < min(s.K, s.L); first += TILE) {
        float weights[TILE];

#pragma unroll
        for (int k = 0; k < TILE; k++)
            weights[k] = first + k < s.K ? w[channel * s.K + first + k] : 0.0f;

        for (unsigned t0 = first; t0 < s.L; t0 += TILE) {
            const float *own = x + start + t0 - first;
            float *cell = y + start + t0;
            float sum[TILE] = {0.0f};

            add_own(sum, weights, own, s.L - (t0 - first));
            if (t0 > first)
                add_before(sum, weights, own - TILE);
#pragma unroll
            for (int t = 0; t < TILE; t++)
                if (t0 + t < s.L)
                    cell[t] = first > 0 ? cell[t] + sum[t] : sum[t];
        }
    }
}
//< todo

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
    //> todo launch (about 5 lines)
    unsigned rows = shape.B * shape.H;
    unsigned blocks = (rows - 1) / (WARPS * LANES) + 1;

    forward<<<blocks, WARPS * LANES, 0, stream>>>(x, w, y, shape, rows);
    //< todo
    return cudaGetLastError();
}
