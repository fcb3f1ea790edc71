// SPDX-License-Identifier: MIT
/*
 * op_test.c: the operators against a second, independent computation, and the
 * inputs they draw.
 *
 * The references gather (an output sums its terms); the brute force here
 * scatters (an input adds to outputs) in another loop order.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <math.h>

#include "op/op.h"

enum { MAX_OPS = 256 };
enum { B, H, L, K };

/* A problem with its arrays, and the reference's cells of its one output. */
struct problem {
    const struct op *op;
    struct op_problem in;
    void *arrays[OP_MAX_BUFFERS];
    size_t n_outputs;
    struct op_cell *cells;
};

static int output_of(const struct op *op)
{
    for (int i = 0; i < op->n_buffers; i++)
        if (op_is_written(op, i))
            return i;
    return -1;
}

static const float *floats(const struct problem *p, int buffer)
{
    return p->arrays[buffer];
}

static struct problem problem_new(const struct op *op,
                                  const struct op_shape *shape,
                                  enum op_family family, uint64_t seed)
{
    struct problem p = {.op = op, .in = op_draw(op, shape, family, seed)};

    for (int i = 0; i < op->n_buffers; i++)
        if (op_is_read(op, i)) {
            p.arrays[i] = malloc(op_bytes(op, i, shape));
            op_fill(op, &p.in, i, p.arrays[i]);
        }
    p.n_outputs = op_count(op, output_of(op), shape);
    p.cells = calloc(p.n_outputs, sizeof *p.cells);
    op->reference(op, &p.in, output_of(op), (const void *const *)p.arrays, 0,
                  p.n_outputs, p.cells);
    return p;
}

static void problem_free(struct problem *p)
{
    for (int i = 0; i < OP_MAX_BUFFERS; i++)
        free(p->arrays[i]);
    free(p->cells);
}

struct brute {
    double *value, *magnitude;
    long *terms;
};

static void add(struct brute *b, size_t cell, double term)
{
    b->value[cell] += term;
    b->magnitude[cell] += fabs(term);
    b->terms[cell]++;
}

/* Every pair of taps that touches, last first; `path` is 0, 1 or 2. */
static void dwconv_scatter(int path, const struct problem *p, struct brute *out)
{
    const int *d = p->in.shape.dim;

    for (int k = d[K] - 1; k >= 0; k--)
        for (int s = d[L] - 1; s >= 0; s--) /* the earlier of two times */
            for (int h = 0; h < d[H]; h++)
                for (int b = 0; b < d[B]; b++) {
                    int late = s + k;
                    if (late >= d[L])
                        continue;
                    size_t row = ((size_t)b * d[H] + h) * d[L];
                    size_t tap = (size_t)h * d[K] + k;
                    const float *p0 = floats(p, 0), *p1 = floats(p, 1);
                    double early0 = p0[row + s], late0 = p0[row + late];
                    if (path == 0)
                        add(out, row + late, early0 * p1[tap]);
                    else if (path == 1)
                        add(out, row + s, late0 * p1[tap]);
                    else
                        add(out, tap, late0 * p1[row + s]);
                }
}

static void assert_near(double got, double want, double scale)
{
    assert_true(fabs(got - want) <= 1e-12 * scale);
}

static void dwconv_matches_scatter(void **state)
{
    static const char *const paths[] = {"dwconv_forward", "dwconv_input_grad",
                                        "dwconv_weight_grad"};
    (void)state;
    for (int path = 0; path < 3; path++) {
        const struct op *op = op_find(paths[path]);
        assert_non_null(op);
        for (int i = 0; i < op->n_awkward; i++) {
            struct problem p = problem_new(op, &op->awkward[i],
                                           op->families[i % op->n_families],
                                           (uint64_t)i + 1);
            struct brute b = {calloc(p.n_outputs, sizeof(double)),
                              calloc(p.n_outputs, sizeof(double)),
                              calloc(p.n_outputs, sizeof(long))};
            double flops = 0;
            dwconv_scatter(path, &p, &b);
            for (size_t c = 0; c < p.n_outputs; c++) {
                assert_near(p.cells[c].value, b.value[c], b.magnitude[c]);
                assert_near(p.cells[c].magnitude, b.magnitude[c],
                            b.magnitude[c]);
                assert_int_equal(p.cells[c].terms, b.terms[c]);
                flops += 2.0 * (double)b.terms[c];
            }
            assert_true(flops == op->flops(&p.in.shape));
            free(b.value);
            free(b.magnitude);
            free(b.terms);
            problem_free(&p);
        }
    }
}

static void vector_add_adds(void **state)
{
    const struct op *op = op_find("vector_add");

    (void)state;
    assert_non_null(op);
    for (int i = 0; i < op->n_awkward; i++) {
        struct problem p = problem_new(op, &op->awkward[i], OP_SIGNED, 7);
        for (size_t c = 0; c < p.n_outputs; c++) {
            double want = floats(&p, 0)[c] + floats(&p, 1)[c];
            assert_true(op_accepts(op, &p.in, 2, &p.cells[c],
                                   type_encode(TYPE_FP32, want)));
        }
        problem_free(&p);
    }
}

