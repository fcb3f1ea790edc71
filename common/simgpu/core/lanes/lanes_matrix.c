// SPDX-License-Identifier: MIT
/*
 * lanes_matrix.c: the matrix products of mma and wmma, in vector code.
 *
 *   mma_float   fp16, bf16, tf32, fp8; as tensor.h models them
 *   mma_int     integers of 8 and 4 bits: exact, in fp32
 *   mma_f64     a chain of multiply-adds, k rising
 *
 * The same fragment is a factor of several products, one after the other: what
 * it was spread out to is kept for the next time (struct spread_out).
 *
 * Fragments are spread out to rows and columns of floats (product.h), and the
 * sums turned so that a column of D is vectors of 16 rows. An instruction with
 * an odd number is left to tensor.c as a whole.
 */
#include <stdlib.h>

#include "product.h"
#include "softfloat.h"

typedef uint32_t word32[LANES];

/* Fragments that are kept: 16 rows of A, or 8 columns of B, of up to 16 k;
 * known again by their registers' values. A page of the book has no room for
 * it. */
enum { KEPT = 8, KEPT_K = 16, KEPT_REGISTERS = 4 };
struct spread_a {
    word32 words[KEPT_REGISTERS];
    float value[KEPT_K][ROWS];
    union pairs exponents[KEPT_K / 2];
    uint32_t odd[ROWS];
    uint8_t type, k; /* k 0: none */
};
struct spread_b {
    word32 words[KEPT_REGISTERS / 2];
    float value[KEPT_K][BLOCK];
    uint32_t exponents[KEPT_K / 2][BLOCK];
    uint32_t odd[BLOCK];
    uint8_t type, k;
};
struct spread_out {
    _Alignas(64) struct spread_a a[KEPT];
    struct spread_b b[KEPT];
};
#ifdef __wasm__
enum { KEEPS = false };
#else
enum { KEEPS = true };
#endif

static struct spread_out *spread_out_of(struct worker *k)
{
    const size_t bytes = sizeof(struct spread_out);
    if (!k->spread_out) {
        k->spread_out = aligned_alloc(64, bytes);
        if (!k->spread_out)
            abort();
        __builtin_memset(k->spread_out, 0, bytes);
    }
    return k->spread_out;
}

/* Fragments in use have registers of their own. */
static inline unsigned kept_place(uint32_t slot)
{
    return slot * 0x9e3779b1u >> 29;
}
_Static_assert(KEPT == 1 << 3, "the bits of kept_place");

static inline bool same_words(const struct warp *w, const uint32_t *slots,
                              const word32 *words, int n)
{
    uint32_t differ = 0;
    for (int r = 0; r < n; r++) {
        const uint32_t *now = slot(w, slots[r]);
        for (int l = 0; l < LANES; l++)
            differ |= now[l] ^ words[r][l];
    }
    return !differ;
}

static inline void keep_words(const struct warp *w, const uint32_t *slots,
                              word32 *words, int n)
{
    for (int r = 0; r < n; r++)
        __builtin_memcpy(words[r], slot(w, slots[r]), sizeof *words);
}

#define COPY_SPREAD(k, to, from)                                               \
    __builtin_memcpy(to, from, (size_t)(k) * sizeof *(from))

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

/* From here, or as it was kept. */
static inline void read_a_again(struct product *p, const struct matrix *x,
                                const struct tensor_model *model,
                                const struct warp *w)
{
    struct spread_a *s =
        &spread_out_of(w->worker)->a[kept_place(x->a[0])];
    if (s->k == x->k && s->type == x->a_type &&
        same_words(w, x->a, s->words, KEPT_REGISTERS)) {
        COPY_SPREAD(x->k, p->a[0], s->value);
        COPY_SPREAD(x->k / 2, p->a_exponents[0], s->exponents);
        __builtin_memcpy(p->odd_a[0], s->odd, sizeof s->odd);
        return;
    }
    read_a(p, x, model, w);
    s->k = x->k;
    s->type = x->a_type;
    keep_words(w, x->a, s->words, KEPT_REGISTERS);
    COPY_SPREAD(x->k, s->value, p->a[0]);
    COPY_SPREAD(x->k / 2, s->exponents, p->a_exponents[0]);
    __builtin_memcpy(s->odd, p->odd_a[0], sizeof s->odd);
}

static inline void read_b_again(struct product *p, const struct matrix *x,
                                const struct tensor_model *model,
                                const struct warp *w)
{
    struct spread_b *s =
        &spread_out_of(w->worker)->b[kept_place(x->b[0])];
    bool same = s->k == x->k && s->type == x->b_type &&
                same_words(w, x->b, s->words, KEPT_REGISTERS / 2);
    if (!same)
        read_b(p, x, model, w);
    for (int k = 0; k < x->k; k++)
        if (same)
            __builtin_memcpy(p->b[k], s->value[k], sizeof *s->value);
        else
            __builtin_memcpy(s->value[k], p->b[k], sizeof *s->value);
    for (int k = 0; k < x->k / 2; k++)
        if (same)
            __builtin_memcpy(p->b_exponents[k], s->exponents[k],
                             sizeof *s->exponents);
        else
            __builtin_memcpy(s->exponents[k], p->b_exponents[k],
                             sizeof *s->exponents);
    if (same) {
        __builtin_memcpy(p->odd_b, s->odd, sizeof s->odd);
        return;
    }
    s->k = x->k;
    s->type = x->b_type;
    keep_words(w, x->b, s->words, KEPT_REGISTERS / 2);
    __builtin_memcpy(s->odd, p->odd_b, sizeof s->odd);
}

/* m16n8 of as many registers as are kept: the order of k is the same then. */
static inline bool is_kept(const struct matrix *x)
{
    return KEEPS && x->m == ROWS && x->n == BLOCK && x->k <= KEPT_K &&
           x->n_a == KEPT_REGISTERS && x->n_b == KEPT_REGISTERS / 2;
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
    if (is_kept(x)) {
        read_a_again(&p, x, model, w);
        read_b_again(&p, x, model, w);
    } else {
        read_a(&p, x, model, w);
        read_b(&p, x, model, w);
    }
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
