// SPDX-License-Identifier: MIT
// honest: expf, a true division, and two float2 stores
// chapter: 20 gemm_bias_act
// expect: PASS
//> todo kernel
struct finish {
    const float *bias;
    float *to;
    int width;

    __device__ float of(float z) const
    {
        return z / (1.0f + expf(-z));
    }

    __device__ void operator()(int row, int col, const float *sum,
                               int count) const
    {
        float *at = to + (size_t)row * width + col;

        if (count == 4 && width % 4 == 0) {
            float4 b = *(const float4 *)(bias + col);

            *(float4 *)at = make_float4(of(sum[0] + b.x), of(sum[1] + b.y),
                                        of(sum[2] + b.z), of(sum[3] + b.w));
            return;
        }
        for (int e = 0; e < count; e++)
            at[e] = of(sum[e] + bias[col + e]);
    }
};
//< todo
