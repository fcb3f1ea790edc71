// SPDX-License-Identifier: MIT
/*
 * norm.cuh: candidates for the gradient of the RMS norm, all arrays (B, H, L).
 *
 *   by_lanes   a lane per step, a warp per channel and every WARPS-th after it;
 *              x, dn and skip wait in registers
 *   by_quads   a lane per four steps; a warp has four channels at a time
 *   by_copies  tiles come by asynchronous copies, several under way
 *
 * In all of them a block takes tiles of 32 steps, gridDim.x apart, and keeps
 * what they add to dgamma until its end: sums[block H + h]. With AHEAD a thread
 * asks for what it needs of the next tile as soon as a register is free. With
 * as many blocks as tiles each has one.
 *
 * The hard idea: channels from KEPT on find no place on chip. They are read
 * again, and add to sums as they go (`rest`).
 */
#ifndef WB_NORM_CUH
#define WB_NORM_CUH

#include <cuda_pipeline_primitives.h>

#include "hints.cuh"
#include "op/block.h"

enum {
    LANES = 32, // and steps per tile
    KEPT = 128, // channels on chip
    QUAD = 4    // steps per vector
};
#define ALL_LANES 0xffffffffu

// What a launch of any candidate takes. With a dz the kernel goes on to the
// gradient of Swish in the block below: dz = dx slope(z + bias).
struct task {
    const float *x, *gamma, *dn, *skip;
    float *dx, *sums;
    struct block_shape s;
    const float *z, *bias;
    float *dz, *of_bias;
    unsigned run; // tiles that a block of by_lanes takes one after the other
};

// A block's k-th tile: `run` in a row, then as many of each other block.
static __device__ unsigned tile_at(unsigned k, unsigned run)
{
    return (k / run * gridDim.x + blockIdx.x) * run + k % run;
}

static __device__ float sum_of_warp(float value)
{
    for (int far = LANES / 2; far > 0; far /= 2)
        value += __shfl_down_sync(ALL_LANES, value, far);
    return value;
}

static __device__ float slope_of(float a)
{
    float s = __fdividef(1.0f, 1.0f + __expf(-a));

    return s * (1.0f + a * (1.0f - s));
}

// The cell of channel 0 at step r of all, or of step 0 if there is no r.
static __device__ unsigned cell_of(unsigned r, struct block_shape s)
{
    if (r >= (unsigned)s.B * s.L)
        r = 0;
    return r / s.L * s.H * s.L + r % s.L;
}

static __host__ __device__ unsigned tiles_of(struct block_shape s)
{
    return ((unsigned)s.B * s.L - 1) / LANES + 1;
}

// Channels from KEPT on of a step: their part of its two sums.
template <int WARPS>
static __device__ void rest_of_sums(const struct task &a, unsigned first,
                                    float *squares, float *dot)
{
#pragma unroll 1
    for (int h = KEPT + threadIdx.x / LANES; h < a.s.H; h += WARPS) {
        unsigned i = first + h * a.s.L;
        float x = a.x[i];

        *squares += x * x;
        *dot += a.gamma[h] * a.dn[i] * x;
    }
}

template <int WARPS>
static __device__ void rest_of_gradient(const struct task &a, unsigned first,
                                        float own, float dot, bool inside,
                                        bool begins)
{
#pragma unroll 1
    for (int h = KEPT + threadIdx.x / LANES; h < a.s.H; h += WARPS) {
        unsigned i = first + h * a.s.L;
        float x = a.x[i], dn = inside ? a.dn[i] : 0.0f;
        float *to = a.sums + (size_t)blockIdx.x * a.s.H + h;
        float sum = sum_of_warp(dn * x * own);

        if (inside)
            a.dx[i] = a.skip[i] + own * (a.gamma[h] * dn - x * dot);
        if (threadIdx.x % LANES == 0)
            *to = begins ? sum : *to + sum;
    }
}

// Lanes -----------------------------------------------------------------------

template <int WARPS> struct in_hand {
    float x[KEPT / WARPS], dn[KEPT / WARPS], skip[KEPT / WARPS];
    float z[KEPT / WARPS];
};

