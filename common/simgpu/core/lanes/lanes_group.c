// SPDX-License-Identifier: MIT
/*
 * lanes_group.c: a warp's 16 rows of a wgmma, in vector code, a few columns at
 * a time. Whatever is odd is done over, element by element, by tensor.c.
 */
#include "product.h"

static void read_columns(struct product *p, const struct matrix *x,
                         const struct group_factors *f, int first)
{
    struct places at = {.type = x->b_type, .pack = 1};
    __builtin_memset(p->odd_b, 0, sizeof p->odd_b);
    for (; at.first < x->k; at.first += QUAD)
        product_columns(p, 0, MATRIX_ROWS, &at, &f->b[at.first][first],
                        GROUP_COLUMNS);
}

/* A sum in its register. */
static uint32_t sum_of(struct warp *w, const struct matrix *x,
                       const uint32_t *registers, int m, int n)
{
    struct matrix_place at = matrix_sum(x, m, n, x->c_type);
    uint32_t word = ((uint32_t *)slot(w, registers[at.reg]))[at.lane];
    return x->c_type == TENSOR_F16 ? word >> 16 * at.place & 0xffff : word;
}

static void set_sum(struct warp *w, const struct matrix *x,
                    const uint32_t *registers, int m, int n, uint32_t bits)
{
    struct matrix_place at = matrix_sum(x, m, n, x->d_type);
    uint32_t *d = (uint32_t *)slot(w, registers[at.reg]) + at.lane;
    if (x->d_type == TENSOR_F16)
        *d = (*d & ~(0xffffu << 16 * at.place)) | bits << 16 * at.place;
    else
        *d = bits;
}

/* Element m, n of columns from `first` on. */
static uint32_t one_by_one(const struct matrix *x,
                           const struct group_factors *f, int m, int n,
                           uint32_t c)
{
    uint32_t row[GROUP_K], column[GROUP_K];
    for (int k = 0; k < x->k; k++) {
        row[k] = f->a[k][m];
        column[k] = f->b[k][n];
    }
    return tensor_dot(x, row, column, c);
}

/* Sums come from their registers until product_write_sums. */
static void finish(struct product *p, const struct matrix *x,
                   const struct group_factors *f, struct warp *w,
                   const uint32_t *registers, int first, bool add)
{
    uint32_t odd[MATRIX_ROWS][ROWS];
    for (int n = 0; n < x->n; n++)
        for (int m = 0; m < ROWS; m++)
            if (p->odd_c[0][n][m])
                odd[n][m] =
                    one_by_one(x, f, m, first + n,
                               add ? sum_of(w, x, registers, m, n) : 0);
    product_write_sums(p, x, w, registers);
    for (int n = 0; n < x->n; n++)
        for (int m = 0; m < ROWS; m++)
            if (p->odd_c[0][n][m])
                set_sum(w, x, registers, m, n, odd[n][m]);
}

static void multiply_columns(struct product *p, const struct matrix *x,
                             const struct group_factors *f, struct warp *w,
                             const uint32_t *registers, int first, bool add)
{
    read_columns(p, x, f, first);
    if (add)
        product_read_sums(p, x, w, registers);
    else
        __builtin_memset(p->c_bits[0], 0, sizeof p->c_bits[0]);
    if (x->d_type == TENSOR_S32) {
        product_whole(p, x);
        product_write_sums(p, x, w, registers);
        return;
    }
    product_odd_sums(p, x);
    if (product_float(p, x, tensor_model_of(x->a_type, x->op)))
        finish(p, x, f, w, registers, first, add);
    else
        product_write_sums(p, x, w, registers);
}

void OF(group_product)(struct warp *w, const struct matrix *all,
                       const struct group_factors *f, const uint32_t *d, int n,
                       bool add)
{
    struct product p;
    struct matrix x = *all;
    struct places at = {.type = x.a_type, .pack = 1};
    int each = x.d_type == TENSOR_F16 ? 1 : 2;
    __builtin_memset(p.odd_a, 0, sizeof p.odd_a);
    for (; at.first < x.k; at.first += QUAD)
        product_rows(&p, 0, &at, f->a + at.first);
    for (int first = 0; first < n; first += MATRIX_ROWS) {
        x.n = (uint8_t)(n - first < MATRIX_ROWS ? n - first : MATRIX_ROWS);
        multiply_columns(&p, &x, f, w, d + 2 * each * (first / BLOCK), first,
                         add);
    }
}
