// SPDX-License-Identifier: MIT
// honest: a block per row along y, as many as a grid has; each goes on
// chapter: 19 fused
// expect: PASS
//> todo kernel
static __global__ void fused(const float *x, const float *bias,
                             const float *residual, float *y, unsigned width,
                             unsigned height)
{
    for (unsigned row = blockIdx.y; row < height; row += gridDim.y)
        for (unsigned col = threadIdx.x; col < width; col += THREADS) {
            size_t i = (size_t)row * width + col;
            float z = x[i] + bias[col];

            y[i] = z / (1.0f + expf(-z)) + residual[i];
        }
}
//< todo
//> todo launch
    (void)workspace;
    fused<<<dim3(1, min(shape.M, 65535)), THREADS, 0, stream>>>(
        x, bias, residual, y, shape.N, shape.M);
//< todo
