// SPDX-License-Identifier: MIT
/*
 * dwconv_lanes.cuh: depthwise convolution with dozens or hundreds of taps, a
 * lane per row, forward and input gradient.
 *
 *   dwconv_lanes_fits      whether a block has room for what it needs
 *   dwconv_lanes_forward, dwconv_lanes_input_grad
 *
 * All lanes of a warp meet the same taps at the same time, so that none waits
 * for another at the causal triangle's edge; all cells are on chip, and after
 * the first barrier no warp waits for another. A thread has 16 outputs at a
 * time, as in dwconv_long.cuh. A long row is cut into stretches, which count as
 * rows: first all rows' first stretches, so that a block's have much the same
 * zeros before them.
 *
 * The hard idea: rows are moved along time to where aligned quads begin, x and
 * y together. So no length is awkward; up to 3 cells of a neighbour become
 * zeros. A warp's outputs turn round in shared memory, and leave in pieces of
 * 64 bytes.
 */
#ifndef WB_DWCONV_LANES_CUH
#define WB_DWCONV_LANES_CUH

#include "op/dwconv_long_tile.cuh"
#include "op/dwconv_short.cuh"

enum {
    LANES = 32,
    LANES_WARPS = 8,   // of a block, at most
    LANES_BLOCKS = 3,  // per multiprocessor
    LANES_GROUPS = 16, // of a stretch, or of a block's short rows
    LANES_TURN = LANES * (LONG_GROUP + LONG_QUAD), // floats, of a warp
    LANES_SETTLE = 8,        // groups of taps summed before they join
    LANES_LONGEST = 1 << 30, // so that time past a row's end fits an int
    LANES_CHIP = 99 * 1024   // bytes, at most, on any card since 8.0
};

struct lanes_plan {
    int taps;      // groups of taps
    int groups;    // of time, of a stretch
    int halo;      // groups of x beyond it
    int stretches; // of a row
    int sets;      // of 32 rows, of a block
    int wide;      // threads that bring a row together: 2^n
    int items;     // of `sets` sets, of a channel
    struct short_divisor by_rows; // B
};

static inline __host__ __device__ int lanes_up(int n, int of)
{
    return (n - 1) / of + 1;
}

// Floats of a row on chip: an odd number of quads, against conflicts.
static inline __host__ __device__ int lanes_pitch(int groups)
{
    return groups * LONG_GROUP + LONG_QUAD;
}

// A row is whole unless a stretch and what its first outputs need is shorter.
// In front of whole rows (BACK: behind) is a group of zeros.
static inline struct lanes_plan lanes_plan_of(struct dwconv_shape s)
{
    int before = s.L % LONG_QUAD ? LONG_QUAD - 1 : 0;
    int all = lanes_up(s.L + before, LONG_GROUP);
    struct lanes_plan p = {};

    p.taps = lanes_up(s.K < s.L ? s.K : s.L, LONG_GROUP);
    p.stretches = LANES_GROUPS + p.taps < all ? lanes_up(all, LANES_GROUPS) : 1;
    p.groups = lanes_up(all, p.stretches);
    p.halo = p.stretches > 1 ? p.taps : 1;
    p.sets = 1;
    while (2 * p.sets * (p.groups + 1) <= LANES_GROUPS &&
           2 * p.sets * LANES <= s.B * p.stretches)
        p.sets *= 2;
    p.items = lanes_up(s.B * p.stretches, p.sets * LANES);
    for (p.wide = 1; p.wide < LANES && p.wide < p.groups * LONG_QUADS;)
        p.wide *= 2;
    p.by_rows = short_divide_by(s.B);
    return p;
}

// A row of the block's `item`, or a stretch of one.
struct lanes_row {
    unsigned start;  // its first quad's first cell
    int before;      // cells of that quad that are a neighbour's
    int stretch;
    bool live;
};

static __device__ struct lanes_row lanes_row_of(int row, int item, int h,
                                                struct dwconv_shape s,
                                                struct lanes_plan p)
{
    unsigned v = item * p.sets * LANES + row;
    unsigned stretch = short_quotient(v, p.by_rows);
    unsigned begin = ((v - stretch * s.B) * s.H + h) * s.L;

    return (struct lanes_row){begin / LONG_QUAD * LONG_QUAD,
                              (int)(begin % LONG_QUAD), (int)stretch,
                              (int)stretch < p.stretches};
}

// The latest stretch that a row of the block's `item` is.
static __device__ int lanes_latest(int item, struct lanes_plan p)
{
    unsigned last = (item + 1) * p.sets * LANES - 1;

    return min((int)short_quotient(last, p.by_rows), p.stretches - 1);
}

// Sets a copy of WIDE cells to `to`, in shared memory, in motion: the first
// `cells` of them, then zeros. Without the branches of __pipeline_memcpy_async,
// which has an instruction for each number of zeros.
template <int WIDE>
static __device__ void lanes_copy(unsigned to, const float *from, int cells)
{
    int bytes = cells * (int)sizeof(float);

    if (WIDE == LONG_QUAD)
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;"
                     :
                     : "r"(to), "l"(from), "r"(bytes)
                     : "memory");
    else
        asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;"
                     :
                     : "r"(to), "l"(from), "r"(bytes)
                     : "memory");
}

