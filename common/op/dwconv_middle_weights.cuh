// SPDX-License-Identifier: MIT
/*
 * dwconv_middle_weights.cuh: depthwise convolution with dozens of taps, the
 * weight gradient.
 *
 *   dwconv_middle_weights_fits    whether a block has threads for all taps
 *   dwconv_middle_weight_grad_workspace, dwconv_middle_weight_grad
 *
 * A block goes over rows of one channel, a set of them at a time; the next set
 * is on its way to shared memory meanwhile. A thread owns 16 taps and a piece
 * of a row, and keeps the taps' sums in registers until the end. Then the
 * block adds them, and a second pass adds the blocks of a channel.
 *
 * The hard idea: a weight gradient does not change if dy and x move along time
 * together. So both are copied in aligned quads, whatever L is; a row begins at
 * any cell of its first quad, and cells of its neighbours become zeros.
 */
#ifndef WB_DWCONV_MIDDLE_WEIGHTS_CUH
#define WB_DWCONV_MIDDLE_WEIGHTS_CUH

#include "op/dwconv_long_tile.cuh"
#include "op/dwconv_parts.cuh"

enum {
    WEIGHTS_THREADS = 192, // per block, at most
    WEIGHTS_BLOCKS = 3,    // per multiprocessor, at least
    WEIGHTS_ROOM = 640,    // threads per multiprocessor
    WEIGHTS_STAGES = 2,    // sets in shared memory
    WEIGHTS_GROUPS = 128,  // of a set, of each array: 48 KB hold two sets
    WEIGHTS_PIECE = 16,    // groups of a thread's piece, at most
    WEIGHTS_SETTLE = 16,   // groups summed before they join the total
    WEIGHTS_TAPS = 48,     // groups of taps
    WEIGHTS_LONGEST = 1 << 30, // so that time past the last piece fits an int
    WEIGHTS_PITCH = LONG_PITCH / LONG_QUAD // quads, of a group
};

// Who works on what. A group is 16 taps, or 16 cells of time.
struct weights_plan {
    int taps;      // groups of taps
    int units;     // threads that share a group of taps: 2^n
    int shift;     // a piece is 2^shift groups
    int pieces;    // of a row, or of a stretch of it
    int rows;      // of a set
    int stretches; // that a row is cut into; if more than 1, rows is 1
    int halo;      // groups of x before a stretch
    int x_pitch, dy_pitch; // quads, of a row in shared memory
    int wide;      // 2^wide threads copy a row together
    int items;     // sets x stretches
    int parts;     // blocks that share a channel's items
};

static inline int weights_up(int n, int of)
{
    return (n - 1) / of + 1;
}

// Quads from the start of a row on chip to group i. Pieces are an odd number of
// quads apart, so that neighbouring threads meet different banks.
static inline __host__ __device__ int weights_place(int i, int shift)
{
    return i * WEIGHTS_PITCH + (shift > 0 ? i >> shift : 0);
}

// Pieces of 2^shift groups; returns how well they keep threads busy.
static inline double weights_cut(struct weights_plan *p, struct dwconv_shape s,
                                 int groups, int shift)
{
    int most = p->units << shift, of_row;

    p->shift = shift;
    p->stretches = weights_up(groups, most);
    of_row = weights_up(groups, p->stretches);
    p->pieces = weights_up(of_row, 1 << shift);
    p->rows = p->units / p->pieces;
    if (p->rows > s.B)
        p->rows = s.B;
    if (p->stretches > 1)
        p->rows = 1;
    // A piece costs the cells before it as well.
    return (double)p->rows * of_row / most / (1 + 0.25 / (1 << shift));
}

// As many blocks per channel as make the last round of blocks a full one.
static inline int weights_parts(struct dwconv_shape s, int items, int threads)
{
    int device = 0, multiprocessors = 1, best = 1;
    double least = 0;

    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount,
                           device);
    for (int parts = 1; parts <= items && parts <= PARTS_MOST; parts++) {
        double blocks = (double)s.H * parts;
        double room = (double)multiprocessors * (WEIGHTS_ROOM / threads);
        double rounds = (double)(long long)((blocks + room - 1) / room);
        // A block's start and end cost about as much as a set.
        double cost = rounds * (weights_up(items, parts) + 1);

        if (parts == 1 || cost < least) {
            least = cost;
            best = parts;
        }
        if (rounds > 4)
            break;
    }
    return best;
}

