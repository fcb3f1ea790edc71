// SPDX-License-Identifier: MIT
/*
 * matrix.h: D = A B + C as a warp does it, and where its elements lie.
 *
 *   matrix           one instruction: shape, types, registers
 *   group_factors    A and B of wgmma
 *   matrix_a, matrix_b, matrix_sum   an element's register, lane and place
 *   tensor_bits      how many bits an element has
 *
 * A warp holds a matrix in fragments. e elements fit in a register of A or B
 * (e = 32 / bits; fp64 has registers of its own, e = 1). Blocks of 8 rows by
 * 4 e columns of A take one register each, down the rows first; so do blocks
 * of 4 e rows by 8 columns of B. Within a block lane 4 g + t holds row (of B:
 * column) g and the e columns (rows) from e t on. Of C and D, a block of 8 by 8
 * takes two registers, or one where two 16-bit elements share it: lane 4 g + t
 * holds row g, columns 2 t and 2 t + 1.
 *
 * Source: PTX ISA, "Warp Level Matrix Instructions": the fragments of every
 * shape of mma follow this rule (but m8n8k4 with fp16). The ISA leaves those
 * of wmma open: here they are the same, with blocks counted on; fp16 has more
 * registers there than elements, and the rest repeat.
 */
#ifndef SIMGPU_MATRIX_H
#define SIMGPU_MATRIX_H

#include <stdbool.h>
#include <stdint.h>

/* What tensor cores multiply, then what they add up in. */
enum tensor_type {
    TENSOR_F16, TENSOR_BF16, TENSOR_TF32, TENSOR_E4M3, TENSOR_E5M2, TENSOR_S8,
    TENSOR_U8, TENSOR_S4, TENSOR_U4, TENSOR_F64, TENSOR_F32, TENSOR_S32,
    TENSOR_TYPES,
};

/* The instructions that multiply, some of which add up in another order. */
enum tensor_op { TENSOR_MMA, TENSOR_WMMA, TENSOR_WGMMA };

enum {
    MATRIX_ROWS = 32, /* of any operand of mma and wmma, at most */
    MATRIX_K = 64,
    MATRIX_REGISTERS = 8, /* of an operand */
    GROUP_ROWS = 16, GROUP_COLUMNS = 256, GROUP_K = 32, /* a warp's of wgmma */
};

/* Factors of a warp's rows of a wgmma: bits of their elements. */
struct group_factors {
    uint32_t a[GROUP_K][GROUP_ROWS], b[GROUP_K][GROUP_COLUMNS];
};

struct matrix {
    uint8_t m, n, k;
    uint8_t a_type, b_type, c_type, d_type; /* enum tensor_type */
    bool saturates;             /* 32-bit sums stop at their range's ends */
    uint8_t op;                 /* enum tensor_op */
    uint8_t n_a, n_b, n_c, n_d; /* registers that are read and written */
    uint32_t a[MATRIX_REGISTERS], b[MATRIX_REGISTERS], c[MATRIX_REGISTERS],
        d[MATRIX_REGISTERS];    /* their slots */
    uint32_t ops;               /* of the warp: 2 m n k */
    uint16_t counter;           /* of them: its offset in engine_counters */
};

/* Where an element is: the place counts from a register's low end. */
struct matrix_place {
    uint8_t reg, lane, place;
};

static inline int tensor_bits(uint8_t type)
{
    static const uint8_t bits[TENSOR_TYPES] = {16, 16, 32, 8, 8,  8,
                                               8,  4,  4,  64, 32, 32};
    return bits[type];
}

/* Elements of A or B in a register. */
static inline int tensor_pack(uint8_t type)
{
    int bits = tensor_bits(type);
    return bits > 32 ? 1 : 32 / bits;
}

/* outer: the row of A, or the column of B; of so many. */
static inline struct matrix_place matrix_factor(int outer, int k, int n_outer,
                                                int pack)
{
    int reg = outer / 8 + n_outer / 8 * (k / (4 * pack));
    int lane = 4 * (outer % 8) + k % (4 * pack) / pack;
    return (struct matrix_place){(uint8_t)reg, (uint8_t)lane,
                                 (uint8_t)(k % pack)};
}

static inline struct matrix_place matrix_a(const struct matrix *x, int row,
                                           int k)
{
    return matrix_factor(row, k, x->m, tensor_pack(x->a_type));
}

static inline struct matrix_place matrix_b(const struct matrix *x, int k,
                                           int column)
{
    int pack = tensor_pack(x->b_type), blocks = x->k / (4 * pack);
    struct matrix_place at = matrix_factor(column % 8, k, 8, pack);
    at.reg = (uint8_t)(at.reg + blocks * (column / 8));
    return at;
}

static inline struct matrix_place matrix_sum(const struct matrix *x, int row,
                                             int column, uint8_t type)
{
    bool half = type == TENSOR_F16;
    int block = row / 8 + x->m / 8 * (column / 8), lane = 4 * (row % 8);
    lane += column % 8 / 2;
    return (struct matrix_place){
        (uint8_t)(half ? block : 2 * block + column % 2), (uint8_t)lane,
        (uint8_t)(half ? column % 2 : 0)};
}

#endif
