// SPDX-License-Identifier: MIT
// Stage 06, depthwise convolution, weight gradient, step 2 of 2: on chip.
// New: rows of dy and x are copied on chip once.
// Since step 1: a block has taps and rows; sums read shared memory.
// Counter: global_bytes_over_compulsory falls to nearly 1.

#include "op/dwconv.h"

//> todo kernel (about 130 lines)
enum {
    THREADS = 128, // per block, at most: 2 rows of 48 taps
    HEIGHT = 4,    // rows side by side, at most
    ROWS = 4,      // rows a thread sums before the tiles are filled again
    TIMES = 64,    // time steps of dy on chip at a time
    SLICE = 64,    // batches a block sums, unless partial sums take too much
    TOTAL = 256    // threads of a block of the second pass
};

// A row on chip: TIMES steps, and for x as many before them as a block has
// taps. Rows x columns never pass this.
enum { FLOATS = ROWS * (HEIGHT * TIMES + THREADS) };

static const unsigned most_partial = 1 << 24;

struct plan {
    dim3 block;      // taps, rows
    unsigned tiles;  // of taps
    unsigned slices; // of the batch
    unsigned cells;  // a slice's partial sums: taps of all channels
};

static struct plan plan_for(struct dwconv_shape s)
{
    struct plan plan;
    unsigned taps = min(s.K, s.L); // later ones meet no x
    unsigned width;

    plan.tiles = (taps - 1) / THREADS + 1;
    width = (taps - 1) / plan.tiles + 1;
    plan.tiles = (taps - 1) / width + 1;
    plan.block = dim3(width, min(THREADS / width, (unsigned)HEIGHT));
    plan.cells = s.H * taps;
    plan.slices =
        min((s.B - 1) / SLICE + 1, max(most_partial / plan.cells, 1u));
    return plan;
}

// A block owns one channel, a tile of taps, and one slice of the batch. The
// lanes count taps downwards, so that their x ascends.
static __global__ void partial(const float *dy, const float *x, float *sums,
                               struct dwconv_shape s, struct plan plan)
{
    __shared__ float dy_tile[FLOATS];
    __shared__ float x_tile[FLOATS];

    int width = blockDim.x, height = blockDim.y, pitch = TIMES + width;
    int taps = min(s.K, s.L);

    int h = blockIdx.x % s.H;
    int k0 = blockIdx.x / s.H % plan.tiles * width;
    unsigned slice = blockIdx.x / s.H / plan.tiles;
    int k = k0 + width - 1 - threadIdx.x; // may pass `taps` in the last tile

    int each = (s.B - 1) / plan.slices + 1;
    long long b_begin = (long long)slice * each;
    long long b_end = min(b_begin + each, (long long)s.B);
    float sum = 0.0f, excess = 0.0f; // what rounding added to the sum

    for (long long b0 = b_begin; b0 < b_end; b0 += ROWS * height)
        for (long long t0 = k0; t0 < s.L; t0 += TIMES) {
            long long origin = t0 - k0 - width + 1; // time of x's column 0

            for (int row = threadIdx.y; row < ROWS * height; row += height) {
                long long from = ((b0 + row) * s.H + h) * s.L;

                for (int c = threadIdx.x; c < TIMES + width - 1; c += width) {
                    bool in_dy = b0 + row < b_end && t0 + c < s.L;
                    bool in_x =
                        b0 + row < b_end && origin + c >= 0 && origin + c < s.L;

                    if (c < TIMES)
                        dy_tile[row * pitch + c] =
                            in_dy ? dy[from + t0 + c] : 0.0f;
                    x_tile[row * pitch + c] =
                        in_x ? x[from + origin + c] : 0.0f;
                }
            }
            __syncthreads(); // the tiles are full: they may be read

            int n = min((long long)TIMES, s.L - t0);

            for (int j = 0; j < ROWS; j++) {
                int row = (j * height + threadIdx.y) * pitch;
                const float *my_dy = dy_tile + row;
                const float *my_x = x_tile + row + threadIdx.x;
                float part = 0.0f;

#pragma unroll 4
                for (int t = 0; t < n; t++)
                    part += my_dy[t] * my_x[t];

                float next = part - excess, old = sum;

                sum = old + next;
                excess = (sum - old) - next;
            }
            __syncthreads(); // all have read: the tiles may be filled again
        }

    if (k < taps)
        sums[(size_t)(slice * height + threadIdx.y) * plan.cells + h * taps +
             k] = sum;
}

// The second pass: one thread adds up one cell's partial sums, in order.
static __global__ void total(const float *sums, float *dw,
                             struct dwconv_shape s, unsigned cells, unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    int taps = min(s.K, s.L);

    if (i >= (unsigned)s.H * s.K)
        return;

    int h = i / s.K, k = i % s.K;
    float sum = 0.0f, excess = 0.0f;

    if (k < taps)
#pragma unroll 8
        for (unsigned slice = 0; slice < n; slice++) {
            float next = sums[(size_t)slice * cells + h * taps + k] - excess;
            float old = sum;

            sum = old + next;
            excess = (sum - old) - next;
        }
    dw[i] = sum;
}
//< todo

size_t dwconv_weight_grad_workspace(struct dwconv_shape shape)
{
    //> todo workspace (about 3 lines)
    struct plan plan = plan_for(shape);

    return sizeof(float) * plan.slices * plan.block.y * plan.cells;
    //< todo
}

cudaError_t dwconv_weight_grad(const float *dy, const float *x, float *dw,
                               struct dwconv_shape shape, void *workspace,
                               cudaStream_t stream)
{
    //> todo launch (about 9 lines)
    struct plan plan = plan_for(shape);
    unsigned blocks = plan.slices * plan.tiles * shape.H;
    unsigned n = shape.H * shape.K;
    float *sums = (float *)workspace;

    partial<<<blocks, plan.block, 0, stream>>>(dy, x, sums, shape, plan);
    total<<<(n + TOTAL - 1) / TOTAL, TOTAL, 0, stream>>>(
        sums, dw, shape, plan.cells, plan.slices * plan.block.y);
    //< todo
    return cudaGetLastError();
}
