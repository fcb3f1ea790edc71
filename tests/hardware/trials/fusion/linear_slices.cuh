// SPDX-License-Identifier: MIT
/*
 * linear_slices.cuh: a trial for chapter 20: chapter 15's loop with tiles of
 * 64 x 128, of which SLICES groups of 64 threads have a share of k each. They
 * add up in the block's shared memory: no clusters.
 *
 *   sliced::launch<SLICES>
 *
 * run.sh makes loop_sliced.cu of chapter 15's last stage: its threads are those
 * of a slice, and so are its barriers and its shared memory.
 */
#ifndef WB_LINEAR_SLICES_CUH
#define WB_LINEAR_SLICES_CUH

#include "op/gemm.h"
#include "op/linear_batch.cuh"

namespace sliced
{
#define SLICE ((int)threadIdx.x / THREADS)
#define SLICE_MEETS()                                                         \
    asm volatile("bar.sync %0, %1;" ::"r"(SLICE + 1), "r"(THREADS + 0)        \
                 : "memory")
#include "loop_sliced.cu"

template <int SLICES_> struct sliced_tile {
    enum {
        BM = sliced::BM, BN = sliced::BN, SLICES = SLICES_,
        THREADS = SLICES * sliced::THREADS,
        SUMS = SLICES * BM * BN * (int)sizeof(float), // bytes
        RINGS = SLICES * (int)ON_CHIP,
        BYTES = SUMS > RINGS ? SUMS : RINGS
    };
};

// M and N are multiples of the tile's.
template <class T, class Epilogue>
static __global__ void __launch_bounds__(T::THREADS, 1)
    sliced_kernel(const float *X, const float *W, struct linear_shape s,
                  Epilogue epilogue)
{
    extern __shared__ __align__(16) float on_chip[];
    struct gemm_shape g = {s.M, s.N, s.K, s.K, s.N, s.N};
    int down = s.M / BM, steps = (s.K - 1) / BK + 1, slice = SLICE;
    int row0 = (int)blockIdx.x % down * BM, col0 = (int)blockIdx.x / down * BN;
    int at = threadIdx.x % THREADS, warp = at / LANES, lane = at % LANES;
    int t_row = warp / (BN / WN) * WM + lane / 2 % DOWN * 4;
    int t_col = warp % (BN / WN) * WN + (lane / 16 * 2 + lane % 2) * 4;
    float sum[TM][TN] = {{0.0f}};

    multiply(sum, X, W, g, row0, col0, t_row, t_col,
             steps * slice / T::SLICES * BK,
             min(s.K, steps * (slice + 1) / T::SLICES * BK), true);
    __pipeline_wait_prior(0);
    __syncthreads(); // the rings are read: sums take their place
#pragma unroll
    for (int i = 0; i < TM; i++)
#pragma unroll
        for (int j = 0; j < TN; j += 4) {
            int m = t_row + i / 4 * 4 * DOWN + i % 4;

            *(float4 *)(on_chip + (slice * BM + m) * BN + t_col + j * ACROSS) =
                make_float4(sum[i][j], sum[i][j + 1], sum[i][j + 2],
                            sum[i][j + 3]);
        }
    __syncthreads(); // every slice's sums are there
    linear_finish<T>(on_chip, s, row0, col0, epilogue);
}

template <int SLICES, class Epilogue>
static cudaError_t launch(const float *X, const float *W,
                          struct linear_shape s, Epilogue epilogue)
{
    typedef sliced_tile<SLICES> T;

    cudaFuncSetAttribute(sliced_kernel<T, Epilogue>,
                         cudaFuncAttributeMaxDynamicSharedMemorySize, T::BYTES);
    sliced_kernel<T><<<s.M / BM * (s.N / BN), T::THREADS, T::BYTES>>>(
        X, W, s, epilogue);
    return cudaGetLastError();
}
}
#undef SLICE
#undef SLICE_MEETS

#endif
