// SPDX-License-Identifier: MIT
/*
 * gemm_brief.cuh: bf16 products whose rows begin anywhere: C is large and k
 * brief, or k is long and C narrow. For chapter 23's candidates, in a namespace
 * of its own; compute_90.
 *
 *   brief::tile      the sizes of a tile
 *   brief::gemm      the kernel, by mma.sync: operands come by words, whatever
 *                    their rows' beginnings are, and C goes by words
 *   brief::tiles_of, brief::launch
 *                    how many tiles there are; a launch, `parts` blocks each
 *
 * The hard idea: where ld is odd, every second row begins in the middle of a
 * word. A warp has every n-th row, n even, so that all of its rows begin alike.
 * Its lanes load neighbouring words, and a lane takes one half of its own and
 * one of its neighbour's. Halves that are not in the row are never read.
 */
#ifndef WB_GEMM_BRIEF_CUH
#define WB_GEMM_BRIEF_CUH

#include <cuda_bf16.h>

#include "gemm.h"
#include "gemm_cluster.cuh"
#include "gemm_tensor.cuh"

namespace brief {

typedef gemm_bf16_t element;

enum {
    SEGMENT = 64, // elements of a row that a warp loads or stores at once
    BK = SEGMENT,
    MMA_M = 16, MMA_N = 8, MMA_K = 16,
    W_TILE = 32, // rows and columns per warp
    PAD = 8,     // elements: 8 rows' chunks of 16 bytes lie in 32 banks
    AT_ONCE = 4 // rows of C
};
static const unsigned ALL = ~0u; // lanes; in the enum it would make it unsigned

template <int BM_, int BN_, int BLOCKS_> struct tile {
    enum {
        BM = BM_, BN = BN_, BLOCKS = BLOCKS_,
        WARPS = BM / W_TILE * (BN / W_TILE), THREADS = WARPS * 32,
        A_PITCH = BK + PAD, B_PITCH = BN + PAD, // elements
        WORDS = BM * A_PITCH + BK * B_PITCH,
        C_PITCH = BN + PAD, // floats: four rows of pairs lie in 32 banks
        A_ROWS = BM / WARPS,             // that a warp loads
        SEGMENTS = BN / SEGMENT,         // of a row of B or C
        APART = WARPS / SEGMENTS,        // rows of a warp, from one to the next
        B_ROWS = BK / APART, C_ROWS = BM / APART,
        PAIR = WORDS * 2, SUMS = BM * C_PITCH * 4, // bytes
        ON_CHIP = PAIR > SUMS ? PAIR : SUMS
    };
    static_assert(WARPS % 2 == 0 && APART % 2 == 0,
                  "rows of a warp begin alike");
};

// A lane's view of a warp's segments: element `first` of the matrix is the
// first of the first row's, and `count` elements of a row exist.
struct view {
    const element *at; // of this lane's word, or of its one element
    unsigned shift;    // where that goes: 0 or 16
    bool both, one, odd, last; // last: an odd row's last element exists
};

static __device__ __forceinline__ struct view view_of(const element *first,
                                                      int count)
{
    int lane = threadIdx.x % 32, odd = (size_t)first / 2 % 2;
    int low = 2 * lane - odd, high = low + 1;
    bool has_low = low >= 0 && low < count, has_high = high < count;

    return {first + (has_low ? low : high), has_low ? 0u : 16u,
            has_low && has_high, has_low != has_high, (bool)odd,
            odd && count >= SEGMENT};
}

// Loads of ROWS rows, of which `rows` exist: all of them are under way at once.
// A lane's `extra` is the last element of row `lane`, which no lane's word has.
template <int ROWS>
static __device__ __forceinline__ void
load_rows(unsigned *word, unsigned *extra, struct view v, const element *first,
          int ld, int rows, int apart)
{
    int lane = threadIdx.x % 32;

#pragma unroll
    for (int i = 0; i < ROWS; i++) {
        const element *at = v.at + (size_t)i * apart * ld;
        bool there = i * apart < rows;

        word[i] = there && v.both  ? *(const unsigned *)at
                  : there && v.one ? *(const unsigned short *)at
                                   : 0;
    }
    *extra = v.last && lane < ROWS && lane * apart < rows
                 ? *(const unsigned short *)(first +
                                             (size_t)lane * apart * ld +
                                             SEGMENT - 1)
                 : 0;
}

// The lane's two elements of row i, in their order.
static __device__ __forceinline__ unsigned pair_of(struct view v, unsigned word,
                                                   unsigned extra, int i)
{
    unsigned next, last;

    word <<= v.shift;
    next = __shfl_down_sync(ALL, word, 1);
    last = __shfl_sync(ALL, extra, i);
    if (threadIdx.x % 32 == 31)
        next = last;
    return v.odd ? __funnelshift_r(word, next, 16) : word;
}

template <class T>
static __device__ __forceinline__ void
multiply(float (*sum)[W_TILE / MMA_N][4], const element *a_tile,
         const element *b_tile, int row, int col, int depth)
{
    int lane = threadIdx.x % 32;

#pragma unroll
    for (int k = 0; k < BK; k += MMA_K) {
        unsigned a[W_TILE / MMA_M][4], b[W_TILE / MMA_N][2];

        if (k >= depth)
            break;
#pragma unroll
        for (int i = 0; i < W_TILE / MMA_M; i++)
            load_matrices(a[i], a_tile +
                                    (row + i * MMA_M + lane % 16) * T::A_PITCH +
                                    k + lane / 16 * 8);
#pragma unroll
        for (int j = 0; j < W_TILE / MMA_N; j += 2)
            load_matrices_transposed(
                b[j], b_tile + (k + lane % 16) * T::B_PITCH + col +
                          (j + lane / 16) * MMA_N);
#pragma unroll
        for (int i = 0; i < W_TILE / MMA_M; i++)
#pragma unroll
            for (int j = 0; j < W_TILE / MMA_N; j++)
                mma_bf16(sum[i][j], a[i], b[j]);
    }
}

// A lane's sums of a segment of a row of C: two neighbours from `e` on, and the
// row's first for lane 0.
struct cells {
    float low, high, first;
};

static __device__ __forceinline__ void add_row(struct cells *c,
                                               const float *sums, int e)
{
    c->low += e < SEGMENT ? sums[e] : 0.0f;
    c->high += e + 1 < SEGMENT ? sums[e + 1] : 0.0f;
    c->first += sums[0];
}

// What a cell of C becomes. Without beta it is not read: it may hold anything.
struct scale {
    float alpha, beta;

