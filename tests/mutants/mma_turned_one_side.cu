// SPDX-License-Identifier: MIT
// mutant: B is turned over, and the matrices of A arrive in the order of before
// chapter: 16 turned
// expect: WRONG
#include "op/gemm_tensor.cuh"

static __device__ __forceinline__ void load_as_before(unsigned *four,
                                                      const void *row)
{
    unsigned middle;

    load_matrices(four, row);
    middle = four[1];
    four[1] = four[2];
    four[2] = middle;
}

#define load_matrices load_as_before

#include "../solutions/16-gemm-tensor-core/turned.cu"
