// SPDX-License-Identifier: MIT
// Stage 22, EvoNorm-B0, step 4: a channel stays on chip.
// New: a cluster of blocks holds a channel of all images in shared memory.
// Before: step 3; x was read for its variances, and again for the results.
// Counter: global_bytes_over_compulsory falls from 1.5 to 1.

#include "op/evonorm.h"
#include "op/channel_cluster.cuh"

enum {
    THREADS = 256,  // of a block
    CHIP_WARPS = 16 // of a block that holds planes
};

//> todo kernel (about 110 lines)
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

// A warp per plane: its results. The planes that were read last are still in
// L2, so it begins with them.
template <bool WIDE>
static __global__ void results(const float *x, const float *gamma,
                               const float *beta, const float *v,
                               const float *p, const struct moments *of_plane,
                               float *y, struct evonorm_shape s)
{
    int warp = (int)(blockIdx.x * (THREADS / LANES) + threadIdx.x / LANES);
    int plane = s.B * s.C - 1 - warp;

    if (plane < 0)
        return; // the last block has warps to spare

    int c = plane % s.C;
    float scale = gamma[c], shift = beta[c], slope = v[c];
    float batch = sqrtf(p[c] + EVONORM_EPS);
    float image = sqrtf(of_plane[plane].squares / s.S + EVONORM_EPS);

    for (int round = 0; round < plane_rounds(s.S); round++) {
        float held[PLANE_HELD];

        plane_load<WIDE>(x + (size_t)plane * s.S, s.S, round, held);
#pragma unroll
        for (int i = 0; i < PLANE_HELD; i++) {
            float other = slope * held[i] + image;
            float d = other > batch ? other : batch; // batch where that is NaN

            held[i] = __fdividef(scale * held[i], d) + shift;
        }
        plane_store<WIDE>(y + (size_t)plane * s.S, s.S, round, held);
    }
}

// A cluster per channel: x comes on chip, and goes out as y. Behind the planes
// lie the roots of the images' variances.
template <bool WIDE>
static __global__ void __launch_bounds__(CHIP_WARPS * LANES)
on_chip(const float *x, const float *gamma, const float *beta, const float *v,
        float *moving, float *y, struct evonorm_shape s, int most)
{
    extern __shared__ float4 chip[];
    __shared__ struct channel_exchange<struct moments> exchange;
    struct channel_part part = channel_part_of(s.B, most);
    float *planes = (float *)chip, *root = planes + (size_t)most * s.S;
    int warp = threadIdx.x / LANES, warps = blockDim.x / LANES;
    struct moments m = moments::none();

    for (int b = warp; b < part.images; b += warps) {
        size_t plane = (size_t)(part.first + b) * s.C + part.c;
        struct moments of_plane = moments::none();

        for (int round = 0; round < plane_rounds(s.S); round++) {
            float held[PLANE_HELD];

            plane_load<WIDE>(x + plane * s.S, s.S, round, held);
            plane_keep<WIDE>(planes + b * s.S, s.S, round, held);
            of_plane.join(moments_of<WIDE>(held, s.S, round));
        }
        m.join(of_plane);
        of_plane = of_plane.over_warp();
        if (threadIdx.x % LANES == 0)
            root[b] = sqrtf(of_plane.squares / s.S + EVONORM_EPS);
    }
    m = over_cluster(m, &exchange);
    cluster_reads();

    int c = part.c;
    float scale = gamma[c], shift = beta[c], slope = v[c];
    float p = m.squares / m.n, batch = sqrtf(p + EVONORM_EPS);

    if (part.rank == 0 && threadIdx.x == 0)
        moving[c] = EVONORM_DECAY * moving[c] + (1.0f - EVONORM_DECAY) * p;
    for (int b = warp; b < part.images; b += warps)
        for (int round = 0; round < plane_rounds(s.S); round++) {
            size_t plane = (size_t)(part.first + b) * s.C + c;
            float held[PLANE_HELD];

            plane_load<WIDE>(planes + b * s.S, s.S, round, held);
#pragma unroll
            for (int i = 0; i < PLANE_HELD; i++) {
                float other = slope * held[i] + root[b];
                float d = other > batch ? other : batch;

                held[i] = __fdividef(scale * held[i], d) + shift;
            }
            plane_store<WIDE>(y + plane * s.S, s.S, round, held);
        }
    cluster_read();
}
//< todo

size_t evonorm_b0_workspace(struct evonorm_shape shape)
{
    //> todo workspace (about 3 lines)
    // moments of planes, and p
    return (size_t)shape.B * shape.C * sizeof(struct moments) +
           shape.C * sizeof(float);
    //< todo
}

cudaError_t evonorm_b0(const float *x, const float *gamma, const float *beta,
                       const float *v, float *moving, float *y,
                       struct evonorm_shape shape, void *workspace,
                       cudaStream_t stream)
{
    //> todo launch (about 23 lines)
    size_t bytes = ((size_t)shape.S + 1) * sizeof(float); // a plane, its root
    const void *kernel = plane_wide(shape.S) ? (const void *)on_chip<true>
                                             : (const void *)on_chip<false>;
    struct channel_plan plan =
        channel_plan_of(kernel, shape.B, shape.C, bytes, CHIP_WARPS);
    void *args[] = {&x, &gamma, &beta, &v, &moving, &y, &shape, &plan.images};

    if (plan.blocks)
        return channel_launch(kernel, plan, shape.C, args, stream);

    unsigned channels = shape.C, planes = channels * shape.B;
    unsigned blocks = (planes - 1) / (THREADS / LANES) + 1;
    struct moments *of_plane = (struct moments *)workspace;
    float *p = (float *)(of_plane + planes);

    if (plane_wide(shape.S)) {
        statistics<true><<<blocks, THREADS, 0, stream>>>(x, of_plane, shape);
        together<<<channels, THREADS, 0, stream>>>(of_plane, p, moving, shape);
        results<true><<<blocks, THREADS, 0, stream>>>(x, gamma, beta, v, p,
                                                      of_plane, y, shape);
    } else {
        statistics<false><<<blocks, THREADS, 0, stream>>>(x, of_plane, shape);
        together<<<channels, THREADS, 0, stream>>>(of_plane, p, moving, shape);
        results<false><<<blocks, THREADS, 0, stream>>>(x, gamma, beta, v, p,
                                                       of_plane, y, shape);
    }
    //< todo
    return cudaGetLastError();
}
