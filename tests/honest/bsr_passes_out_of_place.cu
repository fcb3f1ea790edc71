// SPDX-License-Identifier: MIT
// honest: four passes, all by one kernel that is told what to do
// chapter: 19 passes
// expect: PASS
//> todo kernel
enum step { BIAS, SIGMOID, PRODUCT, SUM };

static __global__ void pass(enum step step, const float *a, const float *b,
                            float *to, unsigned n, unsigned width)
{
    unsigned i = blockIdx.x * THREADS + threadIdx.x;

    if (i >= n)
        return;
    if (step == BIAS)
        to[i] = a[i] + b[i % width];
    else if (step == SIGMOID)
        to[i] = 1.0f / (1.0f + expf(-a[i]));
    else
        to[i] = step == PRODUCT ? a[i] * b[i] : a[i] + b[i];
}
//< todo
//> todo launch
    unsigned n = shape.M * shape.N, blocks = (n - 1) / THREADS + 1;
    float *s = (float *)workspace;

    pass<<<blocks, THREADS, 0, stream>>>(BIAS, x, bias, y, n, shape.N);
    pass<<<blocks, THREADS, 0, stream>>>(SIGMOID, y, y, s, n, 1);
    pass<<<blocks, THREADS, 0, stream>>>(PRODUCT, s, y, s, n, 1);
    pass<<<blocks, THREADS, 0, stream>>>(SUM, s, residual, y, n, 1);
//< todo
