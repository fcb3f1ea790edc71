// SPDX-License-Identifier: MIT
// mutant: x goes to y in one pass, and y through ReLU in a second
// chapter: 18 relu
// expect: TECHNIQUE
// say: global_bytes_over_compulsory
//> todo kernel
enum { VECTOR = 4 };

static __device__ float value(float x)
{
    return x < 0.0f ? 0.0f : x;
}

template <bool LAST>
static __global__ void pass(const float *x, float *y, unsigned n)
{
    unsigned i = blockIdx.x * THREADS + threadIdx.x;
    unsigned vectors = n / VECTOR, done = vectors * VECTOR;

    if (i < vectors) {
        float4 v = ((const float4 *)x)[i];

        if (LAST)
            v = make_float4(value(v.x), value(v.y), value(v.z), value(v.w));
        ((float4 *)y)[i] = v;
    }
    if (i < n - done)
        y[done + i] = LAST ? value(x[done + i]) : x[done + i];
}
//< todo
//> todo launch
    unsigned blocks = (n - 1) / (THREADS * VECTOR) + 1;

    pass<false><<<blocks, THREADS, 0, stream>>>(x, y, n);
    pass<true><<<blocks, THREADS, 0, stream>>>(y, y, n);
//< todo
