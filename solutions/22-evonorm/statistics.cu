// SPDX-License-Identifier: MIT
// Stage 22, EvoNorm-B0, step 2: both variances from one reading.
// New: the batch's variance follows from means and variances of its planes.
// Before: step 1; each variance read x twice.
// Counter: global_bytes_over_compulsory falls from 4.5 to 3.

#include "op/evonorm.h"
#include "op/planes.cuh"

enum { THREADS = 256 }; // of a block

//> todo kernel (about 59 lines)
// A warp per plane: its mean and squared distances.
template <bool WIDE>
static __global__ void statistics(const float *x, struct moments *of_plane,
                                  struct evonorm_shape s)
{
    int plane = (int)(blockIdx.x * (THREADS / LANES) + threadIdx.x / LANES);
    struct moments m = moments::none();

    if (plane >= s.B * s.C)
        return; // the last block has warps to spare
    for (int round = 0; round < plane_rounds(s.S); round++) {
        float held[PLANE_HELD];

        plane_load<WIDE>(x + (size_t)plane * s.S, s.S, round, held);
        m.join(moments_of<WIDE>(held, s.S, round));
    }
    m = m.over_warp();
    if (threadIdx.x % LANES == 0)
        of_plane[plane] = m;
}

// A block per channel: its variance over the batch.
static __global__ void together(const struct moments *of_plane, float *p,
                                float *moving, struct evonorm_shape s)
{
    __shared__ struct moments shared[MOST_WARPS];
    struct moments m = moments::none();
    int c = blockIdx.x;

    for (int b = threadIdx.x; b < s.B; b += THREADS)
        m.join(of_plane[b * s.C + c]);
    m = over_block(m, shared);
    if (threadIdx.x == 0) {
        p[c] = m.squares / m.n;
        moving[c] = EVONORM_DECAY * moving[c] + (1.0f - EVONORM_DECAY) * p[c];
    }
}

static __global__ void denominator(const float *x, const float *v,
                                   const float *p,
                                   const struct moments *of_plane, float *d,
                                   struct evonorm_shape s)
{
    int plane = blockIdx.x, c = plane % s.C;
    float batch = sqrtf(p[c] + EVONORM_EPS);
    float image = sqrtf(of_plane[plane].squares / s.S + EVONORM_EPS);
    float slope = v[c];

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
    size_t planes = (size_t)shape.B * shape.C;

    // moments of planes, p and d
    return planes * sizeof(struct moments) +
           (shape.C + planes * shape.S) * sizeof(float);
    //< todo
}

cudaError_t evonorm_b0(const float *x, const float *gamma, const float *beta,
                       const float *v, float *moving, float *y,
                       struct evonorm_shape shape, void *workspace,
                       cudaStream_t stream)
{
    //> todo launch (about 11 lines)
    unsigned channels = shape.C, planes = channels * shape.B;
    unsigned blocks = (planes - 1) / (THREADS / LANES) + 1;
    struct moments *of_plane = (struct moments *)workspace;
    float *p = (float *)(of_plane + planes), *d = p + channels;

    if (plane_wide(shape.S))
        statistics<true><<<blocks, THREADS, 0, stream>>>(x, of_plane, shape);
    else
        statistics<false><<<blocks, THREADS, 0, stream>>>(x, of_plane, shape);
    together<<<channels, THREADS, 0, stream>>>(of_plane, p, moving, shape);
    denominator<<<planes, THREADS, 0, stream>>>(x, v, p, of_plane, d, shape);
    quotient<<<planes, THREADS, 0, stream>>>(x, gamma, beta, d, y, shape);
    //< todo
    return cudaGetLastError();
}
