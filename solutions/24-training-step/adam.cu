// SPDX-License-Identifier: MIT
// Stage 24, the optimiser: a step of Adam.
// New: three arrays are read and written in one pass; the step is in memory.
// Before: a pass per formula would read and write the averages again.
// Counter: global_bytes_over_compulsory is 1.

#include "op/adam.h"

enum { THREADS = 256 }; // per block

// 1 / (1 - beta^step). 1 - powf(beta, step) would lose digits for a small step.
static __device__ float correction(float step, float log_beta)
{
    return -1.0f / expm1f(step * log_beta);
}

//> todo kernel (about 20 lines)
static __global__ void update(const float *grad, const float *step,
                              float *value, float *mean, float *square,
                              unsigned n, float rate)
{
    unsigned i = blockIdx.x * THREADS + threadIdx.x; // may pass n
    float g, m, s;

    if (i >= n)
        return;
    g = grad[i];
    m = ADAM_BETA1 * mean[i] + (1.0f - ADAM_BETA1) * g;
    s = ADAM_BETA2 * square[i] + (1.0f - ADAM_BETA2) * g * g;
    mean[i] = m;
    square[i] = s;
    m *= correction(*step, ADAM_LOG_BETA1);
    s *= correction(*step, ADAM_LOG_BETA2);
    value[i] -= rate * m / (sqrtf(s) + ADAM_EPS);
}
//< todo

size_t adam_workspace(struct adam_shape shape)
{
    (void)shape;
    return 0;
}

cudaError_t adam(const float *grad, const float *step, float *value,
                 float *mean, float *square, struct adam_shape shape,
                 float rate, void *workspace, cudaStream_t stream)
{
    (void)workspace; // none was asked for
    //> todo launch (about 3 lines)
    unsigned blocks = (shape.N - 1) / THREADS + 1;

    update<<<blocks, THREADS, 0, stream>>>(grad, step, value, mean, square,
                                           shape.N, rate);
    //< todo
    return cudaGetLastError();
}
