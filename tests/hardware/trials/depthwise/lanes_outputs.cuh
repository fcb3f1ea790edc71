// SPDX-License-Identifier: MIT
/*
 * lanes_outputs.cuh: forward and input gradient by lanes.cuh.
 *
 *   lanes_outputs_run<BACK, PAIR>
 *
 * A warp works on 16 outputs of 32 rows at a time, or, PAIR, on 32, with three
 * products of 16 x 16 instead of four. Its outputs turn round in shared memory,
 * so that they leave in pieces of 64 bytes.
 *
 * The hard idea of PAIR: let T(n) be the Toeplitz matrix of the cells from
 * group n - 1 to n, and D(n) that of the differences of neighbouring groups,
 * T(n) - T(n - 1). Then for two groups of taps, a and b,
 *
 *   y(n)     = T(n) a + T(n-1) b     = T(n) (a + b) - D(n) b
 *   y(n + 1) = T(n+1) a + T(n) b     = T(n) (a + b) + D(n+1) a.
 *
 * What is not finite, or a million times as large as its neighbours, spoils 32
 * outputs and not one.
 */
#ifndef LANES_OUTPUTS_CUH
#define LANES_OUTPUTS_CUH

#include "lanes.cuh"

enum {
    LANES_TURN = LANES * (LONG_GROUP + LONG_QUAD), // floats, of a warp
    LANES_SETTLE = 8, // groups of taps summed before they join
    LANES_CHUNK = 16, // groups of taps, and of a stretch
    PAIR_SUMS = 3 * LONG_GROUP
};

// sum[i] += a[j] * x[i - j], BACK: x[i + j]; x[0..15] is `near`.
template <bool BACK>
static __device__ void lanes_block(float *sum, const float *a,
                                   const float *near, const float *far)
{
#pragma unroll
    for (int j = 0; j < LONG_GROUP; j++)
#pragma unroll
        for (int i = 0; i < LONG_GROUP; i++) {
            int at = BACK ? i + j : i - j;

            sum[i] += a[j] * (at >= 0 && at < LONG_GROUP
                                  ? near[at]
                                  : far[at - (BACK ? 1 : -1) * LONG_GROUP]);
        }
}

// The 16 outputs whose cells begin at `own`, of `taps` groups of taps.
template <bool BACK>
static __device__ void lanes_sums(float *total, const float *own,
                                  const float *w, int taps)
{
    const int on = BACK ? LONG_GROUP : -LONG_GROUP;
    float near[LONG_GROUP], far[LONG_GROUP], a[LONG_GROUP];
    float sum[LONG_GROUP] = {};

    long_get<false>(near, own);
#pragma unroll 1
    for (int q = 0; q < taps; q += 2) { // near and far take turns
        long_get<false>(a, w + q * LONG_GROUP);
        long_get<false>(far, own += on);
        lanes_block<BACK>(sum, a, near, far);
        if (q + 1 == taps)
            break;
        long_get<false>(a, w + (q + 1) * LONG_GROUP);
        long_get<false>(near, own += on);
        lanes_block<BACK>(sum, a, far, near);
        if ((q + 2) % LANES_SETTLE == 0)
            long_settle(total, sum);
    }
    long_settle(total, sum);
}

// Adds `pairs` pairs of groups of taps to what becomes the outputs at `own` and
// those after (BACK: before) them: sum has what is theirs, and what both have.
// Of each pair w has a, -b and a + b.
template <bool BACK>
static __device__ void lanes_pair(float *sum, const float *own, const float *w,
                                  int pairs)
{
    const int on = BACK ? LONG_GROUP : -LONG_GROUP;
    float x[LONG_GROUP], next[LONG_GROUP];
    float d[LONG_GROUP], e[LONG_GROUP], a[LONG_GROUP];

    long_get<false>(next, own - on);
    long_get<false>(x, own);
    lanes_minus(d, next, x);
#pragma unroll 1
    for (int q = 0; q < pairs; q++, w += 3 * LONG_GROUP) {
        long_get<false>(next, own += on);
        long_get<false>(a, w + 2 * LONG_GROUP);
        lanes_block<BACK>(sum + 2 * LONG_GROUP, a, x, next);
        lanes_minus(e, x, next);
        long_get<false>(a, w);
        lanes_block<BACK>(sum + LONG_GROUP, a, d, e);
        long_get<false>(x, own += on);
        lanes_minus(d, next, x);
        long_get<false>(a, w + LONG_GROUP); // -b
        lanes_block<BACK>(sum, a, e, d);
    }
}

