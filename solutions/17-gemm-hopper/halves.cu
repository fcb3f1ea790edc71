// SPDX-License-Identifier: MIT
// Stage 17, matrix product on Hopper, step 7: k in two halves.
// New: two blocks of a cluster share a tile's k; one sends the other its sums.
// Before: step 6; with few rows and a long k there were too few tiles still.
// Counter: blocks_at_work rise to four times as many.

#include "op/gemm.h"
#include "op/gemm_hopper_few.cuh"

typedef gemm_bf16_t element; // of A, B and C

//> todo maps (about 19 lines)
// Maps of A and B, whose boxes are `rows` x 64 of A and `depth` x 64 of
// B. Whatever the copy engine cannot read is copied to the workspace first.
struct maps {
    CUtensorMap a, b, c;
};

static cudaError_t map_boxes(struct maps *maps, const element *A,
                             const element *B, struct gemm_shape s, int rows,
                             int depth, void **workspace,
                             cudaStream_t stream)
{
    cudaError_t error = tensor_map(&maps->a, A, s.M, s.K, s.lda, rows,
                                   workspace, stream);

    if (error == cudaSuccess)
        error = tensor_map(&maps->b, B, s.K, s.N, s.ldb, depth, workspace,
                           stream);
    return error;
}
//< todo

// The pair in use, one of `stages`, and the parity of its barriers'
// phase.
struct slot {
    int at, parity;
};

static __device__ void advance(struct slot *slot, int stages)
{
    slot->at = (slot->at + 1) % stages;
    slot->parity ^= slot->at == 0;
}

//> todo kernel (about 219 lines)
enum {
    BK = 64, // of k on chip at a time: 128 bytes of a row of A
    LANES = 32,
    CHUNK = 16 / sizeof(element),
    B_TILE = BK * TILE_WIDTH, // elements of 64 columns of B
    BLOCKS = 1, // per multiprocessor
    C_TILE = WGMMA_M * TILE_WIDTH, // elements of 64 columns of a group's C
    C_TILES = 2, // of them on chip, per warpgroup
    TALL = 16,  // tiles of C, one below the other, of a stripe
    LONG = 2048 // of k: from here on halves pay
};

// How many blocks, a cluster, share the k of a tile of BN columns.
static __device__ __host__ constexpr int parts_of(int BN)
{
    return BN == 64 ? 2 : 1;
}

// A pair of tiles: BM rows of A; and B, 64 columns behind 64 columns.
template <int BM, int BN> struct pair {
    element a[BM * BK], b[BN * BK];
};

// STAGES pairs: one in use, the others coming.
template <int BM, int BN, int STAGES> struct chip {
    struct pair<BM, BN> pair[STAGES];
    element c[BM / WGMMA_M][C_TILES][C_TILE];
    float4 sent[(parts_of(BN) - 1) * BM * BN / 4 + 1]; // the other half's sums
    uint64_t full[STAGES], empty[STAGES]; // two barriers of each pair
};

// One element of C. With beta = 0 it is not read: it may hold anything.
static __device__ void finish(element *c, float sum, float alpha, float beta)
{
    *c = beta == 0.0f ? alpha * sum : alpha * sum + beta * (float)*c;
}

// Tiles of C, BM rows and BN columns each.
template <int BM, int BN>
static __device__ __host__ int tiles_of(struct gemm_shape s)
{
    return ((s.M - 1) / BM + 1) * ((s.N - 1) / BN + 1);
}

// Where a tile begins. They are counted down stripes of TALL: those that are
// computed at a time are nearly a square, and need few rows of A and few
// columns of B.
template <int BM, int BN>
static __device__ void find(struct gemm_shape s, int tile, int *row0,
                            int *col0)
{
    int down = (s.M - 1) / BM + 1, across = (s.N - 1) / BN + 1;
    int first = tile / (TALL * across) * TALL, rest = tile % (TALL * across);
    int tall = min((int)TALL, down - first);

    *row0 = (first + rest % tall) * BM;
    *col0 = rest / tall * BN;
}

// Starts the copies of a pair of tiles: BK columns of A and BK rows of B, from
// `first` on. One thread calls it.
template <int BM, int BN>
static __device__ void stage(struct pair<BM, BN> *to, const struct maps *maps,
                             int row0, int col0, int first, uint64_t *full)
{
    barrier_expect(full, sizeof *to);
    tensor_load(to->a, &maps->a, first, row0, full);
    for (int i = 0; i < BN / TILE_WIDTH; i++)
        tensor_load(to->b + i * B_TILE, &maps->b, col0 + i * TILE_WIDTH, first,
                    full);
}

// One thread loads: it fills a pair whenever one is empty.
template <int BM, int BN, int STAGES>
static __device__ void produce(struct chip<BM, BN, STAGES> *on_chip,
                               const struct maps *maps, struct gemm_shape s,
                               struct range k)
{
    const int parts = parts_of(BN);
    int tiles = tiles_of<BM, BN>(s), row0, col0;
    struct slot slot = {0, 0};

