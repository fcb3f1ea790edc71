// SPDX-License-Identifier: MIT
// mutant: nothing is under way during the work; an idle wait beside
// chapter: 16 gemm
// expect: TECHNIQUE async_waits_ahead_per_wait
// Stage 16, matrix product: tensor cores, step 4: registers.
// New: a warp owns 64 x 64, and reads ahead what it multiplies next.
// Before: step 3; a warp owned 64 x 32, read, rounded, and then multiplied.
// Counter: shared_load_wavefronts_per_flop falls by a third.

#include <cuda_pipeline_primitives.h>

#include "op/gemm.h"
#include "op/gemm_tensor.cuh"

typedef float element; // of A, B and C

//> todo kernel (about 205 lines)
enum {
    BM = 128, // rows of C per block
    BN = 128, // columns
    BK = 32,  // of k on chip at a time: 128 bytes of a row of A
    LANES = 32,
    MMA_M = 16, // a tensor core's tile of C
    MMA_N = 8,
    MMA_K = 8,
    WM = 64, // rows of C per warp
    WN = 64, // columns
    THREADS = BM / WM * (BN / WN) * LANES,
    CHUNK = 16 / sizeof(element), // elements of a copy
    CHUNKS = BK / CHUNK,          // of a row of A's tile
    B_PITCH = BN + 8, // 4 values of k of 8 columns, 32 banks
    BLOCKS = 2, // per multiprocessor: 255 registers per thread
    COPIES = 2, // at this step of a pair the next copies start
    STAGES = 2, // pairs of tiles on chip: one in use, the others coming
    ON_CHIP = STAGES * (BM * BK + BK * B_PITCH) * sizeof(element) // bytes
};

// One element of C. With beta = 0 it is not read: it may hold anything.
static __device__ void finish(element *c, float sum, float alpha, float beta)
{
    *c = beta == 0.0f ? alpha * sum : alpha * sum + beta * (float)*c;
}

// Starts a copy of the first `count` elements of a chunk; the others become 0.
// What does not exist is not read. `wide`: all of them exist or none.
static __device__ __forceinline__ void
copy(element *to, const element *from, int count, bool wide)
{
    if (wide)
        __pipeline_memcpy_async(to, from, 16, count > 0 ? 0 : 16);
    else
        for (int e = 0; e < CHUNK; e++)
            __pipeline_memcpy_async(to + e, from + e, sizeof(element),
                                    e < count ? 0 : sizeof(element));
}

// Where chunk `c` of row m of A's tile begins. The chunks of a row change
// places with m, so that the same chunk of 8 rows lies in 32 banks.
static __device__ int swizzled(int m, int c)
{
    return m * BK + (c ^ m % CHUNKS) * CHUNK;
}

// What a thread copies of the next pair of tiles: where it begins in A and B,
// how many rows and columns the matrices have from there on, and how many
// values of k from the beginning of the pair on: for all threads the same.
struct share {
    const element *a, *b;
    int lda, ldb, rows, cols, depth;
};

// Starts a thread's copies of a pair of tiles. `inside`: all of it exists, and
// nothing needs to be checked.
static __device__ __forceinline__ void
stage(element *a_tile, element (*b_tile)[B_PITCH], struct share from, bool wide,
      bool inside)
{
    int n = threadIdx.x * CHUNK % BN;
    int depth_a = from.depth - threadIdx.x % CHUNKS * CHUNK;
    int depth_b = from.depth - threadIdx.x * CHUNK / BN;

    a_tile += swizzled(threadIdx.x / CHUNKS, threadIdx.x % CHUNKS);
    b_tile += threadIdx.x * CHUNK / BN;
#pragma unroll
    for (int m = 0; m < BM; m += THREADS / CHUNKS) {
        copy(a_tile + m * BK, from.a,
             inside ? CHUNK : m < from.rows ? depth_a : 0, wide);
        from.a += (size_t)(THREADS / CHUNKS) * from.lda;
    }
#pragma unroll
    for (int k = 0; k < BK; k += THREADS * CHUNK / BN) {
        copy(&b_tile[k][n], from.b,
             inside ? CHUNK : k < depth_b ? from.cols : 0, wide);
        from.b += (size_t)(THREADS * CHUNK / BN) * from.ldb;
    }
}

