// SPDX-License-Identifier: MIT
// mistake: a literal without f computes in double
// chapter: 05 forward
// expect: PASS
// say: write 1.0f
//> todo kernel
enum { THREADS = 256 };
static __global__ void forward(const float *x, const float *w, float *y, struct dwconv_shape s)
{
    unsigned n = s.B * s.H * s.L, i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int t = i % s.L, h = i / s.L % s.H;
    float sum = 0.0;
    for (int k = 0; k <= t && k < s.K; k++)
        sum += 1.0 * w[h * s.K + k] * x[i - k];
    y[i] = sum;
}
//< todo
