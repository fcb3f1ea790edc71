// SPDX-License-Identifier: MIT
/*
 * overlap.cuh: a candidate for op/overlap_kernel.cuh, with variants.
 *
 *   overlap_fits          whether a block has room for two sets
 *   overlap_run<V>        forward, or the input gradient
 *
 * A block goes over sets of rows that lie one after the other in memory, or
 * over parts of rows: while it works on one set, the next is on its way to
 * shared memory. Before each row (backwards: behind it) stand zeros, or the
 * cells that its first outputs need, so that loops know no edges. A thread has
 * 16 outputs, as in dwconv_long.cuh; neighbouring lanes have different rows,
 * and so as many taps to go over.
 *
 * The hard idea: y lies in memory as x does. So rows are copied in aligned
 * quads, whatever L is; a row begins at any cell of its first quad, and its
 * outputs stand as far from a quad's start, in shared memory and in y.
 */
#ifndef WB_TRIAL_OVERLAP_CUH
#define WB_TRIAL_OVERLAP_CUH

#include "op/dwconv_long_tile.cuh"

enum {
    OVERLAP_THREADS = 128,
    OVERLAP_SETTLE = 8,       // groups of taps summed before they join
    OVERLAP_CHIP = 99 * 1024, // bytes, at most, on any card since 8.0
    OVERLAP_LONGEST = 1 << 30 // so that time past the last part fits an int
};

// What is tried: the gradient or not; two sums for each output; whether a block
// stays, and brings the next set meanwhile; blocks per multiprocessor.
template <bool BACK_, bool TWO_, bool STAY_, int BLOCKS_>
struct overlap_variant {
    enum { BACK = BACK_, TWO = TWO_, STAY = STAY_, BLOCKS = BLOCKS_ };
};

// How rows are dealt out to blocks, and lie in their shared memory. A group is
// 16 cells, or taps.
struct overlap_plan {
    int rows;      // of a set
    int groups;    // of a row that a set has; `parts` sets have all of it
    int parts;
    int taps;      // groups of taps, and of cells that outputs reach beyond
    int pitch;     // floats, of a row of cells
    int tap_pitch; // floats, of a row of taps
    int wide;      // threads that load and store a row together: 2^n
    unsigned sets;
};

static inline int overlap_groups(int cells)
{
    return (cells - 1) / LONG_GROUP + 1;
}

// Of the 8 lanes whose quads a multiprocessor reads at a time, how many meet a
// bank that one before them needs; rows are `quads` apart.
static inline int overlap_conflicts(int rows, int quads)
{
    int met = 0;

    for (int phase = 0; phase < LONG_LANES; phase += 8)
        for (int i = phase, banks = 0; i < phase + 8; i++) {
            int bank = i % rows * quads + i / rows * (LONG_PITCH / LONG_QUAD);

            met += banks >> bank % 8 & 1;
            banks |= 1 << bank % 8;
        }
    return met;
}

// Floats from row to row, at least `cells`, with the fewest conflicts.
static inline int overlap_pitch(int rows, int cells)
{
    int quads = cells / LONG_QUAD, best = quads;

    for (int q = quads; q < quads + 8; q++)
        if (overlap_conflicts(rows, q) < overlap_conflicts(rows, best))
            best = q;
    return best * LONG_QUAD;
}

static inline struct overlap_plan overlap_plan_of(struct dwconv_shape s)
{
    struct overlap_plan p;
    // A row that begins at any cell of a quad may touch one quad more.
    int before = s.L % LONG_QUAD ? LONG_QUAD - 1 : 0;
    int all = overlap_groups(s.L + before);
    long long rows = (long long)s.B * s.H;

    p.groups = all < OVERLAP_THREADS ? all : OVERLAP_THREADS;
    p.rows = OVERLAP_THREADS / p.groups;
    p.parts = (all - 1) / p.groups + 1;
    p.sets = (unsigned)((rows - 1) / p.rows + 1) * p.parts;
    p.taps = overlap_groups(s.K < s.L ? s.K : s.L);
    p.pitch = overlap_pitch(p.rows, (p.groups + p.taps) * LONG_PITCH);
    p.tap_pitch = p.taps * LONG_GROUP + LONG_QUAD;
    for (p.wide = 1; p.wide < LONG_LANES && p.wide * LONG_QUAD < s.L;)
        p.wide *= 2;
    return p;
}