static __device__ void lanes_join(float *sum)
{
#pragma unroll
    for (int i = 0; i < 2 * LONG_GROUP; i++)
        sum[i] += sum[2 * LONG_GROUP + i % LONG_GROUP];
}

// 16 outputs of 32 rows, group g of their stretches.
static __device__ void lanes_store(float *y, float *turn, const float *sum,
                                   int set, int g, int item, int h,
                                   struct dwconv_shape s, struct lanes_plan p)
{
    const int pitch = LONG_GROUP + LONG_QUAD;
    int lane = threadIdx.x % LANES, quad = lane % LONG_QUADS * LONG_QUAD;

#pragma unroll
    for (int i = 0; i < LONG_GROUP; i += LONG_QUAD)
        *(float4 *)(turn + lane * pitch + i) =
            make_float4(sum[i], sum[i + 1], sum[i + 2], sum[i + 3]);
    __syncwarp(); // all rows' are there
    for (int i = lane / LONG_QUADS; i < LANES; i += LANES / LONG_QUADS) {
        struct lanes_row r = lanes_row_of(set * LANES + i, item, h, s, p);
        int at = (r.stretch * p.groups + g) * LONG_GROUP + quad; // of quads
        int t = r.live ? at - r.before : s.L;
        float *to = y + r.start + at;
        float4 v = *(const float4 *)(turn + i * pitch + quad);

        if (t >= 0 && t + LONG_QUAD <= s.L) {
            *(float4 *)to = v;
        } else {
            if (t >= 0 && t < s.L)
                to[0] = v.x;
            if (t + 1 >= 0 && t + 1 < s.L)
                to[1] = v.y;
            if (t + 2 >= 0 && t + 2 < s.L)
                to[2] = v.z;
            if (t + 3 < s.L)
                to[3] = v.w;
        }
    }
    __syncwarp(); // and read
}

// The channel's taps, zeros behind them; PAIR: of each pair of groups a, -b and
// a + b.
template <bool PAIR>
static __device__ void lanes_bring_taps(float *taps, const float *w, int groups,
                                        int count)
{
    for (int k = threadIdx.x; k < groups * LONG_GROUP; k += blockDim.x) {
        int pair = k / (2 * LONG_GROUP), at = k % (2 * LONG_GROUP);
        float tap = k < count ? w[k] : 0.0f;
        float next = k + LONG_GROUP < count ? w[k + LONG_GROUP] : 0.0f;
        float *of_pair = taps + pair * 3 * LONG_GROUP;

        if (!PAIR)
            taps[k] = tap;
        else
            of_pair[at] = at < LONG_GROUP ? tap : -tap;
        if (PAIR && at < LONG_GROUP)
            of_pair[at + 2 * LONG_GROUP] = tap + next;
    }
}

// `tap_groups`: of taps on chip.
template <bool BACK, bool PAIR, int WARPS>
static __global__ void __launch_bounds__(WARPS *LANES,
                                         (PAIR ? 16 : 24) / WARPS)
    lanes_outputs(const float *x, const float *w, float *y,
                  struct dwconv_shape s, struct lanes_plan p, int tap_groups)
{
    extern __shared__ __align__(16) float chip[]; // lanes_outputs_chip()

