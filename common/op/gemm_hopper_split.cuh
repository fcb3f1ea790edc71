// SPDX-License-Identifier: MIT
/*
 * gemm_hopper_split.cuh: small bf16 products on Hopper, where the tiles of
 * chapter 17 are too few. For chapter 23's candidates, in a namespace of its
 * own; compute_90a.
 *
 *   split::chip     what a block has in shared memory
 *   split::gemm     the kernel: a tile of C has PARTS blocks, a cluster, each
 *                   with its part of k
 *   split::tiles_of, split::launch
 *                   how many tiles there are; a launch
 *
 * The hard idea: with few tiles, most multiprocessors have nothing to do. The
 * blocks of a tile share k; at the end each sends to each other, through shared
 * memory, its sums of the columns that the other stores.
 */
#ifndef WB_GEMM_HOPPER_SPLIT_CUH
#define WB_GEMM_HOPPER_SPLIT_CUH

#include "gemm_cluster.cuh"
#include "gemm_hopper_few.cuh"

namespace split {

typedef gemm_bf16_t element;

enum { BK = TILE_WIDTH, BOX = TILE_WIDTH * TILE_WIDTH, LANES = 32 };

struct maps {
    CUtensorMap a, b, c;
};

// What a tile becomes, and where it goes. `wide`: rows of C begin on 16 bytes,
// and hold whole chunks; `whole`: the copy engine stores them.
struct result {
    element *C;
    float alpha, beta;
    bool wide, whole;
};

// GROUPS warpgroups have 64 rows and BN columns of C each. The sums that are
// sent take the place of the ring.
template <int BN, int GROUPS, int STAGES, int PARTS> struct chip {
    static const int BM = GROUPS * WGMMA_M, PART = BN / PARTS;
    static const int PAIR = (BM + BN) * TILE_BYTES; // bytes
    static const int SENT = (PARTS - 1) * BM * PART * sizeof(float);
    static const int RING = STAGES * PAIR > SENT ? STAGES * PAIR : SENT;
    static const int THREADS = GROUPS * GROUP + LANES;
    static const int ON_CHIP = RING + BM * PART * sizeof(element) +
                               STAGES * 2 * sizeof(uint64_t);
};

// Adds to this block's share of the sums what the other blocks have of it.
template <int BN, int GROUPS, int PARTS>
static __device__ __forceinline__ void exchange(float *sum, float *box,
                                                int rank)
{
    const int part = BN / PARTS, cells = GROUPS * WGMMA_M * part;
    bool consumer = threadIdx.x < GROUPS * GROUP;

    cluster_sync(); // nobody needs the ring any more
#pragma unroll
    for (int to = 0; to < PARTS; to++)
        if (consumer && to != rank) {
            float *there =
                cluster_address(box, to) + (rank - (rank > to)) * cells;

#pragma unroll
            for (int i = 0; i < part / 2; i += 4)
                *(float4 *)(there + i * GROUPS * GROUP + threadIdx.x * 4) =
                    four_of(sum + to * part / 2 + i);
        }
    cluster_sync(); // all sums are there
#pragma unroll
    for (int mine = 0; mine < PARTS; mine++)
#pragma unroll
        for (int from = 0; from < PARTS - 1; from++)
#pragma unroll
            for (int i = 0; i < part / 2; i += 4)
                if (consumer && mine == rank)
                    add_four(sum + mine * part / 2 + i,
                             *(float4 *)(box + from * cells +
                                         i * GROUPS * GROUP +
                                         threadIdx.x * 4));
}

// Two neighbours of a row of C, of which the first `count` exist. Without beta
// C is not read: it may hold anything.
static __device__ void put(element *c, const float *sum, int count,
                           const struct result &to)
{
    if (to.wide && count >= 2 && to.beta == 0.0f)
        *(__nv_bfloat162 *)c =
            __floats2bfloat162_rn(to.alpha * sum[0], to.alpha * sum[1]);
    else
        for (int e = 0; e < 2; e++)
            if (e < count)
                c[e] = to.beta == 0.0f
                           ? to.alpha * sum[e]
                           : to.alpha * sum[e] + to.beta * (float)c[e];
}

// This block's columns of the tile, out of registers.
template <int BN, int PARTS>
static __device__ __forceinline__ void store(const float *sum,
                                             struct gemm_shape s, int row0,
                                             int col0, int rank,
                                             const struct result &to)
{
    int lane = threadIdx.x % LANES;

#pragma unroll
    for (int j = 0; j < BN / 2; j += 2) {
        int row = row0 + threadIdx.x / LANES * 16 + lane / 4 + j / 2 % 2 * 8;
        int col = j / 4 * 8, at = col0 + col + lane % 4 * 2;

        if (col / (BN / PARTS) == rank && row < s.M)
            put(to.C + (size_t)row * s.ldc + at, sum + j, s.N - at, to);
    }
}

// The same by the copy engine, 64 columns at a time.
template <int BN, int GROUPS, int PARTS>
static __device__ __forceinline__ void store_boxes(const float *sum,
                                                   element *out,
                                                   const CUtensorMap *map,
                                                   int row0, int col0, int rank,
                                                   float alpha)
{
    const int part = BN / PARTS;
    int group = threadIdx.x / GROUP, lane = threadIdx.x % LANES;

#pragma unroll
    for (int i = 0; i < BN / TILE_WIDTH; i++) {
        element *to =
            out + (i % (part / TILE_WIDTH) * GROUPS + group) * BOX;

        if (i * TILE_WIDTH / part != rank)
            continue;
#pragma unroll
        for (int j = 0; j < TILE_WIDTH / 2; j += 2) {
            int m = threadIdx.x % GROUP / LANES * 16 + lane / 4 + j / 2 % 2 * 8;
            int c = j / 4 ^ m % 8; // swizzled, as the map says

            *(__nv_bfloat162 *)(to + m * TILE_WIDTH + c * 8 + lane % 4 * 2) =
                __floats2bfloat162_rn(alpha * sum[i * TILE_WIDTH / 2 + j],
                                      alpha * sum[i * TILE_WIDTH / 2 + j + 1]);
        }
        async_fence();         // the copy engine reads what was stored here
        group_sync(1 + group); // `to` is full
        if (threadIdx.x % GROUP == 0) {
            tensor_store(map, to, col0 + i * TILE_WIDTH,
                         row0 + group * WGMMA_M);
            tensor_store_commit();
        }
    }
    tensor_store_wait<0>(); // shared memory is needed until then
}

// One thread fills a pair whenever one is empty; `count` steps from `first` on.
template <int BN, int GROUPS, int STAGES, int PARTS>
static __device__ void produce(unsigned char *ring, uint64_t *full,
                               uint64_t *empty, const struct maps *maps,
                               int row0, int col0, int first, int count)
{
    typedef chip<BN, GROUPS, STAGES, PARTS> my;

    for (int i = 0; i < count; i++) {
        unsigned char *to = ring + i % STAGES * my::PAIR;
        uint64_t *there = &full[i % STAGES];

        if (i >= STAGES)
            barrier_wait(&empty[i % STAGES], (i / STAGES + 1) % 2);
        barrier_expect(there, my::PAIR);
        tensor_load(to, &maps->a, (first + i) * BK, row0, there);
        for (int j = 0; j < BN; j += TILE_WIDTH)
            tensor_load(to + (my::BM + j) * TILE_BYTES, &maps->b, col0 + j,
                        (first + i) * BK, there);
    }
}

// A warpgroup's sums over its block's part of k.
template <int BN, int GROUPS, int STAGES, int PARTS>
static __device__ __forceinline__ void multiply(float *sum, unsigned char *ring,
                                                uint64_t *full, uint64_t *empty,
                                                int count)
{
    typedef chip<BN, GROUPS, STAGES, PARTS> my;
    int group = threadIdx.x / GROUP;

    for (int i = 0; i < count; i++) {
        unsigned char *from = ring + i % STAGES * my::PAIR;
        uint64_t a = matrix_rows(from + group * WGMMA_M * TILE_BYTES);
        uint64_t b = matrix_columns(from + my::BM * TILE_BYTES,
                                    BOX * sizeof(element));

        barrier_wait(&full[i % STAGES], i / STAGES % 2);
        wgmma_begin();
#pragma unroll
        for (int k = 0; k < BK; k += WGMMA_K)
            wgmma<BN>(sum, a + k * sizeof(element) / 16,
                      b + k * TILE_BYTES / 16, i + k);
        wgmma_commit();
        wgmma_wait<1>(); // the pair before has been read
        if (i > 0 && threadIdx.x % LANES == 0)
            barrier_arrive(&empty[(i - 1) % STAGES]);
    }
    wgmma_wait<0>();
}

template <int BN, int GROUPS, int STAGES, int PARTS>
static __global__ void
__launch_bounds__(chip<BN, GROUPS, STAGES, PARTS>::THREADS, 1)
    gemm(const __grid_constant__ struct maps maps, struct gemm_shape s,
         struct result result)
{
    typedef chip<BN, GROUPS, STAGES, PARTS> my;
    extern __shared__ __align__(1024) unsigned char raw[];
    element *out = (element *)(raw + my::RING);
    uint64_t *full = (uint64_t *)(out + my::BM * my::PART);
    uint64_t *empty = full + STAGES;

