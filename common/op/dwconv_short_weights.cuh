// SPDX-License-Identifier: MIT
/*
 * dwconv_short_weights.cuh: depthwise convolution with few taps, the weight
 * gradient.
 *
 *   dwconv_short_weight_grad_workspace, dwconv_short_weight_grad
 *
 * A team of warps owns a channel and goes over its rows, a quad per lane; a
 * thread keeps the sums of all taps in registers, and at the end the team adds
 * them, in one order. Where channels are too few to fill the GPU, a channel is
 * cut into parts, and a second pass adds these (dwconv_parts.cuh).
 *
 * The hard idea: quads are aligned whatever L is. Those that cover a row may
 * hold cells of its neighbours; of such cells dy counts as zero.
 */
#ifndef WB_DWCONV_SHORT_WEIGHTS_CUH
#define WB_DWCONV_SHORT_WEIGHTS_CUH

#include "op/dwconv_parts.cuh"
#include "op/dwconv_short.cuh"

enum {
    SHORT_LANES = 32,
    SHORT_BLOCKS = 6, // per multiprocessor, so that loads enough are under way
    SHORT_BATCH = 2,  // quads that a thread has under way
    SHORT_WARPS = SHORT_THREADS / SHORT_LANES,
    SHORT_LEAST = 4 // quads a thread sums, where there are as many
};

struct short_plan {
    unsigned quads; // that cover a row
    unsigned shift; // a team is 2^shift warps
    unsigned parts; // a channel's rows are cut into
};

static inline struct short_plan short_plan_for(struct dwconv_shape s)
{
    unsigned quads = short_quads(s.L);
    size_t work = (size_t)s.B * quads;
    unsigned shift = 0;

    while (SHORT_WARPS >> shift > 1 &&
           work > (size_t)SHORT_LANES * SHORT_LEAST << shift)
        shift++;

    size_t teams = SHORT_WARPS >> shift, blocks = (s.H - 1) / teams + 1;
    size_t most = work / (SHORT_THREADS * SHORT_LEAST);

    return (struct short_plan){
        quads, shift,
        blocks < PARTS_MOST ? parts_wanted(blocks, most) : 1};
}

// Adds the products of one quad of dy to the sums of all taps.
template <int HALO>
static __device__ void short_add(float *sum, const float *dy, const float *x)
{
    const int taps = HALO * SHORT_QUAD + 1;

#pragma unroll
    for (int k = 0; k < taps; k++)
#pragma unroll
        for (int j = 0; j < SHORT_QUAD; j++)
            sum[k] += dy[j] * x[taps - 1 + j - k];
}

// The team's sums of its lanes' values: the first TAPS threads of a team get
// one each. A team's threads add in the same order each time.
template <int TAPS>
static __device__ float short_team_sums(const float *values, unsigned shift)
{
    __shared__ float sums[SHORT_WARPS][TAPS];

    unsigned lane = threadIdx.x % SHORT_LANES;
    unsigned warp = threadIdx.x / SHORT_LANES, first = warp >> shift << shift;
    float total = 0.0f;

#pragma unroll
    for (int k = 0; k < TAPS; k++) {
        float value = values[k];

        for (int step = SHORT_LANES / 2; step > 0; step /= 2)
            value += __shfl_down_sync(0xffffffffu, value, step);
        if (lane == 0)
            sums[warp][k] = value;
    }
    __syncthreads(); // every warp's sums are there
    if (warp == first && lane < TAPS)
#pragma unroll 1
        for (int i = 0; i < 1 << shift; i++)
            total += sums[first + i][lane];
    return total;
}

// The last quad of a window may pass the row's end, as dy's does.
template <int HALO, bool WHOLE>
static __device__ void short_weights_window(float *window, const float *x,
                                            unsigned at, int t, int L,
                                            unsigned end)
{
#pragma unroll
    for (int i = 0; i < HALO; i++) {
        int before = (HALO - i) * SHORT_QUAD;

        short_quad<WHOLE, true, false>(window + i * SHORT_QUAD, x, at - before,
                                       t - before, L, end);
    }
    short_quad<WHOLE, true, true>(window + HALO * SHORT_QUAD, x, at, t, L, end);
}

