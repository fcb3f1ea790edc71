// SPDX-License-Identifier: MIT
// honest: the two blocks of a cluster share a tile's k, and swap halves of sums
// chapter: 17 few
// expect: PASS
#include <cooperative_groups.h>

#include "../tests/honest/hopper_128_columns.cuh"

namespace cg = cooperative_groups;

enum {
    SIDE = 128, // rows and columns of C per tile
    BLOCKS = 2, // per tile: a cluster
    HALF = SIDE / BLOCKS / 2, // sums per thread that a block stores
    CONSUMER_THREADS = 2 * GROUP,
    THREADS = CONSUMER_THREADS + LANES, // and a warp that loads
    B_TILE = BK * TILE_WIDTH
};

#ifndef SENT_TO
#define SENT_TO(rank) ((rank) ^ 1) // whose columns a block sends away
#endif

struct on_chip {
    struct {
        element a[SIDE * BK], b[SIDE * BK];
    } pair[STAGES];
    element c[CONSUMER_THREADS / LANES][C_TILES][C_TILE];
    float sent[HALF][CONSUMER_THREADS]; // by the other block
    uint64_t full[STAGES], empty[STAGES];
};

static __device__ void produce(struct on_chip *chip, const struct maps *maps,
                               int row0, int col0, int begin, int end)
{
    for (int step = begin; step < end; step++) {
        struct place p = place_of(step - begin);
        uint64_t *full = &chip->full[p.slot];

        barrier_wait(&chip->empty[p.slot], p.parity ^ 1);
        barrier_expect(full, sizeof *chip->pair);
        tensor_load(chip->pair[p.slot].a, &maps->a, step * BK, row0, full);
        for (int i = 0; i < SIDE / TILE_WIDTH; i++)
            tensor_load(chip->pair[p.slot].b + i * B_TILE, &maps->b,
                        col0 + i * TILE_WIDTH, step * BK, full);
    }
}

static __device__ void consume(float *sum, struct on_chip *chip, int count)
{
    int group = threadIdx.x / GROUP;

    for (int step = 0; step < count; step++) {
        struct place p = place_of(step);
        uint64_t a = matrix_rows(chip->pair[p.slot].a + group * WGMMA_M * BK);
        uint64_t b = matrix_columns(chip->pair[p.slot].b,
                                    B_TILE * sizeof(element));

        barrier_wait(&chip->full[p.slot], p.parity);
        wgmma_begin();
#pragma unroll
        for (int k = 0; k < BK; k += WGMMA_K)
            multiply(sum, a + k * sizeof(element) / 16,
                     b + k * TILE_BYTES / 16, 1);
        wgmma_commit();
        wgmma_wait<0>();
        barrier_arrive(&chip->empty[p.slot]);
    }
}

// Sends the sums that belong to block `to`.
static __device__ void send(const float *sum, struct on_chip *chip, int to,
                            int rank)
{
    float *there = cg::this_cluster().map_shared_rank(chip->sent[0], rank ^ 1);

#pragma unroll
    for (int i = 0; i < HALF; i++)
        there[i * CONSUMER_THREADS + threadIdx.x] =
            to == 0 ? sum[i] : sum[HALF + i];
}

static __global__ void __launch_bounds__(THREADS, 1)
    gemm(const __grid_constant__ struct maps maps, element *C,
         struct gemm_shape s, float alpha, float beta, bool whole)
{
    extern __shared__ __align__(1024) unsigned char raw[];
    struct on_chip *chip = (struct on_chip *)raw;
    cg::cluster_group cluster = cg::this_cluster();
    int across = (s.N - 1) / SIDE + 1, steps = (s.K - 1) / BK + 1;
    int tile = blockIdx.x / BLOCKS, rank = blockIdx.x % BLOCKS;
    int row0 = tile / across * SIDE, col0 = tile % across * SIDE;
    int begin = steps * rank / BLOCKS, end = steps * (rank + 1) / BLOCKS;
    int warp = threadIdx.x / LANES;
    bool consumer = threadIdx.x < CONSUMER_THREADS;
    float sum[2 * HALF] = {0.0f}, mine[HALF];

    if (threadIdx.x == 0) {
        for (int i = 0; i < STAGES; i++) {
            barrier_init(&chip->full[i], 1);
            barrier_init(&chip->empty[i], CONSUMER_THREADS);
        }
        barrier_init_done();
    }
    cluster.sync(); // the barriers are there, and the other block
    if (threadIdx.x == CONSUMER_THREADS)
        produce(chip, &maps, row0, col0, begin, end);
    __syncwarp(); // the thread that loads is back
    if (consumer) {
        consume(sum, chip, end - begin);
        send(sum, chip, SENT_TO(rank), rank);
    }
    cluster.sync(); // the other block's sums are there
    if (!consumer)
        return;
#pragma unroll
    for (int i = 0; i < HALF; i++)
        mine[i] = (rank == 0 ? sum[i] : sum[HALF + i]) +
                  chip->sent[i][threadIdx.x];
    store<2 * HALF>(mine, chip->c[warp], &maps.c, C, s,
                    row0 + warp * WARP_ROWS, col0 + rank * 2 * HALF, alpha,
                    beta, whole);
    tensor_store_wait<0>(); // shared memory is needed until then
}

size_t gemm_bf16_bf16_workspace(struct gemm_shape shape)
{
    return tensor_map_workspace(shape.M, shape.K, shape.lda) +
           tensor_map_workspace(shape.K, shape.N, shape.ldb);
}

cudaError_t gemm_bf16_bf16(const gemm_bf16_t *A, const gemm_bf16_t *B,
                           gemm_bf16_t *C, struct gemm_shape shape,
                           float alpha, float beta, void *workspace,
                           cudaStream_t stream)
{
    int tiles = ((shape.M - 1) / SIDE + 1) * ((shape.N - 1) / SIDE + 1);
    bool whole = is_whole(C, shape, beta);
    cudaLaunchConfig_t how = {};
    cudaLaunchAttribute cluster[1];
    struct maps maps;
    cudaError_t error =
        map_all(&maps, A, B, C, shape, SIDE, whole, workspace, stream);

    if (error != cudaSuccess)
        return error;
    cluster[0].id = cudaLaunchAttributeClusterDimension;
    cluster[0].val.clusterDim.x = BLOCKS;
    cluster[0].val.clusterDim.y = cluster[0].val.clusterDim.z = 1;
    how.gridDim = dim3(tiles * BLOCKS);
    how.blockDim = dim3(THREADS);
    how.dynamicSmemBytes = sizeof(struct on_chip);
    how.stream = stream;
    how.attrs = cluster;
    how.numAttrs = 1;
    cudaFuncSetAttribute(gemm, cudaFuncAttributeMaxDynamicSharedMemorySize,
                         sizeof(struct on_chip));
    return cudaLaunchKernelEx(&how, gemm, maps, C, shape, alpha, beta, whole);
}