template <int WARPS, bool SWISH>
static __device__ void take(const struct task &a, unsigned at, int i,
                            struct in_hand<WARPS> *v)
{
    v->x[i] = LOAD(a.x + at);
    v->dn[i] = LOAD(a.dn + at);
    v->skip[i] = LOAD(a.skip + at);
    if (SWISH)
        v->z[i] = LOAD(a.z + at);
}

// gamma on chip: in registers it would take the place of what is under way.
static __device__ void keep_gamma(const struct task &a, float *gamma)
{
    for (int h = threadIdx.x; h < KEPT; h += blockDim.x)
        gamma[h] = h < a.s.H ? a.gamma[h] : 0.0f;
    __syncthreads(); // it is there
}

template <int WARPS, int PER, bool AHEAD, bool SWISH>
static __global__ void __launch_bounds__(WARPS * LANES, PER)
    by_lanes(const __grid_constant__ struct task a)
{
    constexpr int MINE = KEPT / WARPS;
    __shared__ float of_warp[2][2][WARPS][LANES], gamma[KEPT];
    int lane = threadIdx.x % LANES, warp = threadIdx.x / LANES, turn = 0;
    int mine = (a.s.H - 1 - warp + WARPS) / WARPS; // channels; may pass MINE
    unsigned stride = WARPS * a.s.L;               // cells between them
    unsigned tiles = tiles_of(a.s), steps = (unsigned)a.s.B * a.s.L;
    unsigned first = cell_of(tile_at(0, a.run) * LANES + lane, a.s);
    struct in_hand<WARPS> v = {};
    float part[MINE] = {}, of_bias[MINE] = {};

    keep_gamma(a, gamma);
#pragma unroll
    for (int i = 0; i < MINE; i++)
        if (i < mine)
            take<WARPS, SWISH>(a, first + warp * a.s.L + i * stride, i, &v);
    for (unsigned k = 0, tile = tile_at(0, a.run), after; tile < tiles;
         k++, tile = after) {
        bool inside = tile * LANES + lane < steps;
        unsigned next =
            cell_of((after = tile_at(k + 1, a.run)) * LANES + lane, a.s);
        unsigned at = first + warp * a.s.L, then = next + warp * a.s.L;
        float squares = 0.0f, dot = 0.0f, own;
        int due = after < tiles ? mine : 0; // of the next tile

#pragma unroll
        for (int i = 0; i < MINE; i++) {
            squares += v.x[i] * v.x[i];
            dot += gamma[warp + i * WARPS] * v.dn[i] * v.x[i];
        }
        rest_of_sums<WARPS>(a, first, &squares, &dot);
        of_warp[turn][0][warp][lane] = squares;
        of_warp[turn][1][warp][lane] = dot;
        __syncthreads(); // each warp has left its sums; those before were read
        squares = dot = 0.0f;
#pragma unroll 4
        for (int w = 0; w < WARPS; w++) {
            squares += of_warp[turn][0][w][lane];
            dot += of_warp[turn][1][w][lane];
        }
        turn ^= 1;
        own = rsqrtf(squares / a.s.H + BLOCK_RMS_EPS);
        dot *= own * own / a.s.H;
#pragma unroll
        for (int i = 0; i < MINE; i++) {
            int h = warp + i * WARPS;

            if (inside && i < mine) {
                float dx = v.skip[i] +
                           own * (gamma[h] * v.dn[i] - v.x[i] * dot);

                part[i] += v.dn[i] * v.x[i] * own;
                STORE(a.dx + at, dx);
                if (SWISH) {
                    dx *= slope_of(v.z[i] + a.bias[h]);
                    of_bias[i] += dx;
                    STORE(a.dz + at, dx);
                }
            }
            if (AHEAD && i < due)
                take<WARPS, SWISH>(a, then, i, &v);
            at += stride;
            then += AHEAD ? stride : 0;
        }
        rest_of_gradient<WARPS>(a, first, own, dot, inside,
                                k == 0);
        first = next;
        if (!AHEAD && after < tiles)
#pragma unroll
            for (int i = 0; i < MINE; i++, then += stride)
                if (i < mine)
                    take<WARPS, SWISH>(a, then, i, &v);
    }
#pragma unroll
    for (int i = 0; i < MINE; i++) {
        int h = warp + i * WARPS;
        float sum = sum_of_warp(part[i]);
        float bias = SWISH ? sum_of_warp(of_bias[i]) : 0.0f;

        if (lane == 0 && i < mine) {
            a.sums[(size_t)blockIdx.x * a.s.H + h] = sum;
            if (SWISH)
                a.of_bias[(size_t)blockIdx.x * a.s.H + h] = bias;
        }
    }
}

