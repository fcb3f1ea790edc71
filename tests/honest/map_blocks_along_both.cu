// SPDX-License-Identifier: MIT
// honest: blocks in rows along x, and as many rows along y as that makes
// chapter: 18 relu
// expect: PASS
//> todo kernel
enum { VECTOR = 4, ACROSS = 32768 }; // elements of 16 bytes; blocks per row

static __device__ float value(float x) // of one element; NaN stays NaN
{
    return x < 0.0f ? 0.0f : x;
}

static __global__ void relu(const float *x, float *y, unsigned n)
{
    unsigned block = blockIdx.y * ACROSS + blockIdx.x;
    unsigned i = block * THREADS + threadIdx.x;
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
    dim3 grid(blocks < ACROSS ? blocks : ACROSS, (blocks - 1) / ACROSS + 1);

    relu<<<grid, THREADS, 0, stream>>>(x, y, n);
//< todo
