// SPDX-License-Identifier: MIT
// mutant: a fence of the GPU per tap, behind which its loads find no L1
// chapter: 05 forward
// expect: SLOW PREDICTED
//> todo kernel
enum { THREADS = 256 }; // per block

static __global__ void forward(const float *x, const float *w, float *y,
                               struct dwconv_shape s)
{
    unsigned n = s.B * s.H * s.L;
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i >= n)
        return;

    int t = i % s.L;
    int h = i / s.L % s.H;
    int row = (i / s.L / s.H * s.H + h) * s.L;
    float sum = 0.0f;

    for (int k = 0; k < s.K && k <= t; k++) {
        sum += w[h * s.K + k] * x[row + t - k];
        __threadfence();
    }
    y[row + t] = sum;
}
//< todo
