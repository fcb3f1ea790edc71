// SPDX-License-Identifier: MIT
// Stage 22, a convolution and EvoNorm-B0, step 1: one kernel each.
// New: what the norm reads is what a kernel before it has computed.
// Before: evonorm_b0_eval.cu, the norm alone.
// Counter: global_bytes_over_compulsory is 3: z is written once, read 3 times.

#include "op/conv_plane.cuh"
#include "op/planes.cuh"

enum { THREADS = 256 }; // of a block, which owns a plane

//> todo kernel (about 32 lines)
// Two kernels, a block per plane in each. convolve brings its plane on chip by
// conv_bring and writes z, one conv_at per position. evaluate reads z for its
// mean, again for its squared distances, and again for the results. over_block
// of op/planes.cuh adds up a struct total over the threads of a block.
//< todo

size_t conv_evonorm_b0_workspace(struct conv_evonorm_shape shape)
{
    //> todo workspace (about 1 line)
    // Bytes of device memory for z.
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
