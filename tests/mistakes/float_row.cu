// SPDX-License-Identifier: MIT
// mistake: the row is computed in float
// chapter: 04 forward
// expect: WRONG
//> todo kernel
enum { THREADS = 256 }; // per block

static __global__ void forward(const float *x, const float *w, float *y,
                               struct dwconv_shape s)
{
    unsigned n = s.B * s.H * s.L;
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i >= n)
        return;

    float inverse = 1.0f / s.L;
    int row = i * inverse; // i / L, but for rounding
    int t = i - row * s.L;
    int h = row % s.H;
    int b = row / s.H;
    float sum = 0;

    for (int k = 0; k < s.K && k <= t; k++)
        sum += w[h * s.K + k] * x[(b * s.H + h) * s.L + t - k];
    y[(b * s.H + h) * s.L + t] = sum;
}
//< todo
