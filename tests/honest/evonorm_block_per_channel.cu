// SPDX-License-Identifier: MIT
// honest: a block per channel, 64 of them: predicted to be slow, which it may be
// chapter: 22 evonorm_b0
// expect: PASS|SLOW
//> todo kernel
enum { HELD = 50000 }; // floats of a channel on chip

static __global__ void channel(const float *x, const float *gamma,
                               const float *beta, const float *v,
                               float *moving, float *y, struct evonorm_shape s)
{
    extern __shared__ float4 chip[];
    __shared__ struct moments shared[MOST_WARPS];
    float *held = (float *)chip;
    int c = blockIdx.x, lane = threadIdx.x % LANES;
    int warp = threadIdx.x / LANES, warps = blockDim.x / LANES;
    bool on_chip = s.B * s.S <= HELD;
    struct moments all = moments::none();

    for (int b = warp; b < s.B; b += warps)
        for (int i = lane; i < s.S; i += LANES) {
            float value = x[((size_t)b * s.C + c) * s.S + i];

            if (on_chip)
                held[b * s.S + i] = value;
            all.join({1.0f, value, 0.0f});
        }
    all = over_block(all, shared);

    float p = all.squares / all.n, batch = sqrtf(p + EVONORM_EPS);
    float scale = gamma[c], shift = beta[c], slope = v[c];

    if (threadIdx.x == 0)
        moving[c] = EVONORM_DECAY * moving[c] + (1.0f - EVONORM_DECAY) * p;
    for (int b = warp; b < s.B; b += warps) {
        size_t first = ((size_t)b * s.C + c) * s.S;
        const float *plane = on_chip ? held + b * s.S : x + first;
        struct moments m = moments::none();

        for (int i = lane; i < s.S; i += LANES)
            m.join({1.0f, plane[i], 0.0f});

        float image = sqrtf(m.over_warp().squares / s.S + EVONORM_EPS);

        for (int i = lane; i < s.S; i += LANES) {
            float other = slope * plane[i] + image;

            y[first + i] =
                scale * plane[i] / (other > batch ? other : batch) + shift;
        }
    }
}
//< todo
    //> todo workspace
    (void)shape;
    return 0;
    //< todo
    //> todo launch
    int bytes = HELD * (int)sizeof(float);
    cudaError_t error = cudaFuncSetAttribute(
        channel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);

    (void)workspace; // none was asked for
    if (error != cudaSuccess)
        return error;
    channel<<<shape.C, MOST_WARPS * LANES, bytes, stream>>>(
        x, gamma, beta, v, moving, y, shape);
    //< todo
