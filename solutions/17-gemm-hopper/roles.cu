// SPDX-License-Identifier: MIT
// Stage 17, matrix product on Hopper, step 3: roles.
// New: a warpgroup that loads, and two that multiply; barriers between them.
// Before: step 2; all did both, and met in every round.
// Counter: barriers fall to one per block.

#include "op/gemm.h"
#include "op/gemm_hopper.cuh"

typedef gemm_bf16_t element; // of A, B and C

// Maps of A and B, whose boxes are `rows` x 64 of A and `depth` x 64 of
// B. Whatever the copy engine cannot read is copied to the workspace first.
struct maps {
    CUtensorMap a, b;
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

//> todo kernel (about 143 lines)
enum {
    BM = 128, // rows of C per block
    BN = 256, // columns
    BK = 64,  // of k on chip at a time: 128 bytes of a row of A
    LANES = 32,
    CONSUMERS = BM / WGMMA_M, // warpgroups that multiply
    THREADS = (1 + CONSUMERS) * GROUP,
    CHUNK = 16 / sizeof(element),
    B_TILE = BK * TILE_WIDTH, // elements of 64 columns of B
    BLOCKS = 1, // per multiprocessor
    STAGES = 4  // pairs of tiles on chip: one in use, the others coming
};

// A pair of tiles: BM rows of A; and B, 64 columns behind 64 columns.
struct pair {
    element a[BM * BK], b[BN * BK];
};

struct on_chip {
    struct pair pair[STAGES];
    uint64_t full[STAGES], empty[STAGES]; // two barriers of each pair
};

// One element of C. With beta = 0 it is not read: it may hold anything.
static __device__ void finish(element *c, float sum, float alpha, float beta)
{
    *c = beta == 0.0f ? alpha * sum : alpha * sum + beta * (float)*c;
}

// Starts the copies of a pair of tiles: BK columns of A and BK rows of B, from
// `first` on. One thread calls it.
static __device__ void stage(struct pair *to, const struct maps *maps,
                             int row0, int col0, int first, uint64_t *full)
{
    barrier_expect(full, sizeof *to);
    tensor_load(to->a, &maps->a, first, row0, full);
    for (int i = 0; i < BN / TILE_WIDTH; i++)
        tensor_load(to->b + i * B_TILE, &maps->b, col0 + i * TILE_WIDTH, first,
                    full);
}

// One thread loads: it fills a pair whenever one is empty.
static __device__ void produce(struct on_chip *on_chip,
                               const struct maps *maps, int row0, int col0,
                               int K)
{
    struct slot slot = {0, 0};

    for (int first = 0; first < K; first += BK) {
        barrier_wait(&on_chip->empty[slot.at], slot.parity ^ 1);
        stage(&on_chip->pair[slot.at], maps, row0, col0, first,
              &on_chip->full[slot.at]);
        advance(&slot, STAGES);
    }
}

// A warpgroup's sums over all k. A pair is given back when the wgmma after it
// are on their way: so the tensor cores never wait.
static __device__ __forceinline__ void multiply(float *sum,
                                                struct on_chip *on_chip,
                                                int g_row, int K)
{
    struct slot slot = {0, 0};
    int lane = threadIdx.x % LANES, before = 0;

    for (int first = 0; first < K; first += BK) {
        struct pair *now = &on_chip->pair[slot.at];
        uint64_t a = matrix_rows(now->a + g_row * BK);
        uint64_t b = matrix_columns(now->b, B_TILE * sizeof(element));

        barrier_wait(&on_chip->full[slot.at], slot.parity);
        wgmma_begin();
#pragma unroll
        for (int k = 0; k < BK; k += WGMMA_K)
            wgmma_bf16(sum, a + k * sizeof(element) / 16,
                       b + k * TILE_BYTES / 16, first + k);
        wgmma_commit();
        wgmma_wait<1>(); // `before` has been read
        if (first > 0 && lane == 0)
            barrier_arrive(&on_chip->empty[before]);
        before = slot.at;
        advance(&slot, STAGES);
    }
    wgmma_wait<0>();
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

// A warpgroup computes WGMMA_M x WGMMA_N elements. What a lane holds of them is
// what the instruction says: gemm_hopper.cuh has the places. `wide`: every row
// of C begins on a boundary of 16 bytes, and holds nothing but whole chunks.
static __global__ void __launch_bounds__(THREADS, BLOCKS)
    gemm(const __grid_constant__ struct maps maps, element *C,
         struct gemm_shape s, float alpha, float beta, bool wide)
{
    extern __shared__ __align__(1024) unsigned char raw[];
    struct on_chip *on_chip = (struct on_chip *)raw;

    int across = (s.N - 1) / BN + 1; // blocks along a row of C
    int row0 = blockIdx.x / across * BM, col0 = blockIdx.x % across * BN;
    int lane = threadIdx.x % LANES, quad = lane / 4, place = lane % 4;
    int g_row = (threadIdx.x / GROUP - 1) * WGMMA_M; // of a consumer
    int w_row = g_row + threadIdx.x % GROUP / LANES * 16; // of its warp
    float sum[SUMS];

    if (threadIdx.x == 0) {
        for (int i = 0; i < STAGES; i++) {
            barrier_init(&on_chip->full[i], 1);
            barrier_init(&on_chip->empty[i], CONSUMERS * GROUP / LANES);
        }
        barrier_init_done();
    }
    __syncthreads(); // the barriers are there
    if (threadIdx.x < GROUP) {
        registers_down<24>();
        if (threadIdx.x == 0)
            produce(on_chip, &maps, row0, col0, s.K);
        return;
    }
    registers_up<240>();
    multiply(sum, on_chip, g_row, s.K);

#pragma unroll // sum stays in registers if its indices are constants
    for (int j = 0; j < SUMS; j += 2) {
        int row = row0 + w_row + quad + j / 2 % 2 * 8;
        int col = col0 + j / 4 * 8 + place * 2;

        if (row < s.M)
            put(C + (size_t)row * s.ldc + col, sum + j, s.N - col, alpha, beta,
                wide);
    }
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
    //> todo launch (about 13 lines)
    unsigned across = (shape.N - 1) / BN + 1, down = (shape.M - 1) / BM + 1;
    bool wide = (size_t)C % 16 == 0 && (shape.N | shape.ldc) % CHUNK == 0;
    int on_chip = sizeof(struct on_chip);
    struct maps maps;
    cudaError_t error =
        map_boxes(&maps, A, B, shape, BM, BK, &workspace, stream);

    if (error != cudaSuccess)
        return error;
    cudaFuncSetAttribute(gemm, cudaFuncAttributeMaxDynamicSharedMemorySize,
                         on_chip);
    gemm<<<across * down, THREADS, on_chip, stream>>>(maps, C, shape, alpha,
                                                      beta, wide);
    //< todo
    return cudaGetLastError();
}