// Quads: L is a multiple of 4 -------------------------------------------------

static __device__ float4 times(float4 a, float4 b)
{
    return make_float4(a.x * b.x, a.y * b.y, a.z * b.z, a.w * b.w);
}

static __device__ void add_to(float4 *sum, float scale, float4 b)
{
    sum->x += scale * b.x;
    sum->y += scale * b.y;
    sum->z += scale * b.z;
    sum->w += scale * b.w;
}

static __device__ float sum_of(float4 a)
{
    return a.x + a.y + a.z + a.w;
}

// What lanes `ACROSS` and more apart have together.
template <int ACROSS> static __device__ void join(float4 *sum)
{
    for (int far = ACROSS; far < LANES; far *= 2) {
        sum->x += __shfl_xor_sync(ALL_LANES, sum->x, far);
        sum->y += __shfl_xor_sync(ALL_LANES, sum->y, far);
        sum->z += __shfl_xor_sync(ALL_LANES, sum->z, far);
        sum->w += __shfl_xor_sync(ALL_LANES, sum->w, far);
    }
}

template <int MINE> struct quads_in_hand {
    float4 x[MINE], dn[MINE], skip[MINE];
};

template <int MINE>
static __device__ void take(const struct task &a, unsigned at, int i,
                            struct quads_in_hand<MINE> *v)
{
    v->x[i] = LOAD((const float4 *)(a.x + at));
    v->dn[i] = LOAD((const float4 *)(a.dn + at));
    v->skip[i] = LOAD((const float4 *)(a.skip + at));
}

