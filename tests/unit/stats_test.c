// SPDX-License-Identifier: MIT
/*
 * stats_test.c: intervals against published ranks, and against their promise.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

#include "harness/stats.h"

/* 1, 2 .. n, backwards: order statistics are then their own ranks. */
static void count_down(double *to, int n)
{
    for (int i = 0; i < n; i++)
        to[i] = n - i;
}

/* Ranks of the 95 % interval of a median, as tables of the sign test give
 * them: n = 6: 1 and 6; 10: 2 and 9; 20: 6 and 15; 50: 18 and 33; 100: 40
 * and 61. */
static void ranks_are_the_tables(void **state)
{
    static const int known[][3] = {{6, 1, 6},     {8, 1, 8},    {9, 2, 8},
                                   {10, 2, 9},    {20, 6, 15},  {25, 8, 18},
                                   {50, 18, 33},  {100, 40, 61}};
    double v[100];

    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        int n = known[i][0];
        count_down(v, n);
        struct interval m = stats_median(v, n, 0.95);
        assert_true(m.median == (n + 1) / 2.0);
        assert_true(m.low == known[i][1]);
        assert_true(m.high == known[i][2]);
        assert_true(v[0] == n); /* not sorted in place */
    }
}

static void too_few_samples_promise_nothing(void **state)
{
    double v[5];

    (void)state;
    count_down(v, 5);
    struct interval m = stats_median(v, 5, 0.95);
    assert_true(m.median == 3 && m.low == 0 && isinf(m.high));
    m = stats_median(v, 0, 0.95);
    assert_true(isnan(m.median));
    m = stats_median(v, 1, 0.95);
    assert_true(m.median == 5 && isinf(stats_width(&m)));
}

static void one_outlier_moves_nothing(void **state)
{
    double v[20];

    (void)state;
    count_down(v, 20);
    struct interval before = stats_median(v, 20, 0.95);
    v[0] = 1e9; /* was the largest */
    struct interval after = stats_median(v, 20, 0.95);
    assert_memory_equal(&before, &after, sizeof before);
}

static void ratio_bounds_are_the_extremes(void **state)
{
    double a[12], b[12];

    (void)state;
    for (int i = 0; i < 12; i++) {
        a[i] = 20 + 0.1 * i;
        b[i] = 10 + 0.1 * i;
    }
    struct interval each_a = stats_median(a, 12, 0.975);
    struct interval each_b = stats_median(b, 12, 0.975);
    struct interval r = stats_ratio(a, 12, b, 12, 0.95);
    assert_true(r.median == each_a.median / each_b.median);
    assert_true(r.low == each_a.low / each_b.high);
    assert_true(r.high == each_a.high / each_b.low);
    assert_true(r.low < r.median && r.median < r.high);
}

/* Of many draws from a skewed distribution of known median, at least 95 in
 * 100 intervals cover it; and not all, or they would be too wide. */
static void intervals_cover(void **state)
{
    enum { DRAWS = 4000, N = 30 };
    int covered = 0;

    (void)state;
    srand48(1);
    for (int d = 0; d < DRAWS; d++) {
        double v[N];
        for (int i = 0; i < N; i++)
            v[i] = exp(3 * drand48()); /* median exp(1.5) */
        struct interval m = stats_median(v, N, 0.95);
        covered += m.low <= exp(1.5) && exp(1.5) <= m.high;
    }
    assert_in_range(covered, DRAWS * 945 / 1000, DRAWS * 98 / 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranks_are_the_tables),
        cmocka_unit_test(too_few_samples_promise_nothing),
        cmocka_unit_test(one_outlier_moves_nothing),
        cmocka_unit_test(ratio_bounds_are_the_extremes),
        cmocka_unit_test(intervals_cover),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
