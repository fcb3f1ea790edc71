// SPDX-License-Identifier: MIT
/*
 * gemm_test.c: the operator with scalars, in-and-out arrays, padded rows and
 * several types: its reference against a brute force, and what the workbook
 * makes of all these.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <math.h>

#include "check/judge/data.h"
#include "op/op.h"

enum { M, N, K };
enum { A, B, C };
enum { ALPHA, BETA };

static const char *const names[] = {"gemm_f32", "gemm_tf32", "gemm_bf16",
                                    "gemm_bf16_bf16"};
enum { NAMES = sizeof names / sizeof *names };

static struct test_case c;
static struct data d;
static struct comparison cmp;

static size_t ld(int buffer)
{
    return op_row_stride(d.op, buffer, &c.problem.shape);
}

static double at(int buffer, size_t row, size_t col)
{
    return type_get(d.op->buffers[buffer].type, d.given[buffer],
                    row * ld(buffer) + col);
}

/* Another order of loops, and the elements by hand: no cell numbers. */
static void brute_force(size_t row, size_t col, struct op_cell *out)
{
    double alpha = c.problem.scalar[ALPHA], beta = c.problem.scalar[BETA];

    *out = (struct op_cell){0, 0, 0};
    for (int k = c.problem.shape.dim[K] - 1; k >= 0; k--) {
        double term = alpha * at(A, row, (size_t)k) * at(B, (size_t)k, col);
        out->value += term;
        out->magnitude += fabs(term);
        out->terms += term != 0.0; /* zeros are added exactly */
    }
    if (beta == 0.0)
        return;
    out->value += beta * at(C, row, col);
    out->magnitude += fabs(beta * at(C, row, col));
    out->terms += beta * at(C, row, col) != 0.0;
}

static bool same(double a, double b, double scale)
{
    if (isnan(a) || isinf(a))
        return isnan(a) ? isnan(b) : a == b;
    return fabs(a - b) <= 1e-12 * scale;
}

/* The rounded reference as the result, which must be right. */
static void write_right(void)
{
    enum type type = d.op->buffers[C].type;
    size_t n = op_count(d.op, C, &c.problem.shape);

    memcpy(d.got[C], d.given[C], d.bytes[C]);
    data_compare(&d, NULL, &cmp); /* makes d.want */
    for (size_t i = 0; i < n; i++)
        type_set(type, d.got[C], op_offset(d.op, C, &c.problem.shape, i),
                 d.want[C][i].value);
}

static void make(const char *name, const struct op_shape *shape,
                 enum op_family family, uint64_t seed)
{
    const struct op *op = op_find(name);

    c.problem = op_draw(op, shape, family, seed);
    data_make(&d, op, &c);
    write_right();
}

static void matches_brute_force(void **state)
{
    (void)state;
    for (int i = 0; i < NAMES; i++) {
        const struct op *op = op_find(names[i]);
        for (int s = 0; s < op->n_awkward; s++) {
            size_t width = (size_t)op->awkward[s].dim[N];
            size_t n = op_count(op, C, &op->awkward[s]);

            make(names[i], &op->awkward[s],
                 op->families[s % op->n_families], (uint64_t)s);
            for (size_t cell = 0; cell < n; cell += 7) {
                struct op_cell want, *got = &d.want[C][cell];
                brute_force(cell / width, cell % width, &want);
                assert_true(same(got->value, want.value, want.magnitude));
                assert_int_equal(got->terms, want.terms);
            }
            data_compare(&d, NULL, &cmp);
            assert_int_equal(cmp.kind, CELL_RIGHT);
            data_free(&d);
        }
    }
}

static void any_range_is_the_same(void **state)
{
    static const struct op_shape shape = {{5, 7, 3}, {0, 9, 11}};
    struct op_cell part[20];

    (void)state;
    make("gemm_f32", &shape, OP_SIGNED, 3);
    for (size_t first = 0; first < 15; first++) {
        d.op->reference(d.op, &c.problem, C, (const void *const *)d.given,
                        first, 20, part);
        assert_memory_equal(part, &d.want[C][first], sizeof part);
    }
    data_free(&d);
}