static inline int weights_threads(struct weights_plan p)
{
    return weights_up(p.taps * p.units, LONG_LANES) * LONG_LANES;
}

// So many threads per row that a set is copied in the fewest rounds.
static inline int weights_wide(struct weights_plan p)
{
    int threads = weights_threads(p), best = 0, least = 0;

    for (int wide = 2; threads >> wide > 0; wide++) {
        int rounds = weights_up(p.rows, threads >> wide) *
                     weights_up((p.pieces << p.shift) * LONG_QUADS, 1 << wide);

        if (best == 0 || rounds <= least) {
            least = rounds;
            best = wide;
        }
    }
    return best;
}

static inline struct weights_plan weights_plan_for(struct dwconv_shape s)
{
    // A row that begins at any cell of a quad may touch one quad more.
    int before = s.L % LONG_QUAD ? LONG_QUAD - 1 : 0;
    int groups = weights_up(s.L + before, LONG_GROUP), best_shift = 0;
    struct weights_plan p = {};
    double best = 0;

    p.taps = weights_up(s.K < s.L ? s.K : s.L, LONG_GROUP);
    for (p.units = 1; 2 * p.units * p.taps <= WEIGHTS_THREADS &&
                      2 * p.units <= WEIGHTS_GROUPS;)
        p.units *= 2;
    for (int shift = 0; p.units << shift <= WEIGHTS_GROUPS &&
                        1 << shift <= WEIGHTS_PIECE; shift++) {
        double busy = weights_cut(&p, s, groups, shift);

        if (busy > best) {
            best = busy;
            best_shift = shift;
        }
    }
    weights_cut(&p, s, groups, best_shift);
    p.halo = p.stretches > 1 ? p.taps : 0;
    p.dy_pitch = weights_place(p.pieces << p.shift, p.shift);
    p.x_pitch = weights_place((p.pieces << p.shift) + p.halo, p.shift);
    p.wide = weights_wide(p);
    p.items = weights_up(s.B, p.rows) * p.stretches;
    p.parts = weights_parts(s, p.items, weights_threads(p));
    return p;
}

// Quads of one set: x, and behind it dy.
static inline __host__ __device__ int weights_stage(struct weights_plan p)
{
    return p.rows * (p.x_pitch + p.dy_pitch);
}

static inline size_t weights_chip(struct weights_plan p)
{
    size_t sets = sizeof(float4) * WEIGHTS_STAGES * weights_stage(p);
    size_t sums = sizeof(float) * LONG_GROUP * weights_threads(p);

    return sets > sums ? sets : sums;
}

static inline bool dwconv_middle_weights_fits(struct dwconv_shape s)
{
    return weights_up(s.K < s.L ? s.K : s.L, LONG_GROUP) <= WEIGHTS_TAPS &&
           s.L <= WEIGHTS_LONGEST;
}

// Sets the copy of a quad to `to`, an address in shared memory, in motion: its
// first `bytes` bytes, then zeros.
static __device__ void weights_copy(unsigned to, const float *from, int bytes)
{
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;"
                 :
                 : "r"(to), "l"(from), "r"(bytes)
                 : "memory");
}

// What a block works on at a time: some rows, or a stretch of one. Its rows
// begin at cell `begin`, and `stride` apart.
struct weights_item {
    unsigned begin, stride;
    int rows;
    int first; // group of time
};

static __device__ struct weights_item weights_item_for(struct dwconv_shape s,
                                                       struct weights_plan p,
                                                       int h, int item)
{
    int set = p.stretches > 1 ? item / p.stretches : item;
    int row = set * p.rows;
    unsigned stride = (unsigned)s.H * s.L;

    return (struct weights_item){row * stride + (unsigned)h * s.L, stride,
                                 min(p.rows, s.B - row),
                                 (item - set * p.stretches) *
                                     (p.pieces << p.shift)};
}

