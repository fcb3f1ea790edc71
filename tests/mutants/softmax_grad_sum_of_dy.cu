// SPDX-License-Identifier: MIT
// mutant: the sum of dy in place of that of y dy
// chapter: 21 softmax_backward
// expect: WRONG
//> todo kernel
// A row of softmax's gradient: one sum, of products.
template <typename T, int N> struct softmax_backward {
    typedef T element;
    enum {
        INPUTS = 2,
        VECTORS = N,
        ROUNDS = 2,
        HELD = N * CHIP_VECTOR / sizeof(T) // elements of each input
    };
    struct partial {
        float sum;
    };
    typedef partial settled;
    struct kept {};

    const T *y, *dy;
    T *dx;

    __device__ const T *input(int i) const { return i ? dy : y; }
    __device__ T *output() const { return dx; }
    static __device__ float pad() { return 0.0f; }
    static __device__ partial none() { return {0.0f}; }
    static __device__ partial join(partial p, int lanes)
    {
        return {chip_sum(p.sum, lanes)};
    }
    __device__ partial local(float *v, unsigned) const
    {
        partial p = none();

#pragma unroll
        for (int i = 0; i < HELD; i++)
            p.sum += v[HELD + i];
        return p;
    }
    __device__ settled settle(partial, partial all) const { return all; }
    template <class Share> __device__ kept keep(const Share &) const
    {
        return {};
    }
    __device__ float finish(const float *v, int i, settled s, kept) const
    {
        return v[i] * (v[HELD + i] - s.sum);
    }
};
//< todo
