// SPDX-License-Identifier: MIT
// Stage 07, depthwise convolution, weight gradient: a warp owns 32 rows.
// New: x and the sums live in registers; every load of a row is 128 bits wide.
// Since 06: no block-wide barrier, no shared load inside the sum.
// Counter: shared_load_requests_per_flop falls from 0.06 to under 0.001.

#include "op/dwconv.h"

// A tile of 32 rows on chip, as in forward.cu, and a plan of who sums what.
enum {
    LANES = 32,
    TILE = 48,       // time steps, and taps, that a lane has in registers
    QUADS = TILE / 4 // 128-bit pieces of a row of the tile
};
static_assert(TILE % 16 == 0, "place() permutes quads in groups of four");

#define ALL_LANES 0xffffffffu
#define NO_ROW    0xffffffffu

enum {
    WARPS = 4,  // per block
    BLOCKS = 3, // per multiprocessor: as many as the registers allow
    LEAST = 4,  // groups of rows a warp sums, where there are as many
    TILES = 16, // summed in registers before they join the partial sum
    PARTS = 8   // threads that share a cell in the second pass
};

// Where quad q of a row stands in the tile. Unpermuted, quad q of rows 0, 2, 4
// and 6 would share four banks, and so would quad q of rows 1, 3, 5 and 7.
static __device__ int place(int row, int q)
{
    return row * TILE + (q ^ (row / 2 % 4)) * 4;
}

// Copies columns [first, first + TILE) of 32 rows into the tile, zeros where
// there are none. Row r begins where lane r's `start` says; it has `length`
// columns.
static __device__ void stage(float *tile, const float *from, unsigned start,
                             unsigned first, unsigned length)
{
    int lane = threadIdx.x % LANES;

    __syncwarp(); // all lanes have read what the tile held before
    if (length % 4 == 0) {
#pragma unroll 6
        for (int i = 0; i < QUADS; i++) {
            int slot = i * LANES + lane, row = slot / QUADS, q = slot % QUADS;
            unsigned begin = __shfl_sync(ALL_LANES, start, row);
            unsigned column = first + q * 4;
            float4 four = {0.0f, 0.0f, 0.0f, 0.0f};

            if (begin != NO_ROW && column < length)
                four = *(const float4 *)(from + begin + column);
            *(float4 *)(tile + place(row, q)) = four;
        }
    } else { // rows begin at any float: one at a time
#pragma unroll 12
        for (int i = 0; i < TILE; i++) {
            int slot = i * LANES + lane, row = slot / TILE, c = slot % TILE;
            unsigned begin = __shfl_sync(ALL_LANES, start, row);
            float one = 0.0f;

            if (begin != NO_ROW && first + c < length)
                one = from[begin + first + c];
            tile[place(row, c / 4) + c % 4] = one;
        }
    }
    __syncwarp(); // the tile is full: lanes may read each other's pieces
}

// Quad q of the lane's own row.
static __device__ void get(const float *tile, int q, float *four)
{
    float4 v = *(const float4 *)(tile + place(threadIdx.x % LANES, q));

    four[0] = v.x;
    four[1] = v.y;
    four[2] = v.z;
    four[3] = v.w;
}

// The tile holds dy at the same TILE time steps as x: tap t - s, s <= t.
static __device__ void add_own(float *sum, const float *x, const float *tile)
{
#pragma unroll
    for (int t = 0; t < TILE; t += 4) {
        float dy[4];

        get(tile, t / 4, dy);
#pragma unroll
        for (int j = 0; j < 4; j++)
#pragma unroll
            for (int s = 0; s <= t + j; s++)
                sum[t + j - s] += dy[j] * x[s];
    }
}

// The tile holds dy at the TILE time steps after: tap t - s + TILE, s > t.
static __device__ void add_after(float *sum, const float *x, const float *tile)
{
#pragma unroll
    for (int t = 0; t < TILE; t += 4) {
        float dy[4];

        get(tile, t / 4, dy);
#pragma unroll
        for (int j = 0; j < 4; j++)
#pragma unroll
            for (int s = t + j + 1; s < TILE; s++)
                sum[t + j - s + TILE] += dy[j] * x[s];
    }
}

// Adds the lane's sums to its partial ones, or replaces these, and clears them.
static __device__ void settle(float *partial, float *sum, unsigned width,
                              bool add)
{
#pragma unroll
    for (int k = 0; k < TILE; k++) {
        if (k < width) {
            float *cell = partial + k * LANES;

            *cell = add ? *cell + sum[k] : sum[k];
        }
        sum[k] = 0.0f;
    }
}

struct row_plan {
    unsigned groups; // of 32 rows
    unsigned warps;  // each takes every warps-th group
    unsigned width;  // sums of a lane that are wanted: taps of a portion
};

// Channels repeat every `period` groups of 32 rows; the lowest set bit of H is
// its largest factor that is a power of two.
static struct row_plan plan_rows(struct dwconv_shape s)
{
    unsigned rows = s.B * s.H, low_bit = s.H & -s.H;
    unsigned groups = (rows + LANES - 1) / LANES;
    unsigned period = min(s.H / min(low_bit, (unsigned)LANES), groups);
    int device = 0, multiprocessors = 1;

    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount,
                           device);

    // As many warps as run at a time, but whole periods of them.
    unsigned room =
        min((unsigned)multiprocessors * BLOCKS * WARPS, groups / LEAST);
    unsigned warps = max(room / period, 1u) * period;

    return (struct row_plan){groups, min(warps, groups),
                             (unsigned)min(min(s.K, s.L), TILE)};
}

// The second pass: a block adds up the partial sums of one tap and 32 channels,
// PARTS threads per cell. Lane l of warp w summed channel (32 w + l) % H.
static __global__ void total(const float *partials, float *dw,
                             struct dwconv_shape s, struct row_plan plan,
                             unsigned first, unsigned taps)
{
    __shared__ float parts[PARTS][LANES];

    unsigned k = blockIdx.x % taps;
    unsigned h = blockIdx.x / taps * LANES + threadIdx.x;
    unsigned lanes = min(plan.warps * LANES, (unsigned)s.B * s.H);
    size_t stride = s.H; // PARTS times as much may pass 32 bits
    float sum = 0.0f, excess = 0.0f; // what rounding added to the sum

    if (h < s.H)
#pragma unroll 8
        for (size_t i = h + threadIdx.y * stride; i < lanes;
             i += PARTS * stride) {
            float next =
                partials[(i / LANES * plan.width + k) * LANES + i % LANES] -
                excess;
            float old = sum;

            sum = old + next;
            excess = (sum - old) - next;
        }
    parts[threadIdx.y][threadIdx.x] = sum;
    __syncthreads(); // all parts are there: they may be read
    if (threadIdx.y == 0 && h < s.H) {
        for (int part = 1; part < PARTS; part++)
            sum += parts[part][threadIdx.x];
        dw[h * s.K + first + k] = sum;
    }
}

//> todo kernel (about 42 lines)
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
    //> todo launch (about 16 lines)
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
