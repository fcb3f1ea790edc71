// SPDX-License-Identifier: MIT
// mutant: elements after the last vector are forgotten
// chapter: 18 relu
// expect: WRONG unwritten
//> todo kernel
enum { VECTOR = 4 };

static __device__ float value(float x)
{
    return x < 0.0f ? 0.0f : x;
}

static __global__ void relu(const float *x, float *y, unsigned n)
{
    unsigned i = blockIdx.x * THREADS + threadIdx.x;

    if (i < n / VECTOR) {
        float4 v = ((const float4 *)x)[i];

        ((float4 *)y)[i] = make_float4(value(v.x), value(v.y), value(v.z),
                                       value(v.w));
    }
}
//< todo
