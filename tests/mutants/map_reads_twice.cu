// SPDX-License-Identifier: MIT
// mutant: x is read once to compare, and once more to copy
// chapter: 18 relu
// expect: TECHNIQUE
// say: global_bytes_over_compulsory
//> todo kernel
enum { VECTOR = 4 };

static __device__ float value(float x, float again)
{
    return x < 0.0f ? 0.0f : again;
}

static __device__ float4 values(float4 v, float4 w)
{
    return make_float4(value(v.x, w.x), value(v.y, w.y), value(v.z, w.z),
                       value(v.w, w.w));
}

static __device__ float4 get(const volatile float4 *from)
{
    float4 v;

    asm volatile("ld.global.v4.f32 {%0, %1, %2, %3}, [%4];"
                 : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w)
                 : "l"(from));
    return v;
}

static __global__ void relu(const float *x, float *y, unsigned n)
{
    unsigned i = blockIdx.x * THREADS + threadIdx.x;
    unsigned vectors = n / VECTOR, done = vectors * VECTOR;

    if (i < vectors)
        ((float4 *)y)[i] = values(get((const float4 *)x + i),
                                  get((const float4 *)x + i));
    if (i < n - done)
        y[done + i] = value(x[done + i], x[done + i]);
}
//< todo
