// SPDX-License-Identifier: MIT
// honest: a grid that stays, two vectors under way, streaming stores
// chapter: 18 relu
// expect: PASS
//> todo kernel
static __device__ float4 values(float4 v)
{
    return make_float4(v.x < 0.0f ? 0.0f : v.x, v.y < 0.0f ? 0.0f : v.y,
                       v.z < 0.0f ? 0.0f : v.z, v.w < 0.0f ? 0.0f : v.w);
}

static __global__ void relu(const float *__restrict__ x,
                            float *__restrict__ y, unsigned n)
{
    unsigned vectors = n / 4, stride = gridDim.x * THREADS;
    unsigned me = blockIdx.x * THREADS + threadIdx.x;

    for (unsigned i = me; i < vectors; i += 2 * stride) {
        bool more = i + stride < vectors;
        float4 v = __ldcs((const float4 *)x + i), w = v;

        if (more)
            w = __ldcs((const float4 *)x + i + stride);
        __stcs((float4 *)y + i, values(v));
        if (more)
            __stcs((float4 *)y + i + stride, values(w));
    }
    if (me < n % 4)
        y[vectors * 4 + me] = x[vectors * 4 + me] < 0.0f
                                  ? 0.0f : x[vectors * 4 + me];
}
//< todo
//> todo launch
    unsigned needed = (n - 1) / (THREADS * 8) + 1;
    unsigned blocks = needed < 132 * 8 ? needed : 132 * 8;

    relu<<<blocks, THREADS, 0, stream>>>(x, y, n);
//< todo
