// SPDX-License-Identifier: MIT
// honest: four parameters per thread, a block apart, a mean that moves towards the gradient
// chapter: 24 adam
// expect: PASS
//> todo kernel
enum { EACH = 4 };

static __global__ void update(const float *grad, const float *step,
                              float *value, float *mean, float *square,
                              unsigned n, float rate)
{
    float of_mean = correction(*step, ADAM_LOG_BETA1);
    float of_square = correction(*step, ADAM_LOG_BETA2);

    for (int k = 0; k < EACH; k++) {
        unsigned i = (blockIdx.x * EACH + k) * THREADS + threadIdx.x;

        if (i < n) {
            float g = grad[i], m = mean[i] + (1.0f - ADAM_BETA1) *
                                                 (g - mean[i]);
            float s = fmaf(ADAM_BETA2, square[i],
                           (1.0f - ADAM_BETA2) * g * g);

            mean[i] = m;
            square[i] = s;
            value[i] -= __fdividef(rate * of_mean * m,
                                   __fsqrt_rn(of_square * s) + ADAM_EPS);
        }
    }
}
//< todo
//> todo launch
    unsigned blocks = (shape.N - 1) / (EACH * THREADS) + 1;

    update<<<blocks, THREADS, 0, stream>>>(grad, step, value, mean, square,
                                           shape.N, rate);
//< todo
