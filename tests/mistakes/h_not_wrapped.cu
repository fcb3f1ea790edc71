// SPDX-License-Identifier: MIT
// mistake: h = i / L without % H
// chapter: 04 forward
// expect: MEMORY past the end of
// say: forward\.cu:[0-9]+
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
    int h = i / s.L;
    int b = 0;
    float sum = 0;

    for (int k = 0; k < s.K && k <= t; k++)
        sum += w[h * s.K + k] * x[(b * s.H + h) * s.L + t - k];
    y[(b * s.H + h) * s.L + t] = sum;
}
//< todo
