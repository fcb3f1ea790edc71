// SPDX-License-Identifier: MIT
/*
 * row_pivot.cuh: layer norm's gradient with fewer instructions per element, for
 * rows that stream (row_stream.cuh) and leave little time for each.
 *
 *   row_pivot<Op>   does what Op does, the gradient of layer norm as chapter 21
 *                   has it: an operation of row_sums.cuh with `gamma` and `eps`
 *
 * The hard idea: a thread measures distances from the first of its elements,
 * and adds up plain sums of them: no division and no mean per vector. When
 * threads join, a sum of squares less the square of a sum loses little, as the
 * first element is the row's own: its squared distance from the mean is in what
 * the row adds up to.
 */
#ifndef WB_ROW_PIVOT_CUH
#define WB_ROW_PIVOT_CUH

#include "op/row_moments.cuh"

// n values: `sum` and `squares` of their distances from `pivot`.
struct pivot_moments {
    float n, pivot, sum, squares;

    static __device__ pivot_moments none() { return {0.0f, 0.0f, 0.0f, 0.0f}; }
    // A vector's values. far: their distances, 0 for what is not the row's.
    template <class Spot>
    __device__ void add(const float *v, const Spot &at, float *far)
    {
        float count = at.count(), first = v[0];

#pragma unroll
        for (int e = Spot::ELEMENTS - 1; e >= 0; e--)
            first = at.has(e) ? v[e] : first;
        pivot = n > 0.0f ? pivot : first;
        n += count < 1.0f ? 0.0f : count; // a spot may say that it has 2^-40
#pragma unroll
        for (int e = 0; e < Spot::ELEMENTS; e++) {
            far[e] = at.has(e) ? v[e] - pivot : 0.0f;
            sum += far[e];
            squares += far[e] * far[e];
        }
    }
    // Of neighbouring lanes' values, about their mean.
    __device__ pivot_moments over(int lanes) const
    {
        float far = n > 0.0f ? __fdividef(sum, n) : 0.0f;
        chip_moments all = chip_moments::over(
            {n, pivot + far, squares - far * sum}, lanes);

        return {all.n, all.mean, 0.0f, all.squares};
    }
};

template <class Op> struct row_pivot : Op {
    enum { WIDTH = Op::WIDTH };
    struct partial {
        pivot_moments of_x;
        float g, gx; // gx: the sum of g (x - pivot)
    };
    // z = scale x + shift; dx = scale g + slope x + base
    struct settled {
        float scale, shift, slope, base;
    };

    row_pivot(const Op &op) : Op(op) {}
    static __device__ partial none()
    {
        return {pivot_moments::none(), 0.0f, 0.0f};
    }
    template <class Spot>
    __device__ void add(partial &p, const float *v, const Spot &at) const
    {
        float gammas[WIDTH], far[WIDTH];

        at.columns(this->gamma, gammas);
        p.of_x.add(v, at, far);
#pragma unroll
        for (int e = 0; e < WIDTH; e++) {
            float g = v[WIDTH + e] * gammas[e]; // 0 if it is not the row's

            p.g += g;
            p.gx += g * far[e];
        }
    }
    static __device__ partial join(partial p, int lanes)
    {
        pivot_moments all = p.of_x.over(lanes);
        float far = p.of_x.n > 0.0f ? p.of_x.pivot - all.pivot : 0.0f;

        return {all, chip_sum(p.g, lanes),
                chip_sum(p.gx + p.g * far, lanes)};
    }
    __device__ settled settle(partial p) const
    {
        float n = p.of_x.n, mean = p.of_x.pivot;
        float scale = rsqrtf(p.of_x.squares / n + this->eps);
        float slope = -scale * (scale * p.gx / n) * scale;

        return {scale, -mean * scale, slope, -scale * p.g / n - slope * mean};
    }
    template <class Spot>
    __device__ void finish(const float *v, settled s, const Spot &at,
                           float *out) const
    {
        float gammas[WIDTH];

        at.columns(this->gamma, gammas);
#pragma unroll
        for (int e = 0; e < WIDTH; e++)
            out[e] = v[WIDTH + e] * gammas[e] * s.scale +
                     (v[e] * s.slope + s.base);
    }
    template <class Spot>
    __device__ void collect(const float *v, settled s, const Spot &, float *a,
                            float *b) const
    {
#pragma unroll
        for (int e = 0; e < WIDTH; e++) {
            a[e] += v[WIDTH + e] * (v[e] * s.scale + s.shift);
            b[e] += v[WIDTH + e];
        }
    }
};

#endif
