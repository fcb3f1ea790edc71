// SPDX-License-Identifier: MIT
/*
 * bound_test.c: a time that the memory of a GPU cannot reach is none, and one
 * block for everything takes as long as one multiprocessor does.
 */
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

static double ms_of(long long blocks)
{
    static struct kernel_conf conf;
    static struct kernel_result result;
    struct phase phase = {.result = &result};
    struct bound bound;
    json_t *report = json_pack("{s[{s[Iii]}]}", "launches", "grid",
                               (json_int_t)blocks, 1, 1);

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
    return bound.ms;
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_fast_as_memory),
        cmocka_unit_test(shared_by_the_blocks),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
