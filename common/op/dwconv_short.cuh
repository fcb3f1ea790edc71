// SPDX-License-Identifier: MIT
/*
 * dwconv_short.cuh: depthwise convolution with few taps, forward and input
 * gradient; dwconv_short_weights.cuh has the third path.
 *
 *   dwconv_short_forward, dwconv_short_input_grad
 *
 * With few taps there is nothing to reuse but the taps: a copy that multiplies.
 * A thread owns four neighbouring outputs. They need the same four inputs and
 * a quad or two beside them, which the neighbouring thread loads as well, at
 * the same moment: the second load of a cell finds it in the L1 cache.
 *
 * The hard idea: the tensor is read as one long array, whose quads are aligned
 * whatever L is. A quad within a row is the fast case; one that holds the end
 * of a row goes cell by cell.
 */
#ifndef WB_DWCONV_SHORT_CUH
#define WB_DWCONV_SHORT_CUH

#include <assert.h>

#include "op/dwconv.h"

enum {
    SHORT_QUAD = 4,      // cells of a 128-bit access
    SHORT_THREADS = 256, // per block
    SHORT_MOST_TAPS = 17 // reach into four quads beside the own one
};

// Quads beside the own one that K taps reach into, rounded up to a kernel.
static inline int short_halo(int taps)
{
    return taps <= 5 ? 1 : taps <= 9 ? 2 : 4;
}

// n / d for n below 2^31 without a division: d rounded up to a power of two is
// 2^shift, and 2^31 / d is kept with as many bits as n has.
struct short_divisor {
    unsigned d, factor, shift;
};

static inline struct short_divisor short_divide_by(unsigned d)
{
    unsigned shift = 0;

    while ((1ull << shift) < d)
        shift++;
    return (struct short_divisor){
        d, (unsigned)(((1ull << (31 + shift)) + d - 1) / d), shift};
}

static __device__ unsigned short_quotient(unsigned n, struct short_divisor by)
{
    return __umulhi(2 * n, by.factor) >> by.shift;
}

// Four cells from `at`, a multiple of four. Unless WHOLE, the array may end
// within them; its `end` and what follows count as zero. A kernel that only
// READS marks its cells as the first to leave the L2 cache again: so they do
// not push out, and to memory, what the kernel before wrote there.
template <bool WHOLE, bool READS>
static __device__ void short_load(float *four, const float *from, unsigned at,
                                  unsigned end)
{
    if (WHOLE || at + SHORT_QUAD <= end) {
        const float4 *quad = (const float4 *)(from + at);
        float4 v = READS ? __ldcs(quad) : *quad;

        four[0] = v.x;
        four[1] = v.y;
        four[2] = v.z;
        four[3] = v.w;
    } else {
#pragma unroll
        for (int i = 0; i < SHORT_QUAD; i++)
            four[i] = at + i < end ? from[at + i] : 0.0f;
    }
}

// One cell, tap by tap. BACK: taps meet later cells (the input gradient).
template <bool BACK>
static __device__ float short_cell(const float *x, const float *w, int t,
                                   struct dwconv_shape s)
{
    int taps = min(s.K, BACK ? s.L - t : t + 1);
    float sum = 0.0f;

    for (int k = 0; k < taps; k++)
        sum += w[k] * x[BACK ? k : -k];
    return sum;
}

// The cells of a quad that no single row holds.
template <bool BACK>
static __device__ void short_edge(const float *x, const float *w, float *y,
                                  struct dwconv_shape s, unsigned at,
                                  unsigned end, struct short_divisor by_L)
{
    for (unsigned cell = at; cell < min(at + SHORT_QUAD, end); cell++) {
        unsigned row = short_quotient(cell, by_L), h = row % s.H;

        y[cell] = short_cell<BACK>(x + cell, w + (size_t)h * s.K,
                                   cell - row * s.L, s);
    }
}