static void layout_has_padding_between_rows(void **state)
{
    static const struct op_shape shape = {{3, 5, 4}, {0, 8, 7}};
    const struct op *op = op_find("gemm_bf16");
    size_t cell;

    (void)state;
    assert_int_equal(op_bytes(op, A, &shape), 3 * 4 * 2);
    assert_int_equal(op_bytes(op, B, &shape), (3 * 8 + 5) * 2);
    assert_int_equal(op_bytes(op, C, &shape), (2 * 7 + 5) * 4);
    assert_int_equal(op_offset(op, C, &shape, 6), 8);
    assert_true(op_cell_at(op, C, &shape, 8, &cell));
    assert_int_equal(cell, 6);
    assert_false(op_cell_at(op, C, &shape, 5, &cell));
    assert_true(op_bytes_once(op, &shape) == 12 * 2 + 20 * 2 + 15 * 4);
}

static void padding_is_poison_and_stays_so(void **state)
{
    static const struct op_shape shape = {{3, 5, 4}, {0, 8, 7}};

    (void)state;
    make("gemm_f32", &shape, OP_SIGNED, 1);
    for (size_t i = 5; i < 8; i++)
        assert_true(type_is_poison(TYPE_FP32, type_bits(TYPE_FP32, d.given[B],
                                                        i)));
    data_compare(&d, NULL, &cmp);
    assert_int_equal(cmp.kind, CELL_RIGHT);
    type_set(TYPE_FP32, d.got[C], 7 + 6, 1.0); /* row 1, beyond its end */
    data_compare(&d, NULL, &cmp);
    assert_int_equal(cmp.kind, CELL_PADDING);
    assert_int_equal(cmp.wrong, 1);
    assert_int_equal(cmp.cell[0].at[0], 1);
    assert_int_equal(cmp.cell[0].at[1], 6);
    type_set(TYPE_FP32, d.got[C], 2, 99.0); /* a wrong cell is told first */
    data_compare(&d, NULL, &cmp);
    assert_int_equal(cmp.kind, CELL_LOGIC);
    data_free(&d);
}

static void what_c_held_is_unwritten(void **state)
{
    static const struct op_shape shape = {{3, 5, 4}, {0}};

    (void)state;
    for (uint64_t seed = 1; seed < 100; seed++) {
        make("gemm_f32", &shape, OP_SIGNED, seed);
        memcpy(d.got[C], d.given[C], d.bytes[C]);
        data_compare(&d, NULL, &cmp);
        if (c.problem.scalar[ALPHA] == 0 && c.problem.scalar[BETA] == 1)
            assert_int_equal(cmp.kind, CELL_RIGHT); /* nothing to do */
        else
            assert_int_equal(cmp.kind, CELL_UNWRITTEN);
        data_free(&d);
    }
}

/* With beta = 0, C holds NaN: reading it shows. */
static void scalars_are_drawn(void **state)
{
    static const struct op_shape shape = {{3, 5, 4}, {0}};
    const struct op *op = op_find("gemm_f32");
    int zeros = 0, ones = 0, others = 0;

    (void)state;
    for (uint64_t seed = 0; seed < 400; seed++) {
        struct op_problem p = op_draw(op, &shape, OP_SIGNED, seed), again;
        struct op_problem whole = op_draw(op, &shape, OP_INTEGER, seed);
        struct op_problem special = op_draw(op, &shape, OP_SPECIAL, seed);

        again = op_draw(op, &shape, OP_SIGNED, seed);
        assert_memory_equal(&p, &again, sizeof p);
        zeros += p.scalar[BETA] == 0;
        ones += p.scalar[BETA] == 1;
        others += p.scalar[BETA] != 0 && p.scalar[BETA] != 1;
        assert_true(p.scalar[BETA] >= -2 && p.scalar[BETA] < 2);
        assert_true((float)p.scalar[BETA] == p.scalar[BETA]);
        assert_true(whole.scalar[ALPHA] == rint(whole.scalar[ALPHA]));
        assert_true(special.scalar[ALPHA] != 0 && special.scalar[BETA] != 0);
        assert_int_equal(isnan(op->value(&p, C, 3)), p.scalar[BETA] == 0);
    }
    assert_in_range(zeros, 60, 140);
    assert_in_range(ones, 60, 140);
    assert_in_range(others, 150, 250);
}