/* Part of an array of cells is the same as those cells of the whole. */
static void reference_takes_any_range(void **state)
{
    const struct op *ops[MAX_OPS];
    int n = op_list(ops, MAX_OPS);

    (void)state;
    assert_true(n >= 4 && n <= MAX_OPS);
    for (int i = 0; i < n; i++) {
        int last = ops[i]->n_awkward - 1;
        struct problem p = problem_new(
            ops[i], &ops[i]->awkward[last < 3 ? last : 3],
            ops[i]->families[0], 3);
        struct op_cell one;
        for (size_t c = 0; c < p.n_outputs; c += 5) {
            ops[i]->reference(ops[i], &p.in, output_of(ops[i]),
                              (const void *const *)p.arrays, c, 1, &one);
            assert_memory_equal(&one, &p.cells[c], sizeof one);
        }
        problem_free(&p);
    }
}

/* Of every family, but where a large size would take long. */
static void references_keep_their_contract(void **state)
{
    const struct op *ops[MAX_OPS];
    int n = op_list(ops, MAX_OPS);

    (void)state;
    for (int i = 0; i < n; i++)
        for (int k = 0; ops[i]->launch && k < ops[i]->n_awkward *
                                              ops[i]->n_families; k++) {
            const struct op_shape *shape =
                &ops[i]->awkward[k / ops[i]->n_families];
            enum op_family family =
                ops[i]->families[k % ops[i]->n_families];

            if (ops[i]->flops(shape) > 1e5)
                continue;
            struct problem p = problem_new(ops[i], shape, family, 11);
            for (size_t c = 0; c < p.n_outputs; c++) {
                const char *defect = op_cell_defect(&p.in, &p.cells[c]);
                if (defect)
                    fail_msg("%s: %s: cell %zu of %s inputs", ops[i]->name,
                             defect, c, op_family_row[family].name);
            }
            problem_free(&p);
        }
}

static void awkward_shapes_are_legal(void **state)
{
    const struct op *ops[MAX_OPS];
    int n = op_list(ops, MAX_OPS);

    (void)state;
    for (int i = 0; i < n; i++)
        for (int s = 0; s < ops[i]->n_awkward; s++) {
            char text[128];
            struct op_shape back;
            assert_null(op_shape_error(ops[i], &ops[i]->awkward[s]));
            op_format_shape(ops[i], &ops[i]->awkward[s], text, sizeof text);
            assert_null(op_parse_shape(ops[i], text, &back));
            assert_memory_equal(&back, &ops[i]->awkward[s], sizeof back);
        }
}

/* gemm.h and its kin promise it; what has one extent may be longer. */
static void an_int_can_count_past_an_extent(void **state)
{
    struct op_shape shape;

    (void)state;
    assert_null(op_parse_shape(op_find("gemm_f32"), "M2147479552 N1 K1",
                               &shape));
    assert_non_null(strstr(op_parse_shape(op_find("gemm_f32"),
                                          "M2147479553 N1 K1", &shape),
                           "2^31 - 4096"));
    assert_non_null(op_parse_shape(op_find("softmax_f32"), "R1 C2147483647",
                                   &shape));
    assert_null(op_parse_shape(op_find("vector_add"), "N2147483647",
                               &shape));
}

static void fill(const struct op *op, enum op_family family, uint64_t seed,
                 const struct op_shape *shape, float *values)
{
    struct op_problem p = op_draw(op, shape, family, seed);

    op_fill(op, &p, 0, values);
}

static void families_hold_their_promise(void **state)
{
    const struct op *op = op_find("dwconv_forward");
    struct op_shape shape = {.dim = {4, 6, 257, 48}};
    enum { N = 4 * 6 * 257 };
    float *v = malloc(N * sizeof *v), *again = malloc(N * sizeof *v);
    int negative = 0, ones = 0;

    (void)state;
    fill(op, OP_SIGNED, 11, &shape, v);
    fill(op, OP_SIGNED, 11, &shape, again);
    assert_memory_equal(v, again, N * sizeof *v);
    fill(op, OP_SIGNED, 12, &shape, again);
    assert_memory_not_equal(v, again, N * sizeof *v);
    for (int i = 0; i < N; i++) {
        assert_true(v[i] >= -1 && v[i] < 1);
        negative += v[i] < 0;
    }
    assert_in_range(negative, N * 4 / 10, N * 6 / 10);
    fill(op, OP_POSITIVE, 11, &shape, v);
    for (int i = 0; i < N; i++)
        assert_true(v[i] >= 0 && v[i] < 1);
    fill(op, OP_INTEGER, 11, &shape, v);
    for (int i = 0; i < N; i++)
        assert_true(v[i] == rintf(v[i]) && fabsf(v[i]) <= 3);
    /* Even channels hold impulses in one input, odd ones in the other. */
    fill(op, OP_IMPULSE, 10, &shape, v);
    for (int i = 0; i < N; i++) {
        int h = i / 257 % 6, t = i % 257;
        if (h % 2 == 0 && v[i] != 0) {
            int beside = t % 32;
            assert_true(t == 0 || t == 256 || beside == 0 || beside >= 30);
            assert_true(v[i] == 1);
            ones++;
        }
        if (h % 2 == 1)
            assert_true(v[i] >= 1 && v[i] <= 7);
    }
    assert_in_range(ones, 4 * 3, 4 * 3 * 3);
    free(v);
    free(again);
}