    for (int tile = blockIdx.x / parts; tile < tiles;
         tile += gridDim.x / parts) {
        find<BM, BN>(s, tile, &row0, &col0);
        for (int first = k.begin; first < k.end; first += BK) {
            barrier_wait(&on_chip->empty[slot.at], slot.parity ^ 1);
            stage(&on_chip->pair[slot.at], maps, row0, col0, first,
                  &on_chip->full[slot.at]);
            advance(&slot, STAGES);
        }
    }
}

// A warpgroup's sums over `mine`. A pair is given back when the wgmma after it
// are on their way: so the tensor cores never wait.
template <int BM, int BN, int STAGES>
static __device__ __forceinline__ void
multiply(float *sum, struct chip<BM, BN, STAGES> *on_chip, int g_row,
         struct range mine, struct slot *slot)
{
    int lane = threadIdx.x % LANES, before = 0;

    for (int first = mine.begin; first < mine.end; first += BK) {
        struct pair<BM, BN> *now = &on_chip->pair[slot->at];
        uint64_t a = matrix_rows(now->a + g_row * BK);
        uint64_t b = matrix_columns(now->b, B_TILE * sizeof(element));

        barrier_wait(&on_chip->full[slot->at], slot->parity);
        wgmma_begin();
#pragma unroll
        for (int k = 0; k < BK; k += WGMMA_K)
            wgmma<BN>(sum, a + k * sizeof(element) / 16,
                      b + k * TILE_BYTES / 16, first - mine.begin + k);
        wgmma_commit();
        wgmma_wait<1>(); // `before` has been read
        if (first > mine.begin && lane == 0)
            barrier_arrive(&on_chip->empty[before]);
        before = slot->at;
        advance(slot, STAGES);
    }
    wgmma_wait<0>();
    if (lane == 0)
        barrier_arrive(&on_chip->empty[before]);
}

// Two neighbours of a row of C, of which the first `count` exist.
static __device__ void put(element *c, const float *sum, int count,
                           float alpha, float beta, bool wide)
{
    if (wide && count >= 2 && beta == 0.0f)
        *(__nv_bfloat162 *)c =
            __floats2bfloat162_rn(alpha * sum[0], alpha * sum[1]);
    else
        for (int e = 0; e < 2; e++)
            if (e < count)
                finish(c + e, sum[e], alpha, beta);
}

// Stores a warpgroup's sums, 64 columns at a time, through tiles on chip that
// the copy engine empties meanwhile.
template <int BN>
static __device__ __forceinline__ void
store(const float *sum, element (*tile)[C_TILE], const CUtensorMap *map,
      int row0, int col0, float alpha)
{
    int thread = threadIdx.x % GROUP, lane = thread % LANES;
    int group = threadIdx.x / GROUP;

#pragma unroll
    for (int i = 0; i < BN / TILE_WIDTH; i++) {
        element *to = tile[i % C_TILES];

        if (thread == 0)
            tensor_store_wait<C_TILES - 1>();
        group_sync(group); // `to` has been read
#pragma unroll
        for (int j = 0; j < TILE_WIDTH / 2; j += 2) {
            int m = thread / LANES * 16 + lane / 4 + j / 2 % 2 * 8;
            int c = j / 4 ^ m % CHUNK; // swizzled, as the map says

            put(to + m * TILE_WIDTH + c * CHUNK + lane % 4 * 2,
                sum + i * TILE_WIDTH / 2 + j, 2, alpha, 0.0f, true);
        }
        async_fence();     // the copy engine reads what was stored here
        group_sync(group); // `to` is full
        if (thread == 0) {
            tensor_store(map, to, col0 + i * TILE_WIDTH, row0);
            tensor_store_commit();
        }
    }
}

// The second half's block sends its sums to the first's, which returns true.
template <int N>
static __device__ __forceinline__ bool join(float *sum, float4 *sent, int part)
{
    float4 *to = cluster_address(sent, 0) + threadIdx.x % GROUP;

#pragma unroll // sum stays in registers if its indices are constants
    for (int i = 0; i < N; i += 4)
        if (part > 0)
            to[i / 4 * GROUP] = four_of(sum + i);
    cluster_sync(); // the sums are there
#pragma unroll
    for (int i = 0; i < N; i += 4)
        if (part == 0)
            add_four(sum + i, to[i / 4 * GROUP]);
    return part == 0;
}

