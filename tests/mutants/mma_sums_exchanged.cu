// SPDX-License-Identifier: MIT
// mutant: the second and the third sum of a tile change places
// chapter: 16 fragments
// expect: WRONG misplaced
// say: in each tile of 16 x 2 cells of C two quarters are exchanged
// say: Two of a lane's four sums have changed places
#include "op/gemm_tensor.cuh"

static __device__ __forceinline__ void mma_exchanged(float *sums,
                                                     const unsigned *a,
                                                     const unsigned *b)
{
    float other[4] = {sums[0], sums[2], sums[1], sums[3]};

    mma_tf32(other, a, b);
    for (int e = 0; e < 4; e++)
        sums[e] = other[e / 2 + e % 2 * 2];
}

#define mma_tf32 mma_exchanged

#include "../solutions/16-gemm-tensor-core/fragments.cu"
