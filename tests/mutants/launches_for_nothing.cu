// SPDX-License-Identifier: MIT
// mutant: four hundred launches of a kernel that does nothing, before the right one
// chapter: 18 relu
// expect: SLOW PREDICTED
// say: does the launcher launch in a loop
//> todo kernel
enum { VECTOR = 4 };

static __device__ float value(float x) // of one element; NaN stays NaN
{
    return x < 0.0f ? 0.0f : x;
}

static __device__ float4 values(float4 v)
{
    return make_float4(value(v.x), value(v.y), value(v.z), value(v.w));
}

static __global__ void nothing(void)
{
}

static __global__ void relu(const float *x, float *y, unsigned n)
{
    unsigned i = blockIdx.x * THREADS + threadIdx.x;
    unsigned vectors = n / VECTOR, done = vectors * VECTOR;

    if (i < vectors)
        ((float4 *)y)[i] = values(((const float4 *)x)[i]);
    if (i < n - done)
        y[done + i] = value(x[done + i]);
}
//< todo
//> todo launch
    unsigned blocks = (n - 1) / (THREADS * VECTOR) + 1;

    for (int i = 0; i < 400; i++)
        nothing<<<1, 32, 0, stream>>>();
    relu<<<blocks, THREADS, 0, stream>>>(x, y, n);
//< todo
