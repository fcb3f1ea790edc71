// SPDX-License-Identifier: MIT
// options: -G -Icommon
/* debug_build.cu: a stage without optimisation. Its shared arrays then have
 * 64-bit addresses, and an index that wraps around in 32 bits is out of bounds;
 * optimised code forgives it. */
#include "../../../solutions/06-dwconv-shared/forward.cu"
#include "../check.h"

enum { B = 3, H = 2, L = 7, K = 5, CELLS = B * H * L };

static float expected(const float *w, const float *x, int i)
{
    int t = i % L, h = i / L % H;
    float sum = 0.0f;

    for (int k = 0; k < K && k <= t; k++)
        sum += w[h * K + k] * x[i - k];
    return sum;
}

int main(void)
{
    struct dwconv_shape shape = {B, H, L, K};
    float *x, *w, *y;

    CUDA(cudaMallocManaged(&x, CELLS * sizeof *x));
    CUDA(cudaMallocManaged(&w, H * K * sizeof *w));
    CUDA(cudaMallocManaged(&y, CELLS * sizeof *y));
    for (int i = 0; i < CELLS; i++)
        x[i] = i % 5 - 1;
    for (int i = 0; i < H * K; i++)
        w[i] = i % 3 + 1;
    CUDA(dwconv_forward(x, w, y, shape, NULL, NULL));
    CUDA(cudaDeviceSynchronize());
    for (int i = 0; i < CELLS; i++) // whole numbers: no sum is rounded
        CHECK(y[i] == expected(w, x, i));
    CUDA(cudaFree(x));
    CUDA(cudaFree(w));
    CUDA(cudaFree(y));
    return 0;
}
