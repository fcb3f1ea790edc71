// SPDX-License-Identifier: MIT
// mutant: the sum is rounded to bf16 at each step
// chapter: 21 softmax_bf16
// expect: WRONG
//> todo kernel
// A row of softmax: a thread keeps exponentials, from its own largest value.
template <typename T, int N> struct softmax {
    typedef T element;
    enum {
        INPUTS = 1,
        VECTORS = N,
        ROUNDS = 2,
        HELD = N * CHIP_VECTOR / sizeof(T) // elements that a thread keeps
    };
    struct partial {
        float max, sum;
    };
    struct settled {
        float scale;
    };
    struct kept {};

    const T *x;
    T *y;

    __device__ const T *input(int) const { return x; }
    __device__ T *output() const { return y; }
    static __device__ float pad() { return -CUDART_INF_F; }
    static __device__ partial none() { return {-CUDART_INF_F, 0.0f}; }

    // By how much a sum shrinks when the largest value grows from m to max.
    // Equal infinities are no growth, where their difference would be NaN.
    static __device__ float shrink(float m, float max)
    {
        return m == max ? 1.0f : chip_exp(m - max);
    }
    static __device__ partial join(partial p, int lanes)
    {
        float max = chip_max(p.max, lanes);

        return {max, chip_sum(p.sum * shrink(p.max, max), lanes)};
    }
    __device__ partial local(float *v, unsigned) const
    {
        partial p = none();

#pragma unroll
        for (int i = 0; i < HELD; i++)
            p.max = fmaxf(p.max, v[i]);

        float from = p.max == -CUDART_INF_F ? 0.0f : p.max;
#pragma unroll
        for (int i = 0; i < HELD; i++) {
            v[i] = chip_exp(v[i] - from);
            p.sum = __bfloat162float(__float2bfloat16(p.sum + v[i]));
        }
        return p;
    }
    __device__ settled settle(partial own, partial all) const
    {
        return {shrink(own.max, all.max) / all.sum};
    }
    template <class Share> __device__ kept keep(const Share &) const
    {
        return {};
    }
    __device__ float finish(const float *v, int i, settled s, kept) const
    {
        return v[i] * s.scale;
    }
};
//< todo
