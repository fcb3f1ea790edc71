// SPDX-License-Identifier: MIT
/*
 * gemm_tensor.cuh: the instructions of one warp on tensor cores, as functions.
 * For the stages of chapters 16 and 17; compute_80 or later.
 *
 *   to_tf32         an fp32 number, rounded to tf32
 *   mma_tf32        16 x 8 sums += (16 x 8) times (8 x 8), in tf32
 *   mma_bf16        16 x 8 sums += (16 x 16) times (16 x 8), in bf16
 *   load_matrices   four 8 x 8 matrices of 16-bit elements, from shared memory
 *   load_matrices_transposed
 *
 * All 32 lanes call them together. With quad = lane / 4 and place = lane % 4, a
 * lane holds, in this order,
 *
 *   sums   [quad][2 place], [quad][2 place + 1], and the same 8 rows below
 *   a      word `place` of row quad, and of row quad + 8; then words
 *          `place + 4` of the same rows
 *   b      words `place` and `place + 4` of column quad
 *
 * where a word is 32 bits along k: one tf32, or two bf16. A word of column quad
 * is, for bf16, made of two rows of B. Source: PTX ISA, "Matrix multiply-
 * accumulate operation using mma instruction".
 */
#ifndef WB_GEMM_TENSOR_CUH
#define WB_GEMM_TENSOR_CUH

/* To nearest, ties away from zero: 10 bits behind the point are kept. */
static __device__ __forceinline__ unsigned to_tf32(float value)
{
    unsigned bits;

    asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(value));
    return bits;
}

#define WB_MMA(words, sums, a, b)                                             \
    asm("mma.sync.aligned." words                                             \
        " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"    \
        : "+f"((sums)[0]), "+f"((sums)[1]), "+f"((sums)[2]), "+f"((sums)[3])  \
        : "r"((a)[0]), "r"((a)[1]), "r"((a)[2]), "r"((a)[3]), "r"((b)[0]),    \
          "r"((b)[1]))

static __device__ __forceinline__ void mma_tf32(float *sums, const unsigned *a,
                                                const unsigned *b)
{
    WB_MMA("m16n8k8.row.col.f32.tf32.tf32.f32", sums, a, b);
}

static __device__ __forceinline__ void mma_bf16(float *sums, const unsigned *a,
                                                const unsigned *b)
{
    WB_MMA("m16n8k16.row.col.f32.bf16.bf16.f32", sums, a, b);
}

#undef WB_MMA

/* A matrix is 8 rows of 16 bytes, anywhere on a multiple of 16 bytes. Lanes 0
 * to 7 say where the rows of the first one are, lanes 8 to 15 those of the
 * second, and so on. Of each, a lane gets word `place` of row `quad`. */
static __device__ __forceinline__ void load_matrices(unsigned *four,
                                                     const void *row)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, "
                 "[%4];"
                 : "=r"(four[0]), "=r"(four[1]), "=r"(four[2]), "=r"(four[3])
                 : "r"((unsigned)__cvta_generic_to_shared(row))
                 : "memory");
}

/* The same, but a lane gets elements 2 place and 2 place + 1 of column quad. */
static __device__ __forceinline__ void
load_matrices_transposed(unsigned *four, const void *row)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 "
                 "{%0, %1, %2, %3}, [%4];"
                 : "=r"(four[0]), "=r"(four[1]), "=r"(four[2]), "=r"(four[3])
                 : "r"((unsigned)__cvta_generic_to_shared(row))
                 : "memory");
}

#endif
