// SPDX-License-Identifier: MIT
// mutant: four neighbours in four stores, each over all of their sectors
// chapter: 20 gemm_bias_act
// expect: TECHNIQUE
// say: stored_sectors
//> todo kernel
struct finish {
    const float *bias;
    float *to;
    int width;

    __device__ void operator()(int row, int col, const float *sum,
                               int count) const
    {
        for (int e = 0; e < count; e++) {
            float z = sum[e] + bias[col + e];
            volatile float *at = to + (size_t)row * width + col + e;

            *at = __fdividef(z, 1.0f + __expf(-z));
        }
    }
};
//< todo
