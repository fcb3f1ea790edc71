// SPDX-License-Identifier: MIT
// mutant: tensor cores straight from global memory, 16 bytes of a row at a time
// chapter: 16 fragments
// expect: TECHNIQUE shared_load_requests_per_flop .* MISSED
// shape: M256 N256 K128
#include "../tests/mutants/mma_whole_tiles.cuh"

// Which k of 16 an instruction takes is free, if A and B agree: a lane takes
// four neighbours of a row of A. So are the columns: four neighbours of B.
static __global__ void __launch_bounds__(THREADS)
    gemm(const float *A, const float *B, float *C, struct gemm_shape s,
         float alpha, float beta)
{
    struct place p = place_of(s);
    float sum[4][8][4] = {{{0.0f}}};

    A += (size_t)(p.row0 + p.quad) * s.lda + 4 * p.at;
    B += (size_t)4 * p.at * s.ldb + p.col0 + 4 * p.quad;
#pragma unroll 1
    for (int k = 0; k < s.K; k += 16) {
        float b[4][2][4], a[2][4];

#pragma unroll
        for (int e = 0; e < 4; e++)
#pragma unroll
            for (int h = 0; h < 2; h++)
                *(float4 *)b[e][h] =
                    *(const float4 *)(B + (size_t)(k + e) * s.ldb + 32 * h);
#pragma unroll
        for (int m = 0; m < 4; m++) {
#pragma unroll
            for (int h = 0; h < 2; h++)
                *(float4 *)a[h] = *(const float4 *)(
                    A + (size_t)(16 * m + 8 * h) * s.lda + k);
#pragma unroll
            for (int e = 0; e < 4; e += 2) {
                unsigned of_a[4] = {to_tf32(a[0][e]), to_tf32(a[1][e]),
                                    to_tf32(a[0][e + 1]),
                                    to_tf32(a[1][e + 1])};
#pragma unroll
                for (int t = 0; t < 8; t++) {
                    unsigned of_b[2] = {to_tf32(b[e][t / 4][t % 4]),
                                        to_tf32(b[e + 1][t / 4][t % 4])};

                    mma_tf32(sum[m][t], of_a, of_b);
                }
            }
        }
    }
    for (int m = 0; m < 4; m++)
        for (int t = 0; t < 8; t++)
            for (int e = 0; e < 4; e++) {
                int row = p.row0 + 16 * m + p.quad + e / 2 * 8;
                int col = p.col0 + t / 4 * 32 + (2 * p.at + e % 2) * 4 + t % 4;

                finish(C + (size_t)row * s.ldc + col, sum[m][t][e], alpha,
                       beta);
            }
}
