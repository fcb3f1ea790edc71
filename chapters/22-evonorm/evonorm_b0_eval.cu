// SPDX-License-Identifier: MIT
// Stage 22, EvoNorm-B0 in evaluation.
// New: the moving average stands for the batch, so a plane needs no other.
// Before: step 4; a channel of all images had to be on chip at a time.
// Counter: global_bytes_over_compulsory is 1.

#include "op/evonorm.h"
#include "op/planes.cuh"

enum { THREADS = 128 }; // of a block

//> todo kernel (about 41 lines)
// The kernel: a warp per plane. It loads a round into registers, and finds the
// image's variance as in statistics.cu. The moving average is the batch's. The
// last round is still in the registers; earlier ones are loaded again.
//< todo

size_t evonorm_b0_eval_workspace(struct evonorm_shape shape)
{
    //> todo workspace (about 2 lines)
    // Bytes of device memory that the kernel needs besides its arrays.
    (void)shape;
    return 0;
    //< todo
}

cudaError_t evonorm_b0_eval(const float *x, const float *gamma,
                            const float *beta, const float *v,
                            const float *moving, float *y,
                            struct evonorm_shape shape, void *workspace,
                            cudaStream_t stream)
{
    //> todo launch (about 9 lines)
    // The launch: a warp per plane, WIDE where plane_wide says so.
    //< todo
    return cudaGetLastError();
}
