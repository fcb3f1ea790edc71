// SPDX-License-Identifier: MIT
// honest: sums of 1024 rows each, and their sum: no compensation is needed
// chapter: 04 weight_grad
// expect: PASS
//> todo kernel (about 40 lines)
enum {
    THREADS = 32, // per block: cells are few, and many small blocks fit
    TIMES = 64,   // products added up before they join a group's sum
    ROWS = 1024   // rows of a group
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

    float sum = 0.0f, group = 0.0f;

    for (int b = 0; b < s.B; b++) {
        int row = (b * s.H + h) * s.L; // where dy[b,h,0] and x[b,h,0] stand

        for (int first = 0; first < s.L; first += TIMES) {
            float part = 0.0f;

            for (int t = first; t < min(s.L, first + TIMES); t++)
                if (k <= t) // x begins at time 0
                    part += dy[row + t] * x[row + t - k];

            group += part;
        }
        if (b % ROWS == ROWS - 1 || b == s.B - 1) {
            sum += group;
            group = 0.0f;
        }
    }
    dw[h * s.K + k] = sum;
}
//< todo
