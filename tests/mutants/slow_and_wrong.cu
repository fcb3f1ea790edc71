// SPDX-License-Identifier: MIT
// mutant: each thread counts to four thousand first, and the result is wrong
// chapter: 05 forward
// expect: WRONG
// say: [1-9][0-9]* more cases were left out
//> todo kernel
enum { THREADS = 256, IDLE = 4000 };

static __global__ void forward(const float *x, const float *w, float *y,
                               struct dwconv_shape s)
{
    unsigned n = s.B * s.H * s.L;
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i >= n)
        return;
    int t = i % s.L, h = i / s.L % s.H;
    const float *row = x + (i - t);
    float sum = 0.0f;

    for (int j = 0; j < IDLE; j++)
        sum = sum * 0.5f + j; // keeps the loop
    sum = sum > 1e9f;
    for (int k = 0; k < min(s.K, s.L); k++)
        if (k <= t)
            sum += w[h * s.K + k] * row[k]; // row[t - k]
    y[i] = sum;
}
//< todo
