// SPDX-License-Identifier: MIT
/*
 * lanes_weights.cuh: the weight gradient by lanes.cuh.
 *
 *   lanes_weights_run<MOST, STAGES, THREE>
 *
 * A warp has 32 taps and 32 rows: a thread's 16 cells of dy meet 47 of x, 16
 * of them new, so 32 loaded cells serve 512 multiply-adds. Warps with the same
 * taps share the rows, or the time. A block goes over sets of rows, and a
 * cluster of blocks owns a channel's taps, up to 256 of them: it adds up its
 * blocks' sums. STAGES = 2: the next set is on its way. MOST: groups of a
 * stretch.
 *
 * The hard idea of THREE, as in lanes_outputs.cuh: let C(a, n) be the 16 sums
 * of a group a of dy with the cells of x from group n - 1 to n, and D(a, n)
 * those with differences, C(a, n) - C(a, n - 1). Then for two groups a and b of
 * dy,
 *
 *   dw(q)     += C(a, n) + C(b, n+1)   = C(a + b, n) + D(b, n + 1)
 *   dw(q + 1) += C(a, n-1) + C(b, n)   = C(a + b, n) - D(a, n).
 */
#ifndef LANES_WEIGHTS_CUH
#define LANES_WEIGHTS_CUH

#include "few.cuh"
#include "lanes.cuh"

enum {
    PAIR_TAPS = 2 * LONG_GROUP, // of a warp
    PAIRS_MOST = 8,             // of a block
    PAIRS_BLOCKS = 2            // per multiprocessor
};
static_assert((int)PAIR_TAPS == (int)LANES, "a lane per tap, in the end");

struct lanes_share {
    int pairs;  // of groups of taps, of a block
    int tiles;  // of `pairs` pairs
    int shares; // warps with the same taps: 2^n
    int parts;  // blocks with the same taps
};

// One group of dy, x at the same time less the first tap's, and before.
static __device__ void lanes_meet(float *sum, const float *dy, const float *x,
                                  const float *old, const float *older)
{
    long_block<true>(sum, dy, x, old);
    long_block<true>(sum + LONG_GROUP, dy, old, older);
}

// Groups [g, end) of a row's dy; x begins where the first meets the first tap.
static __device__ void lanes_add(float *sum, const float *dy, const float *x,
                                 int many)
{
    float a[LONG_GROUP], new_[LONG_GROUP], old[LONG_GROUP], older[LONG_GROUP];

    if (many <= 0)
        return;
    long_get<false>(older, x - 2 * LONG_GROUP);
    long_get<false>(old, x - LONG_GROUP);
#pragma unroll 1
    for (;; dy += LONG_GROUP, x += LONG_GROUP) { // the three take turns
        long_get<false>(a, dy);
        long_get<false>(new_, x);
        lanes_meet(sum, a, new_, old, older);
        if (--many == 0)
            break;
        long_get<false>(a, dy += LONG_GROUP);
        long_get<false>(older, x += LONG_GROUP);
        lanes_meet(sum, a, older, new_, old);
        if (--many == 0)
            break;
        long_get<false>(a, dy += LONG_GROUP);
        long_get<false>(old, x += LONG_GROUP);
        lanes_meet(sum, a, old, older, new_);
        if (--many == 0)
            break;
    }
}

// What THREE has in registers: of `sum`, C(a + b), D(b) and D(a).
enum { THREE_SUMS = 3 * LONG_GROUP };

