// SPDX-License-Identifier: MIT
// honest: two kernels: the bias in the product's epilogue, Swish behind it
// chapter: 20 three
// expect: PASS
//> todo kernel
struct biased {
    const float *bias;
    float *to;
    int width;

    __device__ void operator()(int row, int col, const float *sum,
                               int count) const
    {
        for (int e = 0; e < count; e++)
            to[(size_t)row * width + col + e] = sum[e] + bias[col + e];
    }
};

static __global__ void activate(const float *from, float *to, unsigned n)
{
    unsigned i = blockIdx.x * THREADS + threadIdx.x;

    if (i < n)
        to[i] = from[i] / (1.0f + expf(-from[i]));
}
//< todo
//> todo launch
    unsigned n = shape.M * shape.N;
    struct biased epilogue = {bias, (float *)workspace, shape.N};

    linear_tiles(X, W, shape, epilogue, stream);
    activate<<<(n - 1) / THREADS + 1, THREADS, 0, stream>>>(epilogue.to, Y, n);
//< todo
