// SPDX-License-Identifier: MIT
// honest: the first two passes in one kernel that writes both arrays
// chapter: 19 passes
// expect: PASS
//> todo kernel
static __global__ void bias_and_sigmoid(const float *x, const float *bias,
                                        float *y, float *s, unsigned n,
                                        unsigned width)
{
    unsigned i = blockIdx.x * THREADS + threadIdx.x;

    if (i < n) {
        y[i] = x[i] + bias[i % width];
        s[i] = __fdividef(1.0f, 1.0f + __expf(-y[i]));
    }
}

static __global__ void finish(float *y, const float *s, const float *residual,
                              unsigned n)
{
    unsigned i = blockIdx.x * THREADS + threadIdx.x;

    if (i < n)
        y[i] = y[i] * s[i] + residual[i];
}
//< todo
//> todo launch
    unsigned n = shape.M * shape.N, blocks = (n - 1) / THREADS + 1;
    float *s = (float *)workspace;

    bias_and_sigmoid<<<blocks, THREADS, 0, stream>>>(x, bias, y, s, n,
                                                     shape.N);
    finish<<<blocks, THREADS, 0, stream>>>(y, s, residual, n);
//< todo
