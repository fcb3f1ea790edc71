// SPDX-License-Identifier: MIT
// Products with very few rows, for a dispatcher.
// New: one launch; the last block of some columns to end adds up their parts.
// Before: thin.cu, whose parts of k are added up by a second launch.
// Counter: one kernel instead of two; B is read once.

#include "op/gemm.h"

enum {
    ROWS = 4,  // of C per block
    COLS = 32, // columns: one per lane
    WARPS = 8, // that share k
    THREADS = WARPS * COLS,
    BLOCKS = 6, // per multiprocessor
    LEAST = 8,  // values of k per warp: loads that are under way together
    MOST_PARTS = 32, // more cost the last block more than they save
    TICKETS = 1024
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

#include "sweep/columns.cuh"
