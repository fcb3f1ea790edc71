// SPDX-License-Identifier: MIT
// mutant: a block per row along y, where a grid has 65,535; no size has so many
// chapter: 19 fused
// expect: LAUNCH
// say: at most 65535
// say: along x alone
//> todo kernel
static __global__ void fused(const float *x, const float *bias,
                             const float *residual, float *y, unsigned width)
{
    size_t row = (size_t)blockIdx.y * width;

    for (unsigned col = threadIdx.x; col < width; col += THREADS) {
        float z = x[row + col] + bias[col];

        y[row + col] = z / (1.0f + expf(-z)) + residual[row + col];
    }
}
//< todo
//> todo launch
    (void)workspace;
    fused<<<dim3(1, shape.M), THREADS, 0, stream>>>(x, bias, residual, y,
                                                    shape.N);
//< todo
