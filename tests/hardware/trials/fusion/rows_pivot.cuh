// SPDX-License-Identifier: MIT
/*
 * rows_pivot.cuh: a trial for chapter 21: layer norm and its gradient with
 * fewer instructions per element, for any kernel that takes such operations.
 * Rows of even length only.
 *
 *   pivot_norm, pivot_backward   what solution 21's operations do
 *
 * The hard idea: a thread measures distances from the first of its elements,
 * and adds up plain sums of them: no division and no mean per vector. When
 * threads join, a sum of squares less the square of a sum loses little, as the
 * first element is the row's own: its squared distance from the mean is in what
 * the row adds up to.
 */
#ifndef WB_ROWS_PIVOT_CUH
#define WB_ROWS_PIVOT_CUH

#include "op/row_moments.cuh"

// n values: `sum` and `squares` of their distances from `pivot`.
struct pivot_moments {
    float n, pivot, sum, squares;

    // The moments of neighbouring lanes' values, about their mean.
    __device__ pivot_moments over(int lanes) const
    {
        float far = n > 0.0f ? __fdividef(sum, n) : 0.0f;
        chip_moments all = chip_moments::over(
            {n, pivot + far, squares - far * sum}, lanes);

        return {all.n, all.mean, 0.0f, all.squares};
    }
};

#if MODE == LAYER_NORM
template <typename T> struct pivot_norm : layer_norm<T> {
    enum { WIDTH = layer_norm<T>::WIDTH };
    typedef pivot_moments partial;
    typedef typename layer_norm<T>::settled settled;

    static __device__ partial none() { return {0.0f, 0.0f, 0.0f, 0.0f}; }
    template <class Spot>
    __device__ void add(partial &p, const float *v, const Spot &at) const
    {
        if (!at.has(0))
            return;
        p.pivot = p.n > 0.0f ? p.pivot : v[0];
        p.n += WIDTH;
#pragma unroll
        for (int e = 0; e < WIDTH; e++) {
            float far = v[e] - p.pivot;

            p.sum += far;
            p.squares += far * far;
        }
    }
    static __device__ partial join(partial p, int lanes)
    {
        return p.over(lanes);
    }
    __device__ settled settle(partial p) const
    {
        return {p.pivot, rsqrtf(p.squares / p.n + this->eps)};
    }
};
#endif

#if MODE == LAYER_NORM_BACKWARD
template <typename T> struct pivot_backward : layer_norm_backward<T> {
    enum { WIDTH = layer_norm_backward<T>::WIDTH };
    struct partial {
        pivot_moments of_x;
        float g, gx; // gx: the sum of g (x - pivot)
    };
    // z = scale x + shift; dx = scale g + slope x + base
    struct settled {
        float scale, shift, slope, base;
    };

    static __device__ partial none()
    {
        return {{0.0f, 0.0f, 0.0f, 0.0f}, 0.0f, 0.0f};
    }
    template <class Spot>
    __device__ void add(partial &p, const float *v, const Spot &at) const
    {
        float gammas[WIDTH];

        if (!at.has(0))
            return;
        at.columns(this->gamma, gammas);
        p.of_x.pivot = p.of_x.n > 0.0f ? p.of_x.pivot : v[0];
        p.of_x.n += WIDTH;
#pragma unroll
        for (int e = 0; e < WIDTH; e++) {
            float far = v[e] - p.of_x.pivot, g = v[WIDTH + e] * gammas[e];

            p.of_x.sum += far;
            p.of_x.squares += far * far;
            p.g += g;
            p.gx += g * far;
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
        float slope = -scale * scale * scale * p.gx / n;

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

#endif
