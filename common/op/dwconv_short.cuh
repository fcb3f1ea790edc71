// SPDX-License-Identifier: MIT
/*
 * dwconv_short.cuh: depthwise convolution with few taps, forward and input
 * gradient; dwconv_short_weights.cuh has the third path.
 *
 *   dwconv_short_forward, dwconv_short_input_grad
 *
 * With few taps there is nothing to reuse but the taps: a copy that multiplies.
 * A thread owns four neighbouring outputs. They need the same four inputs and
 * some quads beside them, which the neighbouring threads load as well, at the
 * same moment: the second load of a cell finds it in the L1 cache.
 *
 *   dwconv_short        up to 9 taps, L a multiple of 4: a quad per thread
 *   dwconv_short_rows   more: a thread goes on from row to row with its taps
 *   dwconv_short_any    any other L
 *
 * The hard idea: quads are aligned whatever L is. A row is read by the quads
 * that hold cells of it; where one holds a neighbour's cells as well, two
 * threads read it, and each stores its own row's outputs.
 */
#ifndef WB_DWCONV_SHORT_CUH
#define WB_DWCONV_SHORT_CUH

#include <assert.h>

#include "op/dwconv.h"

enum {
    SHORT_QUAD = 4,          // cells of a 128-bit access
    SHORT_THREADS = 256,     // per block
    SHORT_MOST_TAPS = 32,    // reach into eight quads beside the own one
    SHORT_MOST_WEIGHTS = 17, // of the weight gradient: into four
    SHORT_ROWS = 8,          // that a thread of dwconv_short_rows has, about
    SHORT_BUSY = 16,         // blocks per multiprocessor, before it has more
    SHORT_GRID = 65535       // blocks along y, at most
};