// Out of line: its registers and its question would crowd the loop.
static __device__ __noinline__ void stage_edge(element *a_tile,
                                               element (*b_tile)[B_PITCH],
                                               struct share from, bool wide)
{
    if (from.depth > 0)
        stage(a_tile, b_tile, from, wide, false);
}

// The next pair of tiles, with zeros where the matrices end: one group, which
// is empty if there is no further pair.
static __device__ __forceinline__ void
stage_next(element *a_tile, element (*b_tile)[B_PITCH], struct share *from,
           bool wide, bool inside)
{
    if (inside && from->depth >= BK)
        stage(a_tile, b_tile, *from, true, true);
    else
        stage_edge(a_tile, b_tile, *from, wide);
    __pipeline_commit();
    from->a += BK;
    from->b += (size_t)BK * from->ldb;
    from->depth -= BK;
}

// Two neighbours of a row of C, of which the first `count` exist.
static __device__ void put(element *c, const float *sum, int count,
                           float alpha, float beta, bool wide)
{
    if (wide && count >= 2 && beta == 0.0f)
        *(float2 *)c = make_float2(alpha * sum[0], alpha * sum[1]);
    else
        for (int e = 0; e < 2; e++)
            if (e < count)
                finish(c + e, sum[e], alpha, beta);
}

// What a lane needs of a pair of tiles, for MMA_K values of k from k on. tf32
// is fp32 whose last 13 bits are not looked at: they are cut, not rounded.
static __device__ __forceinline__ void
fetch(unsigned (*a)[4], unsigned (*b)[2], const element *a_tile,
      const element (*b_tile)[B_PITCH], int w_row, int w_col, int k)
{
    int lane = threadIdx.x % LANES, quad = lane / 4, place = lane % 4;

    for (int i = 0; i < WM / MMA_M; i++) {
        int m = w_row + i * MMA_M + lane % MMA_M;

        load_matrices(a[i], a_tile + swizzled(m, k / CHUNK + lane / MMA_M));
    }
    for (int j = 0; j < WN / MMA_N; j++)
        for (int e = 0; e < 2; e++)
            b[j][e] = __float_as_uint(
                b_tile[k + place + e * 4][w_col + j * MMA_N + quad]);
}

