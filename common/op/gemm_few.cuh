// SPDX-License-Identifier: MIT
/*
 * gemm_few.cuh: what a matrix product with few rows, or a small one, needs
 * besides its loop over k (chapter 15, step 7).
 *
 *   few_rows, few_parts, few_workspace   how a product is shared out
 *   few_launch   launches few_gemm, the kernel that is to be written
 *   few_copy     starts the copies of UNIT values of k into a warp's ring
 *   few_finish   adds up warps' sums and blocks' parts, and stores C
 *
 * A block has ROWS x WIDTH elements of C. Its warps share k, UNIT at a time,
 * and so may several blocks: the parts of a tile.
 *
 * The hard idea: the last block of a tile to end adds its parts up, whichever
 * block that is, always in their order: so results are the same each time, and
 * no second kernel is launched. It is the last if it draws the last ticket.
 */
#ifndef WB_GEMM_FEW_CUH
#define WB_GEMM_FEW_CUH

#include <cuda_pipeline_primitives.h>

#include "gemm.h"

enum {
    WIDTH = 128, // columns per block: four per lane
    UNIT = 4,    // of k
    FEW_WARPS = 8,
    FEW_THREADS = FEW_WARPS * 32,
    SLOTS = 4,      // units on chip per warp: one in use, the others coming
    MOST_PARTS = 8, // more cost the last block more than they save
    TICKETS = 1024, // tiles with parts: fewer than multiprocessors
    FEW_ROWS = 64,  // up to here rows are few
    SMALL = 1 << 27 // multiply-adds: up to here a product is small
};

template <int ROWS> struct few {
    enum {
        SLOT = UNIT * (WIDTH + ROWS),    // floats: of B, then of A
        RING = FEW_WARPS * SLOTS * SLOT, // of all warps
        SUMS = FEW_WARPS * ROWS * WIDTH, // which take their place
        ON_CHIP = (RING > SUMS ? RING : SUMS) * sizeof(float), // bytes
        BLOCKS = ROWS > 16 ? 1 : 2       // per multiprocessor
    };
};

static inline int few_room(void)
{
    int device = 0, room = 1;

    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&room, cudaDevAttrMultiProcessorCount, device);
    return room;
}

static inline int few_tiles(struct gemm_shape s, int rows)
{
    return ((s.M - 1) / rows + 1) * ((s.N - 1) / WIDTH + 1);
}

// Whether tiles of 32 rows fit on chip: their sums take 128 KiB, and GPUs of
// compute capability 8.6 and 8.9 have 99 per block.
static inline bool few_holds_32(void)
{
    int device = 0, bytes = 0;

    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin,
                           device);
    return bytes > (int)few<32>::ON_CHIP;
}

// Rows per tile; 0: neither are rows few, nor is the product small. Where one
// tile of 32 rows does not hold them all, such tiles still load B less often
// than those of 16, and are worth it if they, or their parts, give work to most
// multiprocessors.
static inline int few_rows(struct gemm_shape s)
{
    if (s.M > FEW_ROWS && (double)s.M * s.N * s.K > SMALL)
        return 0;
    if (s.M <= 16 || !few_holds_32())
        return s.M <= 8 ? 8 : 16;
    if (s.M <= 32)
        return 32;
    return few_tiles(s, 32) * max(1, s.K / 512) >= few_room() * 3 / 4 ? 32 : 16;
}

// As many as give each multiprocessor a block, and none without a unit.
static inline int few_parts(struct gemm_shape s, int rows)
{
    int most = min(MOST_PARTS, (s.K - 1) / UNIT + 1);

    return max(1, min(most, min(few_room(), TICKETS) / few_tiles(s, rows)));
}

// Bytes.
static inline size_t few_workspace(struct gemm_shape s)
{
    int rows = few_rows(s), parts = few_parts(s, rows);

    return parts == 1 ? 0
                      : (size_t)few_tiles(s, rows) * parts * rows * WIDTH *
                            sizeof(float);
}

