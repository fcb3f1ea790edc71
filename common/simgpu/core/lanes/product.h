// SPDX-License-Identifier: MIT
/*
 * product.h: the vector code that mma and wmma (lanes_matrix.c) share with
 * wgmma (lanes_group.c): D = A B + C on tiles of numbers.
 *
 *   product            A, B and the sums as fp32, spread out
 *   product_rows       words of A into 16 rows of it
 *   product_columns    words of B into 8 or 32 columns of it
 *   product_odd_sums   notes the sums that the vector code does not take
 *   product_float      adds the products of floating-point numbers
 *   product_whole      the same of integers
 *   product_read_sums, product_write_sums   registers, from and to
 *   lanes_to_rows      two registers to four vectors
 *   lanes_to_columns   one register to four halves of vectors
 *
 * All of them exist once per vector width (OF). A vector is 16 rows of a
 * column. lanes_product.c, and lanes_sums.c for the last four.
 */
#ifndef SIMGPU_PRODUCT_H
#define SIMGPU_PRODUCT_H

#include "lanes.h"
#include "simgpu/core/state/matrix.h"
#include "tensor.h"

enum {
    ROWS = 16,
    BLOCK = 8, /* rows or columns in a register */
    QUAD = 4,  /* lanes in a row of a register */
    BLOCKS = MATRIX_ROWS / ROWS,
};

/* Two values of k, side by side, of each row. */
union pairs {
    uint32_t word[ROWS];
    int16_t half[2 * ROWS];
};

/* odd: not 0 where the vector code cannot tell what comes out: NaN, infinity,
 * and exponents that fp32 does not follow. */
struct product {
    _Alignas(64) float a[BLOCKS][MATRIX_K][ROWS];
    union pairs a_exponents[BLOCKS][MATRIX_K / 2];
    float b[MATRIX_K][MATRIX_ROWS];
    uint32_t b_exponents[MATRIX_K / 2][MATRIX_ROWS];
    union {
        float c[BLOCKS][MATRIX_ROWS][ROWS];
        int32_t whole[BLOCKS][MATRIX_ROWS][ROWS]; /* 32-bit integer sums */
        uint32_t c_bits[BLOCKS][MATRIX_ROWS][ROWS];
    };
    uint32_t odd_a[BLOCKS][ROWS], odd_b[MATRIX_ROWS];
    uint32_t odd_c[BLOCKS][MATRIX_ROWS][ROWS];
};

/* Where the elements of four successive words of a row or column go: element j
 * of word q is number `first + pack * q + j` of k; order: NULL, or how the
 * steps place them. */
struct places {
    uint8_t type, pack;
    int first;
    const struct tensor_model *order;
};

#define product_rows OF(product_rows)
#define product_columns OF(product_columns)
#define product_odd_sums OF(product_odd_sums)
#define product_float OF(product_float)
#define product_whole OF(product_whole)
#define product_read_sums OF(product_read_sums)
#define product_write_sums OF(product_write_sums)
#define lanes_to_rows OF(lanes_to_rows)
#define lanes_to_columns OF(lanes_to_columns)

/* The rows of a block. */
void product_rows(struct product *p, int block, const struct places *at,
                  const uint32_t (*words)[ROWS]);
/* n: 8 or 32 columns from `column` on. stride: words between the q. */
void product_columns(struct product *p, int column, int n,
                     const struct places *at, const uint32_t *words,
                     size_t stride);
void product_odd_sums(struct product *p, const struct matrix *x);
/* Returns whether some sum is odd: itself, by its row or by its column. */
bool product_float(struct product *p, const struct matrix *x,
                   const struct tensor_model *model);
void product_whole(struct product *p, const struct matrix *x);

/* registers: slots of C's or D's. */
void product_read_sums(struct product *p, const struct matrix *x,
                       const struct warp *w, const uint32_t *registers);
void product_write_sums(const struct product *p, const struct matrix *x,
                        struct warp *w, const uint32_t *registers);
/* Lane 4 g + t of two registers -> to[t][g] and to[t][8 + g]. */
void lanes_to_rows(const uint32_t *up, const uint32_t *down,
                   uint32_t (*to)[ROWS]);
/* Of one -> to[t][g]. */
void lanes_to_columns(const uint32_t *from, uint32_t (*to)[BLOCK]);

static inline float as_float(uint32_t bits)
{
    float x;
    __builtin_memcpy(&x, &bits, sizeof x);
    return x;
}

static inline uint32_t as_bits(float x)
{
    uint32_t bits;
    __builtin_memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline float from_half(uint32_t h)
{
    float x = as_float((h & 0x7fff) << 13) * 0x1p112f;
    return as_float(as_bits(x) | (h & 0x8000) << 16);
}

#endif
