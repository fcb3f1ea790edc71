// SPDX-License-Identifier: MIT
// Stage 22, EvoNorm-B0, step 1: a kernel for each quantity.
// New: two variances, of a channel in the batch and of a channel in an image.
// Before: nothing; the formula of op/evonorm.h, as a framework computes it.
// Counter: global_bytes_over_compulsory is 4.5: nine traversals, where a
// reading and a writing would do.

#include "op/evonorm.h"
#include "op/planes.cuh"

enum { THREADS = 256 }; // of a block

//> todo kernel (about 50 lines)
// The kernels, one for each quantity:
//
//   variance      of a channel: over all images, or over one
//   average       the moving average
//   denominator   max(sqrt(p + eps), v x + sqrt(q + eps)), an array like x
//   quotient      gamma x / d + beta
//
// variance is launched twice: a block per channel, and a block per plane. It
// reads its planes for their mean, and again for their squared distances.
// over_block of op/planes.cuh adds up what its threads have.
//< todo

size_t evonorm_b0_workspace(struct evonorm_shape shape)
{
    //> todo workspace (about 2 lines)
    // Bytes of device memory: p of each channel, q of each plane, and d.
    (void)shape;
    return 0;
    //< todo
}

cudaError_t evonorm_b0(const float *x, const float *gamma, const float *beta,
                       const float *v, float *moving, float *y,
                       struct evonorm_shape shape, void *workspace,
                       cudaStream_t stream)
{
    //> todo launch (about 8 lines)
    // The launches, on this stream.
    //< todo
    return cudaGetLastError();
}
