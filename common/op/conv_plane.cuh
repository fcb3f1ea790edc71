// SPDX-License-Identifier: MIT
/*
 * conv_plane.cuh: a block and a plane that it convolves from shared memory.
 *
 *   conv_floats   what that takes: K - 1 zeros, the plane, the taps
 *   conv_bring    the plane and its taps to shared memory; ends with a barrier
 *   conv_at       one value of the convolution
 *
 * The zeros before the plane stand for x[-1], x[-2], ..., so that the sum needs
 * no test for the first positions.
 */
#ifndef WB_CONV_PLANE_CUH
#define WB_CONV_PLANE_CUH

#include "op/conv_evonorm.h"

static inline __host__ __device__ int
conv_floats(const struct conv_evonorm_shape &s)
{
    return s.K - 1 + s.S + s.K;
}

// x and w: of this plane and its channel.
static __device__ void conv_bring(const float *x, const float *w, float *chip,
                                  const struct conv_evonorm_shape &s)
{
    float *plane = chip + s.K - 1, *taps = plane + s.S;

    for (int i = threadIdx.x; i < s.S; i += blockDim.x)
        plane[i] = x[i];
    for (int k = threadIdx.x; k < s.K; k += blockDim.x) {
        taps[k] = w[k];
        if (k > 0)
            plane[-k] = 0.0f;
    }
    __syncthreads(); // plane and taps are there: all may be read
}

static __device__ float conv_at(const float *chip,
                                const struct conv_evonorm_shape &s, int at)
{
    const float *newest = chip + s.K - 1 + at, *taps = chip + s.K - 1 + s.S;
    float sum = 0.0f;

    for (int k = 0; k < s.K; k++)
        sum += taps[k] * newest[-k];
    return sum;
}

#endif
