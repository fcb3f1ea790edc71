// SPDX-License-Identifier: MIT
/*
 * dwconv_middle.cuh: depthwise convolution with dozens of taps, forward and
 * input gradient.
 *
 *   dwconv_middle_fits      whether a block has room for a row's taps
 *   dwconv_middle_forward, dwconv_middle_input_grad
 *
 * A block has a few rows that lie one after the other in memory, or a part of
 * one row, in shared memory, and before (backwards: behind) each of them zeros,
 * or the cells that its first outputs need. So there is one wait for memory,
 * one barrier before the sums and two behind. A thread has 16 outputs, as in
 * dwconv_long.cuh, and its loops know no edges.
 *
 * The hard idea: results go back to where the thread's cells were, and leave
 * in the order of memory. Stored from registers, each thread's 16 outputs would
 * be pieces of 16 bytes, far apart, whatever L is.
 */
#ifndef WB_DWCONV_MIDDLE_CUH
#define WB_DWCONV_MIDDLE_CUH

#include "op/dwconv_long_tile.cuh"

enum {
    MIDDLE_THREADS = 128,
    MIDDLE_BLOCKS = 6,           // per multiprocessor
    MIDDLE_SETTLE = 8,           // groups of taps summed before they join
    MIDDLE_CHIP = 99 * 1024      // bytes, at most, on any card since 8.0
};

// How rows are dealt out to blocks, and lie in their shared memory. A group is
// 16 cells, or taps.
struct middle_plan {
    int rows;     // of a block
    int groups;   // of a row that a block has; `parts` blocks have all of it
    int parts;
    int taps;     // groups of taps, and of cells that outputs reach beyond
    int pitch;    // floats, of a row of cells
    int tap_pitch;
    int wide;     // threads that load and store a row together: 2^n
};

static inline int middle_groups(int cells)
{
    return (cells - 1) / LONG_GROUP + 1;
}

static inline struct middle_plan middle_plan_of(struct dwconv_shape s)
{
    struct middle_plan p;
    int all = middle_groups(s.L);

    p.groups = all < MIDDLE_THREADS ? all : MIDDLE_THREADS;
    p.rows = MIDDLE_THREADS / p.groups;
    p.parts = (all - 1) / p.groups + 1;
    p.taps = middle_groups(s.K < s.L ? s.K : s.L);
    p.pitch = (p.groups + p.taps) * LONG_PITCH;
    p.tap_pitch = p.taps * LONG_GROUP + LONG_QUAD;
    for (p.wide = 1; p.wide < LONG_LANES && p.wide * LONG_QUAD < s.L;)
        p.wide *= 2;
    return p;
}

static inline size_t middle_chip(struct middle_plan p)
{
    return sizeof(float) * p.rows * (size_t)(p.pitch + p.tap_pitch);
}

static inline bool dwconv_middle_fits(struct dwconv_shape s)
{
    return middle_chip(middle_plan_of(s)) <= MIDDLE_CHIP;
}

static __device__ int middle_place(int cell)
{
    return cell / LONG_GROUP * LONG_PITCH + cell % LONG_GROUP;
}

// Brings `cells` cells of each row, from column `first` on, with zeros outside
// [0, length).
static __device__ void middle_bring(float *to, const float *from, int rows,
                                    struct middle_plan p, int first, int length)
{
    int cells = (p.groups + p.taps) * LONG_GROUP;
    int step = MIDDLE_THREADS / p.wide;
    int row = (int)threadIdx.x / p.wide, own = (int)threadIdx.x % p.wide;

    for (; row < rows; row += step) {
        const float *of_row = from + (size_t)row * length;

        if (length % LONG_QUAD == 0) {
            for (int c = own * LONG_QUAD; c < cells; c += p.wide * LONG_QUAD) {
                bool none = (unsigned)(first + c) >= (unsigned)length;

                __pipeline_memcpy_async(to + row * p.pitch + middle_place(c),
                                        of_row + (none ? 0 : first + c),
                                        sizeof(float4),
                                        none ? sizeof(float4) : 0);
            }
        } else {
#pragma unroll 4
            for (int c = own; c < cells; c += p.wide) {
                bool none = (unsigned)(first + c) >= (unsigned)length;

                __pipeline_memcpy_async(to + row * p.pitch + middle_place(c),
                                        of_row + (none ? 0 : first + c),
                                        sizeof(float),
                                        none ? sizeof(float) : 0);
            }
        }
    }
}

static __device__ void middle_bring_taps(float *to, const float *w,
                                         unsigned row0, int rows,
                                         struct dwconv_shape s,
                                         struct middle_plan p)
{
    int row = (int)threadIdx.x / p.wide, own = (int)threadIdx.x % p.wide;

    for (; row < rows; row += MIDDLE_THREADS / p.wide) {
        const float *of_row = w + (size_t)((row0 + row) % s.H) * s.K;

        for (int k = own; k < p.taps * LONG_GROUP; k += p.wide)
            __pipeline_memcpy_async(to + row * p.tap_pitch + k,
                                    of_row + (k < s.K ? k : 0), sizeof(float),
                                    k < s.K ? 0 : sizeof(float));
    }
}

