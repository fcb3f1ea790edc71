// SPDX-License-Identifier: MIT
// mutant: the mean of squares less the square of the mean
// chapter: 22 kernels
// expect: WRONG
// shape: B3 C40 S37
//> todo kernel
// Of `images` planes of a channel, s.C planes apart, from plane blockIdx.x on.
static __global__ void variance(const float *x, float *to,
                                struct evonorm_shape s, int images)
{
    __shared__ struct total shared[MOST_WARPS];
    struct total sum = {0.0f}, squares = {0.0f};
    float n = (float)images * s.S;

    for (int b = 0; b < images; b++)
        for (int i = threadIdx.x; i < s.S; i += THREADS)
            sum.of += x[((size_t)b * s.C + blockIdx.x) * s.S + i];

    float mean = over_block(sum, shared).of / n;

    for (int b = 0; b < images; b++)
        for (int i = threadIdx.x; i < s.S; i += THREADS) {
            float far = x[((size_t)b * s.C + blockIdx.x) * s.S + i];

            squares.of += far * far;
        }
    squares = over_block(squares, shared);
    if (threadIdx.x == 0)
        to[blockIdx.x] = squares.of / n - mean * mean;
}

static __global__ void average(float *moving, const float *p, int C)
{
    int c = blockIdx.x * THREADS + threadIdx.x; // may pass C

    if (c < C)
        moving[c] = EVONORM_DECAY * moving[c] + (1.0f - EVONORM_DECAY) * p[c];
}

static __global__ void denominator(const float *x, const float *v,
                                   const float *p, const float *q, float *d,
                                   struct evonorm_shape s)
{
    int plane = blockIdx.x, c = plane % s.C;
    float batch = sqrtf(p[c] + EVONORM_EPS);
    float image = sqrtf(q[plane] + EVONORM_EPS), slope = v[c];

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
