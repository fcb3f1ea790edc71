// SPDX-License-Identifier: MIT
// mutant: the norm takes the variance of x, not of the convolution
// chapter: 22 conv_evonorm_b0
// expect: WRONG
//> todo kernel
static __global__ void fused(const float *x, const float *w,
                             const float *gamma, const float *beta,
                             const float *v, const float *moving, float *y,
                             struct conv_evonorm_shape s)
{
    extern __shared__ float chip[];
    __shared__ struct total shared[MOST_WARPS];
    struct total sum = {0.0f}, squares = {0.0f};
    float *z = chip + conv_floats(s); // a thread reads what it has written
    size_t plane = (size_t)blockIdx.x * s.S;
    int c = blockIdx.x % s.C;

    conv_bring(x + plane, w + (size_t)c * s.K, chip, s);
    for (int i = threadIdx.x; i < s.S; i += THREADS) {
        z[i] = conv_at(chip, s, i);
        sum.of += x[plane + i];
    }

    float mean = over_block(sum, shared).of / s.S;

    for (int i = threadIdx.x; i < s.S; i += THREADS)
        squares.of += (x[plane + i] - mean) * (x[plane + i] - mean);

    float image = sqrtf(over_block(squares, shared).of / s.S + EVONORM_EPS);
    float batch = sqrtf(moving[c] + EVONORM_EPS);
    float scale = gamma[c], shift = beta[c], slope = v[c];

    for (int i = threadIdx.x; i < s.S; i += THREADS) {
        float other = slope * z[i] + image;
        float d = batch >= other ? batch : other; // other where that is NaN

        y[plane + i] = scale * z[i] / d + shift;
    }
}
//< todo