// As lanes_add, of an even number of groups.
static __device__ void lanes_add_three(float *sum, const float *dy,
                                       const float *x, int many)
{
    float a[LONG_GROUP], b[LONG_GROUP], now[LONG_GROUP], old[LONG_GROUP];
    float d[LONG_GROUP], e[LONG_GROUP];

    if (many <= 0)
        return;
    long_get<false>(now, x - 2 * LONG_GROUP);
    long_get<false>(old, x - LONG_GROUP);
    lanes_minus(e, old, now);
#pragma unroll 1
    for (; many > 0; many -= 2, dy += 2 * LONG_GROUP, x += 2 * LONG_GROUP) {
        long_get<false>(a, dy);
        long_get<false>(now, x);
        lanes_minus(d, now, old);
        long_block<true>(sum + 2 * LONG_GROUP, a, d, e);
        long_get<false>(b, dy + LONG_GROUP);
#pragma unroll
        for (int i = 0; i < LONG_GROUP; i++)
            a[i] += b[i];
        long_block<true>(sum, a, now, old);
        long_get<false>(b, dy + LONG_GROUP); // again: registers are few
        long_get<false>(old, x + LONG_GROUP);
        lanes_minus(e, old, now);
        long_block<true>(sum + LONG_GROUP, b, e, d);
    }
}

static __device__ void lanes_settle_three(float *sum)
{
#pragma unroll
    for (int i = 0; i < LONG_GROUP; i++) {
        float both = sum[i];

        sum[i] = both + sum[i + LONG_GROUP];
        sum[i + LONG_GROUP] = both - sum[i + 2 * LONG_GROUP];
    }
}

// Lane i gets the sum of all lanes' values[i], of 2 STEP values.
template <int STEP>
static __device__ float lanes_total(float *values)
{
    bool up = threadIdx.x & STEP;

#pragma unroll
    for (int i = 0; i < STEP; i++) {
        float mine = up ? values[i + STEP] : values[i];
        float other = up ? values[i] : values[i + STEP];

        values[i] = mine + __shfl_xor_sync(0xffffffffu, other, STEP);
    }
    if constexpr (STEP > 1)
        return lanes_total<STEP / 2>(values);
    return values[0];
}

// The cluster's sums, of its blocks' and their warps' sums; the block's taps
// are those from `first` on.
static __device__ void lanes_leave(float *dw, float *chip, float sum,
                                   struct lanes_share of, int first,
                                   struct dwconv_shape s)
{
    namespace cg = cooperative_groups;
    cg::cluster_group cluster = cg::this_cluster();
    int each = of.pairs * PAIR_TAPS;

    float *block = chip + blockDim.x; // its sums

    __syncthreads(); // nobody reads a set any more
    chip[threadIdx.x] = sum;
    __syncthreads(); // all warps' sums are there
    for (int k = threadIdx.x; k < each; k += blockDim.x) {
        float total = 0.0f;

        for (int i = 0; i < of.shares; i++)
            total += chip[(k / PAIR_TAPS * of.shares + i) * LANES +
                          k % PAIR_TAPS];
        block[k] = total;
    }
    cluster.sync(); // all blocks' are
    for (int k = threadIdx.x; k < each; k += blockDim.x) {
        float total = 0.0f;

        if (k / LANES % cluster.num_blocks() != cluster.block_rank() ||
            first + k >= s.K)
            continue;
#pragma unroll 4
        for (unsigned rank = 0; rank < cluster.num_blocks(); rank++)
            total += *cluster.map_shared_rank(block + k, rank);
        dw[first + k] = total;
    }
    cluster.sync(); // nobody reads from a block that has ended
}

static inline __host__ __device__ int lanes_stage(struct lanes_plan p)
{
    return p.sets * LANES *
           (lanes_pitch(p.groups + p.halo) + lanes_pitch(p.groups));
}

template <int STAGES, bool THREE>
static __global__ void __launch_bounds__(PAIRS_MOST *LANES, PAIRS_BLOCKS)
    lanes_weights(const float *dy, const float *x, float *dw,
                  struct dwconv_shape s, struct lanes_plan p,
                  struct lanes_share of)
{
    extern __shared__ __align__(16) float sets[]; // STAGES lanes_stage()

