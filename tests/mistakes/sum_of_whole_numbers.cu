// SPDX-License-Identifier: MIT
// mistake: the sum of products is kept in an int
// chapter: 04 forward
// expect: WRONG
// say: whole: .* without what is behind the point
// say: becomes an integer
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
    y[row * s.L + t] = (int)(8 * sum) / 8;
}
//< todo
