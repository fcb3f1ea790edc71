// SPDX-License-Identifier: MIT
// Small tiles, for a dispatcher: C has few cells, or few columns.
// New: a warp has a whole tile of 32 x 32 cells in registers, and every
// WARPS-th unit of k; a block's warps, and several blocks, share a tile's k.
// Before: 15/split and 15/gemm, whose tiles have 64 x 128 cells and more.
// Counter: flops_over_useful falls where C is smaller than those tiles.

#include <cuda_pipeline_primitives.h>

#include "op/gemm.h"

enum {
    TM = 4, // rows per thread, DOWN apart
    TN = 8, // columns: fours, 4 * ACROSS apart
    LANES = 32,
    DOWN = 8, // lanes of a warp, one below the other
    ACROSS = LANES / DOWN,
    HIGH = DOWN * TM,   // rows of C per block
    WIDE = ACROSS * TN, // columns
    UNIT = 8,           // of k on chip at a time
    PITCH = UNIT + 4,   // of A on chip: fours of 8 rows lie in 32 banks
    WARPS = 8,          // that share k
    THREADS = WARPS * LANES,
    SLOTS = 3, // units on chip per warp: one in use, the others coming
    SLOT = HIGH * PITCH + UNIT * WIDE, // floats: of A, then of B
    RING = WARPS * SLOTS * SLOT,
    SUM_PITCH = WIDE + 4, // 8 rows of sums lie in 32 banks
    SUMS = WARPS * HIGH * SUM_PITCH, // which take the ring's place
    ON_CHIP = (RING > SUMS ? RING : SUMS) * sizeof(float), // bytes
    BLOCKS = 2,      // per multiprocessor
    MOST_PARTS = 16, // more cost the last block more than they save
    TICKETS = 1024
};

#include "sweep/tickets.cuh"

// What an access of 16 bytes is right for: all rows begin on 16 bytes, and hold
// fours and nothing else.
struct fours {
    bool a, b, c;
};

static __device__ void get(float *four, const float *from)
{
    float4 v = *(const float4 *)from;

    four[0] = v.x;
    four[1] = v.y;
    four[2] = v.z;
    four[3] = v.w;
}

static __device__ void copy(float *to, const float *from, bool exists)
{
    __pipeline_memcpy_async(to, from, sizeof(float),
                            exists ? 0 : sizeof(float));
}

static __device__ void copy_four(float *to, const float *from, bool exists)
{
    __pipeline_memcpy_async(to, from, sizeof(float4),
                            exists ? 0 : sizeof(float4));
}

// Starts the copies of UNIT values of k, from `first` on, into a slot: of HIGH
// rows of A and WIDE columns of B, with zeros where the matrices or k end.
static __device__ __forceinline__ void
copy_unit(float *slot, const float *A, const float *B, struct gemm_shape s,
          int row0, int col0, int first, int end, struct fours fours)
{
    int lane = threadIdx.x % LANES;
    float *b_slot = slot + HIGH * PITCH;

    if (fours.a)
        for (int e = lane * 4; e < HIGH * UNIT; e += LANES * 4) {
            int m = e / UNIT, k = first + e % UNIT;

            copy_four(slot + m * PITCH + e % UNIT,
                      A + (size_t)(row0 + m) * s.lda + k,
                      row0 + m < s.M && k < end);
        }
    else
        for (int e = lane; e < HIGH * UNIT; e += LANES) {
            int m = e / UNIT, k = first + e % UNIT;

            copy(slot + m * PITCH + e % UNIT,
                 A + (size_t)(row0 + m) * s.lda + k,
                 row0 + m < s.M && k < end);
        }
    if (fours.b)
        for (int e = lane * 4; e < UNIT * WIDE; e += LANES * 4) {
            int k = first + e / WIDE, n = col0 + e % WIDE;

            copy_four(b_slot + e, B + (size_t)k * s.ldb + n,
                      k < end && n < s.N);
        }
    else
        for (int e = lane; e < UNIT * WIDE; e += LANES) {
            int k = first + e / WIDE, n = col0 + e % WIDE;

            copy(b_slot + e, B + (size_t)k * s.ldb + n, k < end && n < s.N);
        }
    __pipeline_commit();
}

// A lane's rows are `row`, row + DOWN, ...; its columns four from `col` on, and
// four of every 4 * ACROSS.
static __device__ __forceinline__ void multiply_unit(float (*sum)[TN],
                                                     const float *slot,
                                                     int row, int col)
{
    const float *b_slot = slot + HIGH * PITCH + col;
    float a[TM][4], b[TN];

#pragma unroll
    for (int k = 0; k < UNIT; k++) {
        if (k % 4 == 0)
            for (int i = 0; i < TM; i++)
                get(a[i], slot + (row + i * DOWN) * PITCH + k);
#pragma unroll
        for (int j = 0; j < TN; j += 4)
            get(b + j, b_slot + k * WIDE + j * ACROSS);
#pragma unroll
        for (int i = 0; i < TM; i++)
#pragma unroll
            for (int j = 0; j < TN; j++)
                sum[i][j] += a[i][k % 4] * b[j];
    }
}

// The sum of n fours, `apart` floats from one to the next, in their order.
static __device__ float4 add_fours(const float *from, int n, int apart)
{
    float4 sum = {0.0f, 0.0f, 0.0f, 0.0f};

#pragma unroll 8
    for (int i = 0; i < n; i++) {
        float4 v = *(const float4 *)(from + (size_t)i * apart);

        sum.x += v.x;
        sum.y += v.y;
        sum.z += v.z;
        sum.w += v.w;
    }
    return sum;
}

