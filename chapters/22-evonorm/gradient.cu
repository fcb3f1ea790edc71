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

// A block per channel: its mean and variance over the batch.
static __global__ void together(const struct moments *of_plane,
                                const float *gamma, const float *v,
                                struct channel *channels,
                                struct evonorm_shape s)
{
    __shared__ struct moments shared[MOST_WARPS];
    struct moments m = moments::none();
    int c = blockIdx.x;

    for (int b = threadIdx.x; b < s.B; b += THREADS)
        m.join(of_plane[b * s.C + c]);
    m = over_block(m, shared);
    if (threadIdx.x == 0)
        channels[c] = {gamma[c], v[c], m.mean,
                       sqrtf(m.squares / m.n + EVONORM_EPS), 0.0f};
}

// What is summed over a channel, but t over an image's alone: the gradients of
// both roots, and of what belongs to the channel.
struct sums {
    float t, a, gamma, beta, v;

    static __device__ struct sums none()
    {
        return {0.0f, 0.0f, 0.0f, 0.0f, 0.0f};
    }
    __device__ void join(const struct sums &o)
    {
        t += o.t;
        a += o.a;
        gamma += o.gamma;
        beta += o.beta;
        v += o.v;
    }
    __device__ struct sums over_warp() const
    {
        return {lanes_sum(t), lanes_sum(a), lanes_sum(gamma), lanes_sum(beta),
                lanes_sum(v)};
    }
    // Adds a value's part; image is the root of its image.
    __device__ void add(const struct channel &c, float image, float x, float g)
    {
        //> todo add (about 10 lines)
        // A value's part in each sum: in t goes M h, in a (1 - M) h.
        //< todo
    }
};

// A warp per plane: its sums. The planes that were read last are still in L2,
// so it begins with them.
template <bool WIDE>
static __global__ void add_up(const float *x, const float *dy,
                              const struct moments *of_plane,
                              const struct channel *channels,
                              struct sums *sums_of_plane,
                              struct evonorm_shape s)
{
    int warp = (int)(blockIdx.x * (THREADS / LANES) + threadIdx.x / LANES);
    int plane = s.B * s.C - 1 - warp;
    struct sums sum = sums::none();

    if (plane < 0)
        return; // the last block has warps to spare

    struct channel c = channels[plane % s.C];
    float image = sqrtf(of_plane[plane].squares / s.S + EVONORM_EPS);

    for (int round = 0; round < plane_rounds(s.S); round++) {
        float held[PLANE_HELD], g[PLANE_HELD];

        plane_load<WIDE>(x + (size_t)plane * s.S, s.S, round, held);
        plane_load<WIDE>(dy + (size_t)plane * s.S, s.S, round, g);
#pragma unroll
        for (int i = 0; i < PLANE_HELD; i++)
            sum.add(c, image, held[i], g[i]); // 0 behind the plane's end
    }
    sum = sum.over_warp();
    if (threadIdx.x % LANES == 0)
        sums_of_plane[plane] = sum;
}

// A block per channel: the sums of its planes.
static __global__ void finish_sums(const struct sums *sums_of_plane,
                                   struct channel *channels, float *dgamma,
                                   float *dbeta, float *dv,
                                   struct evonorm_shape s)
{
    __shared__ struct sums shared[MOST_WARPS];
    struct sums sum = sums::none();
    int c = blockIdx.x;

    for (int b = threadIdx.x; b < s.B; b += THREADS)
        sum.join(sums_of_plane[b * s.C + c]);
    sum = over_block(sum, shared);
    if (threadIdx.x == 0) {
        channels[c].a = sum.a;
        dgamma[c] = sum.gamma;
        dbeta[c] = sum.beta;
        dv[c] = sum.v;
    }
}

// dx of the values of a round, into g. m and t are the image's.
static __device__ void differentiate(const float *x, float *g,
                                     const struct channel &c,
                                     const struct moments &m, float t,
                                     const struct evonorm_shape &s)
{
    //> todo derive (about 12 lines)
    // g[i] from dy to dx. c.a is over the channel, t over the image.
    //< todo
}

// A warp per plane.
template <bool WIDE>
static __global__ void results(const float *x, const float *dy,
                               const struct moments *of_plane,
                               const struct channel *channels,
                               const struct sums *sums_of_plane, float *dx,
                               struct evonorm_shape s)
{
    int plane = (int)(blockIdx.x * (THREADS / LANES) + threadIdx.x / LANES);

    if (plane >= s.B * s.C)
        return; // the last block has warps to spare

    struct channel c = channels[plane % s.C];
    struct moments m = of_plane[plane];
    float t = sums_of_plane[plane].t;

    for (int round = 0; round < plane_rounds(s.S); round++) {
        float held[PLANE_HELD], g[PLANE_HELD];

        plane_load<WIDE>(x + (size_t)plane * s.S, s.S, round, held);
        plane_load<WIDE>(dy + (size_t)plane * s.S, s.S, round, g);
        differentiate(held, g, c, m, t, s);
        plane_store<WIDE>(dx + (size_t)plane * s.S, s.S, round, g);
    }
}

// The five kernels, one after another.
template <bool WIDE>
static void one_by_one(const float *x, const float *dy, const float *gamma,
                       const float *v, float *dx, float *dgamma, float *dbeta,
                       float *dv, struct evonorm_shape shape, void *workspace,
                       cudaStream_t stream)
{
    unsigned planes = (unsigned)shape.B * shape.C;
    unsigned blocks = (planes - 1) / (THREADS / LANES) + 1;
    struct moments *of_plane = (struct moments *)workspace;
    struct sums *sums_of_plane = (struct sums *)(of_plane + planes);
    struct channel *channels = (struct channel *)(sums_of_plane + planes);

    statistics<WIDE><<<blocks, THREADS, 0, stream>>>(x, of_plane, shape);
    together<<<shape.C, THREADS, 0, stream>>>(of_plane, gamma, v, channels,
                                              shape);
    add_up<WIDE><<<blocks, THREADS, 0, stream>>>(x, dy, of_plane, channels,
                                                 sums_of_plane, shape);
    finish_sums<<<shape.C, THREADS, 0, stream>>>(sums_of_plane, channels,
                                                 dgamma, dbeta, dv, shape);
    results<WIDE><<<blocks, THREADS, 0, stream>>>(
        x, dy, of_plane, channels, sums_of_plane, dx, shape);
}

size_t evonorm_b0_backward_workspace(struct evonorm_shape shape)
{
    return (size_t)shape.B * shape.C *
               (sizeof(struct moments) + sizeof(struct sums)) +
           shape.C * sizeof(struct channel);
}

//> todo launch (about 14 lines)
cudaError_t evonorm_b0_backward(const float *x, const float *dy,
                                const float *gamma, const float *v, float *dx,
                                float *dgamma, float *dbeta, float *dv,
                                struct evonorm_shape shape, void *workspace,
                                cudaStream_t stream)
{
    if (plane_wide(shape.S))
        one_by_one<true>(x, dy, gamma, v, dx, dgamma, dbeta, dv, shape,
                         workspace, stream);
    else
        one_by_one<false>(x, dy, gamma, v, dx, dgamma, dbeta, dv, shape,
                          workspace, stream);
    return cudaGetLastError();
}
//< todo
