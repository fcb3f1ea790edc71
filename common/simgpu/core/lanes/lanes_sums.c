// SPDX-License-Identifier: MIT
/*
 * lanes_sums.c: fragments of C and D, from registers to columns of 16 rows and
 * back. Interface: product.h.
 *
 * Lane 4 g + t of a register holds row g; so a column's rows lie 4 lanes apart,
 * and half of them in another register (state/matrix.h).
 */
#include "product.h"

/* fp32 of a whole multiple of 2^-24 that fp16 holds, or of too large a size. */
static inline uint32_t to_half(float x)
{
    uint32_t sign = as_bits(x) >> 16 & 0x8000, bits = as_bits(x) & 0x7fffffff;
    float size = as_float(bits);
    uint32_t low = (uint32_t)(int32_t)(size * 0x1p24f);
    uint32_t h = (bits >> 13) - (112 << 10);
    h = size < 0x1p-14f ? low : h;
    return sign | (size > 65504 ? 0x7c00 : h);
}

/* Words of two fp16 to two words of fp32, and back. */
static void halves_to_sums(const uint32_t *words, uint32_t *low,
                           uint32_t *high)
{
    for (int m = 0; m < ROWS; m++) {
        uint32_t word = words[m];
        low[m] = as_bits(from_half(word & 0xffff));
        high[m] = as_bits(from_half(word >> 16));
    }
}

static void sums_to_halves(const uint32_t *low, const uint32_t *high,
                           uint32_t *words)
{
    for (int m = 0; m < ROWS; m++)
        words[m] = to_half(as_float(low[m])) | to_half(as_float(high[m])) << 16;
}

#ifdef __AVX512F__
typedef uint32_t half_warp __attribute__((vector_size(64)));

/* Columns t and t + 1 of two halves of a register. */
#define COLUMNS(from, t)                                                       \
    __builtin_shufflevector((from)[0], (from)[1], t, t + 4, t + 8, t + 12,     \
                            t + 16, t + 20, t + 24, t + 28, t + 1, t + 5,      \
                            t + 9, t + 13, t + 17, t + 21, t + 25, t + 29)
#define LOWER(a, b)                                                            \
    __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20,  \
                            21, 22, 23)
#define UPPER(a, b)                                                            \
    __builtin_shufflevector(a, b, 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26,    \
                            27, 28, 29, 30, 31)

void lanes_to_rows(const uint32_t *up, const uint32_t *down,
                   uint32_t (*to)[ROWS])
{
    half_warp x[4], even, odd, even_down, odd_down;
    __builtin_memcpy(x, up, 2 * sizeof *x);
    __builtin_memcpy(x + 2, down, 2 * sizeof *x);
    even = COLUMNS(x, 0), odd = COLUMNS(x, 2);
    even_down = COLUMNS(x + 2, 0), odd_down = COLUMNS(x + 2, 2);
    x[0] = LOWER(even, even_down), x[1] = UPPER(even, even_down);
    x[2] = LOWER(odd, odd_down), x[3] = UPPER(odd, odd_down);
    __builtin_memcpy(to, x, sizeof x);
}

static void rows_to_lanes(const uint32_t (*from)[ROWS], uint32_t *up,
                          uint32_t *down)
{
    half_warp x[4], y[4];
    __builtin_memcpy(x, from, sizeof x);
#define ROWS_FROM(a, b, g)                                                     \
    __builtin_shufflevector(a, b, g, g + 8, g + 16, g + 24, g + 1, g + 9,      \
                            g + 17, g + 25, g + 2, g + 10, g + 18, g + 26,     \
                            g + 3, g + 11, g + 19, g + 27)
    half_warp even = LOWER(x[0], x[1]), odd = LOWER(x[2], x[3]);
    half_warp even_down = UPPER(x[0], x[1]), odd_down = UPPER(x[2], x[3]);
    y[0] = ROWS_FROM(even, odd, 0), y[1] = ROWS_FROM(even, odd, 4);
    y[2] = ROWS_FROM(even_down, odd_down, 0);
    y[3] = ROWS_FROM(even_down, odd_down, 4);
#undef ROWS_FROM
    __builtin_memcpy(up, y, 2 * sizeof *y);
    __builtin_memcpy(down, y + 2, 2 * sizeof *y);
}

void lanes_to_columns(const uint32_t *from, uint32_t (*to)[BLOCK])
{
    half_warp x[2], y[2];
    __builtin_memcpy(x, from, sizeof x);
    y[0] = COLUMNS(x, 0), y[1] = COLUMNS(x, 2);
    __builtin_memcpy(to, y, sizeof y);
}
#else
typedef uint32_t quad __attribute__((vector_size(16)));