// Floats that a set takes on chip: its cells, then its taps.
static inline __host__ __device__ int overlap_stage(struct overlap_plan p)
{
    return p.rows * (p.pitch + p.tap_pitch);
}

static inline size_t overlap_chip(struct overlap_plan p)
{
    return 2 * sizeof(float) * overlap_stage(p);
}

static inline bool overlap_fits(struct dwconv_shape s)
{
    return s.L <= OVERLAP_LONGEST && s.K <= OVERLAP_CHIP &&
           overlap_chip(overlap_plan_of(s)) <= OVERLAP_CHIP;
}

static __device__ int overlap_place(int cell)
{
    return cell / LONG_GROUP * LONG_PITCH + cell % LONG_GROUP;
}

// A set: the rows that a block works on at a time, or a part of one.
struct overlap_set {
    unsigned row; // the first
    int rows;
    int first; // cell of its rows
};

static __device__ struct overlap_set overlap_set_of(unsigned set,
                                                  struct dwconv_shape s,
                                                  struct overlap_plan p)
{
    unsigned row = set / p.parts * p.rows;

    return (struct overlap_set){
        row, min((unsigned)p.rows, (unsigned)s.B * s.H - row),
        (int)(set % p.parts) * p.groups * LONG_GROUP};
}

// Cells before a row in its first quad.
static __device__ int overlap_offset(unsigned row, int length)
{
    return (int)(row * (unsigned)length % LONG_QUAD);
}

// Brings the cells of each row, and where a set has a part of one those that it
// reaches beyond: on chip, `lead` groups of them come first. Zeros stand for
// cells outside of the row.
static __device__ void overlap_bring(float *chip, const float *x,
                                    struct overlap_set set,
                                    struct overlap_plan p,
                                    int lead, int length)
{
    int from = p.parts == 1 ? lead : 0;
    int to = p.groups + (p.parts == 1 ? lead : p.taps);
    int row = (int)threadIdx.x / p.wide, own = (int)threadIdx.x % p.wide;

    for (; row < set.rows; row += OVERLAP_THREADS / p.wide) {
        int offset = overlap_offset(set.row + row, length);
        const float *of_row = x + (size_t)(set.row + row) * length;
        float *on_chip = chip + row * p.pitch;

        for (int c = from * LONG_GROUP + own * LONG_QUAD; c < to * LONG_GROUP;
             c += p.wide * LONG_QUAD) {
            int t = set.first + c - lead * LONG_GROUP - offset;
            float *cell = on_chip + overlap_place(c);

            if (t >= 0 && t + LONG_QUAD <= length)
                __pipeline_memcpy_async(cell, of_row + t, sizeof(float4));
            else
#pragma unroll
                for (int i = 0; i < LONG_QUAD; i++) {
                    bool none = (unsigned)(t + i) >= (unsigned)length;

                    __pipeline_memcpy_async(cell + i,
                                            of_row + (none ? 0 : t + i),
                                            sizeof(float),
                                            none ? sizeof(float) : 0);
                }
        }
    }
}

static __device__ void overlap_bring_taps(float *chip, const float *w,
                                         struct overlap_set set,
                                         struct dwconv_shape s,
                                         struct overlap_plan p)
{
    int row = (int)threadIdx.x / p.wide, own = (int)threadIdx.x % p.wide;

    for (; row < set.rows; row += OVERLAP_THREADS / p.wide) {
        const float *of_row = w + (size_t)((set.row + row) % s.H) * s.K;

        for (int k = own; k < p.taps * LONG_GROUP; k += p.wide)
            __pipeline_memcpy_async(chip + row * p.tap_pitch + k,
                                    of_row + (k < s.K ? k : 0), sizeof(float),
                                    k < s.K ? 0 : sizeof(float));
    }
}

// An output's sums over even and odd taps. Each has registers of its own, so
// that a multiply-add can take its three numbers from two banks of them,
// whichever cell meets its tap.
struct overlap_sum {
    float even[LONG_GROUP], odd[LONG_GROUP];
};

