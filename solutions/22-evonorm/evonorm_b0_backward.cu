// SPDX-License-Identifier: MIT
// Stage 22, the gradient of EvoNorm-B0, step 2: a channel stays on chip.
// New: x and dy of a channel lie in a cluster's shared memory.
// Before: step 1; x was read three times, dy twice.
// Counter: global_bytes_over_compulsory falls from 2 to 1.

#include "op/evonorm.h"
#include "op/channel_cluster.cuh"

enum {
    THREADS = 256, // of a block
    CHIP_WARPS = 8 // of a block that holds planes
};

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
        float other = c.v * x + image;
        float r = __fdividef(1.0f, other > c.root ? other : c.root);
        float h = -g * c.gamma * x * r * r;

        gamma += g * x * r;
        beta += g;
        if (other > c.root) {
            t += h;
            v += h * x;
        } else
            a += h;
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
    float image = sqrtf(m.squares / s.S + EVONORM_EPS);
    float by_image = t / (s.S * image);
    float by_batch = c.a / ((float)s.B * s.S * c.root);

#pragma unroll
    for (int i = 0; i < PLANE_HELD; i++) {
        float other = c.v * x[i] + image;
        float r = __fdividef(1.0f, other > c.root ? other : c.root);
        float direct = g[i] * c.gamma * r;

        g[i] = direct + by_image * (x[i] - m.mean) +
               by_batch * (x[i] - c.mean) -
               (other > c.root ? direct * x[i] * r * c.v : 0.0f);
    }
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

// What is known of an image's plane.
struct image {
    struct moments m;
    float t;
};

// The block's planes of x and dy to shared memory, a warp per plane; what a
// thread knows of x.
template <bool WIDE>
static __device__ struct moments bring(const float *x, const float *dy,
                                       float *xs, float *gs,
                                       struct image *images,
                                       const struct channel_part &part,
                                       const struct evonorm_shape &s)
{
    struct moments m = moments::none();

    for (int b = threadIdx.x / LANES; b < part.images;
         b += blockDim.x / LANES) {
        size_t plane = (((size_t)part.first + b) * s.C + part.c) * s.S;
        struct moments own = moments::none();

        for (int round = 0; round < plane_rounds(s.S); round++) {
            float held[PLANE_HELD], g[PLANE_HELD];

            plane_load<WIDE>(x + plane, s.S, round, held);
            plane_load<WIDE>(dy + plane, s.S, round, g);
            plane_keep<WIDE>(xs + b * s.S, s.S, round, held);
            plane_keep<WIDE>(gs + b * s.S, s.S, round, g);
            own.join(moments_of<WIDE>(held, s.S, round));
        }
        m.join(own);
        own = own.over_warp();
        if (threadIdx.x % LANES == 0)
            images[b].m = own;
    }
    return m;
}

// A lane's sums of a plane; root: of its image.
template <bool WIDE>
static __device__ struct sums sums_of(const float *xs, const float *gs,
                                      const struct channel &c, float root,
                                      int positions)
{
    struct sums own = sums::none();

    for (int round = 0; round < plane_rounds(positions); round++) {
        float held[PLANE_HELD], g[PLANE_HELD];

        plane_load<WIDE>(xs, positions, round, held);
        plane_load<WIDE>(gs, positions, round, g);
#pragma unroll
        for (int i = 0; i < PLANE_HELD; i++)
            own.add(c, root, held[i], g[i]); // 0 behind the plane's end
    }
    return own;
}

//> todo launch (about 74 lines)
// A cluster per channel: x and dy come on chip. Behind the planes lies what is
// known of them.
template <bool WIDE>
static __global__ void __launch_bounds__(CHIP_WARPS * LANES)
on_chip(const float *x, const float *dy, const float *gamma, const float *v,
        float *dx, float *dgamma, float *dbeta, float *dv,
        struct evonorm_shape s, int most)
{
    extern __shared__ float4 chip[];
    __shared__ struct channel_exchange<struct moments> of_x;
    __shared__ struct channel_exchange<struct sums> of_gradients;
    struct channel_part part = channel_part_of(s.B, most);
    size_t all = (size_t)most * s.S, first = (size_t)part.first * s.C + part.c;
    float *xs = (float *)chip, *gs = xs + all;
    struct image *images = (struct image *)(gs + all);
    int warp = threadIdx.x / LANES, warps = blockDim.x / LANES;
    struct sums sum = sums::none();
    struct moments m =
        over_cluster(bring<WIDE>(x, dy, xs, gs, images, part, s), &of_x);

    struct channel c = {gamma[part.c], v[part.c], m.mean,
                        sqrtf(m.squares / m.n + EVONORM_EPS), 0.0f};

    for (int b = warp; b < part.images; b += warps) {
        float root = sqrtf(images[b].m.squares / s.S + EVONORM_EPS);
        struct sums own =
            sums_of<WIDE>(xs + b * s.S, gs + b * s.S, c, root, s.S);
        float t = lanes_sum(own.t);

        sum.join(own);
        if (threadIdx.x % LANES == 0)
            images[b].t = t;
    }
    sum = over_cluster(sum, &of_gradients);
    cluster_reads();
    c.a = sum.a;
    if (part.rank == 0 && threadIdx.x == 0) {
        dgamma[part.c] = sum.gamma;
        dbeta[part.c] = sum.beta;
        dv[part.c] = sum.v;
    }
    for (int b = warp; b < part.images; b += warps) {
        size_t plane = (first + (size_t)b * s.C) * s.S;
        struct image own = images[b];

        for (int round = 0; round < plane_rounds(s.S); round++) {
            float held[PLANE_HELD], g[PLANE_HELD];

            plane_load<WIDE>(xs + b * s.S, s.S, round, held);
            plane_load<WIDE>(gs + b * s.S, s.S, round, g);
            differentiate(held, g, c, own.m, own.t, s);
            plane_store<WIDE>(dx + plane, s.S, round, g);
        }
    }
    cluster_read();
}

cudaError_t evonorm_b0_backward(const float *x, const float *dy,
                                const float *gamma, const float *v, float *dx,
                                float *dgamma, float *dbeta, float *dv,
                                struct evonorm_shape shape, void *workspace,
                                cudaStream_t stream)
{
    size_t bytes = 2 * (size_t)shape.S * sizeof(float) + sizeof(struct image);
    const void *kernel = plane_wide(shape.S) ? (const void *)on_chip<true>
                                             : (const void *)on_chip<false>;
    struct channel_plan plan =
        channel_plan_of(kernel, shape.B, shape.C, bytes, CHIP_WARPS);
    void *args[] = {&x,      &dy,    &gamma, &v,     &dx,
                    &dgamma, &dbeta, &dv,    &shape, &plan.images};

    if (plan.blocks)
        return channel_launch(kernel, plan, shape.C, args, stream);

    if (plane_wide(shape.S))
        one_by_one<true>(x, dy, gamma, v, dx, dgamma, dbeta, dv, shape,
                         workspace, stream);
    else
        one_by_one<false>(x, dy, gamma, v, dx, dgamma, dbeta, dv, shape,
                          workspace, stream);
    return cudaGetLastError();
}
//< todo