// SHORT_BATCH quads of dy and their windows of x: their loads are all under
// way before the first product waits for one.
template <int HALO, bool WHOLE>
static __global__ void
__launch_bounds__(SHORT_THREADS, HALO == 1 && WHOLE ? SHORT_BLOCKS
                                            : SHORT_BLOCKS / 2)
    dwconv_short_weights(const float *dy, const float *x, float *to,
                         struct dwconv_shape s, struct short_plan plan,
                         unsigned end, struct short_divisor by_quads)
{
    const int taps = HALO * SHORT_QUAD + 1, nowhere = -(1 << 30);
    unsigned width = SHORT_LANES << plan.shift; // threads of the team
    unsigned k = threadIdx.x & (width - 1);
    unsigned team = threadIdx.x / SHORT_LANES >> plan.shift;
    unsigned h = blockIdx.x * (SHORT_WARPS >> plan.shift) + team;
    unsigned stride = width * plan.parts, first = blockIdx.y * width + k;
    unsigned work = h < s.H ? s.B * plan.quads : 0; // a team may be spare
    float sum[taps] = {};

    for (unsigned i = first; i < work; i += stride * SHORT_BATCH) {
        float four[SHORT_BATCH][SHORT_QUAD];
        float window[SHORT_BATCH][taps + SHORT_QUAD - 1];

#pragma unroll
        for (int n = 0; n < SHORT_BATCH; n++) {
            unsigned item = i + n * stride, b = short_quotient(item, by_quads);
            unsigned start = (b * s.H + h) * s.L;
            unsigned at = start / SHORT_QUAD * SHORT_QUAD +
                          (item - b * plan.quads) * SHORT_QUAD;
            // It may lie before the row, or pass its end.
            int t = item < work ? (int)(at - start) : nowhere;

            short_quad<WHOLE, true, true>(four[n], dy, at, t, s.L, end);
            short_weights_window<HALO, WHOLE>(window[n], x, at, t, s.L, end);
        }
#pragma unroll
        for (int n = 0; n < SHORT_BATCH; n++)
            short_add<HALO>(sum, four[n], window[n]);
    }

    float total = short_team_sums<taps>(sum, plan.shift);

    if (h < s.H && k < taps && k < s.K)
        to[((size_t)blockIdx.y * s.H + h) * s.K + k] = total;
}

typedef void short_weights_kernel(const float *, const float *, float *,
                                  struct dwconv_shape, struct short_plan,
                                  unsigned, struct short_divisor);

template <bool WHOLE>
static short_weights_kernel *short_weights_kernel_for(int taps)
{
    switch (short_halo(taps)) {
    case 1: return dwconv_short_weights<1, WHOLE>;
    case 2: return dwconv_short_weights<2, WHOLE>;
    case 3: return dwconv_short_weights<3, WHOLE>;
    default: return dwconv_short_weights<4, WHOLE>;
    }
}

static inline size_t
dwconv_short_weight_grad_workspace(struct dwconv_shape shape)
{
    struct short_plan plan = short_plan_for(shape);

    return plan.parts > 1
               ? sizeof(float) * plan.parts * shape.H * shape.K : 0;
}

// As dwconv_weight_grad of dwconv.h.
static inline cudaError_t
dwconv_short_weight_grad(const float *dy, const float *x, float *dw,
                         struct dwconv_shape s, void *workspace,
                         cudaStream_t stream)
{
    struct short_plan plan = short_plan_for(s);
    unsigned teams = SHORT_WARPS >> plan.shift; // per block
    dim3 grid((s.H - 1) / teams + 1, plan.parts);
    unsigned end = (unsigned)s.B * s.H * s.L;
    struct short_divisor by_quads = short_divide_by(plan.quads);
    float *to = plan.parts > 1 ? (float *)workspace : dw;

    short_weights_kernel *kernel = s.L % SHORT_QUAD == 0
                                       ? short_weights_kernel_for<true>(s.K)
                                       : short_weights_kernel_for<false>(s.K);

    kernel<<<grid, SHORT_THREADS, 0, stream>>>(dy, x, to, s, plan, end,
                                               by_quads);
    if (plan.parts > 1)
        parts_total(to, dw, s, plan.parts, stream);
    return cudaGetLastError();
}

#endif
