// SPDX-License-Identifier: MIT
// mutant: as many rows along y as a grid has, and nobody takes the others
// chapter: 19 fused
// expect: WRONG unwritten
// say: M65600
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
    fused<<<dim3(1, min(shape.M, 65535)), THREADS, 0, stream>>>(
        x, bias, residual, y, shape.N);
//< todo
