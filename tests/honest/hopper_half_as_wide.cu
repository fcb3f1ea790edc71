// SPDX-License-Identifier: MIT
// honest: tiles of 128 x 128, wgmma of 128 columns, barriers that are polled
// chapter: 17 gemm
// shape: M128 N512 K128
// also: 17 wgmma, 17 tma, 17 roles, 17 tiles
// expect: PASS
#include "../tests/honest/hopper_128_columns.cuh"

enum {
    SIDE = 128, // rows and columns of C per tile
    HALF_SUMS = 64, // per thread: 64 rows and 128 columns per warpgroup
    CONSUMERS = 2,
    CONSUMER_THREADS = CONSUMERS * GROUP,
    THREADS = CONSUMER_THREADS + LANES, // and a warp that loads
    B_TILE = BK * TILE_WIDTH
};

struct on_chip {
    struct {
        element a[SIDE * BK], b[SIDE * BK];
    } pair[STAGES];
    element c[CONSUMER_THREADS / LANES][C_TILES][C_TILE];
    uint64_t full[STAGES], empty[STAGES];
};

static __device__ __forceinline__ void poll(uint64_t *barrier, unsigned parity)
{
    unsigned over = 0;

    while (!over)
        asm volatile("{\n.reg .pred over;\n"
                     "mbarrier.test_wait.parity.shared::cta.b64 over, [%1], "
                     "%2;\nselp.b32 %0, 1, 0, over;\n}\n"
                     : "=r"(over)
                     : "r"(shared_address(barrier)), "r"(parity)
                     : "memory");
}

static __device__ __host__ int tiles_of(struct gemm_shape s)
{
    return ((s.M - 1) / SIDE + 1) * ((s.N - 1) / SIDE + 1);
}

static __device__ void produce(struct on_chip *chip, const struct maps *maps,
                               struct gemm_shape s)
{
    int across = (s.N - 1) / SIDE + 1;
    unsigned n = 0;

    for (int tile = blockIdx.x; tile < tiles_of(s); tile += gridDim.x)
        for (int first = 0; first < s.K; first += BK, n++) {
            struct place p = place_of(n);
            uint64_t *full = &chip->full[p.slot];

            poll(&chip->empty[p.slot], p.parity ^ 1);
            barrier_expect(full, sizeof *chip->pair);
            tensor_load(chip->pair[p.slot].a, &maps->a, first,
                        tile / across * SIDE, full);
            for (int i = 0; i < SIDE / TILE_WIDTH; i++)
                tensor_load(chip->pair[p.slot].b + i * B_TILE, &maps->b,
                            tile % across * SIDE + i * TILE_WIDTH, first,
                            full);
        }
}

static __global__ void __launch_bounds__(THREADS, 1)
    gemm(const __grid_constant__ struct maps maps, element *C,
         struct gemm_shape s, float alpha, float beta, bool whole)
{
    extern __shared__ __align__(1024) unsigned char raw[];
    struct on_chip *chip = (struct on_chip *)raw;
    int across = (s.N - 1) / SIDE + 1, warp = threadIdx.x / LANES;
    int group = threadIdx.x / GROUP;
    unsigned n = 0;
    float sum[HALF_SUMS];

    if (threadIdx.x == 0) {
        for (int i = 0; i < STAGES; i++) {
            barrier_init(&chip->full[i], 1);
            barrier_init(&chip->empty[i], CONSUMER_THREADS);
        }
        barrier_init_done();
    }
    __syncthreads(); // the barriers are there
    if (threadIdx.x >= CONSUMER_THREADS) {
        if (threadIdx.x == CONSUMER_THREADS)
            produce(chip, &maps, s);
        return;
    }
    for (int tile = blockIdx.x; tile < tiles_of(s); tile += gridDim.x) {
        for (int first = 0; first < s.K; first += BK, n++) {
            struct place p = place_of(n);
            uint64_t a = matrix_rows(chip->pair[p.slot].a +
                                     group * WGMMA_M * BK);
            uint64_t b = matrix_columns(chip->pair[p.slot].b,
                                        B_TILE * sizeof(element));

            poll(&chip->full[p.slot], p.parity);
            wgmma_begin();
#pragma unroll
            for (int k = 0; k < BK; k += WGMMA_K)
                multiply(sum, a + k * sizeof(element) / 16,
                         b + k * TILE_BYTES / 16, first + k);
            wgmma_commit();
            wgmma_wait<0>();
            barrier_arrive(&chip->empty[p.slot]);
        }
        store<SIDE>(sum, chip->c[warp], &maps.c, C, s,
                    tile / across * SIDE + warp * WARP_ROWS,
                    tile % across * SIDE, alpha, beta, whole);
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
        map_all(&maps, A, B, C, shape, SIDE, whole, workspace, stream);

    if (error != cudaSuccess)
        return error;
    cudaFuncSetAttribute(gemm, cudaFuncAttributeMaxDynamicSharedMemorySize,
                         bytes);
    gemm<<<min(tiles_of(shape), multiprocessors()), THREADS, bytes, stream>>>(
        maps, C, shape, alpha, beta, whole);
    return cudaGetLastError();
}