// A warp computes WM x WN elements, as tiles of MMA_M x MMA_N. A lane holds of
// each what the instruction wants: gemm_tensor.cuh has the places.
// `wide`: every row of A, B and C begins on a boundary of 16 bytes, and holds
// whole chunks and nothing else.
static __global__ void __launch_bounds__(THREADS, BLOCKS)
    gemm(const element *A, const element *B, element *C, struct gemm_shape s,
         float alpha, float beta, bool wide)
{
    extern __shared__ __align__(128) element on_chip[]; // ON_CHIP bytes
    element(*a_tile)[BM * BK] = (element(*)[BM * BK])on_chip;
    element(*b_tile)[BK][B_PITCH] = (element(*)[BK][B_PITCH])(a_tile + STAGES);

    int across = (s.N - 1) / BN + 1; // blocks along a row of C
    int row0 = blockIdx.x / across * BM, col0 = blockIdx.x % across * BN;
    int warp = threadIdx.x / LANES, lane = threadIdx.x % LANES;
    int quad = lane / 4, place = lane % 4;
    int w_row = warp / (BN / WN) * WM, w_col = warp % (BN / WN) * WN;
    float sum[WM / MMA_M][WN / MMA_N][4] = {{{0.0f}}};

    int a_row = threadIdx.x / CHUNKS, a_k = threadIdx.x % CHUNKS * CHUNK;
    int b_k = threadIdx.x * CHUNK / BN, b_col = threadIdx.x * CHUNK % BN;
    struct share from = {A + (size_t)(row0 + a_row) * s.lda + a_k,
                         B + (size_t)b_k * s.ldb + col0 + b_col, s.lda, s.ldb,
                         s.M - row0 - a_row, s.N - col0 - b_col, s.K};
    bool inside = wide && row0 + BM <= s.M && col0 + BN <= s.N;

    for (int i = 0; i < STAGES - 1; i++)
        stage_next(a_tile[i], b_tile[i], &from, wide, inside);
    unsigned a[2][WM / MMA_M][4], b[2][WN / MMA_N][2]; // this k and the next
    int now = 0; // the pair of tiles with the next k

    __pipeline_wait_prior(0);
    __syncthreads(); // the first pair is there
    fetch(a[0], b[0], a_tile[0], b_tile[0], w_row, w_col, 0);
    for (int first = 0; first < s.K; first += BK) {
        int free = (now + STAGES - 1) % STAGES;

#pragma unroll
        for (int k = 0; k < BK / MMA_K; k++) {
            int next = (k + 1) % (BK / MMA_K);

            if (next == 0) {
                stage_next(a_tile[free], b_tile[free], &from, wide, inside);
                __pipeline_wait_prior(1);
                __pipeline_wait_prior(1);
                __pipeline_wait_prior(0);
                __syncthreads(); // the next pair is there, this one is read
                if (first + BK < s.K) // else there is no next one to read
                    now = (now + 1) % STAGES;
            }
            fetch(a[next % 2], b[next % 2], a_tile[now], b_tile[now], w_row,
                  w_col, next * MMA_K);
            for (int i = 0; i < WM / MMA_M; i++)
                for (int jj = 0; jj < WN / MMA_N; jj++) {
                    int j = i % 2 ? WN / MMA_N - 1 - jj : jj; // there and back

                    mma_tf32(sum[i][j], a[k % 2][i], b[k % 2][j]);
                }
        }
    }

#pragma unroll // sum stays in registers if its indices are constants
    for (int i = 0; i < WM / MMA_M; i++)
#pragma unroll
        for (int j = 0; j < WN / MMA_N; j++)
#pragma unroll
            for (int e = 0; e < 4; e += 2) {
                int row = row0 + w_row + i * MMA_M + quad + e / 2 * 8;
                int col = col0 + w_col + j * MMA_N + place * 2;

                if (row < s.M)
                    put(C + (size_t)row * s.ldc + col, sum[i][j] + e,
                        s.N - col, alpha, beta, wide);
            }
}
//< todo

size_t gemm_tf32_workspace(struct gemm_shape shape)
{
    //> todo workspace (about 2 lines)
    (void)shape;
    return 0;
    //< todo
}

cudaError_t gemm_tf32(const float *A, const float *B, float *C,
                      struct gemm_shape shape, float alpha, float beta,
                      void *workspace, cudaStream_t stream)
{
    //> todo launch (about 10 lines)
    unsigned across = (shape.N - 1) / BN + 1, down = (shape.M - 1) / BM + 1;
    size_t bytes = (size_t)A | (size_t)B | (size_t)C;
    int extents = shape.N | shape.K | shape.lda | shape.ldb | shape.ldc;
    bool wide = bytes % 16 == 0 && extents % CHUNK == 0;

    (void)workspace; // none was asked for
    cudaFuncSetAttribute(gemm, cudaFuncAttributeMaxDynamicSharedMemorySize,
                         ON_CHIP);
    gemm<<<across * down, THREADS, ON_CHIP, stream>>>(A, B, C, shape, alpha,
                                                      beta, wide);
    //< todo
    return cudaGetLastError();
}