// Starts the copies of a unit into a slot: four columns of B per lane from
// `col` on, and ROWS rows of A; zeros where the matrices end. From `end` on
// there is nothing to copy. One group of copies in any case.
template <int ROWS>
static __device__ __forceinline__ void
few_copy(float *slot, const float *A, const float *B, struct gemm_shape s,
         int row0, int col, int unit, int end, bool wide)
{
    int lane = threadIdx.x % 32, first = unit * UNIT;

#pragma unroll
    for (int k = 0; k < UNIT; k++) {
        float *to = slot + k * WIDTH + lane * 4;
        const float *from = B + (size_t)(first + k) * s.ldb + col;
        int count = unit < end && first + k < s.K ? s.N - col : 0;

        if (wide)
            __pipeline_memcpy_async(to, from, sizeof(float4),
                                    count > 0 ? 0 : sizeof(float4));
        else
            for (int e = 0; e < 4; e++)
                __pipeline_memcpy_async(to + e, from + e, sizeof(float),
                                        e < count ? 0 : sizeof(float));
    }
#pragma unroll
    for (int e = lane; e < ROWS * UNIT; e += 32) {
        int row = row0 + e / UNIT, k = first + e % UNIT;
        bool there = unit < end && row < s.M && k < s.K;

        __pipeline_memcpy_async(slot + UNIT * WIDTH + e,
                                A + (size_t)row * s.lda + k, sizeof(float),
                                there ? 0 : sizeof(float));
    }
    __pipeline_commit();
}

// How many parts of a tile have arrived. The last one makes it 0 again; so one
// launch at a time: two at once would share it.
static __device__ unsigned tickets[TICKETS];

// Whether this block is the last of a tile's to come here. If so, it may read
// what the others stored before.
static __device__ bool few_is_last(int tile, int parts)
{
    __shared__ bool last;

    __threadfence(); // this thread's part is stored before its block counts
    __syncthreads(); // and everybody's is
    if (threadIdx.x == 0)
        last = atomicInc(&tickets[tile], parts - 1) == parts - 1;
    __syncthreads(); // all know
    __threadfence(); // no other part is read before
    return last;
}

// The sum of n fours, `apart` floats from one to the next, in their order.
static __device__ float4 few_add(const float *from, int n, int apart)
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
static __device__ void few_put(float *c, float4 v, int count, float alpha,
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

// sums: ROWS x WIDTH of each warp, on chip, where this thread's are stored.
// partial: as many floats of each block.
template <int ROWS>
static __device__ void few_finish(const float *sums, float *C,
                                  struct gemm_shape s, int row0, int col0,
                                  float alpha, float beta, bool wide,
                                  int parts, float *partial)
{
    const int size = ROWS * WIDTH;
    int tile = blockIdx.x / parts, n = FEW_WARPS;
    float *mine = partial + (size_t)blockIdx.x * size;

    __syncthreads(); // all warps' sums are stored
    if (parts > 1) {
        for (int at = threadIdx.x * 4; at < size; at += FEW_THREADS * 4)
            *(float4 *)(mine + at) = few_add(sums + at, n, size);
        if (!few_is_last(tile, parts))
            return;
        sums = partial + (size_t)tile * parts * size;
        n = parts;
    }
    for (int at = threadIdx.x * 4; at < size; at += FEW_THREADS * 4) {
        int row = row0 + at / WIDTH, col = col0 + at % WIDTH;

        if (row < s.M)
            few_put(C + (size_t)row * s.ldc + col, few_add(sums + at, n, size),
                    s.N - col, alpha, beta, wide);
    }
}

// The kernel, which the step is about.
template <int ROWS>
static __global__ void few_gemm(const float *A, const float *B, float *C,
                                struct gemm_shape s, float alpha, float beta,
                                bool wide, int parts, float *partial);

template <int ROWS>
static cudaError_t few_launch(const float *A, const float *B, float *C,
                              struct gemm_shape s, float alpha, float beta,
                              float *partial, cudaStream_t stream)
{
    int parts = few_parts(s, ROWS), bytes = few<ROWS>::ON_CHIP;
    bool wide = ((size_t)B | (size_t)C) % sizeof(float4) == 0 &&
                (s.N | s.ldb | s.ldc) % 4 == 0;

    cudaFuncSetAttribute(few_gemm<ROWS>,
                         cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
    few_gemm<ROWS>
        <<<few_tiles(s, ROWS) * parts, FEW_THREADS, bytes, stream>>>(
            A, B, C, s, alpha, beta, wide, parts, partial);
    return cudaGetLastError();
}

#endif
