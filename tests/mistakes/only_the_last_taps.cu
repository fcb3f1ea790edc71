// SPDX-License-Identifier: MIT
// mistake: = for += in the loop over taps
// chapter: 04 forward
// expect: WRONG formula
// say: as if of each sum only the last product counted
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
    float sum = 0.0f;

    for (int k = 0; k < s.K && k <= t; k++)
        sum = w[h * s.K + k] * x[(b * s.H + h) * s.L + t - k];
    y[(b * s.H + h) * s.L + t] = sum;
}
//< todo
