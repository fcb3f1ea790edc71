// SPDX-License-Identifier: MIT
// mutant: the bias is loaded once for many rows, and x twice
// chapter: 19 fused
// expect: TECHNIQUE bytes_beside_parameters 1.33.* <= 1.1 MISSED
// shape: M512 N1024
//> todo kernel
// One element.
static __device__ float value(float x, float bias, float residual)
{
    float z = x + bias;

    return __fdividef(z, 1.0f + __expf(-z)) + residual;
}

// A thread has a column, or several: its stride is a multiple of `width`.
static __global__ void fused(const float *x, const float *bias,
                             const float *residual, float *y, unsigned n,
                             unsigned width)
{
    unsigned first = blockIdx.x * THREADS + threadIdx.x;
    unsigned stride = gridDim.x * THREADS;
    float kept = bias[first % width];
    bool any = false;

    for (unsigned i = first; i < n; i += stride)
        any |= x[i] != x[i];
    any = __syncthreads_or(any);
    for (unsigned i = first; i < n; i += stride)
        y[i] = value(any && x[i] != x[i] ? NAN : x[i], kept, residual[i]);
}
//< todo
    //> todo launch
    (void)workspace; // none was asked for
    fused<<<512, THREADS, 0, stream>>>(x, bias, residual, y,
                                       shape.M * shape.N, shape.N);
    //< todo
