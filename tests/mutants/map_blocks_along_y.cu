// SPDX-License-Identifier: MIT
// mutant: blocks along y, of which 2^26 elements are as many as a grid has
// chapter: 18 relu
// expect: LAUNCH
// say: at most 65535
// say: N1073741827
//> todo kernel
enum { VECTOR = 4 }; // elements of 16 bytes

static __device__ float value(float x) // of one element; NaN stays NaN
{
    return x < 0.0f ? 0.0f : x;
}

static __global__ void relu(const float *x, float *y, unsigned n)
{
    unsigned i = blockIdx.y * THREADS + threadIdx.x;
    unsigned vectors = n / VECTOR, done = vectors * VECTOR;

    if (i < vectors) {
        float4 v = ((const float4 *)x)[i];

        ((float4 *)y)[i] = make_float4(value(v.x), value(v.y), value(v.z),
                                       value(v.w));
    }
    if (i < n - done)
        y[done + i] = value(x[done + i]);
}
//< todo
//> todo launch
    unsigned blocks = (n - 1) / (THREADS * VECTOR) + 1;

    relu<<<dim3(1, blocks), THREADS, 0, stream>>>(x, y, n);
//< todo
