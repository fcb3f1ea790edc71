// SPDX-License-Identifier: MIT
// honest: a __device__ lambda, handed to the kernel, says what becomes of a sum
// chapter: 12 gemm
// expect: PASS
#include <cooperative_groups.h>

#include "op/gemm.h"

namespace cg = cooperative_groups;

enum { BM = 64, BN = 32, BK = 64 };

template <class Finish>
static __global__ void product(const float *A, const float *B,
                               struct gemm_shape s, Finish finish)
{
    __shared__ float a[BM][BK + 1], b[BK][BN];
    cg::thread_block block = cg::this_thread_block();
    auto line = cg::tiled_partition<BN>(block);
    int across = (s.N - 1) / BN + 1;
    int row0 = blockIdx.x / across * BM, col0 = blockIdx.x % across * BN;
    int m = line.meta_group_rank(), n = line.thread_rank();
    float sum[2] = {0.0f, 0.0f};

    for (int first = 0; first < s.K; first += BK) {
        for (int i = block.thread_rank(); i < BM * BK; i += block.size()) {
            int row = row0 + i / BK, k = first + i % BK;

            a[i / BK][i % BK] =
                row < s.M && k < s.K ? A[(size_t)row * s.lda + k] : 0.0f;
        }
        for (int i = block.thread_rank(); i < BK * BN; i += block.size()) {
            int k = first + i / BN, col = col0 + i % BN;

            b[i / BN][i % BN] =
                k < s.K && col < s.N ? B[(size_t)k * s.ldb + col] : 0.0f;
        }
        block.sync();
        for (int k = 0; k < BK; k++) {
            sum[0] += a[m][k] * b[k][n];
            sum[1] += a[m + BM / 2][k] * b[k][n];
        }
        block.sync();
    }
    finish(row0 + m, col0 + n, sum[0]);
    finish(row0 + m + BM / 2, col0 + n, sum[1]);
}

size_t gemm_f32_workspace(struct gemm_shape shape)
{
    (void)shape;
    return 0;
}

cudaError_t gemm_f32(const float *A, const float *B, float *C,
                     struct gemm_shape s, float alpha, float beta,
                     void *workspace, cudaStream_t stream)
{
    unsigned blocks = ((s.M - 1) / BM + 1) * ((s.N - 1) / BN + 1);
    auto finish = [=] __device__(int row, int col, float sum) {
        if (row < s.M && col < s.N) {
            float *c = C + (size_t)row * s.ldc + col;

            *c = beta == 0.0f ? alpha * sum : alpha * sum + beta * *c;
        }
    };

    (void)workspace;
    product<<<blocks, BM / 2 * BN, 0, stream>>>(A, B, s, finish);
    return cudaGetLastError();
}
