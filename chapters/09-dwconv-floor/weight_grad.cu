// SPDX-License-Identifier: MIT
// Stage 09, depthwise convolution, weight gradient: the floor.
// New: the next tiles are on their way while the warp works on these.
// Since 07: stage() copies asynchronously; partial sums settle on chip.
// Counter: async_copy_sectors takes over from global_load_sectors.

#include "op/dwconv.h"
#include "op/dwconv_long_weights.cuh"
#include "op/dwconv_route.cuh"
#include "op/dwconv_short_weights.cuh"

#include <cuda_pipeline_primitives.h>

// A tile of 32 rows on chip, as in forward.cu, and a plan of who sums what.
enum {
    LANES = 32,
    TILE = 48,       // time steps, and taps, that a lane has in registers
    QUADS = TILE / 4 // 128-bit pieces of a row of the tile
};
static_assert(TILE % 16 == 0, "place() permutes quads in groups of four");

#define ALL_LANES 0xffffffffu
#define NO_ROW    0xffffffffu

//> todo sizes (about 7 lines)
enum {
    WARPS = 4,  // per block
    BLOCKS = 3, // per multiprocessor: as many as the registers allow
    LEAST = 4,  // groups of rows a warp sums, where there are as many
    TILES = 16, // summed in registers before they join the partial sum
    PARTS = 8   // threads that share a cell in the second pass
};
//< todo

// Where quad q of a row stands in the tile. Unpermuted, quad q of rows 0, 2, 4
// and 6 would share four banks, and so would quad q of rows 1, 3, 5 and 7.
static __device__ int place(int row, int q)
{
    return row * TILE + (q ^ (row / 2 % 4)) * 4;
}

//> todo stage (about 38 lines)
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
//< todo

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

//> todo settle (about 9 lines)
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
//< todo

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

// A piece of a warp's work, a tile of x that meets a tile of dy, for the
// 32 rows of a group. Even parts: tile part / 2 of both; odd parts: of dy the
// tile after.
struct work {
    unsigned group, part;
};

static __device__ struct work after(struct work done, unsigned parts,
                                    unsigned warps)
{
    if (done.part + 1 < parts)
        return (struct work){done.group, done.part + 1};
    return (struct work){done.group + warps, 0};
}

// Waits for all groups of copies but the newest `under_way`.
static __device__ void landed(int under_way)
{
    __pipeline_wait_prior(under_way); // this lane's copies
    __syncwarp(); // every lane's: they may read each other's
}

//> todo kernel (about 60 lines)
// A lane owns a row at a time, and keeps the TILE sums of its channel, from tap
// `first` on, in registers. A warp goes from one group of 32 rows to the next
// in strides of `warps` groups; that many rows on, the channels are the same.
static __global__ void __launch_bounds__(WARPS *LANES, BLOCKS)
    partial(const float *dy, const float *x, float *partials,
            struct dwconv_shape s, struct row_plan plan, unsigned first)
{
    __shared__ __align__(16) float tiles[WARPS][LANES * TILE];

    unsigned lane = threadIdx.x % LANES;
    unsigned warp = blockIdx.x * WARPS + threadIdx.x / LANES;
    float *tile = tiles[threadIdx.x / LANES];
    partials += (size_t)warp * plan.width * LANES + lane;
    float sum[TILE] = {0.0f};
    unsigned done = 0; // tiles summed

    if (warp >= plan.warps) // the last block has warps to spare
        return;
    for (unsigned group = warp; group < plan.groups; group += plan.warps) {
        unsigned row = group * LANES + lane;
        unsigned start = row < (unsigned)s.B * s.H ? row * s.L : NO_ROW;

        for (unsigned s0 = 0; s0 < s.L - first; s0 += TILE) {
            float xs[TILE];

            if (done > 0 && done % TILES == 0)
                settle(partials, sum, plan.width, done > TILES);
            done++;
            stage(tile, x, start, s0, s.L);
#pragma unroll
            for (int q = 0; q < QUADS; q++)
                get(tile, q, xs + 4 * q);
            stage(tile, dy, start, s0 + first, s.L);
            add_own(sum, xs, tile);
            if (s0 + first + TILE < s.L) {
                stage(tile, dy, start, s0 + first + TILE, s.L);
                add_after(sum, xs, tile);
            }
        }
    }
    settle(partials, sum, plan.width, done > TILES);
}
//< todo

size_t dwconv_weight_grad_workspace(struct dwconv_shape shape)
{
    if (dwconv_short_weights_fits(shape))
        return dwconv_short_weight_grad_workspace(shape);
    if (dwconv_long_weights_fits(shape))
        return dwconv_long_weight_grad_workspace(shape);
    //> todo workspace (about 3 lines)
    struct row_plan plan = plan_rows(shape);

    return sizeof(float) * plan.warps * plan.width * LANES;
    //< todo
}

cudaError_t dwconv_weight_grad(const float *dy, const float *x, float *dw,
                               struct dwconv_shape shape, void *workspace,
                               cudaStream_t stream)
{
    if (dwconv_short_weights_fits(shape))
        return dwconv_short_weight_grad(dy, x, dw, shape, workspace, stream);
    if (dwconv_long_weights_fits(shape))
        return dwconv_long_weight_grad(dy, x, dw, shape, workspace, stream);
    //> todo launch (about 16 lines)
    struct row_plan plan = plan_rows(shape);
    unsigned blocks = (plan.warps + WARPS - 1) / WARPS;
    unsigned tiles = (shape.H - 1) / LANES + 1; // of channels
    unsigned met = min(shape.K, shape.L);       // later taps meet no x
    float *partials = (float *)workspace;

    if (shape.K > shape.L)
        cudaMemsetAsync(dw, 0, sizeof(float) * shape.H * shape.K, stream);
    for (unsigned first = 0; first < met; first += TILE) {
        unsigned taps = min((unsigned)TILE, met - first);

        partial<<<blocks, WARPS * LANES, 0, stream>>>(dy, x, partials, shape,
                                                      plan, first);
        total<<<tiles * taps, dim3(LANES, PARTS), 0, stream>>>(
            partials, dw, shape, plan, first, taps);
    }
    //< todo
    return cudaGetLastError();
}