/* Four quads, `apart` words from one to the next, become as many of their
 * columns. The compiler takes longer vectors than the machine's apart, word by
 * word. */
ACCESS_INLINE void turn(const uint32_t *from, size_t apart, uint32_t *to,
                        size_t apart_to)
{
    quad x[QUAD], y[QUAD];
    for (int q = 0; q < QUAD; q++)
        __builtin_memcpy(&x[q], from + apart * (size_t)q, sizeof *x);
    y[0] = __builtin_shufflevector(x[0], x[1], 0, 4, 1, 5);
    y[1] = __builtin_shufflevector(x[2], x[3], 0, 4, 1, 5);
    y[2] = __builtin_shufflevector(x[0], x[1], 2, 6, 3, 7);
    y[3] = __builtin_shufflevector(x[2], x[3], 2, 6, 3, 7);
    for (int q = 0; q < QUAD; q += 2) {
        x[q] = __builtin_shufflevector(y[q], y[q + 1], 0, 1, 4, 5);
        x[q + 1] = __builtin_shufflevector(y[q], y[q + 1], 2, 3, 6, 7);
    }
    for (int q = 0; q < QUAD; q++)
        __builtin_memcpy(to + apart_to * (size_t)q, &x[q], sizeof *x);
}

void lanes_to_rows(const uint32_t *up, const uint32_t *down,
                   uint32_t (*to)[ROWS])
{
    for (int g = 0; g < BLOCK; g += QUAD) {
        turn(up + QUAD * g, QUAD, &to[0][g], ROWS);
        turn(down + QUAD * g, QUAD, &to[0][BLOCK + g], ROWS);
    }
}

static void rows_to_lanes(const uint32_t (*from)[ROWS], uint32_t *up,
                          uint32_t *down)
{
    for (int g = 0; g < BLOCK; g += QUAD) {
        turn(&from[0][g], ROWS, up + QUAD * g, QUAD);
        turn(&from[0][BLOCK + g], ROWS, down + QUAD * g, QUAD);
    }
}

void lanes_to_columns(const uint32_t *from, uint32_t (*to)[BLOCK])
{
    for (int g = 0; g < BLOCK; g += QUAD)
        turn(from + QUAD * g, QUAD, &to[0][g], BLOCK);
}
#endif

/* A sum's first register, of `each` per block of 8 by 8. */
static int sums_at(const struct matrix *x, int block, int n, int each)
{
    return (2 * block + x->m / BLOCK * (n / BLOCK)) * each;
}

void product_read_sums(struct product *p, const struct matrix *x,
                       const struct warp *w, const uint32_t *registers)
{
    int each = x->c_type == TENSOR_F16 ? 1 : 2;
    _Alignas(64) uint32_t words[QUAD][ROWS];
    for (int b = 0; b < (x->m + ROWS - 1) / ROWS; b++)
        for (int n = 0; n < x->n; n += BLOCK)
            for (int odd = 0; odd < each; odd++) {
                int up = sums_at(x, b, n, each) + odd;
                int below = x->m > BLOCK ? up + each : up;
                lanes_to_rows(slot(w, registers[up]),
                              slot(w, registers[below]), words);
                for (int q = 0; q < QUAD; q++) {
                    uint32_t *c = p->c_bits[b][n + 2 * q + odd];
                    if (each == 2)
                        __builtin_memcpy(c, words[q], sizeof words[q]);
                    else
                        halves_to_sums(words[q], c, c + ROWS);
                }
            }
}

void product_write_sums(const struct product *p, const struct matrix *x,
                        struct warp *w, const uint32_t *registers)
{
    int each = x->d_type == TENSOR_F16 ? 1 : 2;
    _Alignas(64) uint32_t words[QUAD][ROWS], none[LANES];
    for (int b = 0; b < (x->m + ROWS - 1) / ROWS; b++)
        for (int n = 0; n < x->n; n += BLOCK)
            for (int odd = 0; odd < each; odd++) {
                int up = sums_at(x, b, n, each) + odd;
                for (int q = 0; q < QUAD; q++) {
                    const uint32_t *c = p->c_bits[b][n + 2 * q + odd];
                    if (each == 2)
                        __builtin_memcpy(words[q], c, sizeof words[q]);
                    else
                        sums_to_halves(c, c + ROWS, words[q]);
                }
                rows_to_lanes(words, slot(w, registers[up]),
                              x->m > BLOCK ? slot(w, registers[up + each])
                                           : none);
            }
}
