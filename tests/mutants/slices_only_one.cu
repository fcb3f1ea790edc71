// SPDX-License-Identifier: MIT
// mutant: two passes, but one slice: as few threads as before
// chapter: 06 slices
// expect: TECHNIQUE
// say: threads
//> todo kernel (about 75 lines)
enum {
    THREADS = 64,  // per block
    TIMES = 64,    // products added up before they join the sum
    TOTAL = 256    // threads of a block of the second pass
};

struct plan {
    unsigned tiles;  // of taps
    unsigned slices; // of the batch
    unsigned cells;  // a slice's partial sums: taps of all channels
};

static struct plan plan_for(struct dwconv_shape s)
{
    struct plan plan;
    unsigned taps = min(s.K, s.L); // later ones meet no x

    plan.tiles = (taps - 1) / THREADS + 1;
    plan.cells = s.H * taps;
    plan.slices = 1;
    return plan;
}

// A block owns one channel, a tile of taps, and one slice of the batch.
static __global__ void partial(const float *dy, const float *x, float *sums,
                               struct dwconv_shape s, struct plan plan)
{
    int taps = min(s.K, s.L);
    int h = blockIdx.x % s.H;
    int k0 = blockIdx.x / s.H % plan.tiles * THREADS;
    unsigned slice = blockIdx.x / s.H / plan.tiles;
    int k = k0 + threadIdx.x; // neighbouring threads, neighbouring taps

    if (k >= taps) // the last tile has threads to spare
        return;

    float sum = 0.0f, excess = 0.0f; // what rounding added to the sum

    for (long long b = slice; b < s.B; b += plan.slices) {
        int row = (b * s.H + h) * s.L; // where dy[b,h,0] and x[b,h,0] stand

        for (int first = 0; first < s.L; first += TIMES) {
            float part = 0.0f;

            for (int t = first; t < min(s.L, first + TIMES); t++)
                if (k <= t) // x begins at time 0
                    part += dy[row + t] * x[row + t - k];

            float next = part - excess, old = sum;

            sum = old + next;
            excess = (sum - old) - next;
        }
    }
    sums[(size_t)slice * plan.cells + h * taps + k] = sum;
}

// The second pass: one thread adds up one cell's partial sums, in order.
static __global__ void total(const float *sums, float *dw,
                             struct dwconv_shape s, unsigned cells, unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    int taps = min(s.K, s.L);

    if (i >= (unsigned)s.H * s.K)
        return;

    int h = i / s.K, k = i % s.K;
    float sum = 0.0f, excess = 0.0f;

    if (k < taps)
#pragma unroll 8
        for (unsigned slice = 0; slice < n; slice++) {
            float next = sums[(size_t)slice * cells + h * taps + k] - excess;
            float old = sum;

            sum = old + next;
            excess = (sum - old) - next;
        }
    dw[i] = sum;
}
//< todo
