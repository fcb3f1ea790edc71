// SPDX-License-Identifier: MIT
// mutant: dgamma is summed over x, not over z
// chapter: 21 layer_norm_backward
// expect: WRONG
//> todo kernel
    template <class Spot>
    __device__ void add(partial &p, const float *v, const Spot &at) const
    {
        chip_moments own = chip_moments::of(v, at);
        float before = p.of_x.mean, gammas[WIDTH], sum = 0.0f;

        at.columns(gamma, gammas);
        p.of_x.join(own);
        p.gx += p.g * (before - p.of_x.mean); // the mean has moved
#pragma unroll
        for (int e = 0; e < WIDTH; e++) {
            float g = v[WIDTH + e] * gammas[e];

            p.gx += g * (v[e] - own.mean); // g is 0 if it is not the row's
            sum += g;
        }
        p.gx += sum * (own.mean - p.of_x.mean);
        p.g += sum;
    }
    static __device__ partial join(partial p, int lanes)
    {
        chip_moments all = chip_moments::over(p.of_x, lanes);
        float far = p.of_x.n > 0.0f ? p.of_x.mean - all.mean : 0.0f;

        return {all, chip_sum(p.g, lanes),
                chip_sum(p.gx + p.g * far, lanes)};
    }
    __device__ settled settle(partial p) const
    {
        float n = p.of_x.n, scale = rsqrtf(p.of_x.squares / n + eps);

        return {p.of_x.mean, scale, p.g / n, p.gx * scale / n};
    }
    template <class Spot>
    __device__ void finish(const float *v, settled s, const Spot &at,
                           float *out) const
    {
        float gammas[WIDTH];

        at.columns(gamma, gammas);
#pragma unroll
        for (int e = 0; e < WIDTH; e++) {
            float z = (v[e] - s.mean) * s.scale;

            out[e] = (v[WIDTH + e] * gammas[e] - s.g - z * s.gz) * s.scale;
        }
    }
    template <class Spot>
    __device__ void collect(const float *v, settled s, const Spot &,
                            float *a, float *b) const
    {
#pragma unroll
        for (int e = 0; e < WIDTH; e++) {
            a[e] += v[WIDTH + e] * v[e];
            b[e] += v[WIDTH + e];
        }
    }
//< todo
