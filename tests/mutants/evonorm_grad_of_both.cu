// SPDX-License-Identifier: MIT
// mutant: both arguments of the maximum get its gradient
// chapter: 22 gradient
// expect: WRONG
// shape: B3 C5 S37
//> todo sums
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
        float other = c.v * x + image;
        float r = __fdividef(1.0f, other > c.root ? other : c.root);
        float h = -g * c.gamma * x * r * r;

        gamma += g * x * r;
        beta += g;
        if (other > c.root) {
            t += h;
            v += h * x;
        }
        a += h;
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
    int warp = (int)((blockIdx.x * THREADS + threadIdx.x) / LANES);
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
//< todo
