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
    THREADS = 128, // per block, at most: 2 rows of 48, 4 of 32
    ROWS = 8,      // rows a thread sums: a weight, once read, serves eight
    TAPS = 64      // taps on chip at a time
};

// Columns of a row on chip: a tile of at most THREADS and, where a row takes
// several tiles, TAPS more after it. Rows x columns never pass this.
enum { COLUMNS = THREADS + TAPS };

// A block owns one channel, `width` time steps and ROWS * blockDim.y batches.
static __global__ void input_grad(const float *dy, const float *w, float *dx,
                                  struct dwconv_shape s)
{
    __shared__ float dy_tile[ROWS * COLUMNS];
    __shared__ float w_tile[TAPS];

    int width = blockDim.x, rows = ROWS * blockDim.y;
    int tiles = (s.L - 1) / width + 1;
    int halo = tiles > 1 ? TAPS : 0; // a whole row has nothing after it
    int pitch = width + halo;

    int h = blockIdx.x % s.H;
    long long t0 = (long long)(blockIdx.x / s.H % tiles) * width;
    long long t = t0 + threadIdx.x; // may pass L in the last tile
    int b0 = blockIdx.x / s.H / tiles * rows;

    int taps = min((long long)s.K, s.L - t0); // later ones reach no dy
    float sum[ROWS] = {0.0f};

    for (int first = 0; first < taps; first += TAPS) {
        int n = min(TAPS, taps - first);
        long long origin = t0 + first; // time of column 0

        for (int k = threadIdx.y * width + threadIdx.x; k < n;
             k += width * blockDim.y)
            w_tile[k] = w[h * s.K + first + k];
        for (int row = threadIdx.y; row < rows; row += blockDim.y)
            for (int c = threadIdx.x; c < width + min(halo, n - 1);
                 c += width) {
                int b = b0 + row;
                bool inside = b < s.B && origin + c < s.L;

                dy_tile[row * pitch + c] =
                    inside ? dy[(b * s.H + h) * s.L + origin + c] : 0.0f;
            }
        __syncthreads(); // the tiles are full: they may be read

        float part[ROWS] = {0.0f};
        const float *mine = dy_tile + threadIdx.y * pitch + threadIdx.x;

#pragma unroll 4
        for (int k = 0; k < n && first + k < s.L - t; k++)
            for (int j = 0; j < ROWS; j++)
                part[j] += w_tile[k] * mine[j * (int)blockDim.y * pitch + k];
        for (int j = 0; j < ROWS; j++)
            sum[j] += part[j];
        __syncthreads(); // all have read: the tiles may be filled again
    }

    for (int j = 0; j < ROWS; j++) {
        int b = b0 + j * blockDim.y + threadIdx.y;

        if (b < s.B && t < s.L)
            dx[(b * s.H + h) * s.L + t] = sum[j];
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
    // Equal tiles, and as many rows as make a full block of them.
    unsigned tiles = (shape.L - 1) / THREADS + 1;
    unsigned width = (shape.L - 1) / tiles + 1;
    dim3 block(width, THREADS / width);
    unsigned groups = (shape.B - 1) / (ROWS * block.y) + 1;

    tiles = (shape.L - 1) / width + 1;
    input_grad<<<groups * tiles * shape.H, block, 0, stream>>>(dy, w, dx,
                                                               shape);
    //< todo
    return cudaGetLastError();
}
