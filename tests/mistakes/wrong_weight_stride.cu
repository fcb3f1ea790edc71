// SPDX-License-Identifier: MIT
// mistake: w[h * L + k] for w[h * K + k]
// chapter: 04 forward
// expect: MEMORY past the end of w
// say: Is that the right stride
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
    float sum = 0;

    for (int k = 0; k < s.K && k <= t; k++)
        sum += w[h * s.L + k] * x[(b * s.H + h) * s.L + t - k];
    y[(b * s.H + h) * s.L + t] = sum;
}
//< todo