// x[0..15] is `near`, x[16..31] `far`: sum[i] += a[j] * x[i + j].
static __device__ void middle_block_back(float *sum, const float *a,
                                         const float *near, const float *far)
{
#pragma unroll
    for (int j = 0; j < LONG_GROUP; j++)
#pragma unroll
        for (int i = 0; i < LONG_GROUP; i++)
            sum[i] += a[j] * (i + j < LONG_GROUP ? near[i + j]
                                                 : far[i + j - LONG_GROUP]);
}

// The sums of a thread whose cells begin at `own`, over `taps` groups of taps.
template <bool BACK>
static __device__ void middle_sums(float *total, const float *own,
                                   const float *w, int taps)
{
    float sum[LONG_GROUP] = {}, near[LONG_GROUP], far[LONG_GROUP];
    float a[LONG_GROUP];

    long_get<false>(near, own);
    for (int q = 1; q <= taps; q++) {
        long_get<false>(a, w + (q - 1) * LONG_GROUP);
        long_get<false>(far, own + (BACK ? q : -q) * LONG_PITCH);
        if (BACK)
            middle_block_back(sum, a, near, far);
        else
            long_block<false>(sum, a, near, far);
#pragma unroll
        for (int i = 0; i < LONG_GROUP; i++)
            near[i] = far[i];
        if (q % MIDDLE_SETTLE == 0)
            long_settle(total, sum);
    }
    long_settle(total, sum);
}

// The outputs of all rows, in the order of memory.
static __device__ void middle_store(float *y, const float *from, int rows,
                                    struct middle_plan p, int first, int length)
{
    int cells = min(p.groups * LONG_GROUP, length - first);
    int row = (int)threadIdx.x / p.wide, own = (int)threadIdx.x % p.wide;

    for (; row < rows; row += MIDDLE_THREADS / p.wide) {
        float *to = y + (size_t)row * length + first;
        const float *of_row = from + row * p.pitch;

        if (length % LONG_QUAD == 0)
            for (int c = own * LONG_QUAD; c < cells; c += p.wide * LONG_QUAD)
                *(float4 *)(to + c) = *(const float4 *)(of_row +
                                                        middle_place(c));
        else
            for (int c = own; c < cells; c += p.wide)
                to[c] = of_row[middle_place(c)];
    }
}

template <bool BACK>
static __global__ void __launch_bounds__(MIDDLE_THREADS, MIDDLE_BLOCKS)
    dwconv_middle(const float *x, const float *w, float *y,
                  struct dwconv_shape s, struct middle_plan p)
{
    extern __shared__ __align__(16) float chip[]; // middle_chip() bytes

    unsigned row0 = blockIdx.x / p.parts * p.rows;
    int rows = min((unsigned)p.rows, (unsigned)s.B * s.H - row0);
    int first = (int)(blockIdx.x % p.parts) * p.groups * LONG_GROUP;
    int row = (int)threadIdx.x / p.groups, group = (int)threadIdx.x % p.groups;
    int t = first + group * LONG_GROUP, reach = BACK ? s.L - 1 - t : t;
    float *taps = chip + p.rows * p.pitch;
    float *outputs = chip + (BACK ? 0 : p.taps * LONG_PITCH); // of row 0
    float *own = outputs + row * p.pitch + group * LONG_PITCH;
    float total[LONG_GROUP] = {};
    bool live = row < rows && t < s.L;

    x += (size_t)row0 * s.L;
    y += (size_t)row0 * s.L;
    middle_bring(chip, x, rows, p, first - (BACK ? 0 : p.taps * LONG_GROUP),
                 s.L);
    middle_bring_taps(taps, w, row0, rows, s, p);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads(); // all cells and taps are there
    if (live)
        middle_sums<BACK>(total, own, taps + row * p.tap_pitch,
                          min(p.taps, reach / LONG_GROUP + 1));
    __syncthreads(); // nobody reads cells any more
    if (live)
#pragma unroll
        for (int i = 0; i < LONG_GROUP; i += LONG_QUAD)
            *(float4 *)(own + i) = make_float4(total[i], total[i + 1],
                                               total[i + 2], total[i + 3]);
    __syncthreads(); // all outputs are there
    middle_store(y, outputs, rows, p, first, s.L);
}

template <bool BACK>
static cudaError_t middle_launch(const float *x, const float *w, float *y,
                                 struct dwconv_shape s, cudaStream_t stream)
{
    struct middle_plan p = middle_plan_of(s);
    unsigned sets = ((unsigned)s.B * s.H - 1) / p.rows + 1;
    size_t bytes = middle_chip(p);
    cudaError_t error = cudaFuncSetAttribute(
        dwconv_middle<BACK>, cudaFuncAttributeMaxDynamicSharedMemorySize,
        MIDDLE_CHIP);

    if (error != cudaSuccess)
        return error;
    dwconv_middle<BACK><<<sets * p.parts, MIDDLE_THREADS, bytes, stream>>>(
        x, w, y, s, p);
    return cudaGetLastError();
}

// As dwconv_forward and dwconv_input_grad of dwconv.h, without a workspace.
// Templates, so that a stage compiles the path that it calls and no other.
template <typename Shape>
static cudaError_t dwconv_middle_forward(const float *x, const float *w,
                                         float *y, Shape shape,
                                         cudaStream_t stream)
{
    return middle_launch<false>(x, w, y, shape, stream);
}

template <typename Shape>
static cudaError_t dwconv_middle_input_grad(const float *dy, const float *w,
                                            float *dx, Shape shape,
                                            cudaStream_t stream)
{
    return middle_launch<true>(dy, w, dx, shape, stream);
}

#endif
