// SPDX-License-Identifier: MIT
/*
 * bound_test.c: a time that the memory of a GPU cannot reach is none, one block
 * for everything takes as long as one multiprocessor does, or as it has waited
 * until it was broken off, and a time has its share of the roof.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "check/phase/bound.h"

static const struct op_shape timed = {.dim = {16384, 128, 48, 48}};
static const struct op_shape small = {.dim = {64, 128, 48, 48}};

/* 805 MB at 4.8 TB/s: 0.17 ms. */
static void as_fast_as_memory(void **state)
{
    const struct op *op = op_find("dwconv_forward");

    (void)state;
    assert_true(bound_allows(op, &timed, 0.17, ""));
    assert_true(bound_allows(op, &timed, 0.10, ""));
    assert_false(bound_allows(op, &timed, 0.05, ""));
    assert_false(bound_allows(op, &timed, 0.00285, "h200"));
    assert_true(bound_allows(op, &small, 0.00285, "h200")); /* all in L2 */
    assert_true(bound_allows(op, &timed, 0.00285, "no such GPU"));
}

/* 805 MB pass through L2, or are copied by the runtime; a cache of any size
 * makes that no less. */
static void what_must_move(void **state)
{
    const struct op *op = op_find("dwconv_forward");
    struct predicted p = {.l2_bytes = 805e6};

    (void)state;
    assert_true(bound_moves(op, &timed, &p));
    p.l2_bytes = 500e6;
    assert_false(bound_moves(op, &timed, &p));
    p.report = json_pack("{s{si si}}", "moved", "copied", 100000000, "filled",
                         100000000);
    assert_true(bound_moves(op, &timed, &p));
    json_decref(p.report);
    p.report = NULL;
    assert_false(bound_moves(op, &small, &(struct predicted){.l2_bytes = 1e6}));
}

/* Takes the report. */
static struct bound bound_by(json_t *report)
{
    static struct kernel_conf conf;
    static struct kernel_result result;
    struct phase phase = {.result = &result};
    struct bound bound;

    conf.op = op_find("dwconv_forward");
    conf.time_shape = timed;
    result.conf = &conf;
    result.run[RUN_SIM].counters = json_pack("{si}", "warp_instructions",
                                             1000000);
    result.run[RUN_SIM].counters_shape = small;
    if (!bound_ms(&phase, report, &bound))
        bound.ms = -1.0;
    json_decref(report);
    json_decref(result.run[RUN_SIM].counters);
    return bound;
}

static double ms_of(long long blocks)
{
    return bound_by(json_pack("{s[{s[Iii]}]}", "launches", "grid",
                              (json_int_t)blocks, 1, 1)).ms;
}

/* Two blocks in a thousand were sampled, and executed 1000 warp instructions
 * until they were broken off. */
static double ms_after(const char *fault, double least_ms)
{
    return bound_by(json_pack(
        "{s[{s[iii], ss, s{si}, s{sf}, s{si si}}]}", "launches",
        "grid", 1000, 1, 1, "fault", fault,
        "counters", "warp_instructions", 1000,
        "predicted", "least_ms", least_ms,
        "traffic", "grid_blocks", 1000, "blocks", 2)).waited_ms;
}

static void shared_by_the_blocks(void **state)
{
    double one = ms_of(1);

    (void)state;
    /* 256 million warp instructions, four per clock of 1.98 GHz */
    assert_true(one > 25.0 && one < 45.0);
    assert_true(ms_of(66) < one / 65.0 && ms_of(66) > one / 67.0);
    assert_true(ms_of(100000) == ms_of(132));
    assert_true(ms_of(0) < 0.0);
}

static void as_it_has_waited(void **state)
{
    double even = ms_of(1000);

    (void)state;
    /* 256 million warp instructions, half a million of which took 1 ms. */
    assert_true(fabs(ms_after("budget", 1.0) - 512.0) < 1.0);
    assert_true(ms_after("deadlock", 1.0) == even);
    assert_true(ms_after("budget", 1e-6) == even); /* none is faster */
}

static void share_of_the_roof(void **state)
{
    static const struct op_shape cube = {.dim = {4096, 4096, 4096},
                                         .ld = {4096, 4096, 4096}};
    struct roofline at;

    (void)state;
    assert_true(bound_roof(op_find("dwconv_forward"), &timed, 1.7, &at));
    assert_true(fabs(at.percent_of_roof - 9.87) < 0.1); /* 0.168 ms */
    assert_string_equal(at.bound, "memory");
    assert_true(bound_roof(op_find("gemm_f32"), &cube, 4.1, &at));
    assert_true(fabs(at.percent_of_roof - 50.0) < 0.1); /* at 67 TFLOP/s */
    assert_string_equal(at.bound, "compute");
    assert_false(bound_roof(op_find("gemm_f32"), &cube, 0.0, &at));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_fast_as_memory),
        cmocka_unit_test(what_must_move),
        cmocka_unit_test(shared_by_the_blocks),
        cmocka_unit_test(as_it_has_waited),
        cmocka_unit_test(share_of_the_roof),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
