// SPDX-License-Identifier: MIT
// honest: a grid that strides, four elements per thread
// chapter: 19 fused
// expect: PASS
//> todo kernel
static __global__ void fused(const float *x, const float *bias,
                             const float *residual, float *y, unsigned n,
                             unsigned width)
{
    unsigned stride = gridDim.x * THREADS;

    for (unsigned i = blockIdx.x * THREADS + threadIdx.x; i < n; i += stride) {
        float z = x[i] + bias[i % width];

        y[i] = __fdividef(z, 1.0f + __expf(-z)) + residual[i];
    }
}
//< todo
//> todo launch
    unsigned n = shape.M * shape.N, blocks = (n - 1) / (THREADS * 4) + 1;

    (void)workspace;
    fused<<<blocks, THREADS, 0, stream>>>(x, bias, residual, y, n, shape.N);
//< todo
