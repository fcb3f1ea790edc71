// SPDX-License-Identifier: MIT
// mutant: the first column's bias for all of the four neighbours
// chapter: 20 gemm_bias_act
// expect: WRONG
//> todo kernel
struct finish {
    const float *bias;
    float *to;
    int width;

    __device__ void operator()(int row, int col, const float *sum,
                               int count) const
    {
        for (int e = 0; e < count; e++) {
            float z = sum[e] + bias[col];

            to[(size_t)row * width + col + e] =
                __fdividef(z, 1.0f + __expf(-z));
        }
    }
};
//< todo
