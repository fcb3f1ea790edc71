// SPDX-License-Identifier: MIT
/*
 * gemm.h: matrix multiplication with scaling, C = alpha A B + beta C.
 *
 *   gemm_f32    fp32 in, fp32 sums, fp32 out
 *   gemm_tf32   the same, but a kernel may round A and B to tf32
 *   gemm_bf16   bf16 in, fp32 sums, fp32 out
 *   gemm_bf16_bf16   the same with bf16 out
 *
 * A is M x K, B is K x N, C is M x N, all row-major: A[row * lda + k],
 * B[k * ldb + col], C[row * ldc + col]. What lies between the end of a row and
 * the next is padding, which a kernel neither uses nor changes. With beta = 0,
 * C is not read: it may hold NaN. A matrix may begin at any element, not only
 * on a boundary of 16 bytes; but where the copy engine is to read A and B
 * (Hopper), they begin on one. A launcher enqueues its kernels on the given
 * stream, allocates nothing, does not synchronise, and returns the launch's
 * error. Source: Dongarra, Du Croz, Hammarling, Duff, "A set of level 3 basic
 * linear algebra subprograms", ACM TOMS 16 (1990).
 *
 * Tolerance (op.h): a cell has n = K terms alpha A B, and one more beta C
 * unless beta is 0, less those that are 0: they are added exactly. One running
 * sum is good enough, as everywhere with GEMM, so its error is at most
 * (n + 2) u sum|terms|, with u = 2^-24 for fp32 sums, and 2^-23 for those of
 * tensor cores, which cut off what they do not keep. With tf32, each of the two
 * factors may be off by 2^-10 more; with bf16 out, the result is rounded once
 * more, by 2^-8 of its value. The bf16 that A and B hold are taken as they are.
 */
#ifndef WB_GEMM_H
#define WB_GEMM_H

#include "stage.h"

#ifdef __CUDACC__
struct __nv_bfloat16; /* <cuda_bf16.h>, for who reads one */
typedef struct __nv_bfloat16 gemm_bf16_t;
#else
typedef unsigned short gemm_bf16_t; /* its bits */
#endif

/* Each extent is at least 1 and at most 2^31 - 4096, so that an int can count
 * past its end by a tile; lda >= K, ldb >= N, ldc >= N; M*lda, K*ldb and
 * M*ldc are below 2^31. */
struct gemm_shape {
    int M; /* rows of A and C */
    int N; /* columns of B and C */
    int K; /* columns of A, rows of B */
    int lda, ldb, ldc; /* elements from one row to the next */
};

STAGE_BEGIN

/* Bytes of device memory the launcher needs besides its arrays; often 0. */
STAGE_EXPORT size_t gemm_f32_workspace(struct gemm_shape shape);
STAGE_EXPORT cudaError_t gemm_f32(const float *A, const float *B, float *C,
                                  struct gemm_shape shape, float alpha,
                                  float beta, void *workspace,
                                  cudaStream_t stream);

STAGE_EXPORT size_t gemm_tf32_workspace(struct gemm_shape shape);
STAGE_EXPORT cudaError_t gemm_tf32(const float *A, const float *B, float *C,
                                   struct gemm_shape shape, float alpha,
                                   float beta, void *workspace,
                                   cudaStream_t stream);

STAGE_EXPORT size_t gemm_bf16_workspace(struct gemm_shape shape);
STAGE_EXPORT cudaError_t gemm_bf16(const gemm_bf16_t *A, const gemm_bf16_t *B,
                                   float *C, struct gemm_shape shape,
                                   float alpha, float beta, void *workspace,
                                   cudaStream_t stream);

STAGE_EXPORT size_t gemm_bf16_bf16_workspace(struct gemm_shape shape);
STAGE_EXPORT cudaError_t gemm_bf16_bf16(const gemm_bf16_t *A,
                                        const gemm_bf16_t *B, gemm_bf16_t *C,
                                        struct gemm_shape shape, float alpha,
                                        float beta, void *workspace,
                                        cudaStream_t stream);

STAGE_END

#endif
