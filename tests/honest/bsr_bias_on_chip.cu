// SPDX-License-Identifier: MIT
// honest: a block keeps its strip of the bias in shared memory
// chapter: 19 bias_swish_residual
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

enum { ROWS = 16 };

static __global__ void fused(const float4 *x, const float4 *bias,
                             const float4 *residual, float4 *y, unsigned rows,
                             unsigned width)
{
    __shared__ float4 strip[THREADS];
    unsigned strips = (width - 1) / THREADS + 1;
    unsigned col = blockIdx.x % strips * THREADS + threadIdx.x;
    unsigned first = blockIdx.x / strips * ROWS;

    if (col < width)
        strip[threadIdx.x] = bias[col];
    __syncthreads(); // the strip is there
    for (unsigned row = first; row < first + ROWS && row < rows; row++)
        if (col < width)
            y[row * width + col] =
                values(x[row * width + col], strip[threadIdx.x],
                       residual[row * width + col]);
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
    unsigned n = shape.M * shape.N, width = shape.N / VECTOR;
    unsigned strips = (width + THREADS - 1) / THREADS;
    unsigned blocks = strips * ((shape.M - 1) / ROWS + 1);

    (void)workspace;
    if (shape.N % VECTOR == 0)
        fused<<<blocks, THREADS, 0, stream>>>(
            (const float4 *)x, (const float4 *)bias, (const float4 *)residual,
            (float4 *)y, shape.M, shape.N / VECTOR);
    else
        odd<<<(n - 1) / THREADS + 1, THREADS, 0, stream>>>(x, bias, residual, y,
                                                           n, shape.N);
//< todo