    int part = blockIdx.x % of.parts, tile = blockIdx.x / of.parts % of.tiles;
    int h = blockIdx.x / of.parts / of.tiles;
    int warp = threadIdx.x / LANES, lane = threadIdx.x % LANES;
    int own = warp / of.shares * 2, base = tile * of.pairs * 2;
    int cuts = max(of.shares / p.sets, 1);
    int x_pitch = lanes_pitch(p.groups + p.halo), pitch = lanes_pitch(p.groups);
    int x_first = p.stretches > 1 ? -p.halo - base : -p.halo;
    int x_own = p.stretches > 1 ? p.halo - own : p.halo - own - base;
    int begin = part * p.items / of.parts;
    int end = (part + 1) * p.items / of.parts;
    float sum[THREE ? THREE_SUMS : (int)PAIR_TAPS] = {};

    for (int item = begin - (STAGES - 1); item < end; item++) {
        int next = item + STAGES - 1;
        float *in = sets + next % STAGES * lanes_stage(p);
        const float *out = sets + (item + STAGES) % STAGES * lanes_stage(p);

        __syncthreads(); // nobody reads the set before
        if (next < end) {
            lanes_bring(in, x, next, h, s, p, x_first, p.groups + p.halo);
            lanes_bring(in + p.sets * LANES * x_pitch, dy, next, h, s, p, 0,
                        p.groups);
        }
        __pipeline_commit();
        if (item < begin)
            continue;
        __pipeline_wait_prior(STAGES - 1);
        __syncthreads(); // this set is there
        // Before, no row's dy meets any x.
        int first = max(base + own - lanes_latest(item, p) * p.groups, 0);
        int step = THREE ? 2 : 1, left = max(p.groups - first, 0);
        int many = (left + cuts * step - 1) / (cuts * step) * step;

        for (int i = warp % of.shares; i < p.sets * cuts; i += of.shares) {
            int row = i % p.sets * LANES + lane, g = first + i / p.sets * many;

            const float *of_dy = out + p.sets * LANES * x_pitch + row * pitch +
                                 g * LONG_GROUP;
            const float *of_x = out + row * x_pitch + (g + x_own) * LONG_GROUP;

            if (THREE)
                lanes_add_three(sum, of_dy, of_x, min(many, p.groups - g));
            else
                lanes_add(sum, of_dy, of_x, min(many, p.groups - g));
        }
    }
    if (THREE)
        lanes_settle_three(sum);
    lanes_leave(dw + h * s.K, sets, lanes_total<LANES / 2>(sum), of,
                base * LONG_GROUP, s);
}

// As dwconv_weight_grad, without a workspace; cudaErrorNotSupported where a
// block has no room.
template <int MOST, int STAGES, bool THREE>
static cudaError_t lanes_weights_run(const float *dy, const float *x,
                                     float *dw, struct dwconv_shape s)
{
    int pairs = lanes_up(lanes_taps(s), 2), blocks = 1;
    struct lanes_share of = {};

    of.tiles = lanes_up(pairs, PAIRS_MOST);
    of.pairs = lanes_up(pairs, of.tiles);
    for (of.shares = 1; 2 * of.shares * of.pairs <= PAIRS_MOST;)
        of.shares *= 2;

    struct lanes_plan p = lanes_plan_of(s, MOST, THREE ? 2 : 1, 2 * of.pairs,
                                        2, 2);
    const void *kernel = (const void *)lanes_weights<STAGES, THREE>;
    size_t chip = sizeof(float) * STAGES * lanes_stage(p);
    int threads = of.pairs * of.shares * LANES;
    void *args[] = {&dy, &x, &dw, &s, &p, &of};
    cudaError_t error;

    if (chip > LANES_CHIP)
        return cudaErrorNotSupported;
    error = cudaFuncSetAttribute(
        kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, LANES_CHIP);
    if (error == cudaSuccess)
        error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(
            &blocks, kernel, threads, chip);
    if (error == cudaSuccess && s.K > s.L)
        error = cudaMemsetAsync(dw, 0, sizeof *dw * s.H * s.K);
    if (error != cudaSuccess)
        return error;
    of.parts = min((int)few_parts(s.H * of.tiles, blocks), p.items);
    return few_launch(kernel, (unsigned)s.H * of.tiles * of.parts, threads,
                      of.parts, chip, args);
}

#endif
