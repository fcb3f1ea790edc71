// SPDX-License-Identifier: MIT
// mutant: the bias of the row's number in place of the column's
// chapter: 19 fused
// expect: WRONG
//> todo kernel
static __global__ void fused(const float *x, const float *bias,
                             const float *residual, float *y, unsigned n,
                             unsigned width)
{
    unsigned i = blockIdx.x * THREADS + threadIdx.x;

    if (i < n) {
        float z = x[i] + bias[i / width % width];

        y[i] = __fdividef(z, 1.0f + __expf(-z)) + residual[i];
    }
}
//< todo
