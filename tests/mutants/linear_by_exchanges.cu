// SPDX-License-Identifier: MIT
// mutant: the product goes out by exchanges, which a second kernel reads
// chapter: 20 gemm_bias_act
// expect: TECHNIQUE stored_sectors .* MISSED
// say: or a sector is written in parts
//> todo kernel
struct exchange {
    float *to;
    int width; // of a row

    __device__ void operator()(int row, int col, const float *sum,
                               int count) const
    {
        for (int e = 0; e < count; e++)
            atomicExch(to + (size_t)row * width + col + e, sum[e]);
    }
};

static __global__ void activate(float *y, const float *bias, unsigned n,
                                unsigned width)
{
    unsigned i = blockIdx.x * THREADS + threadIdx.x; // may pass n

    if (i < n) {
        float z = y[i] + bias[i % width];

        y[i] = __fdividef(z, 1.0f + __expf(-z));
    }
}
//< todo
//> todo launch
    unsigned n = shape.M * shape.N;
    struct exchange product = {Y, shape.N};

    (void)workspace; // none was asked for
    linear_tiles(X, W, shape, product, stream);
    activate<<<(n - 1) / THREADS + 1, THREADS, 0, stream>>>(Y, bias, n,
                                                            shape.N);
//< todo
