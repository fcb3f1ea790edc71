// SPDX-License-Identifier: MIT
/*
 * lanes.cuh: how the candidates of lanes_outputs.cuh and lanes_weights.cuh lay
 * rows out: a lane per row, as dwconv_long.cuh has it, but everything on chip.
 *
 *   struct lanes_plan, lanes_plan_of   who has what
 *   lanes_bring                        a block's rows, asynchronously
 *   lanes_row_of                       which row, and which part of it
 *
 * All lanes of a warp meet the same taps at the same time, so that none waits
 * for another at the causal triangle's edge, and warps need no barrier after
 * the first. A long row is cut into stretches, which count as rows: first all
 * rows' first stretches, so that a block's have much the same zeros before.
 *
 * The hard idea: rows are moved along time to where aligned quads begin, x and
 * y (or dy) together. So no length is awkward; up to 3 cells of a neighbour
 * become zeros.
 */
#ifndef LANES_CUH
#define LANES_CUH

#include "op/dwconv_long_tile.cuh"
#include "op/dwconv_short.cuh"

enum {
    LANES = 32,
    LANES_CHIP = 227 * 1024 // bytes
};

struct lanes_plan {
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

// Groups of taps that meet any x.
static inline __host__ __device__ int lanes_taps(struct dwconv_shape s)
{
    return lanes_up(s.K < s.L ? s.K : s.L, LONG_GROUP);
}

// Floats of a row on chip: an odd number of quads, against conflicts.
static inline __host__ __device__ int lanes_pitch(int groups)
{
    return groups * LONG_GROUP + LONG_QUAD;
}

// Stretches have about `most` groups, a multiple of `step`; a stretch needs the
// `halo` groups beyond it, a whole row some `zeros`. `arrays` are on chip.
static inline struct lanes_plan lanes_plan_of(struct dwconv_shape s, int most,
                                              int step, int halo, int zeros,
                                              int arrays)
{
    int before = s.L % LONG_QUAD ? LONG_QUAD - 1 : 0;
    int all = lanes_up(s.L + before, LONG_GROUP);
    bool whole = all <= most || arrays * most + halo >= arrays * all;
    struct lanes_plan p = {};

    p.stretches = whole ? 1 : lanes_up(all, most);
    p.groups = lanes_up(lanes_up(all, p.stretches), step) * step;
    p.halo = whole ? zeros : halo;
    p.sets = 1;
    while (2 * p.sets * (p.groups + 1) <= most &&
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

static __device__ void lanes_minus(float *to, const float *a, const float *b)
{
#pragma unroll
    for (int i = 0; i < LONG_GROUP; i++)
        to[i] = a[i] - b[i];
}

#endif
