// SPDX-License-Identifier: MIT
// honest: read-only loads, streaming stores, and a grid that strides
// chapter: 19 wide
// expect: PASS
//> todo kernel
enum { VECTOR = 4 };

static __device__ float value(float x, float bias, float residual)
{
    float z = x + bias;

    return __fdividef(z, 1.0f + __expf(-z)) + residual;
}

static __device__ float4 values(float4 x, float4 bias, float4 residual)
{
    return make_float4(value(x.x, bias.x, residual.x),
                       value(x.y, bias.y, residual.y),
                       value(x.z, bias.z, residual.z),
                       value(x.w, bias.w, residual.w));
}

static __global__ void fused(const float4 *x, const float4 *bias,
                             const float4 *residual, float4 *y, unsigned rows,
                             unsigned width)
{
    unsigned n = rows * width, stride = gridDim.x * THREADS;

    for (unsigned i = blockIdx.x * THREADS + threadIdx.x; i < n; i += stride)
        __stcs(y + i, values(__ldcs(x + i), __ldg(bias + i % width),
                             __ldcs(residual + i)));
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
//> todo launch
    unsigned n = shape.M * shape.N, blocks = (n - 1) / (THREADS * 8) + 1;

    (void)workspace;
    if (shape.N % VECTOR == 0)
        fused<<<blocks, THREADS, 0, stream>>>(
            (const float4 *)x, (const float4 *)bias, (const float4 *)residual,
            (float4 *)y, shape.M, shape.N / VECTOR);
    else
        odd<<<(n - 1) / THREADS + 1, THREADS, 0, stream>>>(x, bias, residual, y,
                                                           n, shape.N);
//< todo