// Quads beside the own one that K taps reach into, rounded up to a kernel.
static inline int short_halo(int taps)
{
    int quads = (taps + SHORT_QUAD - 2) / SHORT_QUAD; // K = 5 reaches into one

    return quads < 1 ? 1 : quads <= 5 ? quads : 8;
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

// The quad at `at`, whose cells are a row's from t on; what lies outside of
// [0, L), or the array's `end`, is zero. WHOLE: L is a multiple of four, and no
// quad holds cells of two rows. If not UP, cells from L on do not matter.
template <bool WHOLE, bool READS, bool UP>
static __device__ void short_quad(float *four, const float *from, unsigned at,
                                  int t, int L, unsigned end)
{
    four[0] = four[1] = four[2] = four[3] = 0.0f;
    if (t <= -SHORT_QUAD || t >= L)
        return;
    short_load<WHOLE, READS>(four, from, at, end);
#pragma unroll
    for (int j = 0; !WHOLE && j < SHORT_QUAD; j++)
        if (t + j < 0 || (UP && t + j >= L)) // another row's
            four[j] = 0.0f;
}

// window[] holds HALO quads and the own one, in the order of time.
template <int HALO, bool BACK, bool WHOLE>
static __device__ void short_window(float *window, const float *x, unsigned at,
                                    int t, int L, unsigned end)
{
#pragma unroll
    for (int i = 0; i <= HALO; i++) {
        int cells = (BACK ? i : i - HALO) * SHORT_QUAD; // from the own one

        short_quad<WHOLE, false, BACK>(window + i * SHORT_QUAD, x, at + cells,
                                       t + cells, L, end);
    }
}

template <int HALO>
static __device__ void short_taps(float *taps, const float *w, int K)
{
#pragma unroll
    for (int k = 0; k <= HALO * SHORT_QUAD; k++)
        taps[k] = k < K ? w[k] : 0.0f;
}

template <int HALO, bool BACK>
static __device__ void short_sums(float *sum, const float *taps,
                                  const float *window)
{
    const int last = HALO * SHORT_QUAD;

#pragma unroll
    for (int k = 0; k <= last; k++)
#pragma unroll
        for (int j = 0; j < SHORT_QUAD; j++)
            sum[j] += taps[k] * window[BACK ? j + k : last + j - k];
}

template <int HALO, bool BACK>
static __global__ void __launch_bounds__(SHORT_THREADS)
    dwconv_short(const float *x, const float *w, float *y,
                 struct dwconv_shape s, struct short_divisor by_quads,
                 struct short_divisor by_H)
{
    unsigned quad = blockIdx.x * SHORT_THREADS + threadIdx.x;
    unsigned row = short_quotient(quad, by_quads), at = quad * SHORT_QUAD;
    unsigned h = row - short_quotient(row, by_H) * s.H;
    float window[(HALO + 1) * SHORT_QUAD], taps[HALO * SHORT_QUAD + 1];
    float sum[SHORT_QUAD] = {};

    if (quad >= (unsigned)s.B * s.H * by_quads.d)
        return;
    short_window<HALO, BACK, true>(window, x, at, at - row * s.L, s.L, 0);
    short_taps<HALO>(taps, w + h * s.K, s.K);
    short_sums<HALO, BACK>(sum, taps, window);
    *(float4 *)(y + at) = make_float4(sum[0], sum[1], sum[2], sum[3]);
}

template <int HALO, bool BACK>
static __global__ void __launch_bounds__(SHORT_THREADS)
    dwconv_short_rows(const float *x, const float *w, float *y,
                      struct dwconv_shape s, struct short_divisor by_quads,
                      struct short_divisor by_H)
{
    unsigned own = blockIdx.x * SHORT_THREADS + threadIdx.x; // of each image
    unsigned h = short_quotient(own, by_quads), each = by_H.d * by_quads.d;
    int t = (own - h * by_quads.d) * SHORT_QUAD;
    float taps[HALO * SHORT_QUAD + 1];

    if (own >= each)
        return;
    short_taps<HALO>(taps, w + h * s.K, s.K);
    for (unsigned b = blockIdx.y; b < s.B; b += gridDim.y) {
        unsigned at = (b * each + own) * SHORT_QUAD;
        float window[(HALO + 1) * SHORT_QUAD], sum[SHORT_QUAD] = {};

        short_window<HALO, BACK, true>(window, x, at, t, s.L, 0);
        short_sums<HALO, BACK>(sum, taps, window);
        *(float4 *)(y + at) = make_float4(sum[0], sum[1], sum[2], sum[3]);
    }
}

template <int HALO, bool BACK>
static __global__ void __launch_bounds__(SHORT_THREADS)
    dwconv_short_any(const float *x, const float *w, float *y,
                     struct dwconv_shape s, struct short_divisor by_quads,
                     struct short_divisor by_H)
{
    unsigned i = blockIdx.x * SHORT_THREADS + threadIdx.x;
    unsigned rows = (unsigned)s.B * s.H, row = short_quotient(i, by_quads);
    unsigned h = row - short_quotient(row, by_H) * s.H, start = row * s.L;
    unsigned at = start / SHORT_QUAD * SHORT_QUAD +
                  (i - row * by_quads.d) * SHORT_QUAD;
    int t = (int)(at - start);
    float window[(HALO + 1) * SHORT_QUAD], taps[HALO * SHORT_QUAD + 1];
    float sum[SHORT_QUAD] = {};

    if (i >= rows * by_quads.d || t >= s.L)
        return;
    short_window<HALO, BACK, false>(window, x, at, t, s.L, rows * s.L);
    short_taps<HALO>(taps, w + h * s.K, s.K);
    short_sums<HALO, BACK>(sum, taps, window);
    if (t >= 0 && t + SHORT_QUAD <= s.L)
        *(float4 *)(y + at) = make_float4(sum[0], sum[1], sum[2], sum[3]);
    else
#pragma unroll
        for (int j = 0; j < SHORT_QUAD; j++)
            if (t + j >= 0 && t + j < s.L)
                y[at + j] = sum[j];
}

typedef void short_kernel(const float *, const float *, float *,
                          struct dwconv_shape, struct short_divisor,
                          struct short_divisor);

template <bool BACK>
static short_kernel *short_kernel_for(int taps, bool whole)
{
    switch (short_halo(taps)) {
    case 1: return whole ? dwconv_short<1, BACK> : dwconv_short_any<1, BACK>;
    case 2: return whole ? dwconv_short<2, BACK> : dwconv_short_any<2, BACK>;
    case 3:
        return whole ? dwconv_short_rows<3, BACK> : dwconv_short_any<3, BACK>;
    case 4:
        return whole ? dwconv_short_rows<4, BACK> : dwconv_short_any<4, BACK>;
    case 5:
        return whole ? dwconv_short_rows<5, BACK> : dwconv_short_any<5, BACK>;
    default:
        return whole ? dwconv_short_rows<8, BACK> : dwconv_short_any<8, BACK>;
    }
}

// Quads that may hold cells of a row: one that begins at any cell of a quad
// touches one or two more.
static inline unsigned short_quads(int L)
{
    unsigned before = L % SHORT_QUAD ? SHORT_QUAD - 1 : 0;

    return (L + before + SHORT_QUAD - 1) / SHORT_QUAD;
}

// Along x the quads of an image, along y the images: so many that a thread has
// SHORT_ROWS of them, unless there are too few blocks.
static inline dim3 short_rows_grid(struct dwconv_shape s)
{
    size_t across = ((size_t)s.H * (s.L / SHORT_QUAD) - 1) / SHORT_THREADS + 1;
    int device = 0, multiprocessors = 1;
    size_t rows, along;

    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount,
                           device);
    rows = s.B * across / ((size_t)multiprocessors * SHORT_BUSY) + 1;
    along = (s.B - 1) / (rows < SHORT_ROWS ? rows : SHORT_ROWS) + 1;
    return dim3((unsigned)across,
                (unsigned)(along < SHORT_GRID ? along : SHORT_GRID));
}

template <bool BACK>
static cudaError_t short_launch(const float *x, const float *w, float *y,
                                struct dwconv_shape s, cudaStream_t stream)
{
    bool whole = s.L % SHORT_QUAD == 0;
    unsigned quads = short_quads(s.L), rows = (unsigned)s.B * s.H;
    dim3 grid = whole && short_halo(s.K) > 2
                    ? short_rows_grid(s)
                    : dim3((rows * quads - 1) / SHORT_THREADS + 1);

    short_kernel_for<BACK>(s.K, whole)<<<grid, SHORT_THREADS, 0, stream>>>(
        x, w, y, s, short_divide_by(quads), short_divide_by(s.H));
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