template <int WARPS, int PER, bool AHEAD>
static __global__ void __launch_bounds__(WARPS * LANES, PER)
    by_quads(const __grid_constant__ struct task a)
{
    constexpr int ACROSS = LANES / QUAD, STRIDE = WARPS * QUAD;
    constexpr int MINE = KEPT / STRIDE;
    __shared__ float4 of_warp[2][2][WARPS][ACROSS];
    __shared__ float gamma[KEPT];
    const struct block_shape s = a.s;
    int lane = threadIdx.x % LANES, warp = threadIdx.x / LANES, turn = 0;
    int across = lane % ACROSS, own_h = warp * QUAD + lane / ACROSS;
    int mine = (s.H - 1 - own_h + STRIDE) / STRIDE; // channels
    unsigned stride = STRIDE * s.L;                 // cells between them
    unsigned tiles = tiles_of(s), steps = (unsigned)s.B * s.L;
    unsigned first = cell_of(blockIdx.x * LANES + across * QUAD, s);
    const float4 zero = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    struct quads_in_hand<MINE> v = {};
    float part[MINE] = {};

    keep_gamma(a, gamma);
#pragma unroll
    for (int i = 0; i < MINE; i++)
        if (i < mine)
            take(a, first + own_h * s.L + i * stride, i, &v);
    for (unsigned tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        bool inside = tile * LANES + across * QUAD < steps;
        unsigned next =
            cell_of((tile + gridDim.x) * LANES + across * QUAD, s);
        unsigned at = first + own_h * s.L, then = next + own_h * s.L;
        float4 squares = zero, dot = zero, own;
        int due = tile + gridDim.x < tiles ? mine : 0; // of the next tile

#pragma unroll
        for (int i = 0; i < MINE; i++) {
            add_to(&squares, 1.0f, times(v.x[i], v.x[i]));
            add_to(&dot, gamma[own_h + i * STRIDE], times(v.dn[i], v.x[i]));
        }
#pragma unroll 1
        for (int h = KEPT + own_h; h < s.H; h += STRIDE) {
            float4 x = *(const float4 *)(a.x + first + h * s.L);

            add_to(&squares, 1.0f, times(x, x));
            add_to(&dot, a.gamma[h],
                   times(*(const float4 *)(a.dn + first + h * s.L), x));
        }
        join<ACROSS>(&squares);
        join<ACROSS>(&dot);
        if (lane < ACROSS) {
            of_warp[turn][0][warp][lane] = squares;
            of_warp[turn][1][warp][lane] = dot;
        }
        __syncthreads(); // each warp has left its sums; those before were read
        squares = dot = zero;
#pragma unroll 4
        for (int w = 0; w < WARPS; w++) {
            add_to(&squares, 1.0f, of_warp[turn][0][w][across]);
            add_to(&dot, 1.0f, of_warp[turn][1][w][across]);
        }
        turn ^= 1;
        own.x = rsqrtf(squares.x / s.H + BLOCK_RMS_EPS);
        own.y = rsqrtf(squares.y / s.H + BLOCK_RMS_EPS);
        own.z = rsqrtf(squares.z / s.H + BLOCK_RMS_EPS);
        own.w = rsqrtf(squares.w / s.H + BLOCK_RMS_EPS);
        dot.x *= own.x * own.x / s.H;
        dot.y *= own.y * own.y / s.H;
        dot.z *= own.z * own.z / s.H;
        dot.w *= own.w * own.w / s.H;
#pragma unroll
        for (int i = 0; i < MINE; i++) {
            if (inside && i < mine) {
                float4 dx = v.skip[i];

                add_to(&dx, gamma[own_h + i * STRIDE], times(own, v.dn[i]));
                add_to(&dx, -1.0f, times(own, times(v.x[i], dot)));
                part[i] += sum_of(times(own, times(v.dn[i], v.x[i])));
                STORE((float4 *)(a.dx + at), dx);
            }
            if (AHEAD && i < due)
                take(a, then, i, &v);
            at += stride;
            then += AHEAD ? stride : 0;
        }
#pragma unroll 1
        for (int h = KEPT + own_h; h - own_h < s.H; h += STRIDE) {
            bool there = inside && h < s.H; // all lanes sum
            unsigned cell = first + (there ? h * s.L : 0);
            float4 x = *(const float4 *)(a.x + cell);
            float4 dn = *(const float4 *)(a.dn + cell);
            float4 dx = *(const float4 *)(a.skip + cell);
            float sum = there ? sum_of(times(own, times(dn, x))) : 0.0f;
            float *to = a.sums + (size_t)blockIdx.x * s.H + h;

            if (there) {
                add_to(&dx, a.gamma[h], times(own, dn));
                add_to(&dx, -1.0f, times(own, times(x, dot)));
                *(float4 *)(a.dx + cell) = dx;
            }
            for (int far = ACROSS / 2; far > 0; far /= 2)
                sum += __shfl_xor_sync(ALL_LANES, sum, far);
            if (across == 0 && h < s.H)
                *to = tile == blockIdx.x ? sum : *to + sum;
        }
        first = next;
        if (!AHEAD && tile + gridDim.x < tiles)
#pragma unroll
            for (int i = 0; i < MINE; i++, then += stride)
                if (i < mine)
                    take(a, then, i, &v);
    }
#pragma unroll
    for (int i = 0; i < MINE; i++) {
        int h = own_h + i * STRIDE;

        for (int far = ACROSS / 2; far > 0; far /= 2)
            part[i] += __shfl_xor_sync(ALL_LANES, part[i], far);
        if (across == 0 && h < s.H)
            a.sums[(size_t)blockIdx.x * s.H + h] = part[i];
    }
}

// Copies ----------------------------------------------------------------------

// Tiles on chip: x, dn and skip of 32 steps and up to KEPT channels, each.
enum { TILE = KEPT * LANES, STAGE = 3 * TILE };

// BYTES per copy: 16 where L is a multiple of 4, or 4.
template <int THREADS, int BYTES>
static __device__ void copy_tile(const struct task &a, unsigned tile,
                                 float *to)
{
    constexpr int WIDTH = BYTES / 4, ACROSS = LANES / WIDTH;
    int channels = min(a.s.H, (int)KEPT), across = threadIdx.x % ACROSS;
    unsigned first = cell_of(tile * LANES + across * WIDTH, a.s);

    if (tile < tiles_of(a.s))
        for (int h = threadIdx.x / ACROSS; h < channels;
             h += THREADS / ACROSS) {
            unsigned from = first + h * a.s.L;
            float *row = to + h * LANES + across * WIDTH;

            __pipeline_memcpy_async(row, a.x + from, BYTES);
            __pipeline_memcpy_async(row + TILE, a.dn + from, BYTES);
            __pipeline_memcpy_async(row + 2 * TILE, a.skip + from, BYTES);
        }
    __pipeline_commit(); // empty past the end, so that counts stay the same
}

