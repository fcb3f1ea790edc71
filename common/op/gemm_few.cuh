// SPDX-License-Identifier: MIT
/*
 * gemm_few.cuh: what a matrix product with few rows, or a small one, needs
 * besides its loop over k (chapter 15, step 7).
 *
 *   few_rows, few_parts, few_workspace   how a product is shared out
 *   few_launch    launches few_gemm, the kernel that is to be written, or for
 *                 tiles of 32 rows few_ring, which stands here
 *   few_find      what a block computes
 *   few_load      four neighbours of a row of B, past L1 to registers
 *   few_stretch   the block's rows of A, DEEP of k at a time, on chip
 *   few_finish    adds up groups' sums and blocks' parts, and stores C
 *
 * A block has ROWS x WIDTH elements of C. Its groups share k; a group is WIDTH
 * / 4 threads, with four columns each. So may blocks: the parts of a tile.
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
    FEW_THREADS = 256,
    MOST_PARTS = 8,  // more cost the last block more than they save
    PART_K = 320,    // of k that a part has at least, for the same reason
    EDGE = 16,       // parts begin at multiples of it
    TICKETS = 1024,  // tiles with parts: fewer than blocks at a time
    FEW_ROWS = 64,   // up to here rows are few
    SMALL = 1 << 27, // multiply-adds: up to here a product is small
    RING_ROWS = 32,  // rows per tile of few_ring
    RING_K = 4,      // of k that a warp copies at a time
    RING_SLOTS = 4   // of them on chip: one in use, the others coming
};

template <int ROWS> struct few {
    enum {
        WIDTH = ROWS > 8 ? 128 : 64,    // columns per block
        ACROSS = WIDTH / 4,             // threads of a group
        GROUPS = FEW_THREADS / ACROSS,  // which share k
        AHEAD = 64 / ROWS,              // rows of B on their way to a thread
        TURN = GROUPS * AHEAD,          // of k: all groups' rows of B
        DEEP = 8192 / ROWS,             // of k: columns of A on chip
        SUMS = GROUPS * ROWS * WIDTH,   // of all groups, in A's place
        ON_CHIP = SUMS * sizeof(float)  // bytes: no less than what A takes
    };
};

static inline int few_room(void)
{
    int device = 0, room = 1;

    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&room, cudaDevAttrMultiProcessorCount, device);
    return room;
}

static inline int few_width(int rows)
{
    return rows > 8 ? (int)few<16>::WIDTH : (int)few<8>::WIDTH;
}

static inline int few_tiles(struct gemm_shape s, int rows)
{
    return ((s.M - 1) / rows + 1) * ((s.N - 1) / few_width(rows) + 1);
}

// Whether tiles of 32 rows fit on chip: their sums take 128 KiB, and GPUs of
// compute capability 8.6 and 8.9 have 99 per block.
static inline bool few_holds_32(void)
{
    int device = 0, bytes = 0;

    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin,
                           device);
    return bytes > (int)few<RING_ROWS>::ON_CHIP;
}

// Rows per tile; 0: neither are rows few, nor is the product small. With more
// than 16 rows, tiles of 8 load B more often, from L2, but there are more of
// them. That pays in small products, as long as all tiles run at a time.
static inline int few_rows(struct gemm_shape s)
{
    bool small = (double)s.M * s.N * s.K <= SMALL;

    if (s.M > FEW_ROWS && !small)
        return 0;
    if (s.M <= 16)
        return s.M <= 8 ? 8 : 16;
    if (small && few_tiles(s, 8) <= few_room() * 2)
        return 8;
    return few_holds_32() ? RING_ROWS : 16;
}

// As many as run at a time, if each has enough of k.
static inline int few_parts(struct gemm_shape s, int rows)
{
    int room = min(few_room() * (rows > 16 ? 1 : 2), TICKETS);

    room /= few_tiles(s, rows);
    return max(1, min(room, min(MOST_PARTS, s.K / PART_K)));
}

static inline size_t few_workspace(struct gemm_shape s)
{
    int rows = few_rows(s), parts = few_parts(s, rows);
    size_t tile = rows * few_width(rows) * sizeof(float);

    return parts > 1 ? few_tiles(s, rows) * parts * tile : 0;
}

// What a block computes: ROWS x WIDTH elements from row0, col0 on, and of their
// k from `begin` to `end` - 1.
struct few_block {
    int row0, col0, begin, end;
};

template <int ROWS>
static __device__ struct few_block few_find(struct gemm_shape s, int parts)
{
    int across = (s.N - 1) / few<ROWS>::WIDTH + 1, tile = blockIdx.x / parts;
    long long edges = (s.K - 1) / EDGE + 1, part = blockIdx.x % parts;

    return {tile / across * ROWS, tile % across * few<ROWS>::WIDTH,
            (int)(edges * part / parts) * EDGE,
            min(s.K, (int)(edges * (part + 1) / parts) * EDGE)};
}

// Four neighbours of a row of B, of which the first `count` exist; the others
// are 0. They do not stay in L1: nobody reads them there again.
template <bool WIDE>
static __device__ __forceinline__ void few_load(float *b, const float *from,
                                                int count)
{
    float4 v = {0.0f, 0.0f, 0.0f, 0.0f};

    if (WIDE && count > 0)
        v = __ldcs((const float4 *)from);
    else if (!WIDE)
        v = make_float4(count > 0 ? __ldcs(from) : 0.0f,
                        count > 1 ? __ldcs(from + 1) : 0.0f,
                        count > 2 ? __ldcs(from + 2) : 0.0f,
                        count > 3 ? __ldcs(from + 3) : 0.0f);
    b[0] = v.x;
    b[1] = v.y;
    b[2] = v.z;
    b[3] = v.w;
}

// Columns k to k + DEEP - 1 of the block's rows of A; zeros from `end` on, and
// where the matrix has no row. Returns when this thread's copies are there.
template <int ROWS>
static __device__ void few_stretch(float (*a)[few<ROWS>::DEEP], const float *A,
                                   struct gemm_shape s, int row0, int k,
                                   int end)
{
    bool wide = (size_t)A % sizeof(float4) == 0 && s.lda % 4 == 0;
    int step = wide ? 4 : 1;

    for (int e = threadIdx.x * step; e < ROWS * few<ROWS>::DEEP;
         e += FEW_THREADS * step) {
        int r = e / few<ROWS>::DEEP, at = e % few<ROWS>::DEEP;
        int left = row0 + r < s.M ? max(0, end - k - at) : 0;
        const float *from =
            left > 0 ? A + (size_t)(row0 + r) * s.lda + k + at : A;

        if (wide)
            __pipeline_memcpy_async(&a[r][at], from, sizeof(float4),
                                    (4 - min(4, left)) * sizeof(float));
        else
            __pipeline_memcpy_async(&a[r][at], from, sizeof(float),
                                    left > 0 ? 0 : sizeof(float));
    }
    __pipeline_commit();
    __pipeline_wait_prior(0);
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

static __device__ void few_add_times(float4 *sum, float a, float4 b)
{
    sum->x += a * b.x;
    sum->y += a * b.y;
    sum->z += a * b.z;
    sum->w += a * b.w;
}

// The sum of n fours, `apart` floats from one to the next, in their order.
static __device__ float4 few_add(const float *from, int n, int apart)
{
    float4 sum = {0.0f, 0.0f, 0.0f, 0.0f};

#pragma unroll 8
    for (int i = 0; i < n; i++)
        few_add_times(&sum, 1.0f, *(const float4 *)(from + (size_t)i * apart));
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

// sums: ROWS x WIDTH of each group, on chip, where this thread's are stored.
// partial: as many floats of each block.
template <int ROWS>
static __device__ void few_finish(const float *sums, float *C,
                                  struct gemm_shape s, int row0, int col0,
                                  float alpha, float beta, bool wide,
                                  int parts, float *partial)
{
    const int width = few<ROWS>::WIDTH, size = ROWS * width;
    int tile = blockIdx.x / parts, n = few<ROWS>::GROUPS;
    float *mine = partial + (size_t)blockIdx.x * size;

    __syncthreads(); // all groups' sums are stored
    if (parts > 1) {
        for (int at = threadIdx.x * 4; at < size; at += FEW_THREADS * 4)
            *(float4 *)(mine + at) = few_add(sums + at, n, size);
        if (!few_is_last(tile, parts))
            return;
        sums = partial + (size_t)tile * parts * size;
        n = parts;
    }
    for (int at = threadIdx.x * 4; at < size; at += FEW_THREADS * 4) {
        int row = row0 + at / width, col = col0 + at % width;

        if (row < s.M)
            few_put(C + (size_t)row * s.ldc + col, few_add(sums + at, n, size),
                    s.N - col, alpha, beta, wide);
    }
}

// Starts the copies of RING_K values of k into a slot: four columns of B per
// lane from `col` on, and RING_ROWS rows of A; zeros where the matrices end.
// From `end` on there is nothing to copy. One group of copies in any case.
static __device__ __forceinline__ void
few_copy(float *slot, const float *A, const float *B, struct gemm_shape s,
         int row0, int col, int first, int end, bool wide)
{
    const int width = few<RING_ROWS>::WIDTH;
    int lane = threadIdx.x % 32;

#pragma unroll
    for (int k = 0; k < RING_K; k++) {
        float *to = slot + k * width + lane * 4;
        const float *from = B + (size_t)(first + k) * s.ldb + col;
        int count = first + k < end ? s.N - col : 0;

        if (wide)
            __pipeline_memcpy_async(to, from, sizeof(float4),
                                    count > 0 ? 0 : sizeof(float4));
        else
            for (int e = 0; e < 4; e++)
                __pipeline_memcpy_async(to + e, from + e, sizeof(float),
                                        e < count ? 0 : sizeof(float));
    }
#pragma unroll
    for (int e = lane; e < RING_ROWS * RING_K; e += 32) {
        int row = row0 + e / RING_K, k = first + e % RING_K;

        __pipeline_memcpy_async(slot + RING_K * width + e,
                                A + (size_t)row * s.lda + k, sizeof(float),
                                row < s.M && k < end ? 0 : sizeof(float));
    }
    __pipeline_commit();
}

// For more rows: a warp adds up every eighth RING_K of k from its own ring.
static __global__ void __launch_bounds__(FEW_THREADS)
    few_ring(const float *A, const float *B, float *C, struct gemm_shape s,
             float alpha, float beta, bool wide, int parts, float *partial)
{
    extern __shared__ __align__(16) float on_chip[]; // few<RING_ROWS>::ON_CHIP
    const int width = few<RING_ROWS>::WIDTH;
    const int slot = RING_K * (width + RING_ROWS); // floats: of B, then of A
    const int turn = FEW_THREADS / 32 * RING_K;    // of k: all warps'
    struct few_block t = few_find<RING_ROWS>(s, parts);
    int warp = threadIdx.x / 32, col = threadIdx.x % 32 * 4, now = 0;
    float *ring = on_chip + warp * RING_SLOTS * slot;
    float4 sum[RING_ROWS] = {}, b[RING_K];

    t.begin += warp * RING_K;
    for (int i = 0; i < RING_SLOTS - 1; i++)
        few_copy(ring + i * slot, A, B, s, t.row0, t.col0 + col,
                 t.begin + i * turn, t.end, wide);
    for (int k = t.begin; k < t.end; k += turn) {
        int free = (now + RING_SLOTS - 1) % RING_SLOTS;

        __pipeline_wait_prior(RING_SLOTS - 2);
        __syncwarp(); // all lanes' copies are there; the free slot is read
        few_copy(ring + free * slot, A, B, s, t.row0, t.col0 + col,
                 k + (RING_SLOTS - 1) * turn, t.end, wide);
#pragma unroll
        for (int i = 0; i < RING_K; i++)
            b[i] = *(const float4 *)(ring + now * slot + i * width + col);
#pragma unroll // sum stays in registers if its indices are constants
        for (int r = 0; r < RING_ROWS; r++) {
            float4 a = *(const float4 *)(ring + now * slot +
                                         RING_K * (width + r));

            few_add_times(&sum[r], a.x, b[0]);
            few_add_times(&sum[r], a.y, b[1]);
            few_add_times(&sum[r], a.z, b[2]);
            few_add_times(&sum[r], a.w, b[3]);
        }
        now = (now + 1) % RING_SLOTS;
    }
    __pipeline_wait_prior(0);
    __syncthreads(); // no ring is in use any more: the sums take their place
#pragma unroll
    for (int r = 0; r < RING_ROWS; r++)
        *(float4 *)(on_chip + (warp * RING_ROWS + r) * width + col) = sum[r];
    few_finish<RING_ROWS>(on_chip, C, s, t.row0, t.col0, alpha, beta, wide,
                          parts, partial);
}

// The step's kernel. WIDE: rows of B and C are fours on boundaries of 16 bytes.
template <int ROWS, bool WIDE>
static __global__ void few_gemm(const float *A, const float *B, float *C,
                                struct gemm_shape s, float alpha, float beta,
                                int parts, float *partial);

template <int ROWS, bool WIDE>
static void few_start(const float *A, const float *B, float *C,
                      struct gemm_shape s, float alpha, float beta,
                      float *partial, cudaStream_t stream)
{
    int parts = few_parts(s, ROWS), bytes = few<ROWS>::ON_CHIP;

    cudaFuncSetAttribute(few_gemm<ROWS, WIDE>,
                         cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
    few_gemm<ROWS, WIDE>
        <<<few_tiles(s, ROWS) * parts, FEW_THREADS, bytes, stream>>>(
            A, B, C, s, alpha, beta, parts, partial);
}

// A template, so that a file without few_gemm may include this one.
template <typename T>
static cudaError_t few_launch(const T *A, const T *B, T *C,
                              struct gemm_shape s, int rows, float alpha,
                              float beta, T *partial, cudaStream_t stream)
{
    int parts = few_parts(s, RING_ROWS), bytes = few<RING_ROWS>::ON_CHIP;
    bool wide = ((size_t)B | (size_t)C) % sizeof(float4) == 0 &&
                (s.N | s.ldb | s.ldc) % 4 == 0;

    if (rows == 8 && wide)
        few_start<8, true>(A, B, C, s, alpha, beta, partial, stream);
    else if (rows == 8)
        few_start<8, false>(A, B, C, s, alpha, beta, partial, stream);
    else if (rows == 16 && wide)
        few_start<16, true>(A, B, C, s, alpha, beta, partial, stream);
    else if (rows == 16)
        few_start<16, false>(A, B, C, s, alpha, beta, partial, stream);
    else {
        cudaFuncSetAttribute(
            few_ring, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
        few_ring<<<few_tiles(s, RING_ROWS) * parts, FEW_THREADS, bytes,
                   stream>>>(A, B, C, s, alpha, beta, wide, parts, partial);
    }
    return cudaGetLastError();
}

#endif
