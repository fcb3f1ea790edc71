// SPDX-License-Identifier: MIT
// honest: the bytes in flight by wide loads, one share per block and no loop
// chapter: 18 stride
// expect: PASS
//> todo kernel
static __device__ float value(float x)
{
    return x < 0.0f ? 0.0f : x;
}

static __global__ void relu(const float *x, float *y, unsigned n)
{
    unsigned i = blockIdx.x * THREADS + threadIdx.x, vectors = n / 4;

    if (i < vectors) {
        float4 v = ((const float4 *)x)[i];

        ((float4 *)y)[i] = make_float4(value(v.x), value(v.y), value(v.z),
                                       value(v.w));
    }
    if (i < n % 4)
        y[vectors * 4 + i] = value(x[vectors * 4 + i]);
}
//< todo
//> todo launch
    relu<<<(n - 1) / (THREADS * 4) + 1, THREADS, 0, stream>>>(x, y, n);
//< todo