// x[0..15] is `near`; BACK, x[16..31] is `far`, else x[-16..-1].
template <typename V>
static __device__ void overlap_block(struct overlap_sum *sum, const float *a,
                                    const float *near, const float *far)
{
#pragma unroll
    for (int j = 0; j < LONG_GROUP; j++)
#pragma unroll
        for (int i = 0; i < LONG_GROUP; i++) {
            int at = V::BACK ? i + j : i - j;
            float x = at < 0 ? far[at + LONG_GROUP]
                      : at < LONG_GROUP ? near[at] : far[at - LONG_GROUP];

            if (V::TWO && j % 2)
                sum->odd[i] += a[j] * x;
            else
                sum->even[i] += a[j] * x;
        }
}

static __device__ void overlap_settle(float *total, struct overlap_sum *sum)
{
#pragma unroll
    for (int i = 0; i < LONG_GROUP; i++) {
        total[i] += sum->even[i] + sum->odd[i];
        sum->even[i] = sum->odd[i] = 0.0f;
    }
}

// The sums of a thread whose cells begin at `own`, over `taps` groups of taps;
// MANY: more than OVERLAP_SETTLE of them.
template <typename V, bool MANY>
static __device__ void overlap_sums(float *total, const float *own,
                                   const float *w, int taps)
{
    const int step = V::BACK ? LONG_PITCH : -LONG_PITCH;
    struct overlap_sum sum = {};
    float near[LONG_GROUP], far[LONG_GROUP], a[LONG_GROUP];

    long_get<false>(near, own);
#pragma unroll 1
    for (int q = 0; q < taps; q += 2) { // near and far take turns
        long_get<false>(a, w);
        long_get<false>(far, own + step);
        overlap_block<V>(&sum, a, near, far);
        if (q + 1 == taps)
            break;
        long_get<false>(a, w + LONG_GROUP);
        long_get<false>(near, own + 2 * step);
        overlap_block<V>(&sum, a, far, near);
        own += 2 * step;
        w += 2 * LONG_GROUP;
        if (MANY && (q + 2) % OVERLAP_SETTLE == 0)
            overlap_settle(total, &sum);
    }
    overlap_settle(total, &sum);
}

// The outputs of all rows, in the order of memory.
static __device__ void overlap_store(float *y, const float *chip,
                                    struct overlap_set set,
                                    struct overlap_plan p,
                                    int length)
{
    int row = (int)threadIdx.x / p.wide, own = (int)threadIdx.x % p.wide;

    for (; row < set.rows; row += OVERLAP_THREADS / p.wide) {
        int offset = overlap_offset(set.row + row, length);
        int cells = min(p.groups * LONG_GROUP, length + offset - set.first);
        float *of_row = y + (size_t)(set.row + row) * length;
        const float *on_chip = chip + row * p.pitch;

        for (int c = own * LONG_QUAD; c < cells; c += p.wide * LONG_QUAD) {
            int t = set.first + c - offset;
            float4 v = *(const float4 *)(on_chip + overlap_place(c));

            if (t >= 0 && t + LONG_QUAD <= length) {
                *(float4 *)(of_row + t) = v;
            } else {
                if (t >= 0)
                    of_row[t] = v.x;
                if (t + 1 >= 0 && t + 1 < length)
                    of_row[t + 1] = v.y;
                if (t + 2 >= 0 && t + 2 < length)
                    of_row[t + 2] = v.z;
                if (t + 3 < length)
                    of_row[t + 3] = v.w;
            }
        }
    }
}

// Brings a set, and its channels' taps unless they are there from a set before.
static __device__ void overlap_bring_all(float *chip, const float *x,
                                        const float *w, unsigned at,
                                        unsigned *channel, int lead,
                                        struct dwconv_shape s,
                                        struct overlap_plan p)
{
    struct overlap_set set = overlap_set_of(at, s, p);
    unsigned first = set.row % s.H;

    overlap_bring(chip, x, set, p, lead, s.L);
    if (first != *channel)
        overlap_bring_taps(chip + p.rows * p.pitch, w, set, s, p);
    *channel = first;
}

template <typename V, bool MANY>
static __global__ void __launch_bounds__(OVERLAP_THREADS, V::BLOCKS)
    overlap_kernel(const float *x, const float *w, float *y,
                  struct dwconv_shape s, struct overlap_plan p)
{
    extern __shared__ __align__(16) float chip[]; // overlap_chip() bytes

    int lead = V::BACK ? 0 : p.taps; // groups that lie before a row's own
    int row = (int)threadIdx.x % p.rows, group = (int)threadIdx.x / p.rows;
    float *here = chip, *there = chip + overlap_stage(p), *swap;
    unsigned channel = s.H, other = s.H, last; // first of the taps on chip

