// SPDX-License-Identifier: MIT
/*
 * dwconv_long_tile.cuh: what the paths of depthwise convolution with many taps
 * share: how rows lie in shared memory, and the product in registers.
 *
 *   struct long_shape    how many lanes lie along rows, how many along time
 *   long_get             sixteen cells into registers
 *   long_bring_share     what arrives with each step, asynchronously
 *   long_block           16 x 16 multiply-adds of a Toeplitz matrix
 *
 * With many taps the work is arithmetic: t x k multiply-adds per row, and each
 * cell that is loaded must serve many of them. Take 16 outputs and 16 taps:
 * they meet 31 inputs, so 16 + 16 values loaded serve 256 multiply-adds, and
 * the next 16 taps need only 16 more inputs. Along t and k, the cells of x
 * form a Toeplitz matrix, the same along each diagonal.
 *
 * The hard idea: a warp's lanes are as many rows as there are (up to 32: all
 * meet the same taps at the same time, and nothing is wasted on the causal
 * triangle's edge), and what is left of 32 goes along time.
 */
#ifndef WB_DWCONV_LONG_TILE_CUH
#define WB_DWCONV_LONG_TILE_CUH

#include <assert.h>
#include <cuda_pipeline.h>

#include "op/dwconv.h"

enum {
    LONG_GROUP = 16, // outputs of a thread, and taps it goes on by
    LONG_QUAD = 4,   // cells of a 128-bit access
    LONG_QUADS = LONG_GROUP / LONG_QUAD,
    LONG_LANES = 32,
    LONG_WARPS = 8, // per block
    LONG_THREADS = LONG_WARPS * LONG_LANES,
    LONG_BLOCKS = 3, // per multiprocessor: as many as the registers allow
    LONG_STEP = 2,   // groups that arrive at a time
    LONG_STEP_QUADS = LONG_STEP * LONG_QUADS,     // of a row
    LONG_APART = LONG_THREADS / LONG_STEP_QUADS,  // rows, of a thread's quads
    LONG_SHARE = LONG_LANES / LONG_APART,         // quads per thread
    LONG_PITCH = LONG_GROUP + LONG_QUAD, // a group's, against conflicts
    LONG_SETTLE = 4                      // steps summed before they join
};
static_assert(LONG_SHARE * LONG_APART == LONG_LANES && LONG_SHARE > 0,
              "threads share a step's quads evenly");
static_assert(LONG_WARPS % LONG_STEP == 0, "a step never wraps in the ring");
static_assert(LONG_PITCH / LONG_QUAD % 2 == 1,
              "neighbouring groups begin in different banks");

// How many lanes lie along rows and along time, and the ring of groups that a
// block has at hand: those its threads meet in a step, and the step to come.
struct long_shape {
    unsigned rows;  // lanes along rows: a power of two
    unsigned along; // lanes along time
    unsigned ring;  // groups of a row
    unsigned pitch; // floats of a row; an odd number of quads
};

static inline struct long_shape long_shape_for(struct dwconv_shape s)
{
    unsigned rows = 1;

    while (rows < LONG_LANES && rows < (unsigned)s.B)
        rows *= 2;

    unsigned along = LONG_LANES / rows;
    unsigned ring = LONG_WARPS * along + 2 * LONG_STEP;

    return (struct long_shape){rows, along, ring,
                               ring * LONG_PITCH + LONG_QUAD};
}

// Floats of shared memory that the ring takes at most: with 32 rows.
enum {
    LONG_RING = LONG_LANES *
                ((LONG_WARPS + 2 * LONG_STEP) * LONG_PITCH + LONG_QUAD),
    LONG_FLAT_PITCH = LONG_STEP * LONG_PITCH + LONG_QUAD, // of one step alone
    LONG_FLAT = LONG_LANES * LONG_FLAT_PITCH
};

// Sixteen cells in the order of time, or backwards: `from` then holds them
// from the last to the first.
template <bool BACK>
static __device__ void long_get(float *cells, const float *from)
{
#pragma unroll
    for (int q = 0; q < LONG_QUADS; q++) {
        float4 v = ((const float4 *)from)[BACK ? LONG_QUADS - 1 - q : q];

        cells[4 * q + 0] = BACK ? v.w : v.x;
        cells[4 * q + 1] = BACK ? v.z : v.y;
        cells[4 * q + 2] = BACK ? v.y : v.z;
        cells[4 * q + 3] = BACK ? v.x : v.w;
    }
}

// A thread's share of what arrives with each step: LONG_SHARE quads, of rows
// LONG_APART rows apart, in one column.
struct long_share {
    int row, column;
};

static __device__ struct long_share long_own_share(void)
{
    return (struct long_share){(int)threadIdx.x / LONG_STEP_QUADS,
                               (int)threadIdx.x % LONG_STEP_QUADS * LONG_QUAD};
}

// Where the thread's first quad stands, in rows of `pitch`.
static __device__ int long_spot(struct long_share own, int pitch)
{
    return own.row * pitch + own.column / LONG_GROUP * LONG_PITCH +
           own.column % LONG_GROUP;
}

// Sets the copy of four cells of a row in motion, from column `at` on; cells
// outside [0, length) become zeros.
static __device__ void long_bring(float *to, const float *row, int at,
                                  int length, bool live)
{
    if (length % LONG_QUAD == 0) {
        bool none = !live || (unsigned)at >= (unsigned)length;

        __pipeline_memcpy_async(to, row + (none ? 0 : at), sizeof(float4),
                                none ? sizeof(float4) : 0);
    } else { // rows begin at any float
#pragma unroll
        for (int i = 0; i < LONG_QUAD; i++) {
            bool none = !live || (unsigned)(at + i) >= (unsigned)length;

            __pipeline_memcpy_async(to + i, row + (none ? 0 : at + i),
                                    sizeof(float), none ? sizeof(float) : 0);
        }
    }
}

// The thread's share of LONG_STEP groups of all rows, from column `first` on.
// Of `lanes` rows, `rows` exist; row r begins at r * stride.
static __device__ void long_bring_share(float *to, int pitch,
                                        const float *from, size_t stride,
                                        int rows, int lanes,
                                        struct long_share own, int first,
                                        int length)
{
#pragma unroll
    for (int i = 0; i < LONG_SHARE; i++) {
        int row = own.row + i * LONG_APART;

        if (row < lanes)
            long_bring(to + i * LONG_APART * pitch,
                       from + (row < rows ? row * stride : 0),
                       first + own.column, length, row < rows);
    }
}

// x[0..15] is `newer`, x[-16..-1] `older`. A row of outputs: sum[i] += a[j] *
// x[i - j]; ACROSS, a row of taps: sum[i] += a[j] * x[j - i].
template <bool ACROSS>
static __device__ void long_block(float *sum, const float *a,
                                  const float *newer, const float *older)
{
#pragma unroll
    for (int j = 0; j < LONG_GROUP; j++)
#pragma unroll
        for (int i = 0; i < LONG_GROUP; i++) {
            int at = ACROSS ? j - i : i - j;

            sum[i] += a[j] * (at >= 0 ? newer[at] : older[LONG_GROUP + at]);
        }
}

// Sums of a few hundred terms join the total, so that no sum grows so long
// that it forgets small terms.
static __device__ void long_settle(float *total, float *sum)
{
#pragma unroll
    for (int i = 0; i < LONG_GROUP; i++) {
        total[i] += sum[i];
        sum[i] = 0.0f;
    }
}

#endif
