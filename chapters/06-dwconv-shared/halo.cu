// SPDX-License-Identifier: MIT
// Stage 06, depthwise convolution, forward, step 3 of 4: the halo.
// New: the inputs that a tile needs from the tile before come on chip, too.
// Since step 2: x is staged anew for each portion of taps.
// Counter: global_bytes_over_compulsory falls to 1.7, for long rows too.

#include "op/dwconv.h"

//> todo kernel (about 55 lines)
enum {
    THREADS = 128, // per block, at most: 2 rows of 48, 4 of 32
    TAPS = 64      // taps on chip at a time
};

// A block owns one channel, `width` time steps and blockDim.y batches.
static __global__ void forward(const float *x, const float *w, float *y,
                               struct dwconv_shape s)
{
    __shared__ float x_tile[THREADS];
    __shared__ float w_tile[TAPS];

    int width = blockDim.x, rows = blockDim.y;
    int tiles = (s.L - 1) / width + 1;

    int h = blockIdx.x % s.H;
    long long t0 = (long long)(blockIdx.x / s.H % tiles) * width;
    long long t = t0 + threadIdx.x; // may pass L in the last tile
    int b = blockIdx.x / s.H / tiles * rows + threadIdx.y; // may pass B

    bool inside = b < s.B && t < s.L;
    int row = inside ? (b * s.H + h) * s.L : 0; // where x[b,h,0] stands
    int taps = min((long long)s.K, t0 + width); // later ones reach no x
    float sum = 0.0f;

    float *mine = x_tile + threadIdx.y * width + threadIdx.x;

    *mine = inside ? x[row + t] : 0.0f;
    for (int first = 0; first < taps; first += TAPS) {
        int n = min(TAPS, taps - first);

        for (int k = threadIdx.y * width + threadIdx.x; k < n;
             k += width * blockDim.y)
            w_tile[k] = w[h * s.K + first + k];
        __syncthreads(); // the tiles are full: they may be read

        int end = inside ? min((long long)n, t - first + 1) : 0;
        int own = min(end, (int)threadIdx.x - first + 1); // on chip
        float part = 0.0f;
        const float *far = x + row + t - first;

#pragma unroll 4
        for (int k = 0; k < own; k++)
            part += w_tile[k] * mine[-first - k];
        for (int k = max(own, 0); k < end; k++) // before the tile
            part += w_tile[k] * far[-k];
        sum += part;
        __syncthreads(); // all have read: the tile may be filled again
    }

    if (inside)
        y[row + t] = sum;
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
    //> todo launch (about 8 lines)
    // Equal tiles, and as many rows as make a full block of them.
    unsigned tiles = (shape.L - 1) / THREADS + 1;
    unsigned width = (shape.L - 1) / tiles + 1;
    dim3 block(width, THREADS / width);
    unsigned groups = (shape.B - 1) / block.y + 1;

    tiles = (shape.L - 1) / width + 1;
    forward<<<groups * tiles * shape.H, block, 0, stream>>>(x, w, y, shape);
    //< todo
    return cudaGetLastError();
}
