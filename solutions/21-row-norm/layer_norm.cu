// SPDX-License-Identifier: MIT
// Stage 21, layer norm, step 3: rows of every length stay on chip.
// New: the scheme of softmax's last step, with a mean and a variance.
// Before: step 2; the row was read once more for the results.
// Counter: global_bytes_over_compulsory falls from 1.5 to 1.

#include "op/layer_norm.h"
#include "op/row_chip.cuh"

//> todo kernel (about 74 lines)
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
            float far = live >> i & 1 ? v[i] - p.mean : 0.0f;

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

size_t layer_norm_f32_workspace(struct layer_norm_shape shape)
{
    //> todo workspace (about 1 line)
    return row_chip_workspace<layer_norm<float, 4>>(shape.R, shape.C);
    //< todo
}

cudaError_t layer_norm_f32(const float *x, const float *gamma,
                           const float *beta, float *y,
                           struct layer_norm_shape shape, float eps,
                           void *workspace, cudaStream_t stream)
{
    //> todo launch (about 6 lines)
    layer_norm<float, 4> op = {x, gamma, beta, y, eps};
    cudaError_t error =
        row_chip_run(op, shape.R, shape.C, workspace, stream);

    if (error != cudaSuccess)
        return error;
    //< todo
    return cudaGetLastError();
}
