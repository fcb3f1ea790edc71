// SPDX-License-Identifier: MIT
// Stage 22, a convolution and EvoNorm-B0, step 1: one kernel each.
// New: what the norm reads is what a kernel before it has computed.
// Before: the norm alone, in evaluation; x came from somewhere.
// Counter: global_bytes_over_compulsory is 3: z is written, and read thrice.

#include "op/conv_plane.cuh"
#include "op/planes.cuh"

enum { THREADS = 256 }; // of a block, which owns a plane

//> todo kernel (about 32 lines)
// Two kernels, a block per plane in each. convolve brings its plane on chip with
// conv_bring and writes z, one conv_at per position. evaluate reads z for its
// mean, again for its squared distances, and again for the results. over_block
// of op/planes.cuh adds up what its threads have.
//< todo

size_t conv_evonorm_b0_workspace(struct conv_evonorm_shape shape)
{
    //> todo workspace (about 1 line)
    // Bytes of device memory: z.
    (void)shape;
    return 0;
    //< todo
}

cudaError_t conv_evonorm_b0(const float *x, const float *w, const float *gamma,
                            const float *beta, const float *v,
                            const float *moving, float *y,
                            struct conv_evonorm_shape shape, void *workspace,
                            cudaStream_t stream)
{
    //> todo launch (about 6 lines)
    // The launches, on this stream. convolve needs conv_floats(shape) floats of
    // dynamic shared memory.
    //< todo
    return cudaGetLastError();
}
