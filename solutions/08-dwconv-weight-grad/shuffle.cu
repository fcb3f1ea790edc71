// SPDX-License-Identifier: MIT
// Stage 08, depthwise convolution, weight gradient, step 3 of 5: shuffle.
// New: the sums of a warp's 32 rows meet in registers, by shuffles.
// Since step 2: no barrier, no shared memory for sums.
// Counter: barriers fall to 0.

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

//> todo kernel (about 85 lines)
enum {
    THREADS = ROWS, // one per row
    OWN = TILE / 16 // taps that a pair of lanes is left with
};
static_assert(TILE % 16 == 0, "fold() halves it four times");

// One step of the fold: a lane gives its partner, `bit` lanes on, one half of
// its 2 * half sums, and adds what it is given to the other.
static __device__ void meet(float *sum, int half, int bit)
{
    bool upper = threadIdx.x & bit;

#pragma unroll
    for (int i = 0; i < half; i++) {
        float give = upper ? sum[i] : sum[half + i];
        float keep = upper ? sum[half + i] : sum[i];

        sum[i] = keep + __shfl_xor_sync(ALL_LANES, give, bit);
    }
}

// Adds up the sums of all lanes: lanes 2n and 2n + 1 are left with those of
// OWN taps, from own_tap() on.
static __device__ void fold(float *sum)
{
    meet(sum, TILE / 2, 16);
    meet(sum, TILE / 4, 8);
    meet(sum, TILE / 8, 4);
    meet(sum, TILE / 16, 2);
#pragma unroll
    for (int i = 0; i < OWN; i++)
        sum[i] += __shfl_xor_sync(ALL_LANES, sum[i], 1);
}

static __device__ int own_tap(int lane)
{
    return (lane / 16 % 2 * 8 + lane / 8 % 2 * 4 + lane / 4 % 2 * 2 +
            lane / 2 % 2) * OWN;
}

// A block owns a channel, a portion of the taps, and every slices-th chunk.
static __global__ void __launch_bounds__(THREADS, BLOCKS)
    weight_grad(const float *dy, const float *x, float *dw,
                struct dwconv_shape s, struct plan plan)
{
    __shared__ __align__(16) float tiles[WARPS][LANES * TILE];

    int warp = threadIdx.x / LANES, lane = threadIdx.x % LANES;
    int h = blockIdx.x % s.H;
    int first = blockIdx.x / s.H % plan.portions * TILE; // tap
    int slice = blockIdx.x / s.H / plan.portions;
    int columns = (s.L - first - 1) / TILE + 1; // tiles of a row that count
    int chunks = ((s.B - 1) / ROWS + 1) * columns;
    float total[OWN] = {0.0f}, excess[OWN] = {0.0f}; // from own_tap() on

    for (int c = slice; c < chunks; c += plan.slices) {
        int b0 = c / columns * ROWS + warp * LANES;
        int s0 = c % columns * TILE;
        float *tile = tiles[warp], xs[TILE], sum[TILE] = {0.0f};

        if (b0 >= s.B) // the last chunk of a column may lack rows
            continue;
        stage(tile, x, b0, h, s0, s);
#pragma unroll
        for (int q = 0; q < QUADS; q++)
            get(tile, q, xs + 4 * q);
        stage(tile, dy, b0, h, s0 + first, s);
        add_own(sum, xs, tile);
        if (s.L - s0 - first > TILE) {
            stage(tile, dy, b0, h, s0 + first + TILE, s);
            add_after(sum, xs, tile);
        }
        fold(sum);
#pragma unroll
        for (int i = 0; i < OWN; i++)
            add(&total[i], &excess[i], sum[i]);
    }

    int k = first + own_tap(lane);

#pragma unroll
    for (int i = 0; i < OWN; i++)
        if (lane % 2 == 0 && k + i < min(s.K, s.L))
            atomicAdd(&dw[h * s.K + k + i], total[i]); // so do other warps
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
    struct plan plan = plan_for(shape);
    unsigned blocks = shape.H * plan.portions * plan.slices;
    size_t bytes = sizeof(float) * shape.H * shape.K;

    cudaMemsetAsync(dw, 0, bytes, stream); // the sums start at 0
    weight_grad<<<blocks, THREADS, 0, stream>>>(dy, x, dw, shape, plan);
    //< todo
    return cudaGetLastError();
}
