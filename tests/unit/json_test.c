// SPDX-License-Identifier: MIT
/*
 * json_test.c: the report's keys, and null for what was not run.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "check/report/json.h"

static struct options options = {.number = 5};
static struct workbook workbook = {.options = &options,
                                   .source = "chapters/05-x",
                                   .toolkit = {.version = "13.0.88"}};
static struct kernel_conf conf = {.name = "forward", .n_gates = 1,
    .gates = {{"flops", GATE_LE, 6.0, 0}}};

static void has_keys(json_t *object, const char *const *keys)
{
    size_t n = 0;

    for (; keys[n]; n++)
        if (!json_object_get(object, keys[n]))
            fail_msg("no key \"%s\"", keys[n]);
    assert_int_equal(json_object_size(object), n);
}

static json_t *report(struct kernel_result *r, enum verdict verdict)
{
    struct outcome o = {.workbook = &workbook, .seed = 7, .n = 1,
                        .kernels = r, .verdict = verdict};
    json_t *j;

    conf.op = op_find("dwconv_forward");
    r->conf = &conf;
    r->verdict = verdict;
    j = report_json(&o);
    assert_non_null(j);
    return j;
}

static json_t *first_run(json_t *j)
{
    json_t *k = json_array_get(json_object_get(j, "kernels"), 0);

    return json_array_get(json_object_get(k, "runs"), 0);
}

static void keys_of_the_design(void **state)
{
    static const char *const top[] = {
        "schema_version", "chapter", "kind", "source", "source_sha256",
        "toolkit", "seed", "verdict", "owner", "exit_code", "kernels", NULL};
    static const char *const run[] = {
        "device", "known_seed", "correct", "memory_errors", "races",
        "equal_writes",
        "counters", "ratios", "gates", "time_ms", "speedup", "roofline", NULL};
    static const char *const correct[] = {"planned", "cases", "passed",
                                          "first_wrong", NULL};
    struct kernel_result r = {.run[RUN_SIM] = {.ran = true,
                                               .simulated = true}};
    json_t *j = report(&r, VERDICT_TECHNIQUE);

    (void)state;
    has_keys(j, top);
    has_keys(first_run(j), run);
    has_keys(json_object_get(first_run(j), "correct"), correct);
    assert_int_equal(json_integer_value(json_object_get(j, "exit_code")), 19);
    assert_string_equal(json_string_value(json_object_get(j, "owner")), "you");
    json_decref(j);
}

static void null_is_not_run(void **state)
{
    static const char *const nulls[] = {"counters", "gates", "time_ms",
                                        "speedup", "roofline"};
    struct kernel_result r = {.run[RUN_GPU] = {.ran = true}};
    json_t *j = report(&r, VERDICT_PASS);
    json_t *run = first_run(j);

    (void)state;
    for (size_t i = 0; i < sizeof nulls / sizeof *nulls; i++)
        assert_true(json_is_null(json_object_get(run, nulls[i])));
    assert_true(json_is_null(json_object_get(run, "races")));
    assert_true(json_is_null(json_object_get(j, "owner")));
    json_decref(j);
}

static void a_wrong_cell_is_told(void **state)
{
    struct kernel_result r = {.run[RUN_SIM] = {
        .ran = true, .simulated = true, .cases = 3, .passed = 2,
        .wrong_case = {.number = 2,
                       .problem = {.shape = {.dim = {2, 3, 5, 2}}}},
        .first_wrong = {.kind = CELL_LOGIC, .buffer = 2, .wrong = 1,
                        .n_first = 1,
                        .cell = {{.at = {1, 0, 1}, .expected = 1.5,
                                  .got = NAN}}}}};
    json_t *j = report(&r, VERDICT_WRONG);
    json_t *wrong = json_object_get(
        json_object_get(first_run(j), "correct"), "first_wrong");
    json_t *index = json_object_get(wrong, "index");

    (void)state;
    assert_int_equal(json_integer_value(json_object_get(index, "b")), 1);
    assert_int_equal(json_integer_value(json_object_get(index, "h")), 0);
    assert_int_equal(json_integer_value(json_object_get(index, "t")), 1);
    assert_true(json_real_value(json_object_get(wrong, "expected")) == 1.5);
    assert_true(json_is_null(json_object_get(wrong, "got"))); /* NaN */
    assert_string_equal(json_string_value(json_object_get(wrong, "kind")),
                        "logic");
    json_decref(j);
}

static void bytes_that_are_no_text_do_no_harm(void **state)
{
    struct kernel_result r = {0};
    json_t *j, *kernel;

    (void)state;
    text_add(&r.evidence, "a.cu:1: \xc3 cut");
    j = report(&r, VERDICT_MEMORY);
    kernel = json_array_get(json_object_get(j, "kernels"), 0);
    assert_string_equal(
        json_string_value(json_object_get(kernel, "evidence")),
        "a.cu:1: ? cut");
    json_decref(j);
    result_free(&r);
}

static void times_and_gates(void **state)
{
    struct kernel_result r = {.run[RUN_GPU] = {
        .ran = true, .gates_measured = true,
        .gate_measured = {true}, .gate_value = {7.0},
        .speed = {.timed = true, .has_previous = true,
                  .this_ms = {1, 1, 1}, .previous_ms = {2, 2, 2},
                  .speedup = {2, 1.9, 2.1}, .verdict = TIMING_FASTER,
                  .flops = 10, .bytes = 5, .bound = "memory"}}};
    json_t *j = report(&r, VERDICT_PASS);
    json_t *run = first_run(j);
    json_t *gate = json_array_get(json_object_get(run, "gates"), 0);
    json_t *speedup = json_object_get(run, "speedup");

    (void)state;
    assert_true(json_is_false(json_object_get(gate, "ok")));
    assert_true(json_real_value(json_object_get(gate, "limit")) == 6.0);
    assert_string_equal(json_string_value(json_object_get(speedup,
                                                          "verdict")),
                        "FASTER");
    assert_true(json_real_value(json_object_get(
        json_object_get(run, "roofline"), "intensity")) == 2.0);
    json_decref(j);
}

static void a_prediction_is_labelled(void **state)
{
    static const char *const keys[] = {"gpu", "ms", "speedup", "bound",
                                       "parts_ms", NULL};
    struct kernel_result r = {.predicted = {.ms = 2.0, .gpu = "NVIDIA H200",
                                            .bound = "memory"}};
    json_t *j, *p;

    (void)state;
    r.predicted.parts = json_pack("{sf}", "memory", 1.5);
    j = report(&r, VERDICT_PASS);
    p = json_object_get(json_array_get(json_object_get(j, "kernels"), 0),
                        "predicted");
    has_keys(p, keys);
    assert_true(json_is_null(json_object_get(p, "speedup")));
    assert_true(json_real_value(json_object_get(p, "ms")) == 2.0);
    json_decref(j);
    result_free(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_of_the_design),
        cmocka_unit_test(null_is_not_run),
        cmocka_unit_test(a_wrong_cell_is_told),
        cmocka_unit_test(bytes_that_are_no_text_do_no_harm),
        cmocka_unit_test(times_and_gates),
        cmocka_unit_test(a_prediction_is_labelled),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
