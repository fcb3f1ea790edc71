// SPDX-License-Identifier: MIT
// Stage 10, matrix product: the formula, as it stands.
// New: one thread per element of C, and a loop over k.
// Before: nothing; this is the first stage of the ladder 10-17.
// Counter: global_load_sectors_per_request is 16.5, the average of 32 and 1.

#include "op/gemm.h"

//> todo kernel (about 24 lines)
// The kernel: one thread computes one element of C.
//
//   static __global__ void gemm(const float *A, const float *B, float *C,
//                               struct gemm_shape s, float alpha, float beta)
//
// A block computes a square of 32 x 32 elements. Which one, it learns from
// blockIdx.x; threadIdx.x counts rows in it and threadIdx.y columns. Threads
// past the last row or column return. The rest is the formula of the lesson;
// C is read only if beta is not 0.
//< todo

size_t gemm_f32_workspace(struct gemm_shape shape)
{
    //> todo workspace (about 2 lines)
    (void)shape;
    return 0;
    //< todo
}

cudaError_t gemm_f32(const float *A, const float *B, float *C,
                     struct gemm_shape shape, float alpha, float beta,
                     void *workspace, cudaStream_t stream)
{
    //> todo launch (about 5 lines)
    // The launch: blocks of 32 x 32 threads, enough to cover C, on this stream.
    //< todo
    return cudaGetLastError();
}
