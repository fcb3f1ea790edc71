// SPDX-License-Identifier: MIT
// mistake: = for += where the threads of a block add up their sums
// chapter: 08 block
// expect: WRONG
// say: In all wrong cases, or nearly all, what is wrong is 0
// say: Where parts of a sum meet, is = there for \+=
//> todo kernel
enum {
    THREADS = ROWS // one per row
};

// Adds up the first `taps` sums of all threads of the block, in the tiles'
// memory. Thread k is left with the block's sum of tap k.
static __device__ float tree(const float *sum, float *parts, int taps)
{
    __syncthreads(); // all warps have read their tiles: the sums may go there
#pragma unroll
    for (int k = 0; k < TILE; k++)
        if (k < taps)
            parts[k * THREADS + threadIdx.x] = sum[k];

    for (int half = THREADS / 2; half > 0; half /= 2) {
        __syncthreads(); // the first 2 * half sums of each tap are complete
        for (int i = threadIdx.x; i < taps * half; i += THREADS) {
            int at = i / half * THREADS + i % half;

            parts[at] = parts[at + half];
        }
    }
    __syncthreads(); // the first sum of each tap is complete

    float all = (int)threadIdx.x < taps ? parts[threadIdx.x * THREADS] : 0.0f;

    __syncthreads(); // all have read: the tiles may be filled again
    return all;
}

// A block owns a channel, a portion of the taps, and every slices-th chunk.
static __global__ void __launch_bounds__(THREADS, BLOCKS)
    weight_grad(const float *dy, const float *x, float *dw,
                struct dwconv_shape s, struct plan plan)
{
    __shared__ __align__(16) float tiles[WARPS][LANES * TILE];

    int warp = threadIdx.x / LANES;
    int h = blockIdx.x % s.H;
    int first = blockIdx.x / s.H % plan.portions * TILE; // tap
    int slice = blockIdx.x / s.H / plan.portions;
    int columns = (s.L - first - 1) / TILE + 1; // tiles of a row that count
    int chunks = ((s.B - 1) / ROWS + 1) * columns;
    int taps = min(min(s.K, s.L) - first, (int)TILE);
    float total = 0.0f, excess = 0.0f; // of tap threadIdx.x, where there is one

    for (int c = slice; c < chunks; c += plan.slices) {
        int b0 = c / columns * ROWS + warp * LANES;
        int s0 = c % columns * TILE;
        float *tile = tiles[warp], xs[TILE], sum[TILE] = {0.0f};

        if (b0 < s.B) { // the last chunk of a column may lack rows
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
        }
        add(&total, &excess, tree(sum, &tiles[0][0], taps));
    }

    if ((int)threadIdx.x < taps) // other blocks add to these cells as well
        atomicAdd(&dw[h * s.K + first + threadIdx.x], total);
}
//< todo
