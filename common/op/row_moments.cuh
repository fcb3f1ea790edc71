// SPDX-License-Identifier: MIT
/*
 * row_moments.cuh: mean and variance of a row's values, vector by vector: step
 * `welford` of chapter 21 for row_chip.cuh's operations.
 *
 *   struct chip_moments   how many values, their mean, and the sum of their
 *                         squared distances from it
 *   .of(v, at)            of a vector; at is its chip_spot
 *   .join(other)          of these values and others
 *   .over(m, lanes)       of neighbouring lanes, all of which get it
 */
#ifndef WB_ROW_MOMENTS_CUH
#define WB_ROW_MOMENTS_CUH

#include "op/row_share.cuh"

struct chip_moments {
    float n, mean, squares;

    static __device__ chip_moments none() { return {0.0f, 0.0f, 0.0f}; }
    template <class Spot>
    static __device__ chip_moments of(const float *v, const Spot &at)
    {
        chip_moments m = {at.count(), 0.0f, 0.0f};

#pragma unroll
        for (int e = 0; e < Spot::ELEMENTS; e++)
            m.mean += v[e]; // 0 if it is not the row's
        m.mean = __fdividef(m.mean, m.n);
#pragma unroll
        for (int e = 0; e < Spot::ELEMENTS; e++)
            m.squares +=
                at.has(e) ? (v[e] - m.mean) * (v[e] - m.mean) : 0.0f;
        return m;
    }
    __device__ void join(const chip_moments &other)
    {
        float far = other.mean - mean, all = n + other.n;
        float share = __fdividef(other.n, all);

        squares += other.squares + far * n * (far * share);
        mean += far * share;
        n = all;
    }
    // Sums of means and distances, not differences of squares.
    static __device__ chip_moments over(chip_moments m, int lanes)
    {
        float n = chip_sum(m.n, lanes);
        float mean = chip_sum(m.n * m.mean, lanes) / fmaxf(n, 1.0f);
        float far = m.n > 0.0f ? m.mean - mean : 0.0f;

        return {n, mean, chip_sum(m.squares + m.n * far * far, lanes)};
    }
};

#endif