static void shapes_name_leading_dimensions(void **state)
{
    const struct op *op = op_find("gemm_f32");
    struct op_shape s = {{0}, {0}};
    char text[80];

    (void)state;
    assert_null(op_parse_shape(op, "m3,N=5 K4 LDC7 lda=4", &s));
    assert_int_equal(s.ld[A], 4);
    assert_int_equal(s.ld[B], 0);
    assert_int_equal(s.ld[C], 7);
    op_format_shape(op, &s, text, sizeof text);
    assert_string_equal(text, "M3 N5 K4 ldA4 ldC7");
    assert_non_null(op_parse_shape(op, "M3 N5 K4 ldC4", &s));
    assert_non_null(op_parse_shape(op, "M3 N5 K4 ldD9", &s));
    assert_non_null(op_parse_shape(op, "M3 N5 K4 ldC9 ldC9", &s));
    assert_non_null(op_parse_shape(op, "M65536 N1 K1 ldC32768", &s));
    assert_non_null(op_parse_shape(op_find("dwconv_forward"),
                                   "B1 H1 L1 K1 ldy2", &s));
}

static double tolerance(const char *name, enum op_family family, double value,
                        double magnitude, long terms)
{
    const struct op *op = op_find(name);
    struct op_problem p = {.family = family};
    struct op_cell cell = {value, magnitude, terms};

    return op_tolerance(op, &p, C, &cell);
}

/* gemm.h's words as numbers. */
static void tolerance_follows_from_the_types(void **state)
{
    double sum = 1002 * 0x1p-23;

    (void)state;
    assert_true(tolerance("gemm_f32", OP_SIGNED, 1, 1, 1000) ==
                1002 * 0x1p-24);
    assert_true(tolerance("gemm_bf16", OP_SIGNED, 1, 1, 1000) == sum);
    assert_true(tolerance("gemm_tf32", OP_SIGNED, 1, 2, 1000) ==
                2 * (sum + 2 * 0x1p-10));
    assert_true(fabs(tolerance("gemm_bf16_bf16", OP_SIGNED, 3, 1, 1000) -
                     (sum + 0x1p-8 * (3 + sum))) < 1e-12);
    /* Whole numbers are exact as long as the types hold them. */
    assert_true(tolerance("gemm_tf32", OP_INTEGER, 300, 3000, 1000) == 0);
    assert_true(tolerance("gemm_bf16_bf16", OP_INTEGER, 256, 3000, 1000) == 0);
    assert_true(tolerance("gemm_bf16_bf16", OP_INTEGER, 257, 3000, 1000) > 0);
    assert_true(tolerance("gemm_f32", OP_INTEGER, 1, 0x1p25, 1000) > 0);
}

static bool accepts(const char *name, double value, double got)
{
    const struct op *op = op_find(name);
    struct op_problem p = {.family = OP_SPECIAL};
    struct op_cell cell = {value, fabs(value), 8};

    return op_accepts(op, &p, C, &cell,
                      type_encode(op->buffers[C].type, got));
}

static void nan_and_infinity_have_their_rule(void **state)
{
    const struct op *op = op_find("gemm_f32");
    struct op_problem p = {.family = OP_SPECIAL};
    struct op_cell nan = {NAN, NAN, 8};

    (void)state;
    assert_true(accepts("gemm_f32", NAN, NAN));
    assert_false(accepts("gemm_f32", NAN, 1));
    assert_false(accepts("gemm_f32", NAN, INFINITY));
    assert_false(accepts("gemm_f32", 1, NAN));
    assert_true(accepts("gemm_f32", INFINITY, INFINITY));
    assert_false(accepts("gemm_f32", INFINITY, -INFINITY));
    assert_false(accepts("gemm_f32", INFINITY, 1e38));
    assert_false(accepts("gemm_f32", INFINITY, NAN));
    assert_false(accepts("gemm_f32", 1, INFINITY));
    /* What a type can just not hold, and just hold. */
    assert_true(accepts("gemm_bf16_bf16", 0x1.ffp127, INFINITY));
    assert_true(accepts("gemm_bf16_bf16", 0x1.ffp127, 0x1.fep127));
    assert_false(accepts("gemm_bf16_bf16", 0x1.0p127, INFINITY));
    assert_false(op_accepts(op, &p, C, &nan, 0xffffffff)); /* poison */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(matches_brute_force),
        cmocka_unit_test(any_range_is_the_same),
        cmocka_unit_test(layout_has_padding_between_rows),
        cmocka_unit_test(padding_is_poison_and_stays_so),
        cmocka_unit_test(what_c_held_is_unwritten),
        cmocka_unit_test(scalars_are_drawn),
        cmocka_unit_test(shapes_name_leading_dimensions),
        cmocka_unit_test(tolerance_follows_from_the_types),
        cmocka_unit_test(nan_and_infinity_have_their_rule),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
