// SPDX-License-Identifier: MIT
// Stage 08, depthwise convolution, weight gradient, step 5 of 5: two passes.
// New: partial sums have places of their own; a second kernel adds them up.
// Since step 4: no atomics, one order; all of a chunk's loads under way.
// Counter: global_atomics fall to 0.

#include "op/dwconv.h"

// Chapter 07's tile: a warp stages 32 rows of a channel, a lane owns one.
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

//> todo plan (about 26 lines)
enum {
    BLOCKS = 3, // per multiprocessor: as many as the registers allow
    WAVES = 2   // of blocks that run at a time
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
    int device = 0, multiprocessors = 1;

    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount,
                           device);

    int enough = max(WAVES * multiprocessors * BLOCKS / portions / s.H, 1);

    return (struct plan){portions, min(chunks, enough)};
}
//< todo

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

// Stages x from column s0 and dy from t0 on: all 2 x QUADS loads of a lane are
// under way before the first is waited for. The registers are there: between
// two chunks a lane has no sums.
static __device__ void stage_both(float *x_tile, const float *x, unsigned s0,
                                  float *dy_tile, const float *dy, unsigned t0,
                                  int b0, int h, struct dwconv_shape s)
{
    const float4 zero = {0.0f, 0.0f, 0.0f, 0.0f};
    int lane = threadIdx.x % LANES;
    int rows = min(s.B - b0, (int)LANES);
    float4 from_x[QUADS], from_dy[QUADS];

    if (s.L % 4 != 0) {
        stage(x_tile, x, b0, h, s0, s);
        stage(dy_tile, dy, b0, h, t0, s);
        return;
    }
    __syncwarp(); // all lanes have read what the tiles held before
#pragma unroll
    for (int i = 0; i < QUADS; i++) {
        int slot = i % TURN * LANES + lane, c = slot % QUADS * 4;
        int row = i / TURN * TURN_ROWS + slot / QUADS;
        unsigned begin = ((unsigned)(b0 + row) * s.H + h) * s.L;
        const float4 *at_x = (const float4 *)(x + begin + s0 + c);
        const float4 *at_dy = (const float4 *)(dy + begin + t0 + c);

        from_x[i] = row < rows && s0 + c < s.L ? *at_x : zero;
        from_dy[i] = row < rows && t0 + c < s.L ? *at_dy : zero;
    }
#pragma unroll
    for (int i = 0; i < QUADS; i++) {
        int slot = i % TURN * LANES + lane, q = slot % QUADS;
        int row = i / TURN * TURN_ROWS + slot / QUADS;

        *(float4 *)(x_tile + place(row, q)) = from_x[i];
        *(float4 *)(dy_tile + place(row, q)) = from_dy[i];
    }
    __syncwarp(); // the tiles are full: lanes may read each other's pieces
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

//> todo sums (about 53 lines)
enum { WIDE = 16 }; // floats of x in registers at a time

// Adds up the products of x and of dy at the same TILE time steps: tap t - s,
// s <= t. WIDE floats of x are in registers at a time.
static __device__ void add_own(float *sum, const float *x_tile,
                               const float *dy_tile)
{
#pragma unroll
    for (int s0 = 0; s0 < TILE; s0 += WIDE) {
        float x[WIDE];

#pragma unroll
        for (int i = 0; i < WIDE; i += 4)
            get(x_tile, (s0 + i) / 4, x + i);
#pragma unroll
        for (int t = s0; t < TILE; t += 4) {
            float dy[4];

            get(dy_tile, t / 4, dy);
#pragma unroll
            for (int j = 0; j < 4; j++)
#pragma unroll
                for (int s = s0; s < s0 + WIDE && s <= t + j; s++)
                    sum[t + j - s] += dy[j] * x[s - s0];
        }
    }
}

// The same with dy at the TILE time steps after: tap t - s + TILE, s > t.
static __device__ void add_after(float *sum, const float *x_tile,
                                 const float *dy_tile)
{
#pragma unroll
    for (int s0 = 0; s0 < TILE; s0 += WIDE) {
        float x[WIDE];

#pragma unroll
        for (int i = 0; i < WIDE; i += 4)
            get(x_tile, (s0 + i) / 4, x + i);
#pragma unroll
        for (int t = 0; t < s0 + WIDE; t += 4) {
            float dy[4];

            get(dy_tile, t / 4, dy);
#pragma unroll
            for (int j = 0; j < 4; j++)
#pragma unroll
                for (int s = s0; s < s0 + WIDE; s++)
                    if (s > t + j)
                        sum[t + j - s + TILE] += dy[j] * x[s - s0];
        }
    }
}
//< todo

static __device__ void add(float *sum, float *excess, float part)
{
    float next = part - *excess, old = *sum; // what rounding added, taken off

    *sum = old + next;
    *excess = (*sum - old) - next;
}

//> todo kernel (about 106 lines)
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
    partial(const float *dy, const float *x, float *sums,
            struct dwconv_shape s, struct plan plan)
{
    __shared__ __align__(16) float x_tiles[WARPS][LANES * TILE];
    __shared__ __align__(16) float dy_tiles[WARPS][LANES * TILE];

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
        float *x_tile = x_tiles[warp], *dy_tile = dy_tiles[warp];
        float sum[TILE] = {0.0f};

        if (b0 >= s.B) // the last chunk of a column may lack rows
            continue;
        stage_both(x_tile, x, s0, dy_tile, dy, s0 + first, b0, h, s);
        add_own(sum, x_tile, dy_tile);
        if (s.L - s0 - first > TILE) {
            stage(dy_tile, dy, b0, h, s0 + first + TILE, s);
            add_after(sum, x_tile, dy_tile);
        }
        fold(sum);
#pragma unroll
        for (int i = 0; i < OWN; i++)
            add(&total[i], &excess[i], sum[i]);
    }

    int k = first + own_tap(lane), taps = min(s.K, s.L);
    int parts = plan.slices * WARPS, part = slice * WARPS + warp;

#pragma unroll
    for (int i = 0; i < OWN; i++)
        if (lane % 2 == 0 && k + i < taps)
            sums[(size_t)(h * taps + k + i) * parts + part] = total[i];
}