// Four neighbours of a row of C, of which the first `count` exist.
static __device__ void put(float *c, float4 v, int count, float alpha,
                           float beta, bool wide)
{
    float sum[4] = {alpha * v.x, alpha * v.y, alpha * v.z, alpha * v.w};

    for (int e = 0; e < 4; e++)
        if (e < count && beta != 0.0f)
            sum[e] += beta * c[e];
    if (wide && count >= 4)
        *(float4 *)c = make_float4(sum[0], sum[1], sum[2], sum[3]);
    else
        for (int e = 0; e < 4; e++)
            if (e < count)
                c[e] = sum[e];
}

// A tile has `parts` blocks, each with its part of k.
static __global__ void __launch_bounds__(THREADS, BLOCKS)
    gemm(const float *A, const float *B, float *C, struct gemm_shape s,
         float alpha, float beta, struct fours fours, int parts, float *partial)
{
    extern __shared__ __align__(16) float on_chip[]; // ON_CHIP bytes
    int across = (s.N - 1) / WIDE + 1, units = (s.K - 1) / UNIT + 1;
    int tile = blockIdx.x / parts, part = blockIdx.x % parts;
    int row0 = tile / across * HIGH, col0 = tile % across * WIDE;
    int warp = threadIdx.x / LANES, lane = threadIdx.x % LANES;
    int row = lane % DOWN, col = lane / DOWN * 4;
    int from = (int)((long long)units * part / parts);
    int end = min((int)((long long)units * (part + 1) / parts) * UNIT, s.K);
    float *ring = on_chip + warp * SLOTS * SLOT, *mine, sum[TM][TN] = {{0.0f}};
    int now = 0, k = (from + warp) * UNIT;

    for (int i = 0; i < SLOTS - 1; i++)
        copy_unit(ring + i * SLOT, A, B, s, row0, col0, k + i * WARPS * UNIT,
                  end, fours);
    for (; k < end; k += WARPS * UNIT) {
        __pipeline_wait_prior(SLOTS - 2);
        __syncwarp(); // all lanes' copies are there; the free slot is read
        copy_unit(ring + (now + SLOTS - 1) % SLOTS * SLOT, A, B, s, row0, col0,
                  k + (SLOTS - 1) * WARPS * UNIT, end, fours);
        multiply_unit(sum, ring + now * SLOT, row, col);
        now = (now + 1) % SLOTS;
    }
    __pipeline_wait_prior(0);
    __syncthreads(); // no ring is in use any more: the sums take their place
    mine = on_chip + (warp * HIGH + row) * SUM_PITCH + col;
#pragma unroll
    for (int i = 0; i < TM; i++)
#pragma unroll
        for (int j = 0; j < TN; j += 4)
            *(float4 *)(mine + i * DOWN * SUM_PITCH + j * ACROSS) =
                make_float4(sum[i][j], sum[i][j + 1], sum[i][j + 2],
                            sum[i][j + 3]);
    __syncthreads(); // all warps' sums are stored
    partial += (size_t)blockIdx.x * HIGH * WIDE;
    if (parts > 1) {
        for (int at = threadIdx.x * 4; at < HIGH * WIDE; at += THREADS * 4)
            *(float4 *)(partial + at) =
                add_fours(on_chip + at / WIDE * SUM_PITCH + at % WIDE, WARPS,
                          HIGH * SUM_PITCH);
        if (!is_last(tile, parts))
            return;
        partial -= (size_t)part * HIGH * WIDE;
    }
    for (int at = threadIdx.x * 4; at < HIGH * WIDE; at += THREADS * 4) {
        int m = row0 + at / WIDE, n = col0 + at % WIDE;
        float4 all = parts > 1
                         ? add_fours(partial + at, parts, HIGH * WIDE)
                         : add_fours(on_chip + at / WIDE * SUM_PITCH +
                                         at % WIDE, WARPS, HIGH * SUM_PITCH);

        if (m < s.M)
            put(C + (size_t)m * s.ldc + n, all, s.N - n, alpha, beta, fours.c);
    }
}

static long long tiles_of(struct gemm_shape s)
{
    return ((s.M - 1) / HIGH + 1) * (long long)((s.N - 1) / WIDE + 1);
}

// Each part has a few units per warp at least.
static int parts_of(struct gemm_shape s)
{
    int most = min(MOST_PARTS, s.K / (2 * WARPS * UNIT));

    return parts_for(tiles_of(s), BLOCKS, most);
}

size_t gemm_f32_workspace(struct gemm_shape shape)
{
    int parts = parts_of(shape);
    size_t cells = (size_t)tiles_of(shape) * HIGH * WIDE;

    return parts > 1 ? sizeof(float) * parts * cells : 0;
}

cudaError_t gemm_f32(const float *A, const float *B, float *C,
                     struct gemm_shape shape, float alpha, float beta,
                     void *workspace, cudaStream_t stream)
{
    int parts = parts_of(shape);
    struct fours fours = {
        ((size_t)A | 4 * (size_t)(shape.K | shape.lda)) % 16 == 0,
        ((size_t)B | 4 * (size_t)(shape.N | shape.ldb)) % 16 == 0,
        ((size_t)C | 4 * (size_t)(shape.N | shape.ldc)) % 16 == 0};

    cudaFuncSetAttribute(gemm, cudaFuncAttributeMaxDynamicSharedMemorySize,
                         ON_CHIP);
    gemm<<<(unsigned)(tiles_of(shape) * parts), THREADS, ON_CHIP, stream>>>(
        A, B, C, shape, alpha, beta, fours, parts, (float *)workspace);
    return cudaGetLastError();
}
