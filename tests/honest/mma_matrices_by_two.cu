// SPDX-License-Identifier: MIT
// honest: two matrices per load, twice
// chapter: 16 matrices
// expect: PASS
#include "op/gemm_tensor.cuh"

static __device__ __forceinline__ void load_by_two(unsigned *four,
                                                   const void *row)
{
    unsigned at = (unsigned)__cvta_generic_to_shared(row);
    unsigned below = __shfl_down_sync(0xffffffff, at, 16);

    asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];"
                 : "=r"(four[0]), "=r"(four[1]) : "r"(at) : "memory");
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];"
                 : "=r"(four[2]), "=r"(four[3]) : "r"(below) : "memory");
}

#define load_matrices load_by_two

#include "../solutions/16-gemm-tensor-core/matrices.cu"
