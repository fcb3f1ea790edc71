// SPDX-License-Identifier: MIT
/*
 * product_test.c: the vector code of matrix products (lanes_product.c, by way
 * of wgmma's) against tensor.c, element by element: of every type, numbers
 * near each other and far apart, tiny ones, zeros, the largest significands,
 * whose sums leave 32 bits, and all patterns of bits.
 */
#include "simgpu/core/lanes/ops.h"
#include "simgpu/core/lanes/tensor.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { REGISTERS = GROUP_COLUMNS / 2, TRIALS = 4 };

enum family { NEAR, FAR, TINY, ZEROS, LARGEST, ANY, FAMILIES };

static const struct {
    uint8_t a, b, sum, k;
} products[] = {
    {TENSOR_F16, TENSOR_F16, TENSOR_F32, 16},
    {TENSOR_F16, TENSOR_F16, TENSOR_F16, 16},
    {TENSOR_BF16, TENSOR_BF16, TENSOR_F32, 16},
    {TENSOR_TF32, TENSOR_TF32, TENSOR_F32, 8},
    {TENSOR_E4M3, TENSOR_E5M2, TENSOR_F32, 32},
    {TENSOR_E5M2, TENSOR_E4M3, TENSOR_F16, 32},
};

/* How many bits of fraction, and the exponent's pattern of 1. */
static const struct {
    int fraction;
    uint32_t one;
} formats[TENSOR_TYPES] = {
    [TENSOR_F16] = {10, 15},   [TENSOR_BF16] = {7, 127},
    [TENSOR_TF32] = {23, 127}, [TENSOR_E4M3] = {3, 7},
    [TENSOR_E5M2] = {2, 15},   [TENSOR_F32] = {23, 127},
};

static uint32_t random_bits(void)
{
    static uint64_t state = 0x9e3779b97f4a7c15;
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state >> 32);
}

static uint32_t number(uint8_t type, enum family family)
{
    int bits = tensor_bits(type), fraction = formats[type].fraction;
    uint32_t all = UINT32_MAX >> (32 - bits), x = random_bits() & all;
    uint32_t low = (1u << fraction) - 1, one = formats[type].one;
    uint32_t sign = x & 1u << (bits - 1), spread = one < 8 ? 4 : 14;
    if (family == ANY)
        return x;
    if (family == ZEROS && x % 3)
        return x % 2 ? sign : 0;
    if (family == LARGEST)
        return one << fraction | low;
    if (family == TINY) /* or subnormal */
        one = one > 100 ? one - 30 : x & 1;
    if (family == FAR)
        one += random_bits() % (2 * spread) - spread;
    return sign | one << fraction | (x & low);
}

static struct group_factors f;
static uint32_t registers[REGISTERS][LANES], before[REGISTERS][LANES];
static uint32_t slots[REGISTERS];

static void fill(const struct matrix *x, enum family family)
{
    for (int k = 0; k < x->k; k++) {
        for (int m = 0; m < GROUP_ROWS; m++)
            f.a[k][m] = number(x->a_type, family);
        for (int n = 0; n < GROUP_COLUMNS; n++)
            f.b[k][n] = number(x->b_type, family);
    }
    for (int r = 0; r < REGISTERS; r++)
        for (int l = 0; l < LANES; l++) {
            registers[r][l] = number(x->c_type, family);
            if (x->c_type == TENSOR_F16)
                registers[r][l] |= number(x->c_type, family) << 16;
        }
    memcpy(before, registers, sizeof before);
}

static uint32_t sum_at(const struct matrix *x, uint32_t (*from)[LANES], int m,
                       int n)
{
    struct matrix_place at = matrix_sum(x, m, n, x->d_type);
    uint32_t word = from[at.reg][at.lane];
    return x->d_type == TENSOR_F16 ? word >> 16 * at.place & 0xffff : word;
}

static void compare(const struct matrix *x, int n, bool add)
{
    uint32_t row[GROUP_K], column[GROUP_K];
    for (int j = 0; j < n; j++)
        for (int m = 0; m < GROUP_ROWS; m++) {
            for (int k = 0; k < x->k; k++) {
                row[k] = f.a[k][m];
                column[k] = f.b[k][j];
            }
            uint32_t want =
                tensor_dot(x, row, column, add ? sum_at(x, before, m, j) : 0);
            uint32_t got = sum_at(x, registers, m, j);
            if (got != want)
                fail_msg("types %d, %d, %d: row %d, column %d: %x, not %x",
                         x->a_type, x->b_type, x->d_type, m, j, got, want);
        }
}

static void vectors_are_elements(void **state)
{
    static const int widths[TRIALS] = {8, 40, 96, GROUP_COLUMNS};
    const struct lane_table *table = lane_table(*state);
    static struct warp w;
    w.regs = (uint8_t *)registers;
    for (uint32_t r = 0; r < REGISTERS; r++)
        slots[r] = r * (uint32_t)sizeof *registers;
    for (size_t p = 0; p < sizeof products / sizeof *products; p++)
        for (int t = 0; t < TRIALS * FAMILIES; t++) {
            struct matrix x = {.m = GROUP_ROWS, .k = products[p].k,
                               .op = TENSOR_WGMMA, .a_type = products[p].a,
                               .b_type = products[p].b,
                               .c_type = products[p].sum,
                               .d_type = products[p].sum};
            int n = widths[t % TRIALS];
            bool add = random_bits() & 1;
            fill(&x, (enum family)(t / TRIALS));
            table->group(&w, &x, &f, slots, n, add);
            compare(&x, n, add);
        }
}

int main(void)
{
    static char base[] = "base", avx2[] = "avx2";
    const struct CMUnitTest tests[] = {
        {"base: vectors are elements", vectors_are_elements, NULL, NULL, base},
        {"avx2: vectors are elements", vectors_are_elements, NULL, NULL, avx2},
        cmocka_unit_test(vectors_are_elements),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
