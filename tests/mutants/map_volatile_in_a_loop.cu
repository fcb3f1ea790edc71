// SPDX-License-Identifier: MIT
// mutant: each vector of x is read four times, as a loop that polls would
// chapter: 18 relu
// expect: TECHNIQUE
// say: global_bytes_over_compulsory
//> todo kernel
enum { VECTOR = 4, TIMES = 4 };

static __device__ float value(float x)
{
    return x < 0.0f ? 0.0f : x;
}

static __device__ float4 get(const float *from)
{
    float4 v;

#pragma unroll 1
    for (int n = 0; n < TIMES; n++)
        asm volatile("ld.volatile.global.v4.f32 {%0, %1, %2, %3}, [%4];"
                     : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w)
                     : "l"(from));
    return v;
}

static __global__ void relu(const float *x, float *y, unsigned n)
{
    unsigned i = blockIdx.x * THREADS + threadIdx.x;
    unsigned vectors = n / VECTOR, done = vectors * VECTOR;

    if (i < vectors) {
        float4 v = get(x + VECTOR * i);

        ((float4 *)y)[i] = make_float4(value(v.x), value(v.y), value(v.z),
                                       value(v.w));
    }
    if (i < n - done)
        y[done + i] = value(x[done + i]);
}
//< todo
