// SPDX-License-Identifier: MIT
// Stage 21, the gradient of layer norm.
// New: sums over rows, which stay in registers (op/row_sums.cuh); and one
// reduction per row where the formula has two, one after the other.
// Before: the gradient of softmax; nothing over rows.
// Counter: global_bytes_over_compulsory stays near 1.

#include "op/layer_norm.h"
#include "op/row_moments.cuh"
#include "op/row_sums.cuh"

// A row of layer norm's gradient. gx: the sum of g (x - mean).
template <typename T> struct layer_norm_backward {
    typedef T element;
    enum { INPUTS = 2, WIDTH = CHIP_VECTOR / sizeof(T) };
    struct partial {
        chip_moments of_x;
        float g, gx;
    };
    struct settled {
        float mean, scale, g, gz; // g and gz: means over the row
    };

    const T *x, *dy;
    const float *gamma;
    T *dx;
    float eps;

    __device__ const T *input(int i) const { return i ? dy : x; }
    __device__ T *output() const { return dx; }
    __device__ const float *columns() const { return gamma; }
    static __device__ float pad() { return 0.0f; }
    static __device__ partial none()
    {
        return {chip_moments::none(), 0.0f, 0.0f};
    }
//> todo kernel (about 51 lines)
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
            a[e] += v[WIDTH + e] * (v[e] - s.mean) * s.scale;
            b[e] += v[WIDTH + e];
        }
    }
//< todo
};

size_t layer_norm_backward_f32_workspace(struct layer_norm_shape shape)
{
    //> todo workspace (about 2 lines)
    return row_sums_workspace<layer_norm_backward<float>>(shape.R, shape.C);
    //< todo
}

cudaError_t layer_norm_backward_f32(const float *x, const float *dy,
                                    const float *gamma, float *dx,
                                    float *dgamma, float *dbeta,
                                    struct layer_norm_shape shape, float eps,
                                    void *workspace, cudaStream_t stream)
{
    //> todo launch (about 5 lines)
    layer_norm_backward<float> op = {x, dy, gamma, dx, eps};
    cudaError_t error = row_sums_run(op, dgamma, dbeta, shape.R, shape.C,
                                     workspace, stream);

    if (error != cudaSuccess)
        return error;
    //< todo
    return cudaGetLastError();
}
