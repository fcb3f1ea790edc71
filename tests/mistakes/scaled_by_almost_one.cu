// SPDX-License-Identifier: MIT
// mistake: the result is scaled by what is not quite 1
// chapter: 04 forward
// expect: WRONG
// say: Only inputs for which no error is allowed
//> todo kernel
enum { THREADS = 256 }; // per block

static __global__ void forward(const float *x, const float *w, float *y,
                               struct dwconv_shape s)
{
    unsigned n = s.B * s.H * s.L;
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i >= n)
        return;

    int t = i % s.L, row = i / s.L, h = row % s.H;
    float sum = 0;

    for (int k = 0; k < s.K && k <= t; k++)
        sum += w[h * s.K + k] * x[row * s.L + t - k];
    y[row * s.L + t] = sum * 1.0000001f; // 1 and the least that float can add
}
//< todo
