// SPDX-License-Identifier: MIT
// mistake: = for += where a portion of times joins a slice's sum of a weight
// chapter: 08 atomics
// expect: WRONG formula
// say: only the last products counted
//> todo kernel
enum {
    THREADS = 256, // per block
    TIMES = 64,    // products added up before they join the sum
    SLICE = 16,    // batches a thread sums, at least
    MOST = 1024    // slices: with more atomics per cell their rounding shows
};

static int slices_for(struct dwconv_shape s)
{
    return min((s.B - 1) / SLICE + 1, (int)MOST);
}

static __global__ void weight_grad(const float *dy, const float *x, float *dw,
                                   struct dwconv_shape s, int slices)
{
    unsigned n = s.H * s.K;
    unsigned blocks = (n + THREADS - 1) / THREADS; // of a slice
    unsigned i = blockIdx.x % blocks * THREADS + threadIdx.x;
    int slice = blockIdx.x / blocks;

    if (i >= n) // the last block of a slice has threads to spare
        return;

    int k = i % s.K; // neighbouring threads, neighbouring taps
    int h = i / s.K;

    float sum = 0.0f;

    for (long long b = slice; b < s.B; b += slices) {
        int row = (b * s.H + h) * s.L; // where dy[b,h,0] and x[b,h,0] stand

        for (int first = 0; first < s.L; first += TIMES) {
            float part = 0.0f;

            for (int t = first; t < min(s.L, first + TIMES); t++)
                if (k <= t) // x begins at time 0
                    part += dy[row + t] * x[row + t - k];

            sum = part;
        }
    }
    atomicAdd(&dw[h * s.K + k], sum); // others add to this cell as well
}
//< todo
