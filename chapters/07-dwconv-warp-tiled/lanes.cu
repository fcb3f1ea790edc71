// SPDX-License-Identifier: MIT
// Stage 07, depthwise convolution, forward, step 1 of 5: a lane owns a row.
// New: weights and sums live in registers, and nothing in shared memory.
// Since 06: a thread computes 48 outputs; no barrier. Loads are not coalesced.
// Counter: shared_load_requests_per_flop falls from 0.03 to 0.

#include "op/dwconv.h"

//> todo kernel (about 65 lines)
enum {
    THREADS = 128, // per block, at most: 2 rows of 48, 4 of 32
    ROWS = 8,      // rows a thread sums: a weight, once read, serves eight
    TAPS = 64      // taps on chip at a time
};

// Columns of a row on chip: a tile of at most THREADS and, where a row takes
// several tiles, TAPS more before it. Rows x columns never pass this.
enum { COLUMNS = THREADS + TAPS };

// A block owns one channel, `width` time steps and ROWS * blockDim.y batches.
static __global__ void forward(const float *x, const float *w, float *y,
                               struct dwconv_shape s)
{
    __shared__ float x_tile[ROWS * COLUMNS];
    __shared__ float w_tile[TAPS];

    int width = blockDim.x, rows = ROWS * blockDim.y;
    int tiles = (s.L - 1) / width + 1;
    int halo = tiles > 1 ? TAPS : 0; // a whole row has nothing before it
    int pitch = halo + width;

    int h = blockIdx.x % s.H;
    long long t0 = (long long)(blockIdx.x / s.H % tiles) * width;
    long long t = t0 + threadIdx.x; // may pass L in the last tile
    int b0 = blockIdx.x / s.H / tiles * rows;

    int taps = min((long long)s.K, t0 + width); // later ones reach no x
    float sum[ROWS] = {0.0f};

    for (int first = 0; first < taps; first += TAPS) {
        int n = min(TAPS, taps - first);
        long long origin = t0 - first - halo; // time of column 0

        for (int k = threadIdx.y * width + threadIdx.x; k < n;
             k += width * blockDim.y)
            w_tile[k] = w[h * s.K + first + k];
        for (int row = threadIdx.y; row < rows; row += blockDim.y)
            for (int c = max(halo - n + 1, 0) + threadIdx.x; c < pitch;
                 c += width) {
                int b = b0 + row;
                bool inside = b < s.B && origin + c >= 0 && origin + c < s.L;

                x_tile[row * pitch + c] =
                    inside ? x[(b * s.H + h) * s.L + origin + c] : 0.0f;
            }
        __syncthreads(); // the tiles are full: they may be read

        float part[ROWS] = {0.0f};
        const float *mine = x_tile + threadIdx.y * pitch + halo + threadIdx.x;

#pragma unroll 4
        for (int k = 0; k < n && first + k <= t; k++)
            for (int j = 0; j < ROWS; j++)
                part[j] += w_tile[k] * mine[j * (int)blockDim.y * pitch - k];
        for (int j = 0; j < ROWS; j++)
            sum[j] += part[j];
        __syncthreads(); // all have read: the tiles may be filled again
    }

    for (int j = 0; j < ROWS; j++) {
        int b = b0 + j * blockDim.y + threadIdx.y;

        if (b < s.B && t < s.L)
            y[(b * s.H + h) * s.L + t] = sum[j];
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
    // Equal tiles, and as many rows as make a full block of them.
    unsigned tiles = (shape.L - 1) / THREADS + 1;
    unsigned width = (shape.L - 1) / tiles + 1;
    dim3 block(width, THREADS / width);
    unsigned groups = (shape.B - 1) / (ROWS * block.y) + 1;

    tiles = (shape.L - 1) / width + 1;
    forward<<<groups * tiles * shape.H, block, 0, stream>>>(x, w, y, shape);
    //< todo
    return cudaGetLastError();
}