// Brings `groups` groups of each row, from `first` groups after its stretch's
// first on; zeros outside the row.
static __device__ void lanes_bring(float *to, const float *from, int item,
                                   int h, struct dwconv_shape s,
                                   struct lanes_plan p, int first, int groups)
{
    int pitch = lanes_pitch(groups), own = (int)threadIdx.x % p.wide;
    unsigned chip = (unsigned)__cvta_generic_to_shared(to);

#pragma unroll 2
    for (int row = (int)threadIdx.x / p.wide; row < p.sets * LANES;
         row += (int)blockDim.x / p.wide) {
        struct lanes_row r = lanes_row_of(row, item, h, s, p);
        int begin = (r.stretch * p.groups + first) * LONG_GROUP;
        int end = r.live ? r.before + s.L : 0;

        for (int c = own * LONG_QUAD; c < groups * LONG_GROUP;
             c += p.wide * LONG_QUAD) {
            int at = begin + c;
            int cells = at < 0 ? 0 : min(max(end - at, 0), (int)LONG_QUAD);
            unsigned cell = chip + (unsigned)sizeof(float) * (row * pitch + c);
            const float *source = from + (cells > 0 ? r.start + at : 0);

            if (at != 0 || r.before == 0)
                lanes_copy<LONG_QUAD>(cell, source, cells);
            else
#pragma unroll
                for (int i = 0; i < LONG_QUAD; i++)
                    lanes_copy<1>(cell + i * (int)sizeof(float),
                                  source + (i < cells ? i : 0),
                                  i >= r.before && i < cells);
        }
    }
}

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

template <bool BACK>
static __global__ void __launch_bounds__(LANES_WARPS *LANES, LANES_BLOCKS)
    dwconv_lanes(const float *x, const float *w, float *y,
                 struct dwconv_shape s, struct lanes_plan p)
{
    extern __shared__ __align__(16) float chip[]; // lanes_chip() bytes

    int h = blockIdx.x % s.H, item = blockIdx.x / s.H;
    int warp = threadIdx.x / LANES, lane = threadIdx.x % LANES;
    int warps = blockDim.x / LANES, work = p.groups * p.sets;
    int on_chip = p.groups + p.halo, pitch = lanes_pitch(on_chip);
    int first = short_quotient(item * p.sets * LANES, p.by_rows); // stretch
    int before = BACK ? p.stretches - 1 - first : lanes_latest(item, p);
    float *taps = chip + p.sets * LANES * pitch;
    float *turn = taps + p.taps * LONG_GROUP + warp * LANES_TURN;

    lanes_bring(chip, x, item, h, s, p, BACK ? 0 : -p.halo, on_chip);
    for (int k = threadIdx.x; k < p.taps * LONG_GROUP; k += blockDim.x)
        taps[k] = k < s.K ? w[h * s.K + k] : 0.0f;
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads(); // all cells and taps are there

    for (int i = 0; i * warps < work; i++) { // the longest first
        int unit = i * warps + (i % 2 ? warps - 1 - warp : warp);
        int set = unit % p.sets, left = p.groups - unit / p.sets;
        int g = BACK ? p.groups - left : left - 1;
        const float *own = chip + (set * LANES + lane) * pitch +
                           (g + (BACK ? 0 : p.halo)) * LONG_GROUP;
        float sum[LONG_GROUP] = {};

        if (unit >= work)
            continue;
        lanes_sums<BACK>(sum, own, taps,
                         min(p.taps, left + before * p.groups));
        lanes_store(y, turn, sum, set, g, item, h, s, p);
    }
}

// So many warps that the fewest idle.
static inline int lanes_warps(struct lanes_plan p)
{
    int work = p.groups * p.sets, best = LANES_WARPS;

    for (int warps = LANES_WARPS; 2 * warps >= LANES_WARPS; warps--)
        if (lanes_up(work, warps) * warps < lanes_up(work, best) * best)
            best = warps;
    return best;
}

static inline size_t lanes_chip(struct lanes_plan p)
{
    size_t cells = (size_t)p.sets * LANES * lanes_pitch(p.groups + p.halo);

    return sizeof(float) *
           (cells + p.taps * LONG_GROUP + lanes_warps(p) * LANES_TURN);
}

static inline bool dwconv_lanes_fits(struct dwconv_shape s)
{
    return s.L <= LANES_LONGEST && lanes_chip(lanes_plan_of(s)) <= LANES_CHIP;
}

template <bool BACK>
static cudaError_t lanes_launch(const float *x, const float *w, float *y,
                                struct dwconv_shape s, cudaStream_t stream)
{
    struct lanes_plan p = lanes_plan_of(s);
    cudaError_t error = cudaFuncSetAttribute(
        dwconv_lanes<BACK>, cudaFuncAttributeMaxDynamicSharedMemorySize,
        LANES_CHIP);

    if (error != cudaSuccess)
        return error;
    dwconv_lanes<BACK><<<(unsigned)s.H * p.items, lanes_warps(p) * LANES,
                         lanes_chip(p), stream>>>(x, w, y, s, p);
    return cudaGetLastError();
}

// As dwconv_forward and dwconv_input_grad of dwconv.h, without a workspace.
// Templates, so that a stage compiles the path that it calls and no other.
template <typename Shape>
static cudaError_t dwconv_lanes_forward(const float *x, const float *w,
                                        float *y, Shape shape,
                                        cudaStream_t stream)
{
    return lanes_launch<false>(x, w, y, shape, stream);
}

template <typename Shape>
static cudaError_t dwconv_lanes_input_grad(const float *dy, const float *w,
                                           float *dx, Shape shape,
                                           cudaStream_t stream)
{
    return lanes_launch<true>(dy, w, dx, shape, stream);
}

#endif