// A warpgroup computes WGMMA_M x BN elements. What a lane holds of them is
// what the instruction says: gemm_hopper.cuh has the places. `wide`: every row
// of C begins on a boundary of 16 bytes, and holds nothing but whole chunks.
// `whole`: nobody need read C, and the copy engine can store it.
template <int BM, int BN, int STAGES>
static __global__ void __launch_bounds__(GROUP + BM / WGMMA_M * GROUP, BLOCKS)
    gemm(const __grid_constant__ struct maps maps, element *C,
         struct gemm_shape s, float alpha, float beta, bool wide,
         bool whole)
{
    extern __shared__ __align__(1024) unsigned char raw[];
    auto on_chip = (struct chip<BM, BN, STAGES> *)raw;

    int lane = threadIdx.x % LANES, quad = lane / 4, place = lane % 4;
    int g_row = (threadIdx.x / GROUP - 1) * WGMMA_M; // of a consumer
    int w_row = g_row + threadIdx.x % GROUP / LANES * 16; // of its warp
    const int parts = parts_of(BN);
    int tiles = tiles_of<BM, BN>(s), row0, col0, part = blockIdx.x % parts;
    struct range k = share_of(s.K, BK, part, parts);
    struct slot slot = {0, 0};
    float sum[WGMMA_M * BN / GROUP];

    if (threadIdx.x == 0) {
        for (int i = 0; i < STAGES; i++) {
            barrier_init(&on_chip->full[i], 1);
            barrier_init(&on_chip->empty[i], BM / WGMMA_M * GROUP / LANES);
        }
        barrier_init_done();
    }
    __syncthreads(); // the barriers are there
    if (parts > 1)
        cluster_sync(); // and so is the other block, with its memory
    if (threadIdx.x < GROUP) {
        if (BM > WGMMA_M)
            registers_down<24>();
        if (threadIdx.x == 0)
            produce(on_chip, &maps, s, k);
        return;
    }
    if (BM > WGMMA_M) // else 65536 registers are enough for all
        registers_up<240>();
    for (int tile = blockIdx.x / parts; tile < tiles;
         tile += gridDim.x / parts) {
        multiply(sum, on_chip, g_row, k, &slot);
        if (parts > 1 && !join<WGMMA_M * BN / GROUP>(sum, on_chip->sent, part))
            break;
        find<BM, BN>(s, tile, &row0, &col0);
        if (whole) {
            store<BN>(sum, on_chip->c[g_row / WGMMA_M], &maps.c, row0 + g_row,
                      col0, alpha);
            continue;
        }
#pragma unroll // sum stays in registers if its indices are constants
        for (int j = 0; j < WGMMA_M * BN / GROUP; j += 2) {
            int row = row0 + w_row + quad + j / 2 % 2 * 8;
            int col = col0 + j / 4 * 8 + place * 2;

            if (row < s.M)
                put(C + (size_t)row * s.ldc + col, sum + j, s.N - col, alpha,
                    beta, wide);
        }
    }
    tensor_store_wait<0>(); // shared memory is needed until then
}
//< todo

size_t gemm_bf16_bf16_workspace(struct gemm_shape shape)
{
    //> todo workspace (about 2 lines)
    return tensor_map_workspace(shape.M, shape.K, shape.lda) +
           tensor_map_workspace(shape.K, shape.N, shape.ldb);
    //< todo
}

cudaError_t gemm_bf16_bf16(const gemm_bf16_t *A, const gemm_bf16_t *B,
                           gemm_bf16_t *C, struct gemm_shape shape,
                           float alpha, float beta, void *workspace,
                           cudaStream_t stream)
{
    //> todo launch (about 28 lines)
    int device = 0, room = 1;
    bool wide = (size_t)C % 16 == 0 && (shape.N | shape.ldc) % CHUNK == 0;
    bool whole = beta == 0.0f && wide; // the copy engine stores whole chunks
    struct maps maps;

    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&room, cudaDevAttrMultiProcessorCount, device);

    int tiles = tiles_of<64, 128>(shape);
    bool few = tiles <= room; // then all of them run at a time
    bool halves = shape.K >= LONG && tiles_of<64, 64>(shape) * 2 <= room;
    int threads = few ? 2 * GROUP : 3 * GROUP;
    int on_chip = halves ? sizeof(struct chip<64, 64, 8>)
                  : few  ? sizeof(struct chip<64, 128, 6>)
                         : sizeof(struct chip<128, 256, 4>);
    auto kernel = halves ? gemm<64, 64, 8>
                  : few  ? gemm<64, 128, 6>
                         : gemm<128, 256, 4>;
    cudaError_t error = map_boxes(&maps, A, B, shape, few ? 64 : 128, BK,
                                  &workspace, stream);

    if (halves)
        tiles = tiles_of<64, 64>(shape) * 2; // blocks
    else if (!few)
        tiles = tiles_of<128, 256>(shape);
    if (error == cudaSuccess && whole)
        error = tensor_map(&maps.c, C, shape.M, shape.N, shape.ldc, WGMMA_M,
                           &workspace, stream);
    if (error != cudaSuccess)
        return error;
    cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                         on_chip);
    launch_clusters(kernel, halves ? 2 : 1, min(tiles, room * BLOCKS), threads,
                    on_chip, stream, maps, C, shape, alpha, beta, wide, whole);
    //< todo
    return cudaGetLastError();
}
