// SPDX-License-Identifier: MIT
// honest: a block per row, which strides along it
// chapter: 19 fused
// expect: PASS
//> todo kernel
static __global__ void fused(const float *x, const float *bias,
                             const float *residual, float *y, unsigned width)
{
    size_t row = (size_t)blockIdx.x * width;

    for (unsigned col = threadIdx.x; col < width; col += THREADS) {
        float z = x[row + col] + bias[col];

        y[row + col] = z / (1.0f + expf(-z)) + residual[row + col];
    }
}
//< todo
//> todo launch
    (void)workspace;
    fused<<<shape.M, THREADS, 0, stream>>>(x, bias, residual, y, shape.N);
//< todo
