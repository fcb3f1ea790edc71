// SPDX-License-Identifier: MIT
// A plain GEMM, one thread per element, of which each case changes a line: it
// defines one of these names before it includes this file.
//
//   LAUNCHER, QUERY   the operator's symbols; gemm_f32's
//   IN, OUT           the element types; float
//   LDA, LDB, LDC     elements from one row to the next; the shape's
//   FACTOR(x)         an element of A or B as fp32; x
//   ADD(sum, a, b)    one term more; sum + a * b
//   RESULT(sum, c)    what C becomes, from the sum and C's address
//   AFTER             a statement more for each thread of C
#include <cuda_bf16.h>

#include "op/gemm.h"

#ifndef LAUNCHER
#define LAUNCHER gemm_f32
#define QUERY gemm_f32_workspace
#endif
#ifndef IN
#define IN float
#endif
#ifndef OUT
#define OUT float
#endif
#ifndef LDA
#define LDA s.lda
#endif
#ifndef LDB
#define LDB s.ldb
#endif
#ifndef LDC
#define LDC s.ldc
#endif
#ifndef FACTOR
#define FACTOR(x) ((float)(x))
#endif
#ifndef ADD
#define ADD(sum, a, b) ((sum) + (a) * (b))
#endif
#ifndef RESULT
#define RESULT(sum, c)                                                        \
    (beta == 0.0f ? alpha * (sum) : alpha * (sum) + beta * (float)*(c))
#endif
#ifndef AFTER
#define AFTER
#endif

enum { SIDE = 16 };

static __global__ void gemm(const IN *A, const IN *B, OUT *C,
                            struct gemm_shape s, float alpha, float beta)
{
    int row = blockIdx.y * SIDE + threadIdx.y;
    int col = blockIdx.x * SIDE + threadIdx.x;

    if (row >= s.M || col >= s.N)
        return;
    OUT *c = &C[(size_t)row * (LDC) + col];
    float sum = 0;
    for (int k = 0; k < s.K; k++)
        sum = ADD(sum, FACTOR(A[(size_t)row * (LDA) + k]),
                  FACTOR(B[(size_t)k * (LDB) + col]));
    *c = (OUT)(RESULT(sum, c));
    AFTER;
}

size_t QUERY(struct gemm_shape)
{
    return 0;
}

cudaError_t LAUNCHER(const IN *A, const IN *B, OUT *C, struct gemm_shape s,
                     float alpha, float beta, void *, cudaStream_t stream)
{
    dim3 block(SIDE, SIDE);
    dim3 grid((s.N + SIDE - 1) / SIDE, (s.M + SIDE - 1) / SIDE);

    gemm<<<grid, block, 0, stream>>>(A, B, C, s, alpha, beta);
    return cudaGetLastError();
}
