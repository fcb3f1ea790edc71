// SPDX-License-Identifier: MIT
// mistake: k < t for k <= t, in the gradient of a weight
// chapter: 04 weight_grad
// expect: WRONG formula
// say: x at t = 0 were left out
//> todo kernel
enum {
    THREADS = 32, // per block: cells are few, and many small blocks fit
    TIMES = 64    // products added up before they join the sum
};

static __global__ void weight_grad(const float *dy, const float *x, float *dw,
                                   struct dwconv_shape s)
{
    unsigned n = s.H * s.K;
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i >= n) // the last block has threads to spare
        return;

    int h = i % s.H; // neighbouring threads, neighbouring channels
    int k = i / s.H;

    float sum = 0.0f, excess = 0.0f; // what rounding added to the sum

    for (int b = 0; b < s.B; b++) {
        int row = (b * s.H + h) * s.L; // where dy[b,h,0] and x[b,h,0] stand

        for (int first = 0; first < s.L; first += TIMES) {
            float part = 0.0f;

            for (int t = first; t < min(s.L, first + TIMES); t++)
                if (k < t) // x begins at time 0
                    part += dy[row + t] * x[row + t - k];

            float next = part - excess, old = sum;

            sum = old + next;
            excess = (sum - old) - next;
        }
    }
    dw[h * s.K + k] = sum;
}
//< todo
