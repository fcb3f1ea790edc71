// SPDX-License-Identifier: MIT
// mutant: the averages are taken as they are: the first updates are too small
// chapter: 24 adam
// expect: WRONG
// shape: N257
//> todo kernel
static __global__ void update(const float *grad, const float *step,
                              float *value, float *mean, float *square,
                              unsigned n, float rate)
{
    unsigned i = blockIdx.x * THREADS + threadIdx.x; // may pass n

    (void)step;
    if (i >= n)
        return;
    mean[i] = ADAM_BETA1 * mean[i] + (1.0f - ADAM_BETA1) * grad[i];
    square[i] = ADAM_BETA2 * square[i] +
                (1.0f - ADAM_BETA2) * grad[i] * grad[i];
    value[i] -= rate * mean[i] / (sqrtf(square[i]) + ADAM_EPS);
}
//< todo
