// SPDX-License-Identifier: MIT
// mistake: what a lane is given takes the place of its own sum
// chapter: 08 shuffle
// expect: WRONG formula
// say: only the products of some rows counted
//> todo kernel
enum {
    THREADS = ROWS, // one per row
    OWN = TILE / 16 // taps that a pair of lanes is left with
};
static_assert(TILE % 16 == 0, "fold() halves it four times");

// One step of the fold: a lane gives its partner, `bit` lanes on, one half of
// its 2 * half sums, and adds what it is given to the other.
static __device__ void meet(float *sum, int half, int bit)
{
    bool upper = threadIdx.x & bit;

#pragma unroll
    for (int i = 0; i < half; i++) {
        float give = upper ? sum[i] : sum[half + i];
        float keep = upper ? sum[half + i] : sum[i];

        sum[i] = 0.0f * keep + __shfl_xor_sync(ALL_LANES, give, bit);
    }
}

// Adds up the sums of all lanes: lanes 2n and 2n + 1 are left with those of
// OWN taps, from own_tap() on.
static __device__ void fold(float *sum)
{
    meet(sum, TILE / 2, 16);
    meet(sum, TILE / 4, 8);
    meet(sum, TILE / 8, 4);
    meet(sum, TILE / 16, 2);
#pragma unroll
    for (int i = 0; i < OWN; i++)
        sum[i] += __shfl_xor_sync(ALL_LANES, sum[i], 1);
}

static __device__ int own_tap(int lane)
{
    return (lane / 16 % 2 * 8 + lane / 8 % 2 * 4 + lane / 4 % 2 * 2 +
            lane / 2 % 2) * OWN;
}

// A block owns a channel, a portion of the taps, and every slices-th chunk.
static __global__ void __launch_bounds__(THREADS, BLOCKS)
    weight_grad(const float *dy, const float *x, float *dw,
                struct dwconv_shape s, struct plan plan)
{
    __shared__ __align__(16) float tiles[WARPS][LANES * TILE];

    int warp = threadIdx.x / LANES, lane = threadIdx.x % LANES;
    int h = blockIdx.x % s.H;
    int first = blockIdx.x / s.H % plan.portions * TILE; // tap
    int slice = blockIdx.x / s.H / plan.portions;
    int columns = (s.L - first - 1) / TILE + 1; // tiles of a row that count
    int chunks = ((s.B - 1) / ROWS + 1) * columns;
    float total[OWN] = {0.0f}, excess[OWN] = {0.0f}; // from own_tap() on

    for (int c = slice; c < chunks; c += plan.slices) {
        int b0 = c / columns * ROWS + warp * LANES;
        int s0 = c % columns * TILE;
        float *tile = tiles[warp], xs[TILE], sum[TILE] = {0.0f};

        if (b0 >= s.B) // the last chunk of a column may lack rows
            continue;
        stage(tile, x, b0, h, s0, s);
#pragma unroll
        for (int q = 0; q < QUADS; q++)
            get(tile, q, xs + 4 * q);
        stage(tile, dy, b0, h, s0 + first, s);
        add_own(sum, xs, tile);
        if (s.L - s0 - first > TILE) {
            stage(tile, dy, b0, h, s0 + first + TILE, s);
            add_after(sum, xs, tile);
        }
        fold(sum);
#pragma unroll
        for (int i = 0; i < OWN; i++)
            add(&total[i], &excess[i], sum[i]);
    }

    int k = first + own_tap(lane);

#pragma unroll
    for (int i = 0; i < OWN; i++)
        if (lane % 2 == 0 && k + i < min(s.K, s.L))
            atomicAdd(&dw[h * s.K + k + i], total[i]); // so do other warps
}
//< todo
