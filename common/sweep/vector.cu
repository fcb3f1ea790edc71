// SPDX-License-Identifier: MIT
// A vector times a matrix, and a matrix times a vector, for a dispatcher.
// New: one pass without parts; a thread's loads are all under way at once.
// Before: columns.cu and dots.cu, whose blocks wait for each other at the end.
// Counter: one block per cell, or per four; each cell is stored once.

#include "op/gemm.h"
#include "op/gemm_vector.cuh"

enum {
    FEW = 132,   // cells of C that have a block each
    SHORT = 1024 // values of k for which few threads are enough
};

typedef float element;
#define LAUNCHER gemm_f32
#define QUERY gemm_f32_workspace

#include "sweep/vector.cuh"
