// SPDX-License-Identifier: MIT
// mutant: the bias waits in an array of 8192 floats, as many as are timed
// chapter: 19 fused
// expect: MEMORY|WRONG
//> todo kernel
// One element.
static __device__ float value(float x, float bias, float residual)
{
    float z = x + bias;

    return __fdividef(z, 1.0f + __expf(-z)) + residual;
}

static __global__ void fused(const float *x, const float *bias,
                             const float *residual, float *y, unsigned n,
                             unsigned width)
{
    __shared__ float held[8192];
    for (unsigned c = threadIdx.x; c < width && c < 8192; c += THREADS)
        held[c] = bias[c];
    __syncthreads();
    unsigned i = blockIdx.x * THREADS + threadIdx.x; // may pass n

    for (; i < n; i += gridDim.x * THREADS)
        y[i] = value(x[i], held[i % width], residual[i]);
}
//< todo
//> todo launch
    unsigned n = shape.M * shape.N, blocks = (n - 1) / THREADS + 1;

    (void)workspace; // none was asked for
    if (blocks > 264) blocks = 264;
    fused<<<blocks, THREADS, 0, stream>>>(x, bias, residual, y, n, shape.N);
