// SPDX-License-Identifier: MIT
// mutant: dgamma is summed over x, not over z
// chapter: 21 layer_norm_backward
// expect: WRONG
//> todo kernel
// A row's mean and variance: as in the forward kernel.
struct moments {
    struct partial {
        float n, mean, squares;
    };

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
};

// A row's sums of g and g z.
struct gradients {
    struct partial {
        float g, gz;
    };

    static __device__ partial none() { return {0.0f, 0.0f}; }
    static __device__ partial join(partial p, int lanes)
    {
        return {chip_sum(p.g, lanes), chip_sum(p.gz, lanes)};
    }
};

template <typename T, int N> struct layer_norm_backward {
    typedef T element;
    typedef moments first;
    typedef gradients second;
    enum {
        INPUTS = 2,
        VECTORS = N,
        HELD = N * CHIP_VECTOR / sizeof(T) // elements of each input
    };
    struct settled {
        float scale, g, gz; // means over the row
    };
    struct kept {
        float gamma[HELD];
    };

    const T *x, *dy;
    const float *gamma;
    T *dx;
    float eps;
    float *sums;

    __device__ const T *input(int i) const { return i ? dy : x; }
    __device__ T *output() const { return dx; }
    static __device__ float pad() { return 0.0f; }
    __device__ float scale_of(moments::partial p) const
    {
        return rsqrtf(p.squares / p.n + eps);
    }
    __device__ moments::partial local(const float *v, unsigned live) const
    {
        moments::partial p = {(float)__popc(live), 0.0f, 0.0f};

#pragma unroll
        for (int i = 0; i < HELD; i++)
            p.mean += v[i];
        p.mean = p.n > 0.0f ? p.mean / p.n : 0.0f;
#pragma unroll
        for (int i = 0; i < HELD; i++) {
            float far = live >> i & 1 ? v[i] - p.mean : 0.0f;

            p.squares += far * far;
        }
        return p;
    }
    // From here on v holds z, then g.
    __device__ gradients::partial again(float *v, moments::partial p,
                                        const kept &k, unsigned live, float *a,
                                        float *b) const
    {
        gradients::partial q = {0.0f, 0.0f};
        float scale = scale_of(p);

#pragma unroll
        for (int i = 0; i < HELD; i++) {
            float z = live >> i & 1 ? (v[i] - p.mean) * scale : 0.0f;
            float dy = v[HELD + i], g = dy * k.gamma[i];

            a[i] += dy * v[i];
            b[i] += dy;
            q.g += g;
            q.gz += g * z;
            v[i] = z;
            v[HELD + i] = g;
        }
        return q;
    }
    __device__ settled settle(moments::partial p, gradients::partial q) const
    {
        return {scale_of(p), q.g / p.n, q.gz / p.n};
    }
    template <class Share> __device__ kept keep(const Share &share) const
    {
        kept k;

        chip_columns(share, gamma, k.gamma);
        return k;
    }
    __device__ float finish(const float *v, int i, settled s,
                            const kept &) const
    {
        return (v[HELD + i] - s.g - v[i] * s.gz) * s.scale;
    }
};
//< todo
