// SPDX-License-Identifier: MIT
// mutant: each thread watches the clock for a while
// chapter: 05 forward
// expect: SLOW PREDICTED
//> todo kernel
enum { THREADS = 256, TAPS = 64, CLOCKS = 400000 };

static __global__ void forward(const float *x, const float *w, float *y,
                               struct dwconv_shape s)
{
    unsigned n = s.B * s.H * s.L;
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    long long begun = clock64();

    while (clock64() - begun < CLOCKS)
        ;
    if (i >= n)
        return;

    int t = i % s.L;
    int h = i / s.L % s.H;
    int b = i / s.L / s.H;

    int row = (b * s.H + h) * s.L;
    int taps = min(s.K, s.L);
    float sum = 0.0f;

    for (int first = 0; first < taps; first += TAPS) {
        float part = 0.0f;

        for (int k = first; k < min(taps, first + TAPS); k++)
            if (k <= t)
                part += w[h * s.K + k] * x[row + t - k];
        sum += part;
    }
    y[row + t] = sum;
}
//< todo
