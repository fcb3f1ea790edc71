// SPDX-License-Identifier: MIT
// mistake: t + k < L - 1 for t + k < L
// chapter: 04 input_grad
// expect: WRONG formula
// say: dy at t = L - 1 were left out
//> todo kernel
enum {
    THREADS = 256, // per block
    TAPS = 64      // products added up before they join the sum
};

static __global__ void input_grad(const float *dy, const float *w, float *dx,
                                  struct dwconv_shape s)
{
    unsigned n = s.B * s.H * s.L;
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i >= n) // the last block has threads to spare
        return;

    int h = i % s.H; // neighbouring threads, neighbouring channels
    int t = i / s.H % s.L;
    int b = i / s.H / s.L;

    int row = (b * s.H + h) * s.L; // where dy[b,h,0] and dx[b,h,0] stand
    int taps = min(s.K, s.L);      // tap L would reach past the end
    float sum = 0.0f;

    for (int first = 0; first < taps; first += TAPS) {
        float part = 0.0f;

        for (int k = first; k < min(taps, first + TAPS); k++)
            if (k < s.L - t - 1) // dy ends at time L
                part += w[h * s.K + k] * dy[row + t + k];
        sum += part;
    }
    dx[row + t] = sum;
}
//< todo