// The second pass: a warp adds up a cell's partial sums, always in one order.
static __global__ void total(const float *sums, float *dw,
                             struct dwconv_shape s, int parts)
{
    int lane = threadIdx.x % LANES;
    unsigned cell = blockIdx.x * WARPS + threadIdx.x / LANES;

    if (cell >= (unsigned)s.H * s.K)
        return;

    int h = cell / s.K, k = cell % s.K, taps = min(s.K, s.L);
    float sum = 0.0f, excess = 0.0f;

    if (k < taps) // later taps meet no x
        for (int i = lane; i < parts; i += LANES)
            add(&sum, &excess, sums[(size_t)(h * taps + k) * parts + i]);
    for (int bit = LANES / 2; bit > 0; bit /= 2)
        sum += __shfl_xor_sync(ALL_LANES, sum, bit);
    if (lane == 0)
        dw[cell] = sum;
}
//< todo

size_t dwconv_weight_grad_workspace(struct dwconv_shape shape)
{
    //> todo workspace (about 4 lines)
    struct plan plan = plan_for(shape);
    size_t cells = (size_t)shape.H * min(shape.K, shape.L);

    return sizeof(float) * cells * plan.slices * WARPS;
    //< todo
}

cudaError_t dwconv_weight_grad(const float *dy, const float *x, float *dw,
                               struct dwconv_shape shape, void *workspace,
                               cudaStream_t stream)
{
    //> todo launch (about 8 lines)
    struct plan plan = plan_for(shape);
    unsigned blocks = shape.H * plan.portions * plan.slices;
    unsigned cells = shape.H * shape.K;
    float *sums = (float *)workspace;

    partial<<<blocks, THREADS, 0, stream>>>(dy, x, sums, shape, plan);
    total<<<(cells + WARPS - 1) / WARPS, THREADS, 0, stream>>>(
        sums, dw, shape, plan.slices * WARPS);
    //< todo
    return cudaGetLastError();
}
