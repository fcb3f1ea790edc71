// SPDX-License-Identifier: MIT
/*
 * together_test.c: candidates of a sweep on a runtime without a device
 * (tests/runner): one that is broken is dropped, by its kind, and the one
 * beside it is timed.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../runner/stage.h"
#include "bench/together.h"

static struct together together;
static char stage[2200], empty[2200];

static int set_up(void **state)
{
    static char build[2048];
    ssize_t n = readlink("/proc/self/exe", build, sizeof build - 1);

    (void)state;
    if (n <= 0)
        return -1;
    build[n] = '\0';
    for (int up = 0; up < 2; up++)
        *strrchr(build, '/') = '\0';
    snprintf(stage, sizeof stage, "%s/fake/stage.so", build);
    snprintf(empty, sizeof empty, "%s/fake/empty.so", build);
    for (int k = 0; k < SWEEP_KERNELS; k++) {
        struct measure *m = &together.measure[k];

        *m = (struct measure){.seconds = 1};
        path_set(m->program, "%s/bin/runner", build);
        path_set(m->cuda_lib, "%s/fake/gpu", build);
    }
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    together_close(&together);
    return 0;
}

/* One turn of two candidates, the second of which may not be a stage. */
static struct together_turn turn_of(int n, const char *second)
{
    struct together_turn turn = {.n = 2, .stage = {stage, second}};
    struct op_shape shape = {.dim = {n}};
    struct test_case c = {.number = -1};
    struct data d;

    c.problem = op_timed(op_find("vector_add"), &shape, 1);
    data_make(&d, op_find("vector_add"), &c);
    together_begin(&together);
    together_turn(&together, &d, &turn);
    data_free(&d);
    return turn;
}

static void right_ones_are_timed(void **state)
{
    struct together_turn turn = turn_of(100, stage);

    (void)state;
    for (int k = 0; k < 2; k++) {
        assert_int_equal(turn.end[k], MEASURE_OK);
        assert_true(turn.seconds[k] > 0);
    }
}

static void broken_ones_are_dropped(void **state)
{
    static const struct {
        int n;
        enum measure_end end;
    } cases[] = {
        {STAGE_ERROR, MEASURE_LAUNCH}, {STAGE_SILENT, MEASURE_LAUNCH},
        {STAGE_PARTIAL, MEASURE_WRONG}, {STAGE_CRASH, MEASURE_CRASHES},
        {STAGE_EXIT, MEASURE_CRASHES}, {STAGE_HANG, MEASURE_HANGS},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct together_turn turn = turn_of(cases[i].n, NULL);

        assert_int_equal(turn.end[0], cases[i].end);
        assert_true(isnan(turn.seconds[0]));
        assert_true(together.measure[0].reason[0] != '\0');
        /* The next shape finds a runner again. */
        assert_int_equal(turn_of(100, NULL).end[0], MEASURE_OK);
    }
}

static void others_go_on_beside_a_broken_one(void **state)
{
    struct together_turn turn = turn_of(100, empty);

    (void)state;
    assert_int_equal(turn.end[0], MEASURE_OK);
    assert_true(turn.seconds[0] > 0);
    assert_int_equal(turn.end[1], MEASURE_REFUSED);
    assert_true(isnan(turn.seconds[1]));
}

/* The last cell is not written: the only wrong one of 128 that are compared. */
static void a_wrong_one_says_where(void **state)
{
    char last[32];

    (void)state;
    turn_of(STAGE_PARTIAL, NULL);
    snprintf(last, sizeof last, "[%d] is ", STAGE_PARTIAL - 1);
    assert_non_null(strstr(together.measure[0].reason, last));
    assert_non_null(strstr(together.measure[0].reason, "; 1 of 128 cells"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(right_ones_are_timed),
        cmocka_unit_test(broken_ones_are_dropped),
        cmocka_unit_test(others_go_on_beside_a_broken_one),
        cmocka_unit_test(a_wrong_one_says_where),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
