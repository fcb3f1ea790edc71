// SPDX-License-Identifier: MIT
// Products with a large C and a short k, for a dispatcher.
// New: a lane's columns are 32 apart, so that rows of C of any length are
// stored and rows of B read in whole sectors; nothing is kept for a next step,
// since there are one or two, and other blocks work meanwhile.
// Before: small.cu, whose lanes have four neighbours, stored one by one where N
// is no multiple of four.
// Counter: sectors stored per request fall to what its bytes need.

#include <cuda_pipeline_primitives.h>

#include "op/gemm.h"

enum {
    TM = 16,   // rows of C per warp
    TN = 4,    // columns per lane
    WARPS = 4, // of a block, one below the other
    BLOCKS = 4 // per multiprocessor
};

typedef float element;
#define LAUNCHER gemm_f32
#define QUERY gemm_f32_workspace

// Zero where there is nothing: then nothing is read, and `there` is a place
// within the matrix.
static __device__ void bring(float *to, const float *from, const float *there,
                             bool exists)
{
    __pipeline_memcpy_async(to, exists ? from : there, sizeof(float),
                            exists ? 0 : sizeof(float));
}

static __device__ void arrived(void)
{
    __pipeline_commit();
    __pipeline_wait_prior(0);
}

static __device__ float widened(float x)
{
    return x;
}

static __device__ float rounded(float x)
{
    return x;
}

#include "sweep/panel.cuh"
