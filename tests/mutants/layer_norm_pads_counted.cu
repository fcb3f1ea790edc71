// SPDX-License-Identifier: MIT
// mutant: elements beyond the row count as zeros
// chapter: 21 layer_norm
// expect: WRONG
//> todo kernel
// A row of layer norm: a thread keeps its values, and its columns' gamma and
// beta from row to row.
template <typename T, int N> struct layer_norm {
    typedef T element;
    enum {
        INPUTS = 1,
        VECTORS = N,
        ROUNDS = 8,
        HELD = N * CHIP_VECTOR / sizeof(T) // elements that a thread keeps
    };
    struct partial {
        float n, mean, squares;
    };
    struct settled {
        float mean, scale;
    };
    struct kept {
        float gamma[HELD], beta[HELD];
    };

    const T *x;
    const float *gamma, *beta;
    T *y;
    float eps;

    __device__ const T *input(int) const { return x; }
    __device__ T *output() const { return y; }
    static __device__ float pad() { return 0.0f; }
    static __device__ partial none() { return {0.0f, 0.0f, 0.0f}; }
    // Sums of means and distances, not differences of squares.
    static __device__ partial join(partial p, int lanes)
    {
        float n = chip_sum(p.n, lanes);
        float mean = n > 0.0f ? chip_sum(p.n * p.mean, lanes) / n : 0.0f;
        float far = p.mean - mean;

        if (p.n == 0.0f)
            far = 0.0f;
        return {n, mean, chip_sum(p.squares + p.n * far * far, lanes)};
    }
    __device__ partial local(float *v, unsigned live) const
    {
        partial p = {(float)__popc(live), 0.0f, 0.0f};

#pragma unroll
        for (int i = 0; i < HELD; i++)
            p.mean += v[i];
        p.mean = p.n > 0.0f ? p.mean / p.n : 0.0f;
#pragma unroll
        for (int i = 0; i < HELD; i++) {
            float far = v[i] - p.mean;

            p.squares += far * far;
        }
        return p;
    }
    __device__ settled settle(partial, partial all) const
    {
        return {all.mean, rsqrtf(all.squares / all.n + eps)};
    }
    template <class Share> __device__ kept keep(const Share &share) const
    {
        kept k;

        chip_columns(share, gamma, k.gamma);
        chip_columns(share, beta, k.beta);
        return k;
    }
    __device__ float finish(const float *v, int i, settled s,
                            const kept &k) const
    {
        return (v[i] - s.mean) * s.scale * k.gamma[i] + k.beta[i];
    }
};
//< todo
