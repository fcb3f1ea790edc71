// SPDX-License-Identifier: MIT
// mistake: the sum of squares of a batch is not divided by its number
// chapter: 22 statistics
// expect: WRONG formula
// say: sums of squares were not divided
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
        p[c] = m.squares;
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
