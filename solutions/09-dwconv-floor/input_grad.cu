// SPDX-License-Identifier: MIT
// Stage 09, depthwise convolution, input gradient: the floor.
// New: the next tile is on its way while the warp works on this one.
// Since 07: stage() copies asynchronously, into the other one of two tiles.
// Counter: async_copy_sectors takes over from global_load_sectors.

#include "op/dwconv.h"
#include "op/dwconv_long.cuh"
#include "op/dwconv_route.cuh"
#include "op/dwconv_short.cuh"

#include <cuda_pipeline_primitives.h>

// A tile of 32 rows on chip, as in forward.cu.
enum {
    LANES = 32,
    TILE = 48,        // time steps, and taps, that a lane has in registers
    QUADS = TILE / 4  // 128-bit pieces of a row of the tile
};
static_assert(TILE % 16 == 0, "place() permutes quads in groups of four");

#define ALL_LANES 0xffffffffu
#define NO_ROW    0xffffffffu

// Where quad q of a row stands in the tile. Unpermuted, quad q of rows 0, 2, 4
// and 6 would share four banks, and so would quad q of rows 1, 3, 5 and 7.
static __device__ int place(int row, int q)
{
    return row * TILE + (q ^ (row / 2 % 4)) * 4;
}

//> todo stage (about 38 lines)
// Copies columns [first, first + TILE) of 32 rows into the tile, zeros where
// there are none. Row r begins where lane r's `start` says; it has `length`
// columns. The copies are under way, as a group: landed() waits for them.
static __device__ void stage(float *tile, const float *from, unsigned start,
                             unsigned first, unsigned length)
{
    int lane = threadIdx.x % LANES;

    __syncwarp(); // all lanes have read what the tile held before
    if (length % 4 == 0) {
#pragma unroll
        for (int i = 0; i < QUADS; i++) {
            int slot = i * LANES + lane, row = slot / QUADS, q = slot % QUADS;
            unsigned begin = __shfl_sync(ALL_LANES, start, row);
            unsigned column = first + q * 4;
            bool exists = begin != NO_ROW && column < length;

            __pipeline_memcpy_async(tile + place(row, q),
                                    from + (exists ? begin + column : 0),
                                    sizeof(float4),
                                    exists ? 0 : sizeof(float4)); // zeros
        }
    } else { // rows begin at any float: one at a time
#pragma unroll 12
        for (int i = 0; i < TILE; i++) {
            int slot = i * LANES + lane, row = slot / TILE, c = slot % TILE;
            unsigned begin = __shfl_sync(ALL_LANES, start, row);
            unsigned column = first + c;
            bool exists = begin != NO_ROW && column < length;

            __pipeline_memcpy_async(tile + place(row, c / 4) + c % 4,
                                    from + (exists ? begin + column : 0),
                                    sizeof(float),
                                    exists ? 0 : sizeof(float));
        }
    }
    __pipeline_commit();
}
//< todo

// The way back: adds to what is there, or replaces it.
static __device__ void unstage(const float *tile, float *to, unsigned start,
                               unsigned first, unsigned length, bool add)
{
    int lane = threadIdx.x % LANES;

    __syncwarp(); // every lane has put its sums into the tile
    if (length % 4 == 0) {
#pragma unroll
        for (int i = 0; i < QUADS; i++) {
            int slot = i * LANES + lane, row = slot / QUADS, q = slot % QUADS;
            unsigned begin = __shfl_sync(ALL_LANES, start, row);
            unsigned column = first + q * 4;
            float4 four = *(const float4 *)(tile + place(row, q));

            if (begin != NO_ROW && column < length) {
                float4 *cell = (float4 *)(to + begin + column);

                if (add) {
                    float4 old = *cell;

                    four = make_float4(old.x + four.x, old.y + four.y,
                                       old.z + four.z, old.w + four.w);
                }
                *cell = four;
            }
        }
    } else {
#pragma unroll 12
        for (int i = 0; i < TILE; i++) {
            int slot = i * LANES + lane, row = slot / TILE, c = slot % TILE;
            unsigned begin = __shfl_sync(ALL_LANES, start, row);
            float one = tile[place(row, c / 4) + c % 4];

            if (begin != NO_ROW && first + c < length) {
                float *cell = to + begin + first + c;

                *cell = add ? *cell + one : one;
            }
        }
    }
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

static __device__ void put(float *tile, int q, const float *four)
{
    float4 *to = (float4 *)tile + place(threadIdx.x % LANES, q) / 4;

    *to = make_float4(four[0], four[1], four[2], four[3]);
}

// The tile holds the same TILE time steps as the sums: tap s - t, s >= t.
static __device__ void add_own(float *sum, const float *w, const float *tile)
{
#pragma unroll
    for (int s = 0; s < TILE; s += 4) {
        float dy[4];

        get(tile, s / 4, dy);
#pragma unroll
        for (int j = 0; j < 4; j++)
#pragma unroll
            for (int t = 0; t <= s + j; t++)
                sum[t] += w[s + j - t] * dy[j];
    }
}

// Warps that work: as many as the GPU has room for, `room` per multiprocessor,
// but whole periods of them. Channels repeat every `period` groups of 32 rows;
// the lowest set bit of H is its largest factor that is a power of two.
static unsigned warps_for(struct dwconv_shape s, unsigned groups, int room)
{
    unsigned low_bit = s.H & -s.H;
    unsigned period = min(s.H / min(low_bit, (unsigned)LANES), groups);
    int device = 0, multiprocessors = 1;

    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount,
                           device);
    return max(multiprocessors * room / period, 1u) * period;
}