    int across = (s.N - 1) / BN + 1, tile = blockIdx.x / PARTS;
    int rank = blockIdx.x % PARTS;
    int row0 = tile / across * my::BM, col0 = tile % across * BN;
    int steps = (s.K - 1) / BK + 1, first = steps * rank / PARTS;
    int count = steps * (rank + 1) / PARTS - first;
    int group = threadIdx.x / GROUP;
    __align__(16) float sum[BN / 2];

    if (threadIdx.x == 0) {
        for (int i = 0; i < STAGES; i++) {
            barrier_init(&full[i], 1);
            barrier_init(&empty[i], GROUPS * GROUP / LANES);
        }
        barrier_init_done();
    }
    __syncthreads(); // the barriers are there
    if (threadIdx.x == GROUPS * GROUP) // one thread loads
        produce<BN, GROUPS, STAGES, PARTS>(raw, full, empty, &maps, row0, col0,
                                           first, count);
    if (group < GROUPS)
        multiply<BN, GROUPS, STAGES, PARTS>(sum, raw, full, empty, count);
    __syncwarp(); // the thread that loads is back
    if (PARTS > 1)
        exchange<BN, GROUPS, PARTS>(sum, (float *)raw, rank);
    if (group == GROUPS)
        return;
    if constexpr (my::PART >= TILE_WIDTH) // whole boxes
        if (result.whole) {
            store_boxes<BN, GROUPS, PARTS>(sum, out, &maps.c, row0, col0, rank,
                                           result.alpha);
            return;
        }
    store<BN, PARTS>(sum, s, row0, col0, rank, result);
}

template <int BN, int GROUPS> static int tiles_of(struct gemm_shape s)
{
    return ((s.M - 1) / (GROUPS * WGMMA_M) + 1) * ((s.N - 1) / BN + 1);
}

// What the copy engine cannot read is copied to the workspace first: as many
// bytes as tensor_map_workspace says of A and of B. Each part has a step of k.
template <int BN, int GROUPS, int STAGES, int PARTS>
static cudaError_t launch(const element *A, const element *B, element *C,
                          struct gemm_shape s, float alpha, float beta,
                          void *workspace, cudaStream_t stream)
{
    typedef chip<BN, GROUPS, STAGES, PARTS> my;
    auto kernel = gemm<BN, GROUPS, STAGES, PARTS>;
    bool wide = (size_t)C % 16 == 0 && (s.N | s.ldc) % 8 == 0;
    struct result to = {C, alpha, beta, wide, wide && beta == 0.0f};
    struct maps maps;
    cudaError_t error =
        tensor_map(&maps.a, A, s.M, s.K, s.lda, my::BM, &workspace, stream);

    if (error == cudaSuccess)
        error = tensor_map(&maps.b, B, s.K, s.N, s.ldb, BK, &workspace, stream);
    if (error == cudaSuccess && to.whole)
        error = tensor_map(&maps.c, C, s.M, s.N, s.ldc, WGMMA_M, &workspace,
                           stream);
    if (error != cudaSuccess)
        return error;
    cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                         my::ON_CHIP);
    return launch_clusters(kernel, PARTS, tiles_of<BN, GROUPS>(s) * PARTS,
                           my::THREADS, my::ON_CHIP, stream, maps, s, to);
}

} // namespace split

#endif