// Brings `groups` groups of time of each row, from group `first` on. Rows are
// copied from the quad in which they begin; WHOLE, that is where they begin.
template <bool WHOLE>
static __device__ void weights_bring(float4 *to, int pitch, const float *from,
                                     struct weights_item it, int first,
                                     int groups, struct weights_plan p,
                                     int length)
{
    int row0 = threadIdx.x >> p.wide, step = blockDim.x >> p.wide;
    unsigned chip = (unsigned)__cvta_generic_to_shared(to + row0 * pitch);

    if (row0 >= step) // a thread to spare
        return;
    for (int q = threadIdx.x & ((1 << p.wide) - 1); q < groups * LONG_QUADS;
         q += 1 << p.wide) {
        int at = first * LONG_GROUP + q * LONG_QUAD;
        int left = at < 0 ? -LONG_QUAD : length - at; // cells of the row
        unsigned cell = chip + sizeof(float4) *
                               (weights_place(q / LONG_QUADS, p.shift) +
                                q % LONG_QUADS);
        unsigned start = it.begin + row0 * it.stride;

#pragma unroll 4
        for (int row = row0; row < it.rows; row += step) {
            unsigned before = WHOLE ? 0 : start % LONG_QUAD;
            int cells = min(max((int)before + left, 0), (int)LONG_QUAD);

            weights_copy(cell, from + (cells > 0 ? start - before + at : 0),
                         cells * (int)sizeof(float));
            cell += step * pitch * (int)sizeof(float4);
            start += step * it.stride;
        }
    }
}

template <bool WHOLE>
static __device__ void weights_fetch(float4 *stage, const float *dy,
                                     const float *x, struct weights_item it,
                                     struct weights_plan p, int length)
{
    int groups = p.pieces << p.shift;

    weights_bring<WHOLE>(stage, p.x_pitch, x, it, it.first - p.halo,
                         groups + p.halo, p, length);
    weights_bring<WHOLE>(stage + p.rows * p.x_pitch, p.dy_pitch, dy, it,
                         it.first, groups, p, length);
}

// Group i of a row on chip. If the row begins in it, the `before` cells before
// its first belong to another row, and count as zeros.
static __device__ void weights_get(float *cells, const float4 *row, int i,
                                   int shift, int begins, int before)
{
    long_get<false>(cells, (const float *)(row + weights_place(i, shift)));
    before = i == begins ? before : 0;
#pragma unroll
    for (int j = 0; j < LONG_QUAD - 1; j++)
        cells[j] = j < before ? 0.0f : cells[j];
}

// A thread's piece of a row: `many` groups of dy, from group `first` on, which
// meet x `behind` groups of it.
struct weights_piece {
    const float4 *x, *dy;
    int first, many, behind;
    int x_begins, dy_begins; // in which group the row does
    int before;              // cells of that group that are not the row's
};

static __device__ void weights_add(float *sum, struct weights_piece w,
                                   int shift)
{
    float newer[LONG_GROUP], older[LONG_GROUP] = {}, a[LONG_GROUP];

    if (w.first > w.behind)
        weights_get(older, w.x, w.first - w.behind - 1, shift, w.x_begins,
                    w.before);
#pragma unroll 1
    for (int i = w.first; i < w.first + w.many; i++)
        if (i >= w.behind) { // before, dy meets no x
            weights_get(a, w.dy, i, shift, w.dy_begins, w.before);
            weights_get(newer, w.x, i - w.behind, shift, w.x_begins, w.before);
            long_block<true>(sum, a, newer, older);
#pragma unroll
            for (int j = 0; j < LONG_GROUP; j++)
                older[j] = newer[j];
        }
}

