// SPDX-License-Identifier: MIT
// mutant: loads of 16 bytes, stores of 4
// chapter: 18 relu
// expect: TECHNIQUE
// say: global_store_bytes_per_request
//> todo kernel
enum { VECTOR = 4 };

static __device__ float value(float x)
{
    return x < 0.0f ? 0.0f : x;
}

static __global__ void relu(const float *x, float *y, unsigned n)
{
    unsigned i = blockIdx.x * THREADS + threadIdx.x;
    unsigned vectors = n / VECTOR, done = vectors * VECTOR;

    if (i < vectors) {
        float4 v = ((const float4 *)x)[i];
        volatile float *at = y + i * VECTOR;

        at[0] = value(v.x);
        at[1] = value(v.y);
        at[2] = value(v.z);
        at[3] = value(v.w);
    }
    if (i < n - done)
        y[done + i] = value(x[done + i]);
}
//< todo
