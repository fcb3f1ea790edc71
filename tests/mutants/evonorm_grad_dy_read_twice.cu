// SPDX-License-Identifier: MIT
// mutant: dy is on chip, and read again all the same
// chapter: 22 evonorm_b0_backward
// expect: TECHNIQUE
// say: global_bytes_over_compulsory
// shape: B16 C3 S784
//> todo launch
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
    bool one = threadIdx.x % LANES == 0; // of each warp
    struct moments m = moments::none();
    struct sums sum = sums::none();

    for (int b = warp; b < part.images; b += warps) {
        size_t plane = (first + (size_t)b * s.C) * s.S;
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
        if (one)
            images[b].m = own;
    }
    m = over_cluster(m, &of_x);

    struct channel c = {gamma[part.c], v[part.c], m.mean,
                        sqrtf(m.squares / m.n + EVONORM_EPS), 0.0f};

    for (int b = warp; b < part.images; b += warps) {
        float root = sqrtf(images[b].m.squares / s.S + EVONORM_EPS), t;
        struct sums own = sums::none();

        for (int round = 0; round < plane_rounds(s.S); round++) {
            float held[PLANE_HELD], g[PLANE_HELD];

            plane_load<WIDE>(xs + b * s.S, s.S, round, held);
            plane_load<WIDE>(gs + b * s.S, s.S, round, g);
#pragma unroll
            for (int i = 0; i < PLANE_HELD; i++)
                own.add(c, root, held[i], g[i]); // 0 behind the plane's end
        }
        sum.join(own);
        t = lanes_sum(own.t);
        if (one)
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
            plane_load<WIDE>(dy + plane, s.S, round, g);
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
