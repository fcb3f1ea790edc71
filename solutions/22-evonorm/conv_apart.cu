// SPDX-License-Identifier: MIT
// Stage 22, a convolution and EvoNorm-B0, step 1: one kernel each.
// New: what the norm reads is what a kernel before it has computed.
// Before: evonorm_b0_eval.cu, the norm alone.
// Counter: global_bytes_over_compulsory is 3: z is written once, read 3 times.

#include "op/conv_plane.cuh"
#include "op/planes.cuh"

enum { THREADS = 256 }; // of a block, which owns a plane

//> todo kernel (about 32 lines)
static __global__ void convolve(const float *x, const float *w, float *z,
                                struct conv_evonorm_shape s)
{
    extern __shared__ float chip[];
    size_t plane = (size_t)blockIdx.x * s.S;

    conv_bring(x + plane, w + (size_t)(blockIdx.x % s.C) * s.K, chip, s);
    for (int i = threadIdx.x; i < s.S; i += THREADS)
        z[plane + i] = conv_at(chip, s, i);
}

static __global__ void evaluate(const float *z, const float *gamma,
                                const float *beta, const float *v,
                                const float *moving, float *y,
                                struct conv_evonorm_shape s)
{
    __shared__ struct total shared[MOST_WARPS];
    struct total sum = {0.0f}, squares = {0.0f};
    size_t plane = (size_t)blockIdx.x * s.S;
    int c = blockIdx.x % s.C;

    for (int i = threadIdx.x; i < s.S; i += THREADS)
        sum.of += z[plane + i];

    float mean = over_block(sum, shared).of / s.S;

    for (int i = threadIdx.x; i < s.S; i += THREADS)
        squares.of += (z[plane + i] - mean) * (z[plane + i] - mean);

    float image = sqrtf(over_block(squares, shared).of / s.S + EVONORM_EPS);
    float batch = sqrtf(moving[c] + EVONORM_EPS);
    float scale = gamma[c], shift = beta[c], slope = v[c];

    for (int i = threadIdx.x; i < s.S; i += THREADS) {
        float value = z[plane + i], other = slope * value + image;
        float d = batch >= other ? batch : other; // other where that is NaN

        y[plane + i] = scale * value / d + shift;
    }
}
//< todo

size_t conv_evonorm_b0_workspace(struct conv_evonorm_shape shape)
{
    //> todo workspace (about 1 line)
    return (size_t)shape.B * shape.C * shape.S * sizeof(float); // z
    //< todo
}

cudaError_t conv_evonorm_b0(const float *x, const float *w, const float *gamma,
                            const float *beta, const float *v,
                            const float *moving, float *y,
                            struct conv_evonorm_shape shape, void *workspace,
                            cudaStream_t stream)
{
    //> todo launch (about 6 lines)
    unsigned planes = (unsigned)shape.B * shape.C;
    float *z = (float *)workspace;

    convolve<<<planes, THREADS, conv_floats(shape) * sizeof(float), stream>>>(
        x, w, z, shape);
    evaluate<<<planes, THREADS, 0, stream>>>(z, gamma, beta, v, moving, y,
                                             shape);
    //< todo
    return cudaGetLastError();
}
