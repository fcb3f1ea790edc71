// SPDX-License-Identifier: MIT
// mutant: the widely copied one: an image's variance on both sides
// chapter: 22 fused
// expect: WRONG
// say: as if the variance over the batch were that of the image
// shape: B3 C5 S37
//> todo kernel
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
    float batch = sqrtf(of_plane[plane].squares / s.S + EVONORM_EPS);
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
//< todo
