// SPDX-License-Identifier: MIT
// mutant: elements beyond the row count as zeros
// chapter: 21 layer_norm
// expect: WRONG
//> todo kernel
// A row of layer norm: each element's distance from the mean, scaled.
template <typename T> struct layer_norm {
    typedef T element;
    typedef chip_moments partial;
    enum { INPUTS = 1, WIDTH = CHIP_VECTOR / sizeof(T) };
    struct settled {
        float mean, scale;
    };

    const T *x;
    const float *gamma, *beta;
    T *y;
    float eps;

    __device__ const T *input(int) const { return x; }
    __device__ T *output() const { return y; }
    static __device__ float pad() { return 0.0f; }
    static __device__ partial none() { return partial::none(); }
    template <class Spot>
    __device__ void add(partial &p, const float *v, const Spot &at) const
    {
        partial own = partial::of(v, at);

        own.n = WIDTH;
        p.join(own);
    }
    static __device__ partial join(partial p, int lanes)
    {
        return partial::over(p, lanes);
    }
    __device__ settled settle(partial p) const
    {
        return {p.mean, rsqrtf(p.squares / p.n + eps)};
    }
    template <class Spot>
    __device__ void finish(const float *v, settled s, const Spot &at,
                           float *out) const
    {
        float g[WIDTH], b[WIDTH];

        at.columns(gamma, g);
        at.columns(beta, b);
#pragma unroll
        for (int e = 0; e < WIDTH; e++)
            out[e] = (v[e] - s.mean) * s.scale * g[e] + b[e];
    }
};
//< todo