    const int step = PAIR ? 2 : 1; // groups at a time
    int h = blockIdx.x % s.H, item = blockIdx.x / s.H;
    int warp = threadIdx.x / LANES, lane = threadIdx.x % LANES;
    int warps = blockDim.x / LANES;
    int on_chip = p.groups + p.halo, pitch = lanes_pitch(on_chip);
    int first = short_quotient(item * p.sets * LANES, p.by_rows); // stretch
    int before = BACK ? p.stretches - 1 - first : lanes_latest(item, p);
    int work = p.groups / step * p.sets;
    float *taps = chip + p.sets * LANES * pitch;
    float *turn = taps + tap_groups * LONG_GROUP * (1 + step) / 2 +
                  warp * LANES_TURN;

    lanes_bring(chip, x, item, h, s, p, BACK ? 0 : -p.halo, on_chip);
    lanes_bring_taps<PAIR>(taps, w + h * s.K, tap_groups, s.K);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads(); // all cells and taps are there

    for (int i = 0; i * warps < work; i++) { // the longest first
        int unit = i * warps + (i % 2 ? warps - 1 - warp : warp);
        int set = unit % p.sets, left = p.groups - unit / p.sets * step;
        int groups = min(tap_groups, left + before * p.groups);
        int g = BACK ? p.groups - left + step - 1 : left - step;
        const float *own = chip + (set * LANES + lane) * pitch +
                           (g + (BACK ? 0 : p.halo)) * LONG_GROUP;
        float sum[PAIR_SUMS] = {};

        if (unit >= work)
            continue;
        if (PAIR) {
            lanes_pair<BACK>(sum, own, taps, lanes_up(groups, 2));
            lanes_join(sum);
            lanes_store(y, turn, sum + LONG_GROUP, set, BACK ? g - 1 : g + 1,
                        item, h, s, p);
        } else {
            lanes_sums<BACK>(sum, own, taps, groups);
        }
        lanes_store(y, turn, sum, set, g, item, h, s, p);
    }
}

// As lanes_outputs with PAIR, of a stretch, for any number of taps: with each
// LANES_CHUNK groups of them the cells that they meet are brought anew.
template <bool BACK>
static __global__ void __launch_bounds__(LANES *LANES_CHUNK / 2, 2)
    lanes_chunks(const float *x, const float *w, float *y,
                 struct dwconv_shape s, struct lanes_plan p, int tap_groups)
{
    extern __shared__ __align__(16) float chip[]; // as lanes_outputs

    int h = blockIdx.x % s.H, item = blockIdx.x / s.H;
    int warp = threadIdx.x / LANES, lane = threadIdx.x % LANES;
    int on_chip = p.groups + p.halo, pitch = lanes_pitch(on_chip);
    int first = short_quotient(item * LANES, p.by_rows); // stretch
    int before = BACK ? p.stretches - 1 - first : lanes_latest(item, p);
    int left = p.groups - warp * 2;
    int most = min(tap_groups, p.groups + before * p.groups);
    int groups = min(tap_groups, left + before * p.groups);
    int g = BACK ? p.groups - left + 1 : left - 2;
    const float *own = chip + lane * pitch +
                       (g + (BACK ? 0 : p.halo)) * LONG_GROUP;
    float *taps = chip + LANES * pitch;
    float *turn = taps + LANES_CHUNK * LONG_GROUP * 3 / 2 + warp * LANES_TURN;
    float sum[PAIR_SUMS] = {};

    w += h * s.K;
    for (int c = 0; c < most; c += LANES_CHUNK) {
        __syncthreads(); // nobody reads what the chunk before met
        lanes_bring(chip, x, item, h, s, p, BACK ? c : -p.halo - c, on_chip);
        lanes_bring_taps<true>(taps, w + c * LONG_GROUP, LANES_CHUNK,
                               s.K - c * LONG_GROUP);
        __pipeline_commit();
        __pipeline_wait_prior(0);
        __syncthreads(); // all cells and taps are there
        if (c < groups)
            lanes_pair<BACK>(sum, own, taps,
                             lanes_up(min((int)LANES_CHUNK, groups - c), 2));
    }
    lanes_join(sum);
    lanes_store(y, turn, sum + LONG_GROUP, 0, BACK ? g - 1 : g + 1, item, h, s,
                p);
    lanes_store(y, turn, sum, 0, g, item, h, s, p);
}

