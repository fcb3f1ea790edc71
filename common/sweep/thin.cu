// SPDX-License-Identifier: MIT
// Thin products, for a dispatcher: C has few rows or few columns, k is long.
// New: k is split among so many blocks that all multiprocessors read at once,
// and the parts are added up cell by cell, without what sticks out of a tile.
// Before: 15/split, whose parts are whole tiles of 64 x 128 cells and more.
// Counter: sectors stored fall to those of the parts of C's cells.

#include "op/gemm.h"

enum {
    TM = 16, // rows of C per block
    TN = 16, // columns
    BK = 64, // of k on chip at a time
    THREADS = TM * TN, // one per cell
    PITCH = BK + 1, // of A on chip: its rows begin in different banks
    BLOCKS = 8, // per multiprocessor
    JOINED = 256 // cells of C per block that adds up
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

#include "sweep/thin.cuh"
