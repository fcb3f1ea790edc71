// SPDX-License-Identifier: MIT
// mutant: a variance's gradient without the mean
// chapter: 22 gradient
// expect: WRONG
// shape: B3 C5 S37
//> todo result
// dx of the values of a round, into g. m and t are the image's.
static __device__ void differentiate(const float *x, float *g,
                                     const struct channel &c,
                                     const struct moments &m, float t,
                                     const struct evonorm_shape &s)
{
    float image = sqrtf(m.squares / s.S + EVONORM_EPS);
    float by_image = t / (s.S * image);
    float by_batch = c.a / ((float)s.B * s.S * c.root);

#pragma unroll
    for (int i = 0; i < PLANE_HELD; i++) {
        float other = c.v * x[i] + image;
        float r = __fdividef(1.0f, other > c.root ? other : c.root);
        float direct = g[i] * c.gamma * r;

        g[i] = direct + by_image * x[i] +
               by_batch * (x[i] - c.mean) -
               (other > c.root ? direct * x[i] * r * c.v : 0.0f);
    }
}

// A warp per plane.
template <bool WIDE>
static __global__ void results(const float *x, const float *dy,
                               const struct moments *of_plane,
                               const struct channel *channels,
                               const struct sums *sums_of_plane, float *dx,
                               struct evonorm_shape s)
{
    int plane = (int)((blockIdx.x * THREADS + threadIdx.x) / LANES);

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
//< todo
