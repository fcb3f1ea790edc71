// SPDX-License-Identifier: MIT
// A vector times a matrix, and a matrix times a vector, of bf16, for a
// dispatcher.
// New: as vector.cu, with half of its bytes; sums are fp32, and C is rounded
// once.
// Before: columns_bf16.cu and dots_bf16.cu, whose blocks wait for each other at
// the end.
// Counter: one block per cell, or per four; each cell is stored once.

#include <cuda_bf16.h>

#include "op/gemm.h"
#include "op/gemm_vector.cuh"

enum {
    FEW = 132,   // cells of C that have a block each
    SHORT = 1024 // values of k for which few threads are enough
};

typedef gemm_bf16_t element;
#define LAUNCHER gemm_bf16_bf16
#define QUERY gemm_bf16_bf16_workspace

#include "sweep/vector.cuh"
