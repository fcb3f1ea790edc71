// SPDX-License-Identifier: MIT
// Stage 21, the gradient of layer norm in bf16.
// New: nothing but the type; gamma, its gradient and all sums stay in fp32.
// Before: the same in fp32.
// Counter: global_bytes_over_compulsory is 4: gamma is in fp32.

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
    // The functions of the step before, for elements of type T.
//< todo
};

size_t layer_norm_backward_bf16_workspace(struct layer_norm_shape shape)
{
    //> todo workspace (about 2 lines)
    // row_sums_workspace<your operation>(rows, columns)
    (void)shape;
    return 0;
    //< todo
}

cudaError_t layer_norm_backward_bf16(
    const layer_norm_bf16_t *x, const layer_norm_bf16_t *dy,
    const float *gamma, layer_norm_bf16_t *dx, float *dgamma, float *dbeta,
    struct layer_norm_shape shape, float eps, void *workspace,
    cudaStream_t stream)
{
    //> todo launch (about 5 lines)
    // row_sums_run(op, dgamma, dbeta, rows, columns, workspace, stream)
    //< todo
    return cudaGetLastError();
}
