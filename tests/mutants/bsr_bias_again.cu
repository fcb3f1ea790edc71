// SPDX-License-Identifier: MIT
// mutant: a column of vectors per thread, and the bias read for each
// chapter: 19 bias_swish_residual
// expect: TECHNIQUE
// say: global_bytes_over_compulsory
//> todo kernel
enum { VECTOR = 4, ROWS = 8 };

static __device__ float value(float x, float bias, float residual)
{
    float z = x + bias;

    return __fdividef(z, 1.0f + __expf(-z)) + residual;
}

static __global__ void fused(const float4 *x, const volatile float4 *bias,
                             const float4 *residual, float4 *y, unsigned n,
                             unsigned width)
{
    unsigned me = blockIdx.x * THREADS + threadIdx.x, col = me % width;
    unsigned first = me / width * ROWS * width + col;

    for (int row = 0; row < ROWS; row++) {
        unsigned i = first + row * width;
        float4 b;

        if (i >= n)
            return;
        asm volatile("ld.global.v4.f32 {%0, %1, %2, %3}, [%4];"
                     : "=f"(b.x), "=f"(b.y), "=f"(b.z), "=f"(b.w)
                     : "l"(bias + col));
        float4 p = x[i], q = residual[i];

        y[i] = make_float4(value(p.x, b.x, q.x), value(p.y, b.y, q.y),
                           value(p.z, b.z, q.z), value(p.w, b.w, q.w));
    }
}

static __global__ void odd(const float *x, const float *bias,
                           const float *residual, float *y, unsigned n,
                           unsigned width)
{
    unsigned i = blockIdx.x * THREADS + threadIdx.x;

    if (i < n)
        y[i] = value(x[i], bias[i % width], residual[i]);
}
//< todo