// window[] holds HALO quads and the own one, in the order of time. WHOLE: L is
// a multiple of four, no quad holds cells of two rows.
template <int HALO, bool BACK, bool WHOLE, bool READS>
static __device__ void short_window(float *window, const float *x, unsigned at,
                                    int t, int L, unsigned end)
{
#pragma unroll
    for (int i = 0; i <= HALO; i++) {
        int q = BACK ? i : i - HALO; // quads from the own one
        int first = t + q * SHORT_QUAD, last = first + SHORT_QUAD - 1;
        float *four = window + i * SHORT_QUAD;

        four[0] = four[1] = four[2] = four[3] = 0.0f;
        if (first < L && last >= 0)
            short_load<WHOLE, READS>(four, x, at + q * SHORT_QUAD, end);
#pragma unroll
        for (int j = 0; !WHOLE && j < SHORT_QUAD; j++)
            if (first + j < 0 || first + j >= L) // another row's
                four[j] = 0.0f;
    }
}

template <int HALO, bool BACK, bool WHOLE>
static __global__ void __launch_bounds__(SHORT_THREADS)
    dwconv_short(const float *x, const float *w, float *y,
                 struct dwconv_shape s, unsigned end, struct short_divisor by_L,
                 struct short_divisor by_H)
{
    const int taps = HALO * SHORT_QUAD + 1;
    unsigned at = (blockIdx.x * SHORT_THREADS + threadIdx.x) * SHORT_QUAD;

    if (at >= end)
        return;

    unsigned row = short_quotient(at, by_L);
    unsigned h = row - short_quotient(row, by_H) * s.H;
    int t = at - row * s.L;

    if (!WHOLE && t + SHORT_QUAD > s.L) {
        short_edge<BACK>(x, w, y, s, at, end, by_L);
        return;
    }

    float window[taps + SHORT_QUAD - 1], weights[taps], sum[SHORT_QUAD] = {};

    short_window<HALO, BACK, WHOLE, false>(window, x, at, t, s.L, end);
#pragma unroll
    for (int k = 0; k < taps; k++)
        weights[k] = k < s.K ? w[h * s.K + k] : 0.0f;
#pragma unroll
    for (int k = 0; k < taps; k++)
#pragma unroll
        for (int j = 0; j < SHORT_QUAD; j++)
            sum[j] += weights[k] * window[BACK ? j + k : taps - 1 + j - k];
    *(float4 *)(y + at) = make_float4(sum[0], sum[1], sum[2], sum[3]);
}

typedef void short_kernel(const float *, const float *, float *,
                          struct dwconv_shape, unsigned, struct short_divisor,
                          struct short_divisor);

template <bool BACK, bool WHOLE>
static short_kernel *short_kernel_for(int taps)
{
    return short_halo(taps) == 1   ? dwconv_short<1, BACK, WHOLE>
           : short_halo(taps) == 2 ? dwconv_short<2, BACK, WHOLE>
                                   : dwconv_short<4, BACK, WHOLE>;
}

template <bool BACK>
static cudaError_t short_launch(const float *x, const float *w, float *y,
                                struct dwconv_shape s, cudaStream_t stream)
{
    unsigned end = (unsigned)s.B * s.H * s.L;
    unsigned quads = (end - 1) / SHORT_QUAD + 1;
    unsigned blocks = (quads - 1) / SHORT_THREADS + 1;
    short_kernel *kernel = s.L % SHORT_QUAD == 0
                               ? short_kernel_for<BACK, true>(s.K)
                               : short_kernel_for<BACK, false>(s.K);

    kernel<<<blocks, SHORT_THREADS, 0, stream>>>(
        x, w, y, s, end, short_divide_by(s.L), short_divide_by(s.H));
    return cudaGetLastError();
}

// As dwconv_forward and dwconv_input_grad of dwconv.h, without a workspace.
// Templates, so that a stage compiles the path that it calls and no other.
template <typename Shape>
static cudaError_t dwconv_short_forward(const float *x, const float *w,
                                        float *y, Shape shape,
                                        cudaStream_t stream)
{
    return short_launch<false>(x, w, y, shape, stream);
}

template <typename Shape>
static cudaError_t dwconv_short_input_grad(const float *dy, const float *w,
                                           float *dx, Shape shape,
                                           cudaStream_t stream)
{
    return short_launch<true>(dy, w, dx, shape, stream);
}

#endif