    __device__ float operator()(float sum, const element *c) const
    {
        return beta == 0.0f ? alpha * sum
                            : alpha * sum + beta * __bfloat162float(*c);
    }
};

// Stores `count` elements of a segment: whole words, and what is left at both
// ends of an odd row.
static __device__ __forceinline__ void store_row(element *c, struct cells sums,
                                                 int e, int count,
                                                 struct scale scale)
{
    element *to = c + e;

    if (e + 1 < count)
        *(__nv_bfloat162 *)to = __floats2bfloat162_rn(
            scale(sums.low, to), scale(sums.high, to + 1));
    else if (e < count)
        *to = __float2bfloat16_rn(scale(sums.low, to));
    if (e == 1 && count > 0)
        *c = __float2bfloat16_rn(scale(sums.first, c));
}

template <class T>
static __global__ void __launch_bounds__(T::THREADS, T::BLOCKS)
    gemm(const element *A, const element *B, element *C, struct gemm_shape s,
         float alpha, float beta, int parts)
{
    extern __shared__ __align__(16) unsigned char on_chip[];
    element *a_tile = (element *)on_chip, *b_tile = a_tile + T::BM * T::A_PITCH;
    float *sums = (float *)on_chip;
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    int across = (s.N - 1) / T::BN + 1, tile = blockIdx.x / parts;
    int part = blockIdx.x % parts, steps = (s.K - 1) / BK + 1;
    int row0 = tile / across * T::BM, col0 = tile % across * T::BN;
    int begin = steps * part / parts * BK;
    int end = min(s.K, steps * (part + 1) / parts * BK);
    int segment = warp % T::SEGMENTS * SEGMENT, row = warp / T::SEGMENTS;
    int w_row = warp / (T::BN / W_TILE) * W_TILE;
    int w_col = warp % (T::BN / W_TILE) * W_TILE;
    unsigned a_word[T::A_ROWS], b_word[T::B_ROWS], a_extra, b_extra;
    float sum[W_TILE / MMA_M][W_TILE / MMA_N][4] = {{{0.0f}}};
    struct view a, b;
    auto load = [&](int k) {
        const element *a_first = A + (size_t)(row0 + warp) * s.lda + k;
        const element *b_first = B + (size_t)(k + row) * s.ldb + col0 + segment;

        a = view_of(a_first, end - k);
        b = view_of(b_first, s.N - col0 - segment);
        load_rows<T::A_ROWS>(a_word, &a_extra, a, a_first, s.lda,
                             s.M - row0 - warp, T::WARPS);
        load_rows<T::B_ROWS>(b_word, &b_extra, b, b_first, s.ldb, end - k - row,
                             T::APART);
    };

    load(begin);
    for (int k = begin; k < end; k += BK) {
#pragma unroll
        for (int i = 0; i < T::A_ROWS; i++)
            *(unsigned *)(a_tile + (warp + i * T::WARPS) * T::A_PITCH +
                          2 * lane) = pair_of(a, a_word[i], a_extra, i);
#pragma unroll
        for (int i = 0; i < T::B_ROWS; i++)
            *(unsigned *)(b_tile + (row + i * T::APART) * T::B_PITCH + segment +
                          2 * lane) = pair_of(b, b_word[i], b_extra, i);
        __syncthreads(); // the pair of tiles is there
        if (k + BK < end)
            load(k + BK);
        multiply<T>(sum, a_tile, b_tile, w_row, w_col, end - k);
        __syncthreads(); // and has been read
    }
#pragma unroll
    for (int i = 0; i < W_TILE / MMA_M; i++)
#pragma unroll
        for (int j = 0; j < W_TILE / MMA_N; j++)
#pragma unroll
            for (int e = 0; e < 4; e += 2)
                *(float2 *)(sums +
                            (w_row + i * MMA_M + lane / 4 + e / 2 * 8) *
                                T::C_PITCH +
                            w_col + j * MMA_N + lane % 4 * 2) =
                    make_float2(sum[i][j][e], sum[i][j][e + 1]);
    if (parts > 1)
        cluster_sync(); // all parts' sums are there
    else
        __syncthreads(); // all warps' are

    // With parts, a block stores every parts-th of a warp's rows. Some rows'
    // sums are read before any of them is stored.
    element *c = C + (size_t)(row0 + row) * s.ldc + col0 + segment;
    int e = 2 * lane + (size_t)c / 2 % 2, count = s.N - col0 - segment;

    for (int i = part; i < T::C_ROWS; i += parts * AT_ONCE) {
        struct cells cells[AT_ONCE] = {{0.0f, 0.0f, 0.0f}};

        for (int p = 0; p < parts; p++) {
            const float *from =
                parts > 1 ? cluster_address(sums, p) : sums;

#pragma unroll
            for (int n = 0; n < AT_ONCE; n++)
                if (i + n * parts < T::C_ROWS)
                    add_row(&cells[n],
                            from + segment +
                                (row + (i + n * parts) * T::APART) * T::C_PITCH,
                            e);
        }
#pragma unroll
        for (int n = 0; n < AT_ONCE; n++) {
            int m = (i + n * parts) * T::APART;

            if (i + n * parts < T::C_ROWS && row0 + row + m < s.M)
                store_row(c + (size_t)m * s.ldc, cells[n], e,
                          min((int)SEGMENT, count), {alpha, beta});
        }
    }
    if (parts > 1)
        cluster_sync(); // no block ends while another reads from it
}

template <class T> static int tiles_of(struct gemm_shape s)
{
    return ((s.M - 1) / T::BM + 1) * ((s.N - 1) / T::BN + 1);
}

template <class T>
static cudaError_t launch(const element *A, const element *B, element *C,
                          struct gemm_shape s, float alpha, float beta,
                          int parts, cudaStream_t stream)
{
    const int portable = 8; // blocks of a cluster; more a kernel is allowed

    cudaFuncSetAttribute(gemm<T>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                         T::ON_CHIP);
    if (parts > portable)
        cudaFuncSetAttribute(
            gemm<T>, cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
    return launch_clusters(gemm<T>, parts, tiles_of<T>(s) * parts, T::THREADS,
                           T::ON_CHIP, stream, A, B, C, s, alpha, beta, parts);
}

} // namespace brief

#endif
