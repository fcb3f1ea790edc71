// SPDX-License-Identifier: MIT
// mutant: a kernel per formula, as an optimiser written array by array
// chapter: 24 adam
// expect: TECHNIQUE
//> todo kernel
static __global__ void average(const float *grad, float *mean, unsigned n)
{
    unsigned i = blockIdx.x * THREADS + threadIdx.x; // may pass n

    if (i < n)
        mean[i] = ADAM_BETA1 * mean[i] + (1.0f - ADAM_BETA1) * grad[i];
}

static __global__ void average_square(const float *grad, float *square,
                                      unsigned n)
{
    unsigned i = blockIdx.x * THREADS + threadIdx.x; // may pass n

    if (i < n)
        square[i] = ADAM_BETA2 * square[i] +
                    (1.0f - ADAM_BETA2) * grad[i] * grad[i];
}

static __global__ void update(const float *mean, const float *square,
                              const float *step, float *value, unsigned n,
                              float rate)
{
    unsigned i = blockIdx.x * THREADS + threadIdx.x; // may pass n

    if (i < n)
        value[i] -= rate * mean[i] * correction(*step, ADAM_LOG_BETA1) /
                    (sqrtf(square[i] * correction(*step, ADAM_LOG_BETA2)) +
                     ADAM_EPS);
}
//< todo
//> todo launch
    unsigned blocks = (shape.N - 1) / THREADS + 1;

    average<<<blocks, THREADS, 0, stream>>>(grad, mean, shape.N);
    average_square<<<blocks, THREADS, 0, stream>>>(grad, square, shape.N);
    update<<<blocks, THREADS, 0, stream>>>(mean, square, step, value, shape.N,
                                           rate);
//< todo
