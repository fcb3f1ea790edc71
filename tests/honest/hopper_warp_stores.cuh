// SPDX-License-Identifier: MIT
/*
 * hopper_warp_stores.cuh: what two honest kernels of chapter 17 have in common:
 * warps that store their own 16 rows, each by copies of its own.
 *
 *   place_of    the slot, and the parity, of the n-th pair of tiles of a block
 *   store       a warp's sums to C, 64 columns at a time
 *   map_all     maps of A, B and C
 *
 * No barrier of a warpgroup is needed: a warp waits for its own copies.
 */
#ifndef HOPPER_WARP_STORES_CUH
#define HOPPER_WARP_STORES_CUH

#include "op/gemm.h"
#include "op/gemm_hopper.cuh"

typedef gemm_bf16_t element; // of A, B and C

enum {
    LANES = 32,
    WARP_ROWS = 16,
    BK = 64, // of k on chip at a time: 128 bytes of a row of A
    STAGES = 4,
    C_TILE = WARP_ROWS * TILE_WIDTH, // elements of 64 columns of a warp's C
    C_TILES = 2                      // of them on chip, per warp
};

struct maps {
    CUtensorMap a, b, c;
};

struct place {
    unsigned slot, parity;
};

static __device__ struct place place_of(unsigned n)
{
    struct place p = {n % STAGES, n / STAGES % 2};

    return p;
}

// sum: N columns of 16 rows. `whole`: nobody need read C, and the copy engine
// can store it.
template <int N>
static __device__ __forceinline__ void
store(const float *sum, element (*tile)[C_TILE], const CUtensorMap *map,
      element *C, struct gemm_shape s, int row0, int col0, float alpha,
      float beta, bool whole)
{
    int lane = threadIdx.x % LANES, quad = lane / 4, at = lane % 4 * 2;

#pragma unroll
    for (int j = 0; j < N / 2; j += 2) {
        element *to = tile[j / (TILE_WIDTH / 2) % C_TILES];
        int m = quad + j / 2 % 2 * 8, n = j / 4 * 8;

        if (whole) {
            if (j % (TILE_WIDTH / 2) == 0) {
                if (lane == 0)
                    tensor_store_wait<C_TILES - 1>();
                __syncwarp(); // `to` has been read
            }
            *(__nv_bfloat162 *)(to + m * TILE_WIDTH +
                                (n / 8 % 8 ^ m % 8) * 8 + at) =
                __floats2bfloat162_rn(alpha * sum[j], alpha * sum[j + 1]);
            if ((j + 2) % (TILE_WIDTH / 2) == 0) {
                async_fence(); // the copy engine reads what was stored here
                __syncwarp();
                if (lane == 0) {
                    tensor_store(map, to, col0 + n / TILE_WIDTH * TILE_WIDTH,
                                 row0);
                    tensor_store_commit();
                }
            }
        } else {
            for (int e = 0; e < 2; e++) {
                int row = row0 + m, col = col0 + n + at + e;
                element *c = C + (size_t)row * s.ldc + col;

                if (row < s.M && col < s.N)
                    *c = alpha * sum[j + e] +
                         (beta != 0.0f ? beta * (float)*c : 0.0f);
            }
        }
    }
}

static cudaError_t map_all(struct maps *maps, const element *A,
                           const element *B, element *C, struct gemm_shape s,
                           int rows, bool whole, void *workspace,
                           cudaStream_t stream)
{
    cudaError_t error = tensor_map(&maps->a, A, s.M, s.K, s.lda, rows,
                                   &workspace, stream);

    if (error == cudaSuccess)
        error = tensor_map(&maps->b, B, s.K, s.N, s.ldb, BK, &workspace,
                           stream);
    if (error == cudaSuccess && whole)
        error = tensor_map(&maps->c, C, s.M, s.N, s.ldc, WARP_ROWS, &workspace,
                           stream);
    return error;
}

static inline bool is_whole(const element *C, struct gemm_shape s, float beta)
{
    return beta == 0.0f && (size_t)C % 16 == 0 && (s.N | s.ldc) % 8 == 0;
}

static inline int multiprocessors(void)
{
    int device = 0, n = 1;

    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&n, cudaDevAttrMultiProcessorCount, device);
    return n;
}

#endif
