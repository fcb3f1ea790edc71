// SPDX-License-Identifier: MIT
// honest: the convolution is computed again for each pass, and never kept
// chapter: 22 conv_evonorm_b0
// expect: PASS
//> todo kernel
static __global__ void fused(const float *x, const float *w,
                             const float *gamma, const float *beta,
                             const float *v, const float *moving, float *y,
                             struct conv_evonorm_shape s)
{
    extern __shared__ float chip[];
    __shared__ struct total shared[MOST_WARPS];
    struct total sum = {0.0f}, squares = {0.0f};
    size_t plane = (size_t)blockIdx.x * s.S;
    int c = blockIdx.x % s.C;

    conv_bring(x + plane, w + (size_t)c * s.K, chip, s);
    for (int i = threadIdx.x; i < s.S; i += THREADS)
        sum.of += conv_at(chip, s, i);

    float mean = over_block(sum, shared).of / s.S;

    for (int i = threadIdx.x; i < s.S; i += THREADS) {
        float far = conv_at(chip, s, i) - mean;

        squares.of += far * far;
    }

    float image = sqrtf(over_block(squares, shared).of / s.S + EVONORM_EPS);
    float batch = sqrtf(moving[c] + EVONORM_EPS);
    float scale = gamma[c], shift = beta[c], slope = v[c];

    for (int i = threadIdx.x; i < s.S; i += THREADS) {
        float z = conv_at(chip, s, i), other = slope * z + image;
        float d = batch >= other ? batch : other; // other where that is NaN

        y[plane + i] = scale * z / d + shift;
    }
}
//< todo
//> todo launch
    unsigned planes = (unsigned)shape.B * shape.C;
    size_t bytes = conv_floats(shape) * sizeof(float);

    (void)workspace; // none was asked for
    fused<<<planes, THREADS, bytes, stream>>>(x, w, gamma, beta, v, moving, y,
                                              shape);
//< todo
