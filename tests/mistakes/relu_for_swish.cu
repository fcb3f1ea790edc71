// SPDX-License-Identifier: MIT
// mistake: ReLU in the place of Swish
// chapter: 20 gemm_bias_act
// expect: WRONG formula
// say: as if ReLU stood in the place of Swish
//> todo kernel
// The product's epilogue: what it stores is finished.
struct finish {
    const float *bias;
    float *to;
    int width; // of a row

    __device__ void operator()(int row, int col, const float *sum,
                               int count) const
    {
        float *at = to + (size_t)row * width + col, y[4];

        for (int e = 0; e < count; e++) {
            float z = sum[e] + bias[col + e];

            y[e] = z > 0.0f ? z : 0.0f;
        }
        if (count == 4 && width % 4 == 0)
            *(float4 *)at = make_float4(y[0], y[1], y[2], y[3]);
        else
            for (int e = 0; e < count; e++)
                at[e] = y[e];
    }
};
//< todo
