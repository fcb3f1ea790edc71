// SPDX-License-Identifier: MIT
/*
 * matrix_kept_test.c: mma by vector code (lanes_matrix.c) keeps the fragments
 * of A and B that it has spread out. Products that follow each other, with
 * fragments that stay, change in one lane, or are read as another type, against
 * tensor.c.
 */
#include "simgpu/core/lanes/ops.h"
#include "simgpu/core/lanes/tensor.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum {
    FRAGMENTS = 12, /* of A and of B: more than are kept */
    A_EACH = 4, B_EACH = 2, SUMS = 4, TRIALS = 1500,
    REGISTERS = FRAGMENTS * (A_EACH + B_EACH) + 2 * SUMS,
};

static uint32_t registers[REGISTERS][LANES];

static uint32_t draw(uint32_t below)
{
    static uint64_t state = 0x9e3779b97f4a7c15;
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state >> 33) % below;
}

/* Two fp16 or bf16, or one tf32, of sizes near 1; now and then any bits. */
static uint32_t word(void)
{
    uint32_t any = draw(1u << 30) << 2 | draw(4);
    return draw(200) ? (any & 0x83ff83ff) | 0x3c003c00 : any;
}

static void name_slots(uint32_t *slots, uint32_t first, uint32_t n)
{
    for (uint32_t r = 0; r < n; r++)
        slots[r] = (first + r) * (uint32_t)sizeof *registers;
}

static struct matrix draw_product(uint32_t a, uint32_t b)
{
    static const uint8_t types[] = {TENSOR_TF32, TENSOR_F16, TENSOR_BF16};
    uint8_t type = types[draw(3)];
    struct matrix x = {.m = 16, .n = 8, .k = type == TENSOR_TF32 ? 8 : 16,
                       .a_type = type, .b_type = type, .c_type = TENSOR_F32,
                       .d_type = TENSOR_F32, .op = TENSOR_MMA, .n_a = A_EACH,
                       .n_b = B_EACH, .n_c = SUMS, .n_d = SUMS};
    uint32_t sums = FRAGMENTS * (A_EACH + B_EACH);
    name_slots(x.a, a * A_EACH, A_EACH);
    name_slots(x.b, FRAGMENTS * A_EACH + b * B_EACH, B_EACH);
    name_slots(x.c, sums, SUMS);
    name_slots(x.d, sums + SUMS, SUMS);
    return x;
}

static const uint32_t (*at(const uint32_t *slots))[LANES]
{
    return (const uint32_t(*)[LANES])registers +
           slots[0] / sizeof *registers;
}

static void multiply(const struct lane_table *table, struct worker *k)
{
    static struct warp w;
    uint32_t want[SUMS][LANES];
    struct matrix x = draw_product(draw(FRAGMENTS), draw(FRAGMENTS));
    struct detail detail = {.matrix = &x};
    struct inst i = {.detail = &detail};
    w.regs = (uint8_t *)registers;
    w.worker = k;
    tensor_product(&x, at(x.a), at(x.b), at(x.c), want);
    table->op[OP_mma_float](&w, &i, UINT32_MAX);
    assert_memory_equal(at(x.d), want, sizeof want);
}

static void kept_fragments(void **state)
{
    const struct lane_table *table = lane_table(*state);
    struct worker *k = calloc(1, sizeof *k);
    assert_non_null(k);
    for (uint32_t r = 0; r < REGISTERS; r++)
        for (int l = 0; l < LANES; l++)
            registers[r][l] = word();
    for (int t = 0; t < TRIALS; t++) {
        if (draw(3) == 0)
            registers[draw(REGISTERS)][draw(LANES)] = word();
        multiply(table, k);
    }
    free(k->spread_out);
    free(k);
}

int main(void)
{
    static char base[] = "base", avx2[] = "avx2";
    const struct CMUnitTest tests[] = {
        {"base: kept fragments", kept_fragments, NULL, NULL, base},
        {"avx2: kept fragments", kept_fragments, NULL, NULL, avx2},
        cmocka_unit_test(kept_fragments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
