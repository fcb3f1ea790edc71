// SPDX-License-Identifier: MIT
// Stage 22, EvoNorm-B0, step 2: both variances from one reading.
// New: the batch's variance follows from means and variances of its planes.
// Before: step 1; each variance read x twice.
// Counter: global_bytes_over_compulsory falls from 4.5 to 3.

#include "op/evonorm.h"
#include "op/planes.cuh"

enum { THREADS = 256 }; // of a block

//> todo kernel (about 59 lines)
// Of `images` planes of a channel, s.C planes apart, from plane blockIdx.x on.
static __global__ void variance(const float *x, float *to,
                                struct evonorm_shape s, int images)
{
    __shared__ struct total shared[MOST_WARPS];
    struct total sum = {0.0f}, squares = {0.0f};
    unsigned n = (unsigned)images * s.S; // dealt to all threads: S may be small
    size_t gap = (size_t)(s.C - 1) * s.S; // from a plane's end to the next

    x += (size_t)blockIdx.x * s.S;
    for (unsigned i = threadIdx.x; i < n; i += THREADS)
        sum.of += x[i + i / s.S * gap];

    float mean = over_block(sum, shared).of / n;

    for (unsigned i = threadIdx.x; i < n; i += THREADS) {
        float far = x[i + i / s.S * gap] - mean;

        squares.of += far * far;
    }
    squares = over_block(squares, shared);
    if (threadIdx.x == 0)
        to[blockIdx.x] = squares.of / n;
}

static __global__ void average(float *moving, const float *p, int C)
{
    int c = blockIdx.x * THREADS + threadIdx.x; // may pass C

    if (c < C)
        moving[c] = EVONORM_DECAY * moving[c] + (1.0f - EVONORM_DECAY) * p[c];
}

static __global__ void denominator(const float *x, const float *v,
                                   const float *p, const float *q, float *d,
                                   struct evonorm_shape s)
{
    int plane = blockIdx.x, c = plane % s.C;
    float batch = sqrtf(p[c] + EVONORM_EPS);
    float image = sqrtf(q[plane] + EVONORM_EPS), slope = v[c];

    for (int i = threadIdx.x; i < s.S; i += THREADS) {
        size_t at = (size_t)plane * s.S + i;
        float other = slope * x[at] + image;

        d[at] = other > batch ? other : batch; // batch where that is NaN
    }
}

static __global__ void quotient(const float *x, const float *gamma,
                                const float *beta, const float *d, float *y,
                                struct evonorm_shape s)
{
    int plane = blockIdx.x, c = plane % s.C;
    float scale = gamma[c], shift = beta[c];

    for (int i = threadIdx.x; i < s.S; i += THREADS) {
        size_t at = (size_t)plane * s.S + i;

        y[at] = scale * x[at] / d[at] + shift;
    }
}
//< todo

size_t evonorm_b0_workspace(struct evonorm_shape shape)
{
    //> todo workspace (about 4 lines)
    size_t planes = (size_t)shape.B * shape.C; // p, q and d

    return (shape.C + planes + planes * shape.S) * sizeof(float);
    //< todo
}

cudaError_t evonorm_b0(const float *x, const float *gamma, const float *beta,
                       const float *v, float *moving, float *y,
                       struct evonorm_shape shape, void *workspace,
                       cudaStream_t stream)
{
    //> todo launch (about 11 lines)
    unsigned channels = shape.C, planes = channels * shape.B;
    float *p = (float *)workspace, *q = p + channels, *d = q + planes;

    variance<<<channels, THREADS, 0, stream>>>(x, p, shape, shape.B);
    variance<<<planes, THREADS, 0, stream>>>(x, q, shape, 1);
    average<<<(channels - 1) / THREADS + 1, THREADS, 0, stream>>>(moving, p,
                                                                  shape.C);
    denominator<<<planes, THREADS, 0, stream>>>(x, v, p, q, d, shape);
    quotient<<<planes, THREADS, 0, stream>>>(x, gamma, beta, d, y, shape);
    //< todo
    return cudaGetLastError();
}