template <int WARPS, int PER, int STAGES, int BYTES>
static __global__ void __launch_bounds__(WARPS * LANES, PER)
    by_copies(const __grid_constant__ struct task a)
{
    constexpr int MINE = KEPT / WARPS, THREADS = WARPS * LANES;
    extern __shared__ __align__(16) float ring[];
    __shared__ float of_warp[2][WARPS][LANES], gamma[KEPT];
    const struct block_shape s = a.s;
    int lane = threadIdx.x % LANES, warp = threadIdx.x / LANES, slot = 0;
    float part[MINE] = {};
    unsigned tiles = tiles_of(s), steps = (unsigned)s.B * s.L;

    keep_gamma(a, gamma);
    for (int i = 0; i < STAGES - 1; i++)
        copy_tile<THREADS, BYTES>(a, blockIdx.x + i * gridDim.x,
                                  ring + i * STAGE);
    for (unsigned tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        bool inside = tile * LANES + lane < steps;
        unsigned first = cell_of(tile * LANES + lane, s);
        const float *x = ring + slot * STAGE + lane;
        float squares = 0.0f, dot = 0.0f, own;

        __pipeline_wait_prior(STAGES - 2);
        __syncthreads(); // this tile is there; the one before has been used
        copy_tile<THREADS, BYTES>(
            a, tile + (STAGES - 1) * gridDim.x,
            ring + (slot + STAGES - 1) % STAGES * STAGE);
#pragma unroll
        for (int i = 0; i < MINE; i++) {
            int h = warp + i * WARPS;

            if (h < s.H) {
                float v = x[h * LANES];

                squares += v * v;
                dot += gamma[h] * x[TILE + h * LANES] * v;
            }
        }
        rest_of_sums<WARPS>(a, first, &squares, &dot);
        of_warp[0][warp][lane] = squares;
        of_warp[1][warp][lane] = dot;
        __syncthreads(); // each warp has left its sums
        squares = dot = 0.0f;
#pragma unroll 4
        for (int w = 0; w < WARPS; w++) {
            squares += of_warp[0][w][lane];
            dot += of_warp[1][w][lane];
        }
        own = rsqrtf(squares / s.H + BLOCK_RMS_EPS);
        dot *= own * own / s.H;
#pragma unroll
        for (int i = 0; i < MINE; i++) {
            int h = warp + i * WARPS;

            if (inside && h < s.H) {
                float v = x[h * LANES], dn = x[TILE + h * LANES];

                part[i] += dn * v * own;
                STORE(a.dx + first + h * s.L,
                       x[2 * TILE + h * LANES] +
                           own * (gamma[h] * dn - v * dot));
            }
        }
        rest_of_gradient<WARPS>(a, first, own, dot, inside,
                                tile == blockIdx.x);
        slot = (slot + 1) % STAGES;
    }
#pragma unroll
    for (int i = 0; i < MINE; i++) {
        int h = warp + i * WARPS;
        float sum = sum_of_warp(part[i]);

        if (lane == 0 && h < s.H)
            a.sums[(size_t)blockIdx.x * s.H + h] = sum;
    }
}

// The sums of all blocks: a block of THREADS per channel.
template <int THREADS>
static __global__ void over_blocks(const float *sums, float *dgamma,
                                   unsigned blocks)
{
    __shared__ float of_warp[THREADS / LANES];
    float sum = 0.0f;

    for (unsigned b = threadIdx.x; b < blocks; b += THREADS)
        sum += sums[(size_t)b * gridDim.x + blockIdx.x];
    sum = sum_of_warp(sum);
    if (threadIdx.x % LANES == 0)
        of_warp[threadIdx.x / LANES] = sum;
    __syncthreads(); // each warp has left its sum
    if (threadIdx.x < LANES) {
        sum = threadIdx.x < THREADS / LANES ? of_warp[threadIdx.x] : 0.0f;
        sum = sum_of_warp(sum);
        if (threadIdx.x == 0)
            dgamma[blockIdx.x] = sum;
    }
}

#endif
