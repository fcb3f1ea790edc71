// SPDX-License-Identifier: MIT
// mistake: lanes and warps add up sums that belong to different largest values
// chapter: 21 softmax_bf16
// expect: WRONG formula
// say: a sum of exponentials were not shrunk when a larger value came
//> todo kernel
// What is known of some values of a row: the largest, and the sum of
// exp(value - max).
template <typename T> struct softmax {
    typedef T element;
    enum { INPUTS = 1, WIDTH = CHIP_VECTOR / sizeof(T) };
    struct partial {
        float max, sum;
    };
    typedef partial settled; // the largest, and the reciprocal of the sum

    const T *x;
    T *y;

    __device__ const T *input(int) const { return x; }
    __device__ T *output() const { return y; }
    static __device__ float pad() { return -CUDART_INF_F; }
    static __device__ partial none() { return {-CUDART_INF_F, 0.0f}; }
    // -inf - -inf would be NaN, where no value has come yet.
    static __device__ float from(float max)
    {
        return max == -CUDART_INF_F ? 0.0f : max;
    }
    template <class Spot>
    __device__ void add(partial &p, const float *v, const Spot &) const
    {
        float max = p.max;

#pragma unroll
        for (int e = 0; e < WIDTH; e++)
            max = fmaxf(max, v[e]);
        p.sum *= chip_exp(p.max - from(max));
#pragma unroll
        for (int e = 0; e < WIDTH; e++)
            p.sum += chip_exp(v[e] - from(max));
        p.max = max;
    }
    static __device__ partial join(partial p, int lanes)
    {
        float max = chip_max(p.max, lanes);

        return {max, chip_sum(p.sum, lanes)};
    }
    __device__ settled settle(partial p) const
    {
        return {from(p.max), 1.0f / p.sum};
    }
    template <class Spot>
    __device__ void finish(const float *v, settled s, const Spot &,
                           float *out) const
    {
#pragma unroll
        for (int e = 0; e < WIDTH; e++)
            out[e] = chip_exp(v[e] - s.max) * s.sum;
    }
};
//< todo
