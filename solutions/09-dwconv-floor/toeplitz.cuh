// SPDX-License-Identifier: MIT
/*
 * toeplitz.cuh: a long depthwise convolution as products of blocked Toeplitz
 * matrices, on tensor cores. Forward path; needs sm_80.
 *
 *   toeplitz_forward<1>   inputs rounded to tf32: |error| <= 2^-10 sum|terms|
 *   toeplitz_forward<3>   each input as the sum of two tf32 numbers, three
 *                         products: fp32's accuracy, a third of the rate
 *
 * A channel's rows, as columns, form a matrix X (time, rows); its outputs are
 * T X, where T (time, time) holds w[t - s] at (t, s): the same along each
 * diagonal, zeros above the first. mma.sync multiplies 16 x 8 blocks of T with
 * 8 x 8 blocks of X. T is never stored: a lane takes its elements of a block
 * straight from the taps.
 *
 * The hard idea: of the block one step of 8 further on, a lane's elements are
 * those of this block, 8 taps on: two of its four it has already. So a column
 * of blocks costs two loads per block, and 16 outputs x 8 rows of sums.
 */
#ifndef WB_TOEPLITZ_CUH
#define WB_TOEPLITZ_CUH

#include "op/dwconv_long_tile.cuh"

enum {
    TOEPLITZ_M = 16, // outputs of a block of T
    TOEPLITZ_N = 8,  // rows of x, and cells of time, of a block of X
    TOEPLITZ_DOWN = 4,   // blocks of T a warp has one below the other
    TOEPLITZ_RIGHT = 2,  // blocks of X a warp has side by side
    TOEPLITZ_ROWS = 32,  // of x, a block of threads
    TOEPLITZ_CHUNK = 64, // cells of time that arrive at a time
    TOEPLITZ_STEPS = TOEPLITZ_CHUNK / TOEPLITZ_N,
    TOEPLITZ_BESIDE = TOEPLITZ_ROWS / (TOEPLITZ_RIGHT * TOEPLITZ_N), // warps
    TOEPLITZ_TALL = TOEPLITZ_DOWN * TOEPLITZ_M, // outputs of a warp
    TOEPLITZ_TILE = LONG_WARPS / TOEPLITZ_BESIDE * TOEPLITZ_TALL,
    TOEPLITZ_TAPS = TOEPLITZ_TILE + TOEPLITZ_CHUNK, // a chunk meets
    TOEPLITZ_PITCH = TOEPLITZ_CHUNK + 4 // lanes of a load in 32 banks
};

struct toeplitz_memory {
    float x[2][TOEPLITZ_ROWS * TOEPLITZ_PITCH];
    float w[2][TOEPLITZ_TAPS];
};

// Rounded to tf32, and what the rounding left, rounded too.
struct toeplitz_pair {
    unsigned high, low;
};

static __device__ unsigned toeplitz_round(float value)
{
    unsigned bits;

    asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(value));
    return bits;
}

template <int PRODUCTS>
static __device__ struct toeplitz_pair toeplitz_split(float value)
{
    struct toeplitz_pair pair = {toeplitz_round(value), 0};

    if (PRODUCTS > 1)
        pair.low = toeplitz_round(value - __uint_as_float(pair.high));
    return pair;
}

