// SPDX-License-Identifier: MIT
// mutant: a call copies x to y, and the kernel passes y through ReLU in place
// chapter: 18 relu
// expect: TECHNIQUE
// say: global_bytes_over_compulsory 2 <= 1.02 MISSED
//> todo kernel
enum { VECTOR = 4 };

static __device__ float value(float x)
{
    return x < 0.0f ? 0.0f : x;
}

static __global__ void relu(float *y, unsigned n)
{
    unsigned i = blockIdx.x * THREADS + threadIdx.x;
    unsigned vectors = n / VECTOR, done = vectors * VECTOR;

    if (i < vectors) {
        float4 v = ((float4 *)y)[i];

        ((float4 *)y)[i] =
            make_float4(value(v.x), value(v.y), value(v.z), value(v.w));
    }
    if (i < n - done)
        y[done + i] = value(y[done + i]);
}
//< todo
//> todo launch
    unsigned blocks = (n - 1) / (THREADS * VECTOR) + 1;

    cudaMemcpyAsync(y, x, n * sizeof *y, cudaMemcpyDeviceToDevice, stream);
    relu<<<blocks, THREADS, 0, stream>>>(y, n);
//< todo
