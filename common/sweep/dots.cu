// SPDX-License-Identifier: MIT
// Products with very few columns, for a dispatcher: cells are dot products.
// New: one launch; a warp, or several, go along the rows of A.
// Before: thin.cu, whose parts of k are added up by a second launch.
// Counter: global_load_sectors_per_request is 4; one kernel instead of two.

#include "op/gemm.h"

enum {
    ROWS = 4, // of C per warp: each value of B that it loads serves them all
    COLS = 4, // columns
    LANES = 32,
    WARPS = 8, // per block
    THREADS = WARPS * LANES
};

typedef float element;
#define LAUNCHER gemm_f32
#define QUERY gemm_f32_workspace

static __device__ float widened(float x)
{
    return x;
}

static __device__ float rounded(float x)
{
    return x;
}

#include "sweep/dots.cuh"
