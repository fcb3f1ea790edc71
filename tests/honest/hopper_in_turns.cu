// SPDX-License-Identifier: MIT
// honest: two warpgroups take tiles of 64 x 256 in turns, each all of its k
// chapter: 17 gemm
// shape: M128 N512 K128
// also: 17 wgmma, 17 tma, 17 roles, 17 tiles
// expect: PASS
#include "../tests/honest/hopper_warp_stores.cuh"

enum {
    BM = WGMMA_M, // rows of C per tile
    BN = WGMMA_N, // columns
    CONSUMERS = 2,
    THREADS = (1 + CONSUMERS) * GROUP,
    B_TILE = BK * TILE_WIDTH
};

struct on_chip {
    struct {
        element a[BM * BK], b[BN * BK];
    } pair[STAGES];
    element c[CONSUMERS * GROUP / LANES][C_TILES][C_TILE];
    uint64_t full[STAGES], empty[STAGES];
};

static __device__ __host__ int tiles_of(struct gemm_shape s)
{
    return ((s.M - 1) / BM + 1) * ((s.N - 1) / BN + 1);
}

static __device__ void produce(struct on_chip *chip, const struct maps *maps,
                               struct gemm_shape s)
{
    int across = (s.N - 1) / BN + 1;
    unsigned n = 0;

    for (int tile = blockIdx.x; tile < tiles_of(s); tile += gridDim.x)
        for (int first = 0; first < s.K; first += BK, n++) {
            struct place p = place_of(n);
            uint64_t *full = &chip->full[p.slot];

            barrier_wait(&chip->empty[p.slot], p.parity ^ 1);
            barrier_expect(full, sizeof *chip->pair);
            tensor_load(chip->pair[p.slot].a, &maps->a, first,
                        tile / across * BM, full);
            for (int i = 0; i < BN / TILE_WIDTH; i++)
                tensor_load(chip->pair[p.slot].b + i * B_TILE, &maps->b,
                            tile % across * BN + i * TILE_WIDTH, first, full);
        }
}

// The n-th and the following pairs of tiles: all k of one tile of C.
static __device__ __forceinline__ void multiply(float *sum,
                                                struct on_chip *chip,
                                                unsigned n, int K)
{
    for (int first = 0; first < K; first += BK, n++) {
        struct place p = place_of(n);
        uint64_t a = matrix_rows(chip->pair[p.slot].a);
        uint64_t b = matrix_columns(chip->pair[p.slot].b,
                                    B_TILE * sizeof(element));

        barrier_wait(&chip->full[p.slot], p.parity);
        wgmma_begin();
#pragma unroll
        for (int k = 0; k < BK; k += WGMMA_K)
            wgmma_bf16(sum, a + k * sizeof(element) / 16,
                       b + k * TILE_BYTES / 16, first + k);
        wgmma_commit();
        wgmma_wait<0>();
        if (threadIdx.x % LANES == 0)
            barrier_arrive(&chip->empty[p.slot]);
    }
}

static __global__ void __launch_bounds__(THREADS, 1)
    gemm(const __grid_constant__ struct maps maps, element *C,
         struct gemm_shape s, float alpha, float beta, bool whole)
{
    extern __shared__ __align__(1024) unsigned char raw[];
    struct on_chip *chip = (struct on_chip *)raw;
    int across = (s.N - 1) / BN + 1, steps = (s.K - 1) / BK + 1;
    int group = threadIdx.x / GROUP - 1, warp = threadIdx.x / LANES - 4;
    float sum[SUMS];

    if (threadIdx.x == 0) {
        for (int i = 0; i < STAGES; i++) {
            barrier_init(&chip->full[i], 1);
            barrier_init(&chip->empty[i], GROUP / LANES);
        }
        barrier_init_done();
    }
    __syncthreads(); // the barriers are there
    if (group < 0) {
        registers_down<24>();
        if (threadIdx.x == 0)
            produce(chip, &maps, s);
        return;
    }
    registers_up<240>();
    for (int turn = group;; turn += CONSUMERS) {
        int tile = blockIdx.x + turn * gridDim.x;

        if (tile >= tiles_of(s))
            break;
        multiply(sum, chip, (unsigned)turn * steps, s.K);
        store<BN>(sum, chip->c[warp], &maps.c, C, s,
                  tile / across * BM + warp % 4 * WARP_ROWS,
                  tile % across * BN, alpha, beta, whole);
    }
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
    bool whole = is_whole(C, shape, beta);
    int bytes = sizeof(struct on_chip);
    struct maps maps;
    cudaError_t error =
        map_all(&maps, A, B, C, shape, BM, whole, workspace, stream);

    if (error != cudaSuccess)
        return error;
    cudaFuncSetAttribute(gemm, cudaFuncAttributeMaxDynamicSharedMemorySize,
                         bytes);
    gemm<<<min(tiles_of(shape), multiprocessors()), THREADS, bytes, stream>>>(
        maps, C, shape, alpha, beta, whole);
    return cudaGetLastError();
}
