// SPDX-License-Identifier: MIT
/*
 * spans.cuh: one more candidate for the gradient of the RMS norm (norm.cuh).
 *
 *   by_spans   a thread per step of a longer tile: of a whole sequence, whose
 *              cells lie in a row
 */
#ifndef WB_SPANS_CUH
#define WB_SPANS_CUH

#include "norm.cuh"

template <int MINE> struct span_in_hand {
    float x[MINE], dn[MINE], skip[MINE];
};

template <int MINE>
static __device__ void take(const struct task &a, unsigned at, int i,
                            struct span_in_hand<MINE> *v)
{
    v->x[i] = LOAD(a.x + at);
    v->dn[i] = LOAD(a.dn + at);
    v->skip[i] = LOAD(a.skip + at);
}

// A thread per step of a tile of `span` steps and for every groups-th channel.
// Where a tile is a sequence, the block's threads read one cell after the
// other. At most MINE groups channels, and no more than KEPT.
template <int THREADS, int PER, int MINE>
static __global__ void __launch_bounds__(THREADS, PER)
    by_spans(const __grid_constant__ struct task a, unsigned span)
{
    __shared__ float of_group[2][2][THREADS], gamma[KEPT];
    unsigned groups = THREADS / span, lane = threadIdx.x % span, turn = 0;
    unsigned group = threadIdx.x / span, steps = (unsigned)a.s.B * a.s.L;
    unsigned tiles = (steps - 1) / span + 1, stride = groups * a.s.L;
    int mine = group < groups && group < (unsigned)a.s.H
                   ? (a.s.H - 1 - group) / groups + 1
                   : 0; // channels
    unsigned first = cell_of(blockIdx.x * span + lane, a.s) + group * a.s.L;
    struct span_in_hand<MINE> v = {};
    float part[MINE] = {};

    keep_gamma(a, gamma);
#pragma unroll
    for (int i = 0; i < MINE; i++)
        if (i < mine)
            take(a, first + i * stride, i, &v);
    for (unsigned tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        bool inside = tile * span + lane < steps;
        unsigned after = (tile + gridDim.x) * span + lane, at = first;
        float squares = 0.0f, dot = 0.0f, own;
        int due = tile + gridDim.x < tiles ? mine : 0; // of the next tile

#pragma unroll
        for (int i = 0; i < MINE; i++)
            if (i < mine) {
                squares += v.x[i] * v.x[i];
                dot += gamma[group + i * groups] * v.dn[i] * v.x[i];
            }
        of_group[turn][0][threadIdx.x] = squares;
        of_group[turn][1][threadIdx.x] = dot;
        __syncthreads(); // all have left their sums; those before were read
        squares = dot = 0.0f;
#pragma unroll 4
        for (unsigned g = 0; g < groups; g++) {
            squares += of_group[turn][0][g * span + lane];
            dot += of_group[turn][1][g * span + lane];
        }
        turn ^= 1;
        own = rsqrtf(squares / a.s.H + BLOCK_RMS_EPS);
        dot *= own * own / a.s.H;
        first = cell_of(after, a.s) + group * a.s.L;
#pragma unroll
        for (int i = 0; i < MINE; i++) {
            if (inside && i < mine) {
                float g = gamma[group + i * groups] * v.dn[i];

                part[i] += v.dn[i] * v.x[i] * own;
                STORE(a.dx + at, v.skip[i] + own * (g - v.x[i] * dot));
            }
            if (i < due)
                take(a, first + i * stride, i, &v);
            at += stride;
        }
    }
    __syncthreads(); // the last sums were read
#pragma unroll
    for (int i = 0; i < MINE; i++) {
        of_group[i & 1][0][threadIdx.x] = part[i];
        __syncthreads(); // each thread has left its part
        for (unsigned g = threadIdx.x / LANES; g < groups;
             g += THREADS / LANES) {
            unsigned h = g + i * groups;
            float sum = 0.0f;

            for (unsigned t = threadIdx.x % LANES; t < span; t += LANES)
                sum += of_group[i & 1][0][g * span + t];
            sum = sum_of_warp(sum);
            if (threadIdx.x % LANES == 0 && h < (unsigned)a.s.H)
                a.sums[(size_t)blockIdx.x * a.s.H + h] = sum;
        }
    }
}

#endif