    if (p.parts == 1) // nothing reaches into a row from outside of it
        for (int i = (int)threadIdx.x; i < 2 * overlap_stage(p);
             i += OVERLAP_THREADS)
            chip[i] = 0.0f;
    __syncthreads(); // zeros are there
    overlap_bring_all(here, x, w, blockIdx.x, &channel, lead, s, p);
    __pipeline_commit();

    for (unsigned at = blockIdx.x; at < p.sets; at += gridDim.x) {
        struct overlap_set set = overlap_set_of(at, s, p);
        float *outputs = here + lead * LONG_PITCH; // of row 0
        float *own = outputs + row * p.pitch + group * LONG_PITCH;
        int offset = overlap_offset(set.row + row, s.L);
        int t = set.first + group * LONG_GROUP - offset; // may be outside
        int reach = V::BACK ? s.L - 1 - t : t + offset;
        bool live = row < set.rows && group < p.groups && t < s.L;
        float total[LONG_GROUP] = {};

        __pipeline_wait_prior(0);
        __syncthreads(); // the set is there, and nobody needs the one before
        if (p.sets - at > gridDim.x)
            overlap_bring_all(there, x, w, at + gridDim.x, &other, lead, s, p);
        __pipeline_commit();
        if (live)
            overlap_sums<V, MANY>(
                total, own, here + p.rows * p.pitch + row * p.tap_pitch,
                min(p.taps, reach / LONG_GROUP + 1));
        __syncthreads(); // nobody reads cells any more
        if (live)
#pragma unroll
            for (int i = 0; i < LONG_GROUP; i += LONG_QUAD)
                *(float4 *)(own + i) = make_float4(total[i], total[i + 1],
                                                   total[i + 2], total[i + 3]);
        __syncthreads(); // all outputs are there
        overlap_store(y, outputs, set, p, s.L);
        swap = here;
        here = there;
        there = swap;
        last = channel;
        channel = other;
        other = last;
    }
}

static inline unsigned overlap_divisor(unsigned a, unsigned b)
{
    return b == 0 ? a : overlap_divisor(b, a % b);
}

// As many blocks as work at a time; if it costs few of them, so many that each
// block's sets have the same channels.
static inline cudaError_t overlap_blocks(const void *kernel,
                                        struct dwconv_shape s,
                                        struct overlap_plan p, bool stay,
                                         unsigned *blocks)
{
    unsigned alike = p.parts * (s.H / overlap_divisor(s.H, 2 * p.rows));
    int device = 0, multiprocessors = 0, each = 0;
    cudaError_t error = cudaGetDevice(&device);

    if (error == cudaSuccess)
        error = cudaDeviceGetAttribute(
            &multiprocessors, cudaDevAttrMultiProcessorCount, device);
    if (error == cudaSuccess)
        error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(
            &each, kernel, OVERLAP_THREADS, overlap_chip(p));
    *blocks = (unsigned)(multiprocessors * each);
    if (!stay || *blocks >= p.sets)
        *blocks = p.sets;
    else if (alike <= *blocks / 8)
        *blocks -= *blocks % alike;
    return error;
}

template <typename V, bool MANY>
static cudaError_t overlap_launch(const float *x, const float *w, float *y,
                                 struct dwconv_shape s, struct overlap_plan p,
                                 cudaStream_t stream)
{
    const void *kernel = (const void *)overlap_kernel<V, MANY>;
    unsigned blocks = 0;
    cudaError_t error = cudaFuncSetAttribute(
        kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, OVERLAP_CHIP);

    if (error == cudaSuccess)
        error = overlap_blocks(kernel, s, p, V::STAY, &blocks);
    if (error != cudaSuccess)
        return error;
    overlap_kernel<V, MANY>
        <<<blocks, OVERLAP_THREADS, overlap_chip(p), stream>>>(x, w, y, s, p);
    return cudaGetLastError();
}

template <typename V>
static cudaError_t overlap_run(const float *x, const float *w, float *y,
                              struct dwconv_shape s, cudaStream_t stream)
{
    struct overlap_plan p = overlap_plan_of(s);

    return p.taps > OVERLAP_SETTLE
               ? overlap_launch<V, true>(x, w, y, s, p, stream)
               : overlap_launch<V, false>(x, w, y, s, p, stream);
}

#endif