// The block's sums, of all its threads' in one order.
static __device__ void weights_leave(float *to, float *chip, float *total,
                                     struct weights_plan p, int taps)
{
    int lanes = min(p.units, (int)LONG_LANES), warps = p.units / lanes;

#pragma unroll
    for (int step = 1; step < LONG_LANES; step *= 2)
        if (step < lanes)
#pragma unroll
            for (int i = 0; i < LONG_GROUP; i++)
                total[i] += __shfl_xor_sync(0xffffffffu, total[i], step);
    if (threadIdx.x % lanes == 0)
#pragma unroll
        for (int i = 0; i < LONG_GROUP; i++)
            chip[threadIdx.x / lanes * LONG_GROUP + i] = total[i];
    __syncthreads(); // every warp's sums are there
    for (int k = threadIdx.x; k < taps; k += blockDim.x) {
        int group = k / LONG_GROUP, i = k % LONG_GROUP;
        float sum = 0.0f; // of a tap that meets no x

        if (group < p.taps)
            for (int w = 0; w < warps; w++)
                sum += chip[(group * warps + w) * LONG_GROUP + i];
        to[k] = sum;
    }
}

template <bool WHOLE>
static __global__ void __launch_bounds__(WEIGHTS_THREADS, WEIGHTS_BLOCKS)
    dwconv_middle_weights(const float *dy, const float *x, float *to,
                          struct dwconv_shape s, struct weights_plan p)
{
    extern __shared__ __align__(16) float4 weights_sets[]; // weights_chip()

    int h = blockIdx.x / p.parts, part = blockIdx.x % p.parts;
    int begin = (long long)part * p.items / p.parts;
    int end = (long long)(part + 1) * p.items / p.parts;
    int group = threadIdx.x / p.units, unit = threadIdx.x % p.units;
    int row = unit / p.pieces, piece = (unit % p.pieces) << p.shift;
    int own_x = row * p.x_pitch;
    int own_dy = p.rows * p.x_pitch + row * p.dy_pitch;
    float sum[LONG_GROUP] = {}, total[LONG_GROUP] = {};
    struct weights_item now = weights_item_for(s, p, h, begin);
    float4 *stage = weights_sets, *other = stage + weights_stage(p);
    int summed = 0;

    weights_fetch<WHOLE>(stage, dy, x, now, p, s.L);
    __pipeline_commit();
    for (int item = begin; item < end; item++) {
        struct weights_item next = weights_item_for(s, p, h, item + 1);
        float4 *read = stage;

        __pipeline_wait_prior(0);
        __syncthreads(); // this set is there, and nobody reads the other
        if (item + 1 < end)
            weights_fetch<WHOLE>(other, dy, x, next, p, s.L);
        __pipeline_commit();
        if (group < p.taps && row < now.rows) {
            unsigned start = now.begin + row * now.stride;

            weights_add(sum,
                        (struct weights_piece){
                            stage + own_x, stage + own_dy, piece, 1 << p.shift,
                            group - p.halo, p.halo - now.first, -now.first,
                            WHOLE ? 0 : (int)(start % LONG_QUAD)},
                        p.shift);
        }
        summed += 1 << p.shift;
        if (summed >= WEIGHTS_SETTLE) {
            long_settle(total, sum);
            summed = 0;
        }
        stage = other;
        other = read;
        now = next;
    }
    long_settle(total, sum);
    __syncthreads(); // nobody reads a set any more
    weights_leave(to + ((size_t)part * s.H + h) * s.K, (float *)weights_sets,
                  total, p, s.K);
}

typedef void weights_kernel(const float *, const float *, float *,
                            struct dwconv_shape, struct weights_plan);

// As dwconv_weight_grad of dwconv.h.
static inline size_t
dwconv_middle_weight_grad_workspace(struct dwconv_shape shape)
{
    struct weights_plan p = weights_plan_for(shape);

    return p.parts > 1 ? sizeof(float) * p.parts * shape.H * shape.K : 0;
}

static inline cudaError_t
dwconv_middle_weight_grad(const float *dy, const float *x, float *dw,
                          struct dwconv_shape s, void *workspace,
                          cudaStream_t stream)
{
    struct weights_plan p = weights_plan_for(s);
    float *to = p.parts > 1 ? (float *)workspace : dw;

    weights_kernel *kernel = s.L % LONG_QUAD == 0
                                 ? dwconv_middle_weights<true>
                                 : dwconv_middle_weights<false>;

    kernel<<<(unsigned)s.H * p.parts, weights_threads(p), weights_chip(p),
             stream>>>(dy, x, to, s, p);
    if (p.parts > 1)
        parts_total(to, dw, s, p.parts, stream);
    return cudaGetLastError();
}

#endif
