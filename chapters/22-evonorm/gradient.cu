// SPDX-License-Identifier: MIT
// Stage 22, the gradient of EvoNorm-B0, step 1: kernel after kernel.
// New: a maximum hands its gradient to one of its arguments, and each variance
// to all values that it was taken over.
// Before: step 3; the results alone.
// Counter: global_bytes_over_compulsory is 2: six traversals, of three.

#include "op/evonorm.h"
#include "op/planes.cuh"

enum { THREADS = 256 }; // of a block

// A channel of the batch.
struct channel {
    float gamma, v;
    float mean, root; // of the batch: root is sqrt(variance + eps)
    float a;          // the gradient of root, over the values it was taken over
};

//> todo statistics (about 34 lines)
// Two kernels as in statistics.cu: the moments of planes, and from them each
// channel's mean and root.
//< todo

//> todo sums (about 83 lines)
// Two kernels: the sums of each plane, and from them each channel's. They are,
// with M = 1 where the image's argument of max is the larger:
//
//   t   the sum of M h, over an image alone
//   a   the sum of (1 - M) h, and dgamma, dbeta and dv, over a channel
//< todo

//> todo result (about 41 lines)
// The kernel: dx, from x, dy, the moments and the sums.
//< todo

// The five kernels, one after another.
template <bool WIDE>
static void one_by_one(const float *x, const float *dy, const float *gamma,
                       const float *v, float *dx, float *dgamma, float *dbeta,
                       float *dv, struct evonorm_shape shape, void *workspace,
                       cudaStream_t stream)
{
    //> todo launches (about 14 lines)
    // The five launches, on this stream.
    //< todo
}

size_t evonorm_b0_backward_workspace(struct evonorm_shape shape)
{
    //> todo workspace (about 3 lines)
    // Bytes of device memory: moments and sums of planes, and the channels.
    (void)shape;
    return 0;
    //< todo
}

cudaError_t evonorm_b0_backward(const float *x, const float *dy,
                                const float *gamma, const float *v, float *dx,
                                float *dgamma, float *dbeta, float *dv,
                                struct evonorm_shape shape, void *workspace,
                                cudaStream_t stream)
{
    //> todo launch (about 6 lines)
    // one_by_one, WIDE where plane_wide says so.
    //< todo
    return cudaGetLastError();
}
