// SPDX-License-Identifier: MIT
// mistake: k < t for k <= t
// chapter: 04 forward
// expect: WRONG formula
// say: x at t = 0 were left out
//> todo kernel
enum {
    THREADS = 256, // per block
    TAPS = 64      // products added up before they join the sum
};

static __global__ void forward(const float *x, const float *w, float *y,
                               struct dwconv_shape s)
{
    unsigned n = s.B * s.H * s.L;
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i >= n) // the last block has threads to spare
        return;

    int h = i % s.H; // neighbouring threads, neighbouring channels
    int t = i / s.H % s.L;
    int b = i / s.H / s.L;

    int row = (b * s.H + h) * s.L; // where x[b,h,0] and y[b,h,0] stand
    int taps = min(s.K, s.L);      // tap L would reach before time 0
    float sum = 0.0f;

    for (int first = 0; first < taps; first += TAPS) {
        float part = 0.0f;

        for (int k = first; k < min(taps, first + TAPS); k++)
            if (k < t) // x begins at time 0
                part += w[h * s.K + k] * x[row + t - k];
        sum += part;
    }
    y[row + t] = sum;
}
//< todo