static __device__ void toeplitz_mma(float *sum, const unsigned *a,
                                    const unsigned *b)
{
    asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 "
        "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

// Brings the cells of time [chunk, chunk + TOEPLITZ_CHUNK) of all rows, and
// the taps between them and the outputs from `first` on.
static __device__ void toeplitz_bring(struct toeplitz_memory *memory, int to,
                                      const float *x, const float *w,
                                      struct dwconv_shape s, int rows,
                                      int first, int chunk)
{
    const int quads = TOEPLITZ_CHUNK / LONG_QUAD;
    int oldest = first - chunk - TOEPLITZ_CHUNK; // tap

    for (int i = threadIdx.x; i < TOEPLITZ_ROWS * quads; i += LONG_THREADS) {
        int row = i / quads, c = i % quads * LONG_QUAD;

        long_bring(memory->x[to] + row * TOEPLITZ_PITCH + c,
                   x + (row < rows ? (size_t)row * s.H * s.L : 0), chunk + c,
                   s.L, row < rows);
    }
    for (int i = threadIdx.x; i < TOEPLITZ_TAPS; i += LONG_THREADS) {
        bool none = oldest + i < 0 || oldest + i >= s.K;

        __pipeline_memcpy_async(memory->w[to] + i, w + (none ? 0 : oldest + i),
                                sizeof(float), none ? sizeof(float) : 0);
    }
    __pipeline_commit();
}

// One chunk: TOEPLITZ_STEPS columns of blocks. `w` points at the tap that the
// lane's first element needs at the first step, `x` at its element of X.
template <int PRODUCTS>
static __device__ void
toeplitz_chunk(float (*sum)[TOEPLITZ_RIGHT][4], const float *w, const float *x)
{
#pragma unroll
    for (int step = 0; step < TOEPLITZ_STEPS; step++) {
        struct toeplitz_pair b[TOEPLITZ_RIGHT][2];

#pragma unroll
        for (int n = 0; n < TOEPLITZ_RIGHT; n++)
#pragma unroll
            for (int i = 0; i < 2; i++)
                b[n][i] = toeplitz_split<PRODUCTS>(
                    x[n * TOEPLITZ_N * TOEPLITZ_PITCH + step * TOEPLITZ_N +
                      i * 4]);
#pragma unroll
        for (int m = 0; m < TOEPLITZ_DOWN; m++) {
            unsigned high[4], low[4];

#pragma unroll
            for (int i = 0; i < 4; i++) { // rows 0, 8, then 4 cells later
                struct toeplitz_pair a = toeplitz_split<PRODUCTS>(
                    w[m * TOEPLITZ_M - step * TOEPLITZ_N + i % 2 * 8 -
                      i / 2 * 4]);

                high[i] = a.high;
                low[i] = a.low;
            }
#pragma unroll
            for (int n = 0; n < TOEPLITZ_RIGHT; n++) {
                unsigned b_high[2] = {b[n][0].high, b[n][1].high};
                unsigned b_low[2] = {b[n][0].low, b[n][1].low};

                if (PRODUCTS > 1) { // the small ones first
                    toeplitz_mma(sum[m][n], high, b_low);
                    toeplitz_mma(sum[m][n], low, b_high);
                }
                toeplitz_mma(sum[m][n], high, b_high);
            }
        }
    }
}

template <int PRODUCTS>
static __global__ void __launch_bounds__(LONG_THREADS, PRODUCTS > 1 ? 1 : 2)
    toeplitz(const float *x, const float *w, float *y, struct dwconv_shape s,
             int tiles)
{
    __shared__ __align__(16) struct toeplitz_memory memory;

    int sets = (s.B - 1) / TOEPLITZ_ROWS + 1;
    int tile = tiles - 1 - blockIdx.x % tiles; // the longest first
    int set = blockIdx.x / tiles % sets, h = blockIdx.x / tiles / sets;
    int warp = threadIdx.x / LONG_LANES, lane = threadIdx.x % LONG_LANES;
    int first = tile * TOEPLITZ_TILE;
    int down = warp / TOEPLITZ_BESIDE * TOEPLITZ_TALL; // the warp's place
    int right = warp % TOEPLITZ_BESIDE * TOEPLITZ_RIGHT * TOEPLITZ_N;
    int group = lane / 4, member = lane % 4; // as mma.sync deals out blocks
    int rows = min(s.B - set * TOEPLITZ_ROWS, TOEPLITZ_ROWS);
    int last = min(first + TOEPLITZ_TILE, s.L) - 1;
    int from = max(0, first - s.K + 1) / TOEPLITZ_CHUNK, to;
    float sum[TOEPLITZ_DOWN][TOEPLITZ_RIGHT][4] = {};
    float total[TOEPLITZ_DOWN][TOEPLITZ_RIGHT][4] = {};

    x += ((size_t)set * TOEPLITZ_ROWS * s.H + h) * s.L;
    y += ((size_t)set * TOEPLITZ_ROWS * s.H + h) * s.L;
    w += (size_t)h * s.K;
    to = last / TOEPLITZ_CHUNK;
    toeplitz_bring(&memory, from % 2, x, w, s, rows, first,
                   from * TOEPLITZ_CHUNK);
    for (int c = from; c <= to; c++) {
        __pipeline_wait_prior(0);
        __syncthreads(); // this chunk is there, the last one's place is free
        if (c < to)
            toeplitz_bring(&memory, (c + 1) % 2, x, w, s, rows, first,
                           (c + 1) * TOEPLITZ_CHUNK);
        if (c * TOEPLITZ_CHUNK >= first + down + TOEPLITZ_TALL)
            continue; // later than all outputs of the warp
        toeplitz_chunk<PRODUCTS>(
            sum, memory.w[c % 2] + TOEPLITZ_CHUNK + down + group - member,
            memory.x[c % 2] + (right + group) * TOEPLITZ_PITCH + member);
#pragma unroll
        for (int i = 0; i < TOEPLITZ_DOWN * TOEPLITZ_RIGHT * 4; i++) {
            (&total[0][0][0])[i] += (&sum[0][0][0])[i];
            (&sum[0][0][0])[i] = 0.0f;
        }
    }
#pragma unroll
    for (int m = 0; m < TOEPLITZ_DOWN; m++)
#pragma unroll
        for (int n = 0; n < TOEPLITZ_RIGHT; n++)
#pragma unroll
            for (int i = 0; i < 4; i++) {
                int t = first + down + m * TOEPLITZ_M + group + i / 2 * 8;
                int row = right + n * TOEPLITZ_N + member * 2 + i % 2;

                if (t < s.L && row < rows)
                    y[(size_t)row * s.H * s.L + t] = total[m][n][i];
            }
}

// As dwconv_forward of dwconv.h, without a workspace.
template <int PRODUCTS>
static cudaError_t toeplitz_forward(const float *x, const float *w, float *y,
                                    struct dwconv_shape s, cudaStream_t stream)
{
    int tiles = (s.L - 1) / TOEPLITZ_TILE + 1;
    int sets = (s.B - 1) / TOEPLITZ_ROWS + 1;

    toeplitz<PRODUCTS><<<(unsigned)tiles * sets * s.H, LONG_THREADS, 0,
                         stream>>>(x, w, y, s, tiles);
    return cudaGetLastError();
}

#endif
