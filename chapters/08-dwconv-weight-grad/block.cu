// SPDX-License-Identifier: MIT
// Stage 08, depthwise convolution, weight gradient, step 2 of 5: block.
// New: a lane sums a row; the sums of a block's 128 rows meet in shared memory.
// Since step 1: chapter 07's tiles; one atomic add per tap and block.
// Counter: global_load_requests fall to a hundredth.

#include "op/dwconv.h"

// Chapter 07's tile, and a plan of who sums what. A warp stages 32 rows of a
// channel, a lane owns one of them.
enum {
    LANES = 32,
    TILE = 48,        // time steps, and taps, that a lane sums at once
    QUADS = TILE / 4, // 128-bit pieces of a row of the tile
    WARPS = 4,        // per block
    ROWS = WARPS * LANES, // of a chunk: one per lane
    TURN = 3,             // after TURN x LANES quads ...
    TURN_ROWS = 8         // ... a whole number of rows is copied
};
static_assert(TILE % 16 == 0, "place() permutes quads in groups of four");
static_assert(TURN * LANES == TURN_ROWS * QUADS, "stage() goes by whole rows");
static_assert(TURN_ROWS % 8 == 0, "place() repeats after 8 rows");

#define ALL_LANES 0xffffffffu

enum {
    BLOCKS = 3,    // per multiprocessor: as many as the registers allow
    ADDERS = 256,  // blocks that add to a cell: rounding shows
    GRID = 1 << 30 // blocks of a launch
};

struct plan {
    int portions; // of TILE taps
    int slices;   // blocks that share the chunks of a channel and a portion
};

// A chunk is a tile of ROWS rows of a channel.
static struct plan plan_for(struct dwconv_shape s)
{
    int taps = min(s.K, s.L); // later ones meet no x
    int portions = (taps - 1) / TILE + 1;
    int chunks = ((s.B - 1) / ROWS + 1) * ((s.L - 1) / TILE + 1);
    int room = max(GRID / portions / s.H, 1);

    return (struct plan){portions, min(chunks, min(room, (int)ADDERS))};
}

// Where quad q of a row stands in the tile: as in chapter 07.
static __device__ int place(int row, int q)
{
    return row * TILE + (q ^ (row / 2 % 4)) * 4;
}

// Copies columns [first, first + TILE) of the rows (b0, h) ... (b0 + 31, h)
// into the tile, zeros where there are none.
static __device__ void stage(float *tile, const float *from, int b0, int h,
                             unsigned first, struct dwconv_shape s)
{
    int lane = threadIdx.x % LANES;
    int rows = min(s.B - b0, (int)LANES); // may be negative in the last block

    __syncwarp(); // all lanes have read what the tile held before
    if (s.L % 4 == 0) {
#pragma unroll 6
        for (int i = 0; i < QUADS; i++) {
            int slot = i % TURN * LANES + lane, q = slot % QUADS;
            int row = i / TURN * TURN_ROWS + slot / QUADS;
            unsigned column = first + q * 4;
            float4 four = {0.0f, 0.0f, 0.0f, 0.0f};

            if (row < rows && column < s.L)
                four = *(const float4 *)(from + ((b0 + row) * s.H + h) * s.L +
                                         column);
            *(float4 *)(tile + place(row, q)) = four;
        }
    } else { // rows begin at any float: one at a time
#pragma unroll 12
        for (int i = 0; i < TILE; i++) {
            int slot = i % TURN * LANES + lane, c = slot % TILE;
            int row = i / TURN * (TURN_ROWS / 4) + slot / TILE;
            float one = 0.0f;

            if (row < rows && first + c < s.L)
                one = from[((b0 + row) * s.H + h) * s.L + first + c];
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

static __device__ void add(float *sum, float *excess, float part)
{
    float next = part - *excess, old = *sum; // what rounding added, taken off

    *sum = old + next;
    *excess = (*sum - old) - next;
}

//> todo kernel (about 69 lines)
enum {
    THREADS = 256, // per block
    TIMES = 64,    // products added up before they join the sum
    SLICE = 16,    // batches a thread sums, at least
    MOST = 1024    // slices: with more atomics per cell their rounding shows
};

static int slices_for(struct dwconv_shape s)
{
    return min((s.B - 1) / SLICE + 1, (int)MOST);
}

static __global__ void weight_grad(const float *dy, const float *x, float *dw,
                                   struct dwconv_shape s, int slices)
{
    unsigned n = s.H * s.K;
    unsigned blocks = (n + THREADS - 1) / THREADS; // of a slice
    unsigned i = blockIdx.x % blocks * THREADS + threadIdx.x;
    int slice = blockIdx.x / blocks;

    if (i >= n) // the last block of a slice has threads to spare
        return;

    int k = i % s.K; // neighbouring threads, neighbouring taps
    int h = i / s.K;

    float sum = 0.0f, excess = 0.0f; // what rounding added to the sum

    for (long long b = slice; b < s.B; b += slices) {
        int row = (b * s.H + h) * s.L; // where dy[b,h,0] and x[b,h,0] stand

        for (int first = 0; first < s.L; first += TIMES) {
            float part = 0.0f;

            for (int t = first; t < min(s.L, first + TIMES); t++)
                if (k <= t) // x begins at time 0
                    part += dy[row + t] * x[row + t - k];

            float next = part - excess, old = sum;

            sum = old + next;
            excess = (sum - old) - next;
        }
    }
    atomicAdd(&dw[h * s.K + k], sum); // others add to this cell as well
}
//< todo

size_t dwconv_weight_grad_workspace(struct dwconv_shape shape)
{
    //> todo workspace (about 2 lines)
    (void)shape;
    return 0;
    //< todo
}

cudaError_t dwconv_weight_grad(const float *dy, const float *x, float *dw,
                               struct dwconv_shape shape, void *workspace,
                               cudaStream_t stream)
{
    //> todo launch (about 7 lines)
    (void)workspace;
    unsigned n = shape.H * shape.K;
    unsigned blocks = (n + THREADS - 1) / THREADS;
    int slices = slices_for(shape);

    cudaMemsetAsync(dw, 0, sizeof(float) * n, stream); // the sums start at 0
    weight_grad<<<blocks * slices, THREADS, 0, stream>>>(dy, x, dw, shape,
                                                         slices);
    //< todo
    return cudaGetLastError();
}