/* Sums of integers must come out exact in fp32 too. */
static void integers_are_exact(void **state)
{
    const struct op *op = op_find("dwconv_weight_grad");
    struct op_shape shape = {.dim = {65, 2, 257, 7}};
    struct problem p = problem_new(op, &shape, OP_INTEGER, 5);

    (void)state;
    for (size_t c = 0; c < p.n_outputs; c++) {
        size_t h = c / 7, k = c % 7;
        float sum = 0;
        for (size_t b = 0; b < 65; b++)
            for (size_t t = k; t < 257; t++) {
                size_t row = (b * 2 + h) * 257;
                sum += floats(&p, 0)[row + t] *
                       floats(&p, 1)[row + t - k];
            }
        assert_true(sum == p.cells[c].value);
    }
    problem_free(&p);
}

static void shapes_parse(void **state)
{
    const struct op *op = op_find("dwconv_forward");
    struct op_shape s = {.dim = {0}};
    static const struct {
        const char *text, *error; /* a word of it */
    } bad[] = {
        {"", "missing"},
        {"B1 H1 L1", "missing"},
        {"B1 H1 L1 K1 K2", "twice"},
        {"B1 H1 L1 Q1", "does not have"},
        {"B1 H1 L1 K", "number"},
        {"B1 H1 L1 K-1", "number"},
        {"B1 H1 L1 K0", "at least 1"},
        {"B1 H1 L1 K4294967297", "fit"},
        {"B65536 H32768 L1 K1", "B*H*L"},
        {"B1 H65536 L1 K32768", "H*K"},
    };

    (void)state;
    assert_null(op_parse_shape(op, " b=16384,h=128,\tL48 k48 ", &s));
    assert_int_equal(s.dim[B], 16384);
    assert_int_equal(s.dim[H], 128);
    assert_int_equal(s.dim[L], 48);
    assert_int_equal(s.dim[K], 48);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct op_shape untouched = {.dim = {9, 9, 9, 9}};
        const char *error = op_parse_shape(op, bad[i].text, &untouched);
        assert_non_null(error);
        assert_non_null(strstr(error, bad[i].error));
        assert_int_equal(untouched.dim[0], 9);
    }
    assert_null(op_find("dwconv"));
}

/* The formula of op.h, written once more. */
static void tolerance_grows_slowly(void **state)
{
    const struct op *op = op_find("dwconv_forward");
    struct op_problem p = op_timed(op, &op->awkward[0], 1);
    struct op_cell cell = {0.5, 1, 64};
    double u = 0x1p-24;

    (void)state;
    assert_true(op_tolerance(op, &p, 2, &cell) == 66 * u);
    cell.terms = 1 << 16;
    assert_true(op_tolerance(op, &p, 2, &cell) == 42 * u);
    cell.terms = 0;
    assert_true(op_tolerance(op, &p, 2, &cell) == 0);
    cell.terms = 64;
    p.family = OP_INTEGER;
    assert_true(op_tolerance(op, &p, 2, &cell) == 0);
    cell.magnitude = 0x1p25; /* more than fp32 can add up without rounding */
    assert_true(op_tolerance(op, &p, 2, &cell) == 66 * u * 0x1p25);
}

/* The study's shape, whose numbers are published. */
static void work_of_the_study(void **state)
{
    const struct op *op = op_find("dwconv_forward");
    struct op_shape shape = {.dim = {16384, 128, 48, 48}};

    (void)state;
    assert_true(op->bytes(op, &shape) == 805306368.0 + 128 * 48 * 4);
    assert_true(op->flops(&shape) == 2.0 * 16384 * 128 * 1176);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dwconv_matches_scatter),
        cmocka_unit_test(vector_add_adds),
        cmocka_unit_test(reference_takes_any_range),
        cmocka_unit_test(references_keep_their_contract),
        cmocka_unit_test(awkward_shapes_are_legal),
        cmocka_unit_test(an_int_can_count_past_an_extent),
        cmocka_unit_test(families_hold_their_promise),
        cmocka_unit_test(integers_are_exact),
        cmocka_unit_test(shapes_parse),
        cmocka_unit_test(tolerance_grows_slowly),
        cmocka_unit_test(work_of_the_study),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
