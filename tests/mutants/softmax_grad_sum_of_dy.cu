// SPDX-License-Identifier: MIT
// mutant: the sum of dy in place of that of y dy
// chapter: 21 softmax_backward
// expect: WRONG
//> todo kernel
// A row of softmax's gradient: one sum, of products.
template <typename T> struct softmax_backward {
    typedef T element;
    enum { INPUTS = 2, WIDTH = CHIP_VECTOR / sizeof(T) };
    struct partial {
        float sum;
    };
    typedef partial settled;

    const T *y, *dy;
    T *dx;

    __device__ const T *input(int i) const { return i ? dy : y; }
    __device__ T *output() const { return dx; }
    static __device__ float pad() { return 0.0f; }
    static __device__ partial none() { return {0.0f}; }
    template <class Spot>
    __device__ void add(partial &p, const float *v, const Spot &) const
    {
#pragma unroll
        for (int e = 0; e < WIDTH; e++)
            p.sum += v[WIDTH + e];
    }
    static __device__ partial join(partial p, int lanes)
    {
        return {chip_sum(p.sum, lanes)};
    }
    __device__ settled settle(partial p) const { return p; }
    template <class Spot>
    __device__ void finish(const float *v, settled s, const Spot &,
                           float *out) const
    {
#pragma unroll
        for (int e = 0; e < WIDTH; e++)
            out[e] = v[e] * (v[WIDTH + e] - s.sum);
    }
};
//< todo
