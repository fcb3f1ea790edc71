// SPDX-License-Identifier: MIT
// mutant: fragments are read from the neighbour of the right chunk
// chapter: 16 matrices
// expect: WRONG
#include "op/gemm_tensor.cuh"

#define load_matrices(four, row) \
    load_matrices(four, (const void *)((size_t)(row) ^ 16))

#include "../solutions/16-gemm-tensor-core/matrices.cu"
