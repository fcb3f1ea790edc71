// SPDX-License-Identifier: MIT
// mutant: x, residual and y by 16 bytes, the bias by 4
// chapter: 19 wide
// expect: TECHNIQUE
// say: global_load_bytes_per_request
//> todo kernel
enum { VECTOR = 4 };

static __device__ float value(float x, float bias, float residual)
{
    float z = x + bias;

    return __fdividef(z, 1.0f + __expf(-z)) + residual;
}

static __global__ void fused(const float4 *x, const float4 *bias,
                             const float4 *residual, float4 *y, unsigned n,
                             unsigned width)
{
    unsigned i = blockIdx.x * THREADS + threadIdx.x;

    if (i < n) {
        const volatile float *b = (const float *)(bias + i % width);
        float4 p = x[i], q = residual[i];

        y[i] = make_float4(value(p.x, b[0], q.x), value(p.y, b[1], q.y),
                           value(p.z, b[2], q.z), value(p.w, b[3], q.w));
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
