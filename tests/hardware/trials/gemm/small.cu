// SPDX-License-Identifier: MIT
/*
 * small.cu: trials of small bf16 products on Hopper (compute_90a), where the
 * tiles of chapter 17 are too few.
 *
 * A row of the table names rows x columns per tile, pairs of tiles on chip (s)
 * and blocks per tile (split). The blocks of a tile are a cluster, and share k.
 * At the end each sends to each other, through shared memory, its sums of the
 * columns that the other stores. `now` is chapter 17's step 6.
 *
 * At 1024 cubed there are 128 tiles of 128 x 64, each of which loads 384 KiB;
 * or 64 of 128 x 128, in two parts of 256 KiB; or 32 of 128 x 256, in four
 * parts of 192 KiB.
 */
#include <cooperative_groups.h>

#include "contest.cuh"
#include "op/gemm_hopper.cuh"
#include "wgmma.cuh"

typedef __nv_bfloat16 element;

enum { BK = TILE_WIDTH, BOX = TILE_WIDTH * TILE_WIDTH };

struct maps {
    CUtensorMap a, b, c;
};

// The sums that are sent take the place of the ring.
template <int BN, int GROUPS, int STAGES, int SPLIT> struct chip {
    static const int BM = GROUPS * WGMMA_M, PART = BN / SPLIT;
    static const int PAIR = (BM + BN) * TILE_BYTES; // bytes
    static const int SENT = (SPLIT - 1) * BM * PART * sizeof(float);
    static const int RING = STAGES * PAIR > SENT ? STAGES * PAIR : SENT;
    static const int ON_CHIP = RING + BM * PART * sizeof(element) +
                               STAGES * 2 * sizeof(uint64_t);
};

// Adds to this block's share of the sums what the other blocks have of it.
template <int BN, int GROUPS, int SPLIT>
static __device__ __forceinline__ void exchange(float *sum, float *box,
                                                int rank)
{
    namespace cg = cooperative_groups;

    const int part = BN / SPLIT, cells = GROUPS * WGMMA_M * part;
    cg::cluster_group cluster = cg::this_cluster();
    bool consumer = threadIdx.x < GROUPS * GROUP;

    cluster.sync(); // nobody needs the ring any more
#pragma unroll
    for (int to = 0; to < SPLIT; to++)
        if (consumer && to != rank) {
            float *there =
                cluster.map_shared_rank(box, to) + (rank - (rank > to)) * cells;

#pragma unroll
            for (int i = 0; i < part / 2; i += 4)
                *(float4 *)(there + i * GROUPS * GROUP + threadIdx.x * 4) =
                    *(float4 *)(sum + to * part / 2 + i);
        }
    cluster.sync(); // all sums are there
#pragma unroll
    for (int mine = 0; mine < SPLIT; mine++)
#pragma unroll
        for (int from = 0; from < SPLIT - 1; from++)
#pragma unroll
            for (int i = 0; i < part / 2; i++)
                if (consumer && mine == rank)
                    sum[mine * part / 2 + i] +=
                        box[from * cells + i / 4 * 4 * GROUPS * GROUP +
                            threadIdx.x * 4 + i % 4];
}

template <int BN, int GROUPS, int STAGES, int SPLIT>
static __global__ void __launch_bounds__(GROUPS *GROUP + 32, 1)
    small_gemm(const __grid_constant__ struct maps maps, element *C,
               struct gemm_shape s)
{
    typedef chip<BN, GROUPS, STAGES, SPLIT> my;
    extern __shared__ __align__(1024) unsigned char raw[];
    element *out = (element *)(raw + my::RING);
    uint64_t *full = (uint64_t *)(out + my::BM * my::PART);
    uint64_t *empty = full + STAGES;

    int across = (s.N - 1) / BN + 1, tile = blockIdx.x / SPLIT;
    int rank = blockIdx.x % SPLIT;
    int row0 = tile / across * my::BM, col0 = tile % across * BN;
    int steps = (s.K - 1) / BK + 1, first = steps * rank / SPLIT;
    int count = steps * (rank + 1) / SPLIT - first;
    int group = threadIdx.x / GROUP, lane = threadIdx.x % 32;
    __align__(16) float sum[BN / 2];

