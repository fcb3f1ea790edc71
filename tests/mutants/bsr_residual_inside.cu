// SPDX-License-Identifier: MIT
// mutant: the residual is added before Swish
// chapter: 19 fused
// expect: WRONG formula
//> todo kernel
static __global__ void fused(const float *x, const float *bias,
                             const float *residual, float *y, unsigned n,
                             unsigned width)
{
    unsigned i = blockIdx.x * THREADS + threadIdx.x;

    if (i < n) {
        float z = x[i] + bias[i % width] + residual[i];

        y[i] = __fdividef(z, 1.0f + __expf(-z));
    }
}
//< todo
