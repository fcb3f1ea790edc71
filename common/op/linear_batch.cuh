// SPDX-License-Identifier: MIT
/*
 * linear_batch.cuh: the product of a linear layer by the kernel that suits its
 * batch. Chapter 20's stages share it.
 *
 *   linear_tiles(X, W, s, epilogue, stream)   enqueues one kernel
 */
#ifndef WB_LINEAR_BATCH_CUH
#define WB_LINEAR_BATCH_CUH

#include "op/linear_loop.cuh"
#include "op/linear_tile.cuh"

// The tile that suits the batch.
template <class Epilogue>
static cudaError_t linear_tiles(const float *X, const float *W,
                                struct linear_shape s, Epilogue epilogue,
                                cudaStream_t stream)
{
    if (s.M == 1 && s.N % 4 == 0) {
        linear_row<<<(s.N / 4 - 1) / ROW_LANES + 1, ROW_THREADS, 0, stream>>>(
            X, (const float4 *)W, s, epilogue);
        return cudaGetLastError();
    }
    if (s.M <= 16)
        return linear_launch<linear_tile<16, 32, 4, 4, 4, 32, 8, 3, 1>>(
            X, W, s, epilogue, stream);
    if (s.M <= 32)
        return linear_launch<linear_tile<64, 32, 8, 8, 8, 16, 8, 3, 1>>(
            X, W, s, epilogue, stream);
    if (s.M <= 64)
        return linear_launch<linear_tile<32, 64, 8, 8, 4, 16, 8, 3, 1>>(
            X, W, s, epilogue, stream);
    if (s.M <= 128)
        return linear_launch<linear_tile<64, 64, 8, 8, 8, 16, 4, 4, 1>>(
            X, W, s, epilogue, stream);
    return linear_loop_launch(X, W, s, epilogue, stream);
}

#endif