// Groups of taps on chip: with PAIR, an even number.
template <bool PAIR>
static int lanes_tap_groups(struct dwconv_shape s)
{
    return PAIR ? lanes_up(lanes_taps(s), 2) * 2 : lanes_taps(s);
}

template <bool PAIR>
static struct lanes_plan lanes_outputs_plan(struct dwconv_shape s)
{
    const int step = PAIR ? 2 : 1;
    int taps = lanes_tap_groups<PAIR>(s);

    if (PAIR && taps > LANES_CHUNK)
        taps = LANES_CHUNK;
    return lanes_plan_of(s, LANES_CHUNK, step, taps, step, 1);
}

template <bool PAIR>
static size_t lanes_outputs_chip(struct dwconv_shape s, int warps)
{
    struct lanes_plan p = lanes_outputs_plan<PAIR>(s);
    int taps = lanes_tap_groups<PAIR>(s) * LONG_GROUP;

    if (PAIR && p.stretches > 1 && taps > LANES_CHUNK * LONG_GROUP)
        taps = LANES_CHUNK * LONG_GROUP;
    return sizeof(float) *
           (p.sets * LANES * (size_t)lanes_pitch(p.groups + p.halo) +
            (PAIR ? taps / 2 * 3 : taps) + warps * (size_t)LANES_TURN);
}

// So many warps that the fewest idle.
static inline int lanes_warps(int work, int most)
{
    int best = most;

    for (int warps = most; warps >= (most + 1) / 2; warps--)
        if (lanes_up(work, warps) * warps < lanes_up(work, best) * best)
            best = warps;
    return best;
}

template <bool BACK, bool PAIR, int WARPS>
static cudaError_t lanes_outputs_go(const float *x, const float *w, float *y,
                                    struct dwconv_shape s)
{
    struct lanes_plan p = lanes_outputs_plan<PAIR>(s);
    int warps = lanes_warps(p.groups / (PAIR ? 2 : 1) * p.sets, WARPS);
    size_t chip = lanes_outputs_chip<PAIR>(s, warps);
    cudaError_t error;

    if (chip > LANES_CHIP)
        return cudaErrorNotSupported;

    auto kernel = PAIR && p.stretches > 1 &&
                          lanes_tap_groups<PAIR>(s) > LANES_CHUNK
                      ? lanes_chunks<BACK>
                      : lanes_outputs<BACK, PAIR, WARPS>;

    error = cudaFuncSetAttribute((const void *)kernel,
                                 cudaFuncAttributeMaxDynamicSharedMemorySize,
                                 LANES_CHIP);
    if (error != cudaSuccess)
        return error;
    kernel<<<(unsigned)s.H * p.items, warps * LANES, chip>>>(
        x, w, y, s, p, lanes_tap_groups<PAIR>(s));
    return cudaGetLastError();
}

// As dwconv_forward, or BACK dwconv_input_grad; cudaErrorNotSupported where a
// block has no room. Where one block fills a multiprocessor, it has 16 warps.
template <bool BACK, bool PAIR>
static cudaError_t lanes_outputs_run(const float *x, const float *w, float *y,
                                     struct dwconv_shape s)
{
    if constexpr (!PAIR)
        if (lanes_outputs_chip<PAIR>(s, 8) > LANES_CHIP / 2)
            return lanes_outputs_go<BACK, PAIR, 16>(x, w, y, s);
    return lanes_outputs_go<BACK, PAIR, 8>(x, w, y, s);
}

#endif
