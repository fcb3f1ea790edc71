// SPDX-License-Identifier: MIT
// Stage 07, depthwise convolution, input gradient: a warp owns 32 rows.
// New: weights and sums live in registers; every access is 128 bits wide.
// Since 06: no block-wide barrier, no shared load inside the sum.
// Counter: shared_load_requests_per_flop falls from 0.03 to under 0.001.

#include "op/dwconv.h"

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

// Copies columns [first, first + TILE) of 32 rows into the tile, zeros where
// there are none. Row r begins where lane r's `start` says; it has `length`
// columns.
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

//> todo kernel (about 66 lines)
enum {
    WARPS = 4, // per block
    BLOCKS = 3 // per multiprocessor: as many as the registers allow
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

// A lane owns a row, and keeps the weights of its channel in registers. A warp
// goes from one group of 32 rows to the next in strides of `warps` groups, and
// that many rows on, the channels are the same.
static __global__ void __launch_bounds__(WARPS *LANES, BLOCKS)
    input_grad(const float *dy, const float *w, float *dx,
               struct dwconv_shape s, unsigned rows, unsigned warps)
{
    __shared__ __align__(16) float tiles[WARPS][LANES * TILE];

    unsigned lane = threadIdx.x % LANES;
    unsigned warp = blockIdx.x * WARPS + threadIdx.x / LANES;
    unsigned channel = (warp * LANES + lane) % s.H;
    float *tile = tiles[threadIdx.x / LANES];

    if (warp >= warps) // the last block has warps to spare
        return;
    for (unsigned first = 0; first < min(s.K, s.L); first += TILE) {
        float weights[TILE];

        stage(tile, w, channel * s.K, first, s.K);
#pragma unroll
        for (int q = 0; q < QUADS; q++)
            get(tile, q, weights + 4 * q);

        for (unsigned group = warp; group * LANES < rows; group += warps) {
            unsigned row = group * LANES + lane;
            unsigned start = row < rows ? row * s.L : NO_ROW;

            for (unsigned t0 = 0; t0 < s.L - first; t0 += TILE) {
                float sum[TILE] = {0.0f};

                stage(tile, dy, start, t0 + first, s.L);
                add_own(sum, weights, tile);
                if (t0 + first + TILE < s.L) {
                    stage(tile, dy, start, t0 + first + TILE, s.L);
                    add_after(sum, weights, tile);
                }
#pragma unroll
                for (int q = 0; q < QUADS; q++)
                    put(tile, q, sum + 4 * q);
                unstage(tile, dx, start, t0, s.L, first > 0);
            }
        }
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
