// SPDX-License-Identifier: MIT
// mutant: a channel waits off chip, in local memory, by indices of a loop
// chapter: 22 evonorm_b0
// expect: TECHNIQUE local_requests .* <= 100 MISSED
// shape: B16 C3 S784
//> todo kernel
enum { HELD = 64 }; // values that a thread keeps of its warp's planes

static __global__ void channel(const float *x, const float *gamma,
                               const float *beta, const float *v,
                               float *moving, float *y, struct evonorm_shape s)
{
    __shared__ struct moments shared[MOST_WARPS];
    int c = blockIdx.x, lane = threadIdx.x % LANES;
    int warp = threadIdx.x / LANES, warps = blockDim.x / LANES, n = 0;
    struct moments all = moments::none();
    float held[HELD];

    for (int b = warp; b < s.B; b += warps)
#pragma unroll 1
        for (int i = lane; i < s.S; i += LANES) {
            held[n] = x[((size_t)b * s.C + c) * s.S + i];
            all.join({1.0f, held[n++], 0.0f});
        }
    all = over_block(all, shared);

    float p = all.squares / all.n, batch = sqrtf(p + EVONORM_EPS);

    if (threadIdx.x == 0)
        moving[c] = EVONORM_DECAY * moving[c] + (1.0f - EVONORM_DECAY) * p;
    n = 0;
    for (int b = warp; b < s.B; b += warps) {
        struct moments m = moments::none();
        int first = n;

#pragma unroll 1
        for (int i = lane; i < s.S; i += LANES)
            m.join({1.0f, held[n++], 0.0f});

        float image = sqrtf(m.over_warp().squares / s.S + EVONORM_EPS);

        n = first;
#pragma unroll 1
        for (int i = lane; i < s.S; i += LANES) {
            float value = held[n++], other = v[c] * value + image;

            y[((size_t)b * s.C + c) * s.S + i] =
                gamma[c] * value / (other > batch ? other : batch) + beta[c];
        }
    }
}
//< todo
    //> todo workspace
    (void)shape;
    return 0;
    //< todo
    //> todo launch
    (void)workspace; // none was asked for
    channel<<<shape.C, MOST_WARPS * LANES, 0, stream>>>(x, gamma, beta, v,
                                                        moving, y, shape);
    //< todo
