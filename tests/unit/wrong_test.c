// SPDX-License-Identifier: MIT
/*
 * wrong_test.c: what is said of a wrong result: what it needs before it, and
 * whether rounding alone explains it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "check/judge/wrong.h"

enum { C = 2, CASE = 7 };

static struct kernel_result r;

static void blame(const char *op, const struct comparison *wrong,
                  enum after after)
{
    static struct kernel_conf conf;
    struct run *run = &r.run[RUN_SIM];

    conf = (struct kernel_conf){.op = op_find(op)};
    r = (struct kernel_result){.conf = &conf};
    run->cases = 2;
    run->passed = 1;
    run->first_wrong = *wrong;
    run->wrong_after = after;
    run->wrong_launched = true;
    run->wrong_case.number = CASE;
    run->wrong_case.problem.shape.dim[0] = 1;
    wrong_blame(&r, run);
    assert_int_equal(r.verdict, VERDICT_WRONG);
}

static void has(const struct text *t, const char *words, bool want)
{
    if (!strstr(text_get(t), words) == want)
        fail_msg("\"%s\": %s", words, text_get(t));
}

static void forget(void)
{
    text_free(&r.evidence);
    text_free(&r.advice);
}

static struct comparison rounding(double expected, double got)
{
    struct comparison c = {.kind = CELL_ROUNDING, .buffer = C, .cells = 9,
                           .wrong = 1, .worst = 40.9, .n_first = 1};

    c.cell[0].expected = expected;
    c.cell[0].got = got;
    return c;
}

static void what_is_far_off_is_not_close(void **state)
{
    struct comparison far = rounding(-18.2, -11.6);
    struct comparison near = rounding(-18.2, -18.21);

    (void)state;
    blame("gemm_f32", &far, AFTER_NOTHING);
    has(&r.evidence, "close", false);
    has(&r.evidence, "a few terms of many: up to 40.9 times the error that "
        "fp32 allows", true);
    has(&r.advice, "left out", true);
    forget();
    blame("gemm_f32", &near, AFTER_NOTHING);
    has(&r.evidence, "close, but up to 40.9 times the error that fp32 allows",
        true);
    has(&r.advice, "left out", false);
    forget();
    blame("gemm_tf32", &near, AFTER_NOTHING);
    has(&r.evidence, "the error that tf32 allows", true);
    forget();
}

/* CASE= repeats what is wrong in a case's own second launch, and no more. */
static void what_comes_before_is_said(void **state)
{
    struct comparison c = rounding(1, 9);

    (void)state;
    c.kind = CELL_LOGIC;
    blame("gemm_f32", &c, AFTER_NOTHING);
    has(&r.evidence, "launch", false);
    assert_int_equal(r.blamed_case, CASE);
    forget();
    blame("gemm_f32", &c, AFTER_ITSELF);
    has(&r.evidence, "the first launch is right; it is the next one", true);
    has(&r.advice, "find it as the first one did", true);
    assert_int_equal(r.blamed_case, CASE);
    forget();
    blame("gemm_f32", &c, AFTER_OTHERS);
    has(&r.evidence, "launched alone, this case is right", true);
    has(&r.advice, "find it as the first one did", true);
    assert_int_equal(r.blamed_case, -1);
    forget();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_far_off_is_not_close),
        cmocka_unit_test(what_comes_before_is_said),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
