// SPDX-License-Identifier: MIT
/*
 * cache_test.c: the cache model, against what a cache of that size must do.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "simgpu/core/model/cache.h"

enum { LINES = 256, ALL = 0xf };

static void sectors_are_fetched_one_by_one(void **state)
{
    struct cache c;
    (void)state;
    cache_open(&c, LINES * CACHE_LINE);
    assert_int_equal(cache_touch(&c, 7, 0x3), 0);
    assert_int_equal(cache_touch(&c, 7, 0x6), 0x2);
    assert_int_equal(cache_touch(&c, 7, ALL), 0x7);
    assert_int_equal(cache_touch(&c, 7, ALL), ALL);
    assert_int_equal(cache_look(&c, 8, ALL), 0);
    assert_int_equal(cache_touch(&c, 8, ALL), 0);
    cache_close(&c);
}

/* Sweeps n lines twice; how many sectors the second sweep finds. */
static uint32_t found(uint32_t n, uint64_t step)
{
    struct cache c;
    uint32_t hits = 0;
    cache_open(&c, LINES * CACHE_LINE);
    for (int sweep = 0; sweep < 2; sweep++)
        for (uint64_t k = 0; k < n; k++) {
            uint8_t there = cache_touch(&c, k * step, ALL);
            hits += (uint32_t)(sweep ? __builtin_popcount(there) : 0);
        }
    cache_close(&c);
    return hits;
}

static void what_fits_stays(void **state)
{
    (void)state;
    assert_int_equal(found(LINES / 4, 1), LINES / 4 * 4);
    /* A power of two between lines must not crowd them into a few sets. */
    assert_true(found(LINES / 4, 1024) >= LINES / 4 * 4 * 9 / 10);
}

static void what_does_not_fit_is_gone(void **state)
{
    (void)state;
    assert_true(found(4 * LINES, 1) < 4 * LINES / 10);
}

/* What was written is named when it leaves, once. */
static void written_lines_are_named_when_they_leave(void **state)
{
    struct cache c;
    int gone = 0;
    (void)state;
    cache_open(&c, LINES * CACHE_LINE);
    assert_int_equal(cache_touch(&c, 7, 0x3 | CACHE_DIRTY), 0);
    assert_int_equal(cache_touch(&c, 7, 0x1 | CACHE_DIRTY), 0x1);
    for (uint64_t k = 100; k < 100 + 8 * LINES; k++) {
        cache_touch(&c, k, ALL);
        gone += c.gone_sectors > 0;
        if (c.gone_sectors) {
            assert_int_equal(c.gone, 7);
            assert_int_equal(c.gone_sectors, 0x3);
        }
    }
    assert_int_equal(gone, 1);
    cache_touch(&c, 3, ALL | CACHE_DIRTY);
    cache_forget(&c);
    assert_int_equal(cache_look(&c, 3, ALL), 0);
    cache_close(&c);
}

static void the_least_recently_used_leaves(void **state)
{
    struct cache c;
    (void)state;
    cache_open(&c, CACHE_WAYS * CACHE_LINE); /* one set */
    for (uint64_t k = 0; k < CACHE_WAYS; k++)
        cache_touch(&c, k, ALL);
    cache_touch(&c, 0, ALL);          /* now 1 is the oldest */
    cache_touch(&c, CACHE_WAYS, ALL); /* and leaves */
    assert_int_equal(cache_look(&c, 0, ALL), ALL);
    assert_int_equal(cache_look(&c, 1, ALL), 0);
    assert_int_equal(cache_look(&c, 2, ALL), ALL);
    cache_close(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sectors_are_fetched_one_by_one),
        cmocka_unit_test(what_fits_stays),
        cmocka_unit_test(what_does_not_fit_is_gone),
        cmocka_unit_test(the_least_recently_used_leaves),
        cmocka_unit_test(written_lines_are_named_when_they_leave),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
