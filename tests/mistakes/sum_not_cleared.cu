// SPDX-License-Identifier: MIT
// mistake: the sum is not initialised
// chapter: 04 forward
// expect: WRONG uninitialised
// say: nothing has set before
//> todo kernel
enum { THREADS = 256 }; // per block

static __global__ void forward(const float *x, const float *w, float *y,
                               struct dwconv_shape s)
{
    unsigned n = s.B * s.H * s.L;
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i >= n)
        return;

    int h = i % s.H;
    int t = i / s.H % s.L;
    int b = i / s.H / s.L;
    float sum;

    for (int k = 0; k < s.K && k <= t; k++)
        sum += w[h * s.K + k] * x[(b * s.H + h) * s.L + t - k];
    y[(b * s.H + h) * s.L + t] = sum;
}
//< todo
