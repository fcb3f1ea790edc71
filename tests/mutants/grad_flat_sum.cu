// SPDX-License-Identifier: MIT
// mutant: one float holds the sum over 40,000 rows, and loses digits
// chapter: 05 weight_grad
// expect: WRONG
// say: rounding|digits|precision
// shape: B40000 H1 L4 K2
//> todo kernel
enum { THREADS = 32 };

static __global__ void weight_grad(const float *dy, const float *x, float *dw,
                                   struct dwconv_shape s)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= (unsigned)(s.H * s.K))
        return;
    int h = i / s.K, k = i % s.K;
    float sum = 0;
    for (int b = 0; b < s.B; b++)
        for (int t = 0; t < s.L; t++)
            if (k <= t) {
                int at = (b * s.H + h) * s.L + t;
                sum += dy[at] * x[at - k];
            }
    dw[i] = sum;
}
//< todo
