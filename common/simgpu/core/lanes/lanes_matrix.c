// SPDX-License-Identifier: MIT
/*
 * lanes_matrix.c: the matrix products of mma and wmma, in vector code.
 *
 *   mma_float   fp16, bf16, tf32, fp8; as tensor.h models them
 *   mma_int     integers of 8 and 4 bits: exact, in fp32
 *   mma_f64     a chain of multiply-adds, k rising
 *
 * Fragments are spread out to rows and columns of floats (product.h), and the
 * sums turned so that a column of D is vectors of 16 rows. An instruction with
 * an odd number is left to tensor.c as a whole.
 */
#include "product.h"
#include "softfloat.h"

typedef uint32_t word32[LANES];

static void read_a(struct product *p, const struct matrix *x,
                   const struct tensor_model *model, const struct warp *w)
{
    struct places at = {x->a_type, (uint8_t)tensor_pack(x->a_type), 0, model};
    _Alignas(64) uint32_t words[QUAD][ROWS];
    int down = x->m / BLOCK, r = 0;
    __builtin_memset(p->odd_a, 0, sizeof p->odd_a);
    for (; at.first < x->k; at.first += QUAD * at.pack, r += down)
        for (int b = 0; b < (down + 1) / 2; b++) {
            int up = r + 2 * b, below = x->m > BLOCK ? up + 1 : up;
            lanes_to_rows(slot(w, x->a[up]), slot(w, x->a[below]), words);
            product_rows(p, b, &at, words);
        }
}

static void read_b(struct product *p, const struct matrix *x,
                   const struct tensor_model *model, const struct warp *w)
{
    struct places at = {x->b_type, (uint8_t)tensor_pack(x->b_type), 0, model};
    int r = 0;
    __builtin_memset(p->odd_b, 0, sizeof p->odd_b);
    for (int n = 0; n < x->n; n += BLOCK)
        for (at.first = 0; at.first < x->k; at.first += QUAD * at.pack) {
            _Alignas(64) uint32_t words[QUAD][BLOCK];
            lanes_to_columns(slot(w, x->b[r++]), words);
            product_columns(p, n, BLOCK, &at, words[0], BLOCK);
        }
}

/* Copies of the registers, as D may share theirs with A, B and C. */
static void multiply_slowly(struct warp *w, const struct matrix *x)
{
    word32 a[MATRIX_REGISTERS], b[MATRIX_REGISTERS], c[MATRIX_REGISTERS],
        d[MATRIX_REGISTERS];
    for (int r = 0; r < x->n_a; r++)
        __builtin_memcpy(a[r], slot(w, x->a[r]), sizeof *a);
    for (int r = 0; r < x->n_b; r++)
        __builtin_memcpy(b[r], slot(w, x->b[r]), sizeof *b);
    for (int r = 0; r < x->n_c; r++)
        __builtin_memcpy(c[r], slot(w, x->c[r]), sizeof *c);
    tensor_product(x, a, b, c, d);
    for (int r = 0; r < x->n_d; r++)
        __builtin_memcpy(slot(w, x->d[r]), d[r], sizeof *d);
}

static inline void count(struct warp *w, const struct matrix *x)
{
    uint8_t *counters = (uint8_t *)&w->worker->counters;
    *(uint64_t *)(counters + x->counter) += x->ops;
}

HANDLER(mma_float)
{
    const struct matrix *x = i->detail->matrix;
    if (mask != (uint32_t)FULL)
        return i->detail->slow(w, i, mask);
    const struct tensor_model *model = tensor_model_of(x->a_type, x->op);
    struct product p;
    count(w, x);
    read_a(&p, x, model, w);
    read_b(&p, x, model, w);
    product_read_sums(&p, x, w, x->c);
    product_odd_sums(&p, x);
    if (product_float(&p, x, model))
        multiply_slowly(w, x);
    else
        product_write_sums(&p, x, w, x->d);
    return i + 1;
}

HANDLER(mma_int)
{
    const struct matrix *x = i->detail->matrix;
    if (mask != (uint32_t)FULL)
        return i->detail->slow(w, i, mask);
    struct product p;
    count(w, x);
    read_a(&p, x, NULL, w);
    read_b(&p, x, NULL, w);
    product_read_sums(&p, x, w, x->c);
    product_whole(&p, x);
    product_write_sums(&p, x, w, x->d);
    return i + 1;
}

/* fp64 --------------------------------------------------------------------- */

HANDLER(mma_f64)
{
    const struct matrix *x = i->detail->matrix;
    if (mask != (uint32_t)FULL)
        return i->detail->slow(w, i, mask);
    double a[ROWS][ROWS], b[ROWS][BLOCK], sum[ROWS][BLOCK];
    count(w, x);
    for (int m = 0; m < x->m; m++)
        for (int k = 0; k < x->k; k++) {
            struct matrix_place at = matrix_a(x, m, k);
            a[m][k] = ((double *)slot(w, x->a[at.reg]))[at.lane];
        }
    for (int k = 0; k < x->k; k++)
        for (int n = 0; n < BLOCK; n++) {
            struct matrix_place at = matrix_b(x, k, n);
            b[k][n] = ((double *)slot(w, x->b[at.reg]))[at.lane];
        }
    for (int m = 0; m < x->m; m++)
        for (int n = 0; n < BLOCK; n++) {
            struct matrix_place at = matrix_sum(x, m, n, TENSOR_F64);
            sum[m][n] = ((double *)slot(w, x->c[at.reg]))[at.lane];
        }
    for (int m = 0; m < x->m; m++)
        for (int k = 0; k < x->k; k++)
            for (int n = 0; n < BLOCK; n++)
                sum[m][n] = fused_f64(a[m][k], b[k][n], sum[m][n]);
    for (int m = 0; m < x->m; m++)
        for (int n = 0; n < BLOCK; n++) {
            struct matrix_place at = matrix_sum(x, m, n, TENSOR_F64);
            ((double *)slot(w, x->d[at.reg]))[at.lane] = sum[m][n];
        }
    return i + 1;
}
