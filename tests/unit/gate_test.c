// SPDX-License-Identifier: MIT
/*
 * gate_test.c: counters, raw and derived, against limits.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "check/conf/gate.h"

static const struct op *op;
static const struct op_shape shape = {.dim = {2, 3, 5, 2}}; /* B H L K */

static json_t *counters(void)
{
    return json_pack("{si si si si si si si si si si si si "
                     "si si si si si si si si si si si si si}",
                     "repeated_bytes", 32, "global_load_requests", 10,
                     "global_load_sectors", 40, "global_store_requests", 0,
                     "global_store_sectors", 0, "async_copy_sectors", 8,
                     "bulk_load_sectors", 3, "bulk_store_sectors", 2,
                     "flops", 100, "warp_instructions", 100,
                     "busiest_block", 40, "async_copy_fetches", 0,
                     "async_copy_bytes", 0, "global_load_bytes", 0,
                     "bulk_load_bytes", 0, "global_atomics", 3,
                     "global_atomic_sectors", 4, "global_atomic_bytes", 96,
                     "shared_load_requests", 0, "shared_load_conflicts", 0,
                     "api_sectors", 6, "input_sectors", 4,
                     "parameter_sectors", 13,
                     "constant_load_requests", 4,
                     "constant_load_replays", 62);
}

static double value(const char *name)
{
    json_t *c = counters();
    double v = gate_value(name, c, op, &shape);

    json_decref(c);
    return v;
}

static void raw_and_derived(void **state)
{
    (void)state;
    assert_true(value("flops") == 100.0);
    assert_true(value("global_load_sectors_per_request") == 4.0);
    assert_true(value("global_load_bytes_over_asked") == 55 * 32.0 / 64);
    assert_true(value("global_bytes_over_compulsory") ==
                63.0 * 32.0 / op->bytes(op, &shape));
    assert_true(value("bytes_beside_parameters") ==
                50.0 * 32.0 / op->bytes(op, &shape));
    assert_true(value("flops_over_useful") == 100.0 / op->flops(&shape));
    assert_true(value("blocks_at_work") == 2.5);
    assert_true(value("constant_load_replays_per_request") == 15.5);
}

/* What others dwarf are parameters; the rest are loaded so and so often. */
static void small_inputs_are_parameters(void **state)
{
    const struct op *norm = op_find("layer_norm_f32");
    const struct op_shape rows = {.dim = {16, 4}}, few = {.dim = {15, 4}};
    json_t *c = counters();

    (void)state;
    assert_false(gate_is_parameter(norm, 0, &rows)); /* x */
    assert_true(gate_is_parameter(norm, 1, &rows));  /* gamma */
    assert_true(gate_is_parameter(norm, 2, &rows));  /* beta */
    assert_false(gate_is_parameter(norm, 3, &rows)); /* y, an output */
    assert_false(gate_is_parameter(norm, 1, &few));
    assert_true(gate_value("input_reads", c, norm, &rows) ==
                4 * 32.0 / (16 * 4 * 4));
    assert_true(gate_value("input_reads", c, norm, &few) ==
                4 * 32.0 / ((15 + 2) * 4 * 4));
    json_decref(c);
}

/* Who copies by words loads by words, whatever else it loads for show. */
static void copies_are_loads(void **state)
{
    json_t *c = json_pack("{si si si si}", "global_load_bytes", 512,
                          "global_load_requests", 1, "async_copy_bytes", 384,
                          "async_copy_fetches", 3);

    (void)state;
    assert_true(gate_value("global_load_bytes_per_request", c, op, &shape) ==
                (512 + 384) / 4.0);
    json_decref(c);
}

static void nothing_over_nothing_is_zero(void **state)
{
    (void)state;
    assert_true(value("global_store_sectors_per_request") == 0.0);
    assert_true(value("shared_load_conflicts_per_request") == 0.0);
}

/* A kernel that reads by another way than loads does not pass for one whose
 * loads are good. */
static void no_load_at_all_never_holds(void **state)
{
    static const char *const names[] = {
        "global_load_requests", "global_load_sectors", "global_load_bytes",
        "async_copy_fetches", "async_copy_sectors", "async_copy_bytes",
        "bulk_load_sectors", "bulk_load_bytes", "global_atomics",
        "global_atomic_sectors", "global_atomic_bytes"};
    struct gate gate = {"global_load_bytes_over_asked", GATE_LE, 1.5, 0};
    json_t *none = json_object();

    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        json_object_set_new(none, names[i], json_integer(0));
    assert_false(gate_holds(&gate, gate_value(gate.counter, none, op, &shape)));
    assert_true(isnan(gate_value("global_load_sectors_per_request", none, op,
                                 &shape)));
    json_decref(none);
}

static void a_missing_counter_never_holds(void **state)
{
    static const enum gate_op ops[] = {GATE_LE, GATE_GE, GATE_LT, GATE_GT,
                                       GATE_EQ};
    double v = value("barriers");

    (void)state;
    assert_true(isnan(v));
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
        assert_false(gate_holds(&(struct gate){"barriers", ops[i], 1.0, 0}, v));
}

static void limits_hold_and_fail(void **state)
{
    static const struct {
        const char *gate;
        bool at[3]; /* with the value below, at and above the limit */
    } rows[] = {
        {"flops <= 6", {true, true, false}},
        {"flops < 6", {true, false, false}},
        {"flops >= 6", {false, true, true}},
        {"flops > 6", {false, false, true}},
        {"flops == 6", {false, true, false}},
    };
    struct gate gate;

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_null(gate_parse(rows[i].gate, &gate));
        for (int v = 0; v < 3; v++)
            assert_int_equal(gate_holds(&gate, 5.0 + v), rows[i].at[v]);
    }
}

static void slips_are_refused(void **state)
{
    static const char *const slips[] = {
        "", "flops", "flops <=", "flops 6", "flops =< 6", "flop <= 6",
        "flops <= 6 7", "flops <= inf", "flops <= x",
    };
    struct gate gate;

    (void)state;
    for (size_t i = 0; i < sizeof slips / sizeof *slips; i++)
        if (!gate_parse(slips[i], &gate))
            fail_msg("accepted: %s", slips[i]);
}

/* A count has all its digits, so that it can be compared with the lesson's. */
static void values_as_text(void **state)
{
    static const struct {
        double value;
        const char *text;
    } rows[] = {
        {19267584, "19267584"}, {1, "1"}, {0, "0"}, {1234567.5, "1.23457e+06"},
        {0.1251234, "0.125123"}, {1e18, "1e+18"}, {NAN, "none"},
    };
    char text[32];

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        gate_value_text(text, sizeof text, rows[i].value);
        assert_string_equal(text, rows[i].text);
    }
}

static int find_op(void **state)
{
    (void)state;
    op = op_find("dwconv_forward");
    return op ? 0 : -1;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(raw_and_derived),
        cmocka_unit_test(small_inputs_are_parameters),
        cmocka_unit_test(copies_are_loads),
        cmocka_unit_test(nothing_over_nothing_is_zero),
        cmocka_unit_test(no_load_at_all_never_holds),
        cmocka_unit_test(a_missing_counter_never_holds),
        cmocka_unit_test(limits_hold_and_fail),
        cmocka_unit_test(slips_are_refused),
        cmocka_unit_test(values_as_text),
    };

    return cmocka_run_group_tests(tests, find_op, NULL);
}
