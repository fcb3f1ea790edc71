// SPDX-License-Identifier: MIT
// mutant: Swish of the product, and the bias behind it
// chapter: 20 gemm_bias_act
// expect: WRONG formula
//> todo kernel
struct finish {
    const float *bias;
    float *to;
    int width;

    __device__ void operator()(int row, int col, const float *sum,
                               int count) const
    {
        for (int e = 0; e < count; e++)
            to[(size_t)row * width + col + e] =
                __fdividef(sum[e], 1.0f + __expf(-sum[e])) + bias[col + e];
    }
};
//< todo
