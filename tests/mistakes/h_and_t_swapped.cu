// SPDX-License-Identifier: MIT
// mistake: x taken as (B, L, H)
// chapter: 04 forward
// expect: WRONG misplaced
// say: as if x were stored as x\[b, t, h\]
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
        sum += w[h * s.K + k] * x[(b * s.L + t - k) * s.H + h];
    y[(b * s.H + h) * s.L + t] = sum;
}
//< todo
