// SPDX-License-Identifier: MIT
/*
 * roof.h: the kernels that measure a device's ceilings.
 *
 *   roof_copy   to[i] = from[i], i < N: how fast memory can be
 *   roof_fma    to[i] = from[i], R times replaced by ROOF_TIMES times itself
 *               plus ROOF_PLUS: how fast fp32 can be (one multiply-add, rounded
 *               once, a step)
 *   roof_fma_fp64, roof_fma_fp16, roof_fma_bf16   the same in another type,
 *               ROOF_TIMES and ROOF_PLUS rounded to it
 *   roof_dp4a   R times x = x + the dot product of x's four bytes and the four
 *               bytes of ROOF_BYTES, modulo 2^32
 *   roof_mma_*  matrix multiply-adds, R times D = D + A B; see below
 *
 * The values of a chain shrink slowly and with changing signs, so that after
 * thousands of steps they still depend on where they began: nobody can skip
 * them.
 *
 * Matrices: 128 threads (four warps) work on a D of 64 x ROOF_COLUMNS, and A is
 * 64 x k, where a row of k elements takes 32 bytes. Every element of A that a
 * thread holds is the whole number from[thread]; B is all ones. A quad, four
 * neighbouring threads, holds whole rows of A and D, two at a time, so
 *
 *   to[thread] = sum of the thread's D = R * share * (sum of the quad's from),
 *
 * however a matrix instruction spreads its elements over the lanes of a quad.
 * share is a thread's part of D's columns, a quarter, times its elements of A,
 * k / 2. With fp64, D is 32 x ROOF_COLUMNS / 2, k is 4, and a thread has one
 * element of A. N is a multiple of 128, and R of 4.
 */
#ifndef WB_ROOF_H
#define WB_ROOF_H

#include "stage.h"

#define ROOF_TIMES   (-0.9995f)
#define ROOF_PLUS    0.25f
#define ROOF_BYTES   0x01ff02fd /* 1, -1, 2, -3 */
#define ROOF_COLUMNS 256
#define ROOF_GROUP   128 /* threads that share a D */
#define ROOF_STEP    4   /* rounds that a kernel may take at once */

/* N and R are at least 1. roof_copy leaves R alone. */
struct roof_shape {
    int N;
    int R;
};

STAGE_BEGIN

STAGE_EXPORT cudaError_t roof_copy(const float *from, float *to,
                                   struct roof_shape shape, void *workspace,
                                   cudaStream_t stream);
STAGE_EXPORT cudaError_t roof_fma(const float *from, float *to,
                                  struct roof_shape shape, void *workspace,
                                  cudaStream_t stream);

/* Elements of the type that the name says. */
#define ROOF_LAUNCHER(name)                                                   \
    STAGE_EXPORT cudaError_t name(const void *from, void *to,                 \
                                  struct roof_shape shape, void *workspace,   \
                                  cudaStream_t stream)
ROOF_LAUNCHER(roof_fma_fp64);
ROOF_LAUNCHER(roof_fma_fp16);
ROOF_LAUNCHER(roof_fma_bf16);
ROOF_LAUNCHER(roof_dp4a);

/* Elements of fp32, whatever is multiplied. cudaErrorNotSupported: this device,
 * or the toolkit that built the kernels, lacks the instruction. */
ROOF_LAUNCHER(roof_mma_fp64);
ROOF_LAUNCHER(roof_mma_tf32);
ROOF_LAUNCHER(roof_mma_fp16);
ROOF_LAUNCHER(roof_mma_bf16);
ROOF_LAUNCHER(roof_mma_fp8);
ROOF_LAUNCHER(roof_mma_int8);

STAGE_END

#endif
