// SPDX-License-Identifier: MIT
// mistake: bias is indexed by the row, and the load's line is the compiler's
// chapter: 20 gemm_bias_act
// expect: MEMORY past the end of bias
// say: gemm_bias_act.cu:[0-9]+ is the line of yours that indexes bias
// shape: M17 N1 K31
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
            float z = sum[e] + bias[row];

            y[e] = __fdividef(z, 1.0f + __expf(-z));
        }
        if (count == 4 && width % 4 == 0)
            *(float4 *)at = make_float4(y[0], y[1], y[2], y[3]);
        else
            for (int e = 0; e < count; e++)
                at[e] = y[e];
    }
};
//< todo