    if (threadIdx.x == 0) {
        for (int i = 0; i < STAGES; i++) {
            barrier_init(&full[i], 1);
            barrier_init(&empty[i], GROUPS * GROUP / 32);
        }
        barrier_init_done();
    }
    __syncthreads(); // the barriers are there
    if (threadIdx.x == GROUPS * GROUP) // one thread loads
        for (int i = 0; i < count; i++) {
            unsigned char *to = raw + i % STAGES * my::PAIR;
            uint64_t *there = &full[i % STAGES];

            if (i >= STAGES)
                barrier_wait(&empty[i % STAGES], (i / STAGES + 1) % 2);
            barrier_expect(there, my::PAIR);
            tensor_load(to, &maps.a, (first + i) * BK, row0, there);
            for (int j = 0; j < BN; j += TILE_WIDTH)
                tensor_load(to + (my::BM + j) * TILE_BYTES, &maps.b, col0 + j,
                            (first + i) * BK, there);
        }
    if (group < GROUPS)
        for (int i = 0; i < count; i++) {
            unsigned char *from = raw + i % STAGES * my::PAIR;
            uint64_t a = matrix_rows(from + group * WGMMA_M * TILE_BYTES);
            uint64_t b = matrix_columns(from + my::BM * TILE_BYTES,
                                        BOX * sizeof(element));

            barrier_wait(&full[i % STAGES], i / STAGES % 2);
            wgmma_begin();
#pragma unroll
            for (int k = 0; k < BK; k += WGMMA_K)
                wgmma_wide<BN>(sum, a + k * sizeof(element) / 16,
                               b + k * TILE_BYTES / 16, i + k);
            wgmma_commit();
            wgmma_wait<1>(); // the pair before has been read
            if (i > 0 && lane == 0)
                barrier_arrive(&empty[(i - 1) % STAGES]);
        }
    wgmma_wait<0>();
    __syncwarp(); // the thread that loads is back
    if (SPLIT > 1)
        exchange<BN, GROUPS, SPLIT>(sum, (float *)raw, rank);
    if (group == GROUPS)
        return;
    if constexpr (my::PART < TILE_WIDTH) { // less than a box
#pragma unroll
        for (int j = 0; j < BN / 2; j += 2) {
            int row = row0 + threadIdx.x / 32 * 16 + lane / 4 + j / 2 % 2 * 8;
            int col = j / 4 * 8;

            if (col / my::PART == rank && row < s.M && col0 + col < s.N)
                *(__nv_bfloat162 *)(C + (size_t)row * s.ldc + col0 + col +
                                    lane % 4 * 2) =
                    __floats2bfloat162_rn(sum[j], sum[j + 1]);
        }
    } else {
#pragma unroll
        for (int i = 0; i < BN / TILE_WIDTH; i++) {
            int box = i % (my::PART / TILE_WIDTH) * GROUPS + group;
            element *to = out + box * BOX;

            if (i * TILE_WIDTH / my::PART != rank)
                continue;
#pragma unroll
            for (int j = 0; j < TILE_WIDTH / 2; j += 2) {
                int m = threadIdx.x % GROUP / 32 * 16 + lane / 4 + j / 2 % 2 * 8;
                int c = j / 4 ^ m % 8; // swizzled, as the map says

                *(__nv_bfloat162 *)(to + m * TILE_WIDTH + c * 8 + lane % 4 * 2) =
                    __floats2bfloat162_rn(sum[i * TILE_WIDTH / 2 + j],
                                          sum[i * TILE_WIDTH / 2 + j + 1]);
            }
            async_fence();         // the copy engine reads what was stored here
            group_sync(1 + group); // `to` is full
            if (threadIdx.x % GROUP == 0) {
                tensor_store(&maps.c, to, col0 + i * TILE_WIDTH,
                             row0 + group * WGMMA_M);
                tensor_store_commit();
            }
        }
        tensor_store_wait<0>(); // shared memory is needed until then
    }
}

template <int BN, int GROUPS, int STAGES, int SPLIT>
static bool launch(const struct product *p, int)
{
    typedef chip<BN, GROUPS, STAGES, SPLIT> my;
    auto kernel = small_gemm<BN, GROUPS, STAGES, SPLIT>;
    struct gemm_shape s = p->s;
    struct maps maps;
    int tiles = ((s.M - 1) / my::BM + 1) * ((s.N - 1) / BN + 1);
    void *none = NULL;

    if ((s.N | s.K) % 8 || (s.K - 1) / BK + 1 < SPLIT ||
        tensor_map(&maps.a, (element *)p->a, s.M, s.K, s.lda, my::BM, &none,
                   0) ||
        tensor_map(&maps.b, (element *)p->b, s.K, s.N, s.ldb, BK, &none, 0) ||
        tensor_map(&maps.c, (element *)p->c, s.M, s.N, s.ldc, WGMMA_M, &none,
                   0))
        return false;
    return start(kernel, dim3(tiles * SPLIT), GROUPS * GROUP + 32, my::ON_CHIP,
                 SPLIT, maps, (element *)p->c, s);
}

template <int BN, int GROUPS, int STAGES, int SPLIT> static void add_one(void)
{
    char name[64];

    snprintf(name, sizeof name, "%dx%d s%d split %d", GROUPS * WGMMA_M, BN,
             STAGES, SPLIT);
    add(name, launch<BN, GROUPS, STAGES, SPLIT>, 0, true);
}

static void candidates(const struct product *)
{
    add_one<64, 2, 6, 1>();
    add_one<128, 1, 6, 1>();
    add_one<128, 2, 5, 1>();
    add_one<128, 2, 5, 2>();
    add_one<128, 1, 6, 2>();
    add_one<256, 2, 4, 2>();
    add_one<256, 2, 4, 4>();
    add_one<256, 1, 4, 4>();
    add_one<128, 1, 6, 4>();
    add_one<128, 1, 6, 8>();
    add_one<128, 2, 5, 4>();
    add_one<64, 1, 8, 1>();
    add_one<64, 1, 8, 2>();
    add_one<64, 1, 8, 4>();
    add_one<64, 1, 8, 8>();
}

static void one(int M, int N, int K)
{
    contest<element>("bf16 ", M, N, K, 8e-3f, false,
                     stage_of<element, gemm_bf16_bf16>, candidates);
}

int main()
{
    contest_open();
#ifdef SIMULATED
    one(128, 256, 320);
    one(12, 256, 512);
    one(130, 72, 520);
#else
    one(1024, 1024, 1024); // warms up, too
    one(1024, 1024, 1024);
    one(512, 512, 512);
    one(2048, 2048, 2048);
    one(1024, 1024, 4096);
    one(64, 4096, 4096);
    one(16, 4096, 4096);
    one(1, 4096, 4096);
    one(16, 4096, 2752);
    one(8, 7168, 576);
    one(1533, 96, 3024);
    one(499, 416, 2368);
    one(3906, 64, 3136);
    one(2424, 576, 256);
    one(416, 1088, 3104);
    one(322, 352, 1216);
    one(136, 1088, 832);
    one(1984, 3104, 640);
#endif
    return 0;
}