// A piece of a warp's work, a tile of dy that meets a tile of sums, for
// the 32 rows of a group. Even parts add tile part / 2 of dy, counted from the
// end, to the sums of the same steps and complete them; odd ones add it to
// those of the tile before.
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

//> todo kernel (about 86 lines)
enum {
    WARPS = 4, // per block
    BLOCKS = 2 // per multiprocessor: copies under way need no warps
};

// The tile holds the TILE time steps after: tap s - t + TILE, s < t.
static __device__ void add_after(float *sum, const float *w, const float *tile)
{
#pragma unroll
    for (int s = 0; s < TILE; s += 4) {
        float dy[4];

        get(tile, s / 4, dy);
#pragma unroll
        for (int j = 0; j < 4; j++)
#pragma unroll
            for (int t = s + j + 1; t < TILE; t++)
                sum[t] += w[s + j - t + TILE] * dy[j];
    }
}

// Where the lane's row begins.
static __device__ unsigned start_of(unsigned group, unsigned rows,
                                    unsigned length)
{
    unsigned row = group * LANES + threadIdx.x % LANES;

    return row < rows ? row * length : NO_ROW;
}

// A lane owns a row, and keeps the weights of its channel in registers. A warp
// goes from one group of 32 rows to the next in strides of `warps` groups, and
// that many rows on, the channels are the same.
static __global__ void __launch_bounds__(WARPS *LANES, BLOCKS)
    input_grad(const float *dy, const float *w, float *dx,
               struct dwconv_shape s, unsigned rows, unsigned warps)
{
    __shared__ __align__(16) float tiles[WARPS][2][LANES * TILE];

    unsigned lane = threadIdx.x % LANES;
    unsigned warp = blockIdx.x * WARPS + threadIdx.x / LANES;
    unsigned channel = (warp * LANES + lane) % s.H;
    float *tile = tiles[threadIdx.x / LANES][0];
    float *other = tiles[threadIdx.x / LANES][1];

    if (warp >= warps) // the last block has warps to spare
        return;
    for (unsigned first = 0; first < min(s.K, s.L); first += TILE) {
        unsigned last = (s.L - first - 1) / TILE; // tile of a row
        struct work now = {warp, 0};
        float weights[TILE], sum[TILE] = {0.0f};

        stage(other, w, channel * s.K, first, s.K);
        stage(tile, dy, start_of(warp, rows, s.L), first + last * TILE, s.L);
        landed(1);
#pragma unroll
        for (int q = 0; q < QUADS; q++)
            get(other, q, weights + 4 * q);

        while (now.group * LANES < rows) {
            struct work next = after(now, 2 * last + 1, warps);
            float *empty = tile; // once this part is done

            stage(other, dy, start_of(next.group, rows, s.L),
                  first + (last - next.part / 2) * TILE, s.L);
            landed(1);
            if (now.part % 2 == 0) {
                add_own(sum, weights, tile);
#pragma unroll
                for (int q = 0; q < QUADS; q++)
                    put(tile, q, sum + 4 * q);
                unstage(tile, dx, start_of(now.group, rows, s.L),
                        (last - now.part / 2) * TILE, s.L, first > 0);
#pragma unroll
                for (int t = 0; t < TILE; t++)
                    sum[t] = 0.0f;
            } else {
                add_after(sum, weights, tile);
            }
            tile = other;
            other = empty;
            now = next;
        }
        landed(0); // past the last group: zeros, but into a tile to be used
    }
}
//< todo

size_t dwconv_input_grad_workspace(struct dwconv_shape shape)
{
    (void)shape;
    return 0;
}

cudaError_t dwconv_input_grad(const float *dy, const float *w, float *dx,
                              struct dwconv_shape shape, void *workspace,
                              cudaStream_t stream)
{
    (void)workspace;
    if (dwconv_short_fits(shape))
        return dwconv_short_input_grad(dy, w, dx, shape, stream);
    if (dwconv_long_fits(shape))
        return dwconv_long_input_grad(dy, w, dx, shape, stream);
    //> todo launch (about 7 lines)
    unsigned rows = shape.B * shape.H;
    unsigned groups = (rows + LANES - 1) / LANES;
    unsigned warps = warps_for(shape, groups, BLOCKS * WARPS);
    unsigned blocks = (min(warps, groups) + WARPS - 1) / WARPS;

    input_grad<<<blocks, WARPS * LANES, 0, stream>>>(dy, w, dx, shape, rows,
                                                     warps);
    //< todo
    return cudaGetLastError();
}
