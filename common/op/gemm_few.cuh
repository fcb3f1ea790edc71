// SPDX-License-Identifier: MIT
/*
 * gemm_few.cuh: what a matrix product with few rows, or a small one, needs
 * besides its loop over k (chapter 15, step 7).
 *
 *   few_rows, few_grid     how a product is shared out
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
 * The hard idea: the block with a tile's last part adds them all up, in their
 * order: so results are the same each time, and no second kernel is launched.
 * The others send it their sums, and it polls for the sums themselves. So a
 * part costs one way through L2: no fence, no counter. It waits for blocks of
 * lower numbers alone, which wait for nobody. Parts are made only where all
 * blocks run at a time. Beside other kernels they may not; then it ends as long
 * as blocks begin in order, as they do, though CUDA does not promise it.
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
    BOXES = 1 << 18, // fours of sums that can be on their way
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
        AHEAD = ROWS > 8 ? 64 / ROWS : 8, // rows of B on their way to a thread
        TURN = GROUPS * AHEAD,          // of k: all groups' rows of B
        DEEP = 8192 / ROWS,             // of k: columns of A on chip
        FOURS = ROWS * WIDTH / 4,       // of the tile's sums
        SUMS = GROUPS * FOURS * 4,      // of all groups, in A's place
        ON_CHIP = (SUMS > 8192 ? SUMS : 8192) * sizeof(float) // bytes
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
        return s.M == 1 ? 1 : s.M <= 8 ? 8 : 16;
    if (small && few_tiles(s, 8) <= few_room() * 2)
        return 8;
    return few_holds_32() ? RING_ROWS : 16;
}

// Of k per part: a multiple of EDGE. The last part has what is left.
static __host__ __device__ inline int few_share(struct gemm_shape s, int parts)
{
    return ((s.K - 1) / (EDGE * parts) + 1) * EDGE;
}

// As many as run at a time, if each has enough of k. room: blocks.
static inline int few_parts(struct gemm_shape s, int rows, int room)
{
    int tiles = few_tiles(s, rows);
    int boxes = BOXES / (rows * few_width(rows) / 4);
    int parts = min(min(room, boxes) / tiles, min(MOST_PARTS, s.K / PART_K));

    return parts > 1 ? (s.K - 1) / few_share(s, parts) + 1 : 1;
}

// Columns of tiles, rows of tiles, parts: a tile's last part begins last.
static inline dim3 few_grid(struct gemm_shape s, int rows, int room)
{
    return dim3((s.N - 1) / few_width(rows) + 1, (s.M - 1) / rows + 1,
                few_parts(s, rows, room));
}

// How many of a kernel's blocks run at a time, at most two per multiprocessor,
// once it may have that many bytes of shared memory.
template <typename Kernel> static int few_together(Kernel kernel, int bytes)
{
    int each = 1;

    cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                         bytes);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, kernel, FEW_THREADS,
                                                  bytes);
    return min(each, 2) * few_room();
}

// What a block computes: ROWS x WIDTH elements from row0, col0 on, and of their
// k from `begin` to `end` - 1.
struct few_block {
    int row0, col0, begin, end;
};

template <int ROWS>
static __device__ struct few_block few_find(struct gemm_shape s)
{
    int share = few_share(s, gridDim.z), begin = blockIdx.z * share;

    return {(int)blockIdx.y * ROWS, (int)blockIdx.x * few<ROWS>::WIDTH, begin,
            min(s.K, begin + share)};
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

// The sums on their way: all 0 but during a launch; so one launch at a time.
static __device__ float4 mailbox[BOXES];

static __device__ void few_store(float4 *to, float4 v)
{
    asm volatile("st.volatile.global.v4.f32 [%0], {%1, %2, %3, %4};" ::"l"(to),
                 "f"(v.x), "f"(v.y), "f"(v.z), "f"(v.w)
                 : "memory");
}

// A word that is not 0 has come. So a 0 is sent as -0, which adds up to the
// same.
static __device__ float few_not_0(float x)
{
    return x == 0.0f ? -0.0f : x;
}

// Four words; whether all have come.
static __device__ bool few_look(const float4 *from, float4 *v)
{
    asm volatile("ld.volatile.global.v4.f32 {%0, %1, %2, %3}, [%4];"
                 : "=f"(v->x), "=f"(v->y), "=f"(v->z), "=f"(v->w)
                 : "l"(from)
                 : "memory");
    return __float_as_uint(v->x) && __float_as_uint(v->y) &&
           __float_as_uint(v->z) && __float_as_uint(v->w);
}

static __device__ void few_add_times(float4 *sum, float a, float4 b)
{
    sum->x += a * b.x;
    sum->y += a * b.y;
    sum->z += a * b.z;
    sum->w += a * b.w;
}

// Waits for the fours of the other parts, `apart` from one to the next, and
// adds them up in their order. Their places are 0 again, for the next launch.
// Each word is its own flag: that the four come together is not assumed.
static __device__ float4 few_receive(float4 *from, int others, int apart)
{
    float4 sum = {0.0f, 0.0f, 0.0f, 0.0f}, v[MOST_PARTS - 1];
    bool all;

    do {
        all = true;
#pragma unroll
        for (int p = 0; p < MOST_PARTS - 1; p++)
            if (p < others)
                all = few_look(from + (size_t)p * apart, &v[p]) && all;
    } while (!all);
#pragma unroll
    for (int p = 0; p < MOST_PARTS - 1; p++)
        if (p < others) {
            few_add_times(&sum, 1.0f, v[p]);
            few_store(from + (size_t)p * apart, {0.0f, 0.0f, 0.0f, 0.0f});
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

// sums: ROWS x WIDTH of each group, on chip, where this thread's are stored.
template <int ROWS>
static __device__ void few_finish(const float *sums, float *C,
                                  struct gemm_shape s, int row0, int col0,
                                  float alpha, float beta, bool wide)
{
    typedef few<ROWS> my;
    int tile = blockIdx.y * gridDim.x + blockIdx.x;
    int part = blockIdx.z, last = gridDim.z - 1;

    __syncthreads(); // all groups' sums are stored
    for (int i = threadIdx.x; i < my::FOURS; i += FEW_THREADS) {
        int row = row0 + i / my::ACROSS, col = col0 + i % my::ACROSS * 4;
        float4 *box = mailbox + (size_t)tile * last * my::FOURS + i;
        const float4 *own = (const float4 *)sums + i;
        float4 sum = {0.0f, 0.0f, 0.0f, 0.0f};

#pragma unroll 8
        for (int g = 0; g < my::GROUPS; g++)
            few_add_times(&sum, 1.0f, own[g * my::FOURS]);
        if (part < last) {
            few_store(box + (size_t)part * my::FOURS,
                      {few_not_0(sum.x), few_not_0(sum.y), few_not_0(sum.z),
                       few_not_0(sum.w)});
            continue;
        }
        if (last > 0) {
            float4 others = few_receive(box, last, my::FOURS);

            few_add_times(&sum, 1.0f, others);
        }
        if (row < s.M)
            few_put(C + (size_t)row * s.ldc + col, sum, s.N - col, alpha, beta,
                    wide);
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
             float alpha, float beta, bool wide)
{
    extern __shared__ __align__(16) float on_chip[]; // few<RING_ROWS>::ON_CHIP
    const int width = few<RING_ROWS>::WIDTH;
    const int slot = RING_K * (width + RING_ROWS); // floats: of B, then of A
    const int turn = FEW_THREADS / 32 * RING_K;    // of k: all warps'
    struct few_block t = few_find<RING_ROWS>(s);
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
    few_finish<RING_ROWS>(on_chip, C, s, t.row0, t.col0, alpha, beta, wide);
}

// The step's kernel. WIDE: rows of B and C are fours on boundaries of 16 bytes.
template <int ROWS, bool WIDE>
static __global__ void few_gemm(const float *A, const float *B, float *C,
                                struct gemm_shape s, float alpha, float beta);

template <int ROWS>
static void few_start(const float *A, const float *B, float *C,
                      struct gemm_shape s, float alpha, float beta, bool wide,
                      cudaStream_t stream)
{
    auto kernel = wide ? few_gemm<ROWS, true> : few_gemm<ROWS, false>;
    int bytes = few<ROWS>::ON_CHIP;
    dim3 grid = few_grid(s, ROWS, few_together(kernel, bytes));

    kernel<<<grid, FEW_THREADS, bytes, stream>>>(A, B, C, s, alpha, beta);
}

// A template, so that a file without few_gemm may include this one.
template <typename T>
static cudaError_t few_launch(const T *A, const T *B, T *C,
                              struct gemm_shape s, int rows, float alpha,
                              float beta, cudaStream_t stream)
{
    int bytes = few<RING_ROWS>::ON_CHIP;
    bool wide = ((size_t)B | (size_t)C) % sizeof(float4) == 0 &&
                (s.N | s.ldb | s.ldc) % 4 == 0;

    if (rows == 1)
        few_start<1>(A, B, C, s, alpha, beta, wide, stream);
    else if (rows == 8)
        few_start<8>(A, B, C, s, alpha, beta, wide, stream);
    else if (rows == 16)
        few_start<16>(A, B, C, s, alpha, beta, wide, stream);
    else {
        dim3 grid = few_grid(s, rows, few_together(few_ring, bytes));

        few_ring<<<grid, FEW_THREADS, bytes, stream>>>(A, B, C, s, alpha, beta,
                                                       wide);
    }
    return cudaGetLastError();
}

#endif
