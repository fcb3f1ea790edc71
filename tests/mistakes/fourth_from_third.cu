// SPDX-License-Identifier: MIT
// mistake: of four cells per thread, the last is made of the third's numbers
// chapter: 19 fused
// expect: WRONG shifted
// say: every 4th cell along
// say: which component of a vector
//> todo kernel
static __device__ float value(float z)
{
    return z / (1.0f + expf(-z));
}

static __global__ void fused(const float *x, const float *bias,
                             const float *residual, float *y, unsigned width)
{
    size_t row = (size_t)blockIdx.x * width;

    for (unsigned col = 4 * threadIdx.x; col < width; col += 4 * THREADS)
        for (unsigned c = col; c < col + 4 && c < width; c++) {
            unsigned from = c == col + 3 ? c - 1 : c;

            y[row + c] = value(x[row + from] + bias[from]) +
                         residual[row + from];
        }
}
//< todo
//> todo launch
    (void)workspace;
    fused<<<shape.M, THREADS, 0, stream>>>(x, bias, residual, y, shape.N);
//< todo
