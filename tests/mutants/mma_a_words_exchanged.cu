// SPDX-License-Identifier: MIT
// mutant: the second and the third word of a fragment change places
// chapter: 16 fragments
// expect: WRONG misplaced
// say: in each tile of 16 x 8 elements of A two quarters were exchanged
#include "op/gemm_tensor.cuh"

static __device__ __forceinline__ void mma_exchanged(float *sums,
                                                     const unsigned *a,
                                                     const unsigned *b)
{
    const unsigned other[4] = {a[0], a[2], a[1], a[3]};

    mma_tf32(sums, other, b);
}

#define mma_tf32 mma_exchanged

#include "../solutions/16-gemm-tensor-core/fragments.cu"
