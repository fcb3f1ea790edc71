// SPDX-License-Identifier: MIT
// mutant: fmaxf turns NaN into 0
// chapter: 18 relu
// expect: WRONG
//> todo kernel
enum { VECTOR = 4 };

static __device__ float4 values(float4 v)
{
    return make_float4(fmaxf(v.x, 0.0f), fmaxf(v.y, 0.0f), fmaxf(v.z, 0.0f),
                       fmaxf(v.w, 0.0f));
}

static __global__ void relu(const float *x, float *y, unsigned n)
{
    unsigned i = blockIdx.x * THREADS + threadIdx.x;
    unsigned vectors = n / VECTOR, done = vectors * VECTOR;

    if (i < vectors)
        ((float4 *)y)[i] = values(((const float4 *)x)[i]);
    if (i < n - done)
        y[done + i] = fmaxf(x[done + i], 0.0f);
}
//< todo
