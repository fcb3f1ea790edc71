// SPDX-License-Identifier: MIT
/*
 * merge_test.c: neighbouring shared accesses that become one, by events made by
 * hand.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "simgpu/core/model/merge.h"

enum { BASE = 7, OTHER = 8, STRETCH = 1, NEXT = 2 };

static struct merge m;

static const struct access_form load = {
    .kind = ACCESS_LOAD, .space = PTX_SPACE_SHARED, .size = 4, .n = 1};
static const struct access_form store = {
    .kind = ACCESS_STORE, .space = PTX_SPACE_SHARED, .size = 4, .n = 1,
    .write = true};

/* Lane l at `at` + l * `stride` bytes. */
static uint32_t clocks_of(const struct access_form *form, uint32_t at,
                          uint32_t stride, uint64_t stretch, uint32_t base,
                          unsigned fewer)
{
    struct access a = {.form = form, .space = PTX_SPACE_SHARED, .bytes = 4,
                       .mask = UINT32_MAX};
    unsigned is;
    for (uint32_t l = 0; l < LANES; l++)
        a.addr[l] = 0x1000 + at + l * stride;
    uint32_t clocks = merge_access(&m, &a, stretch, base, &is);
    assert_int_equal(is, fewer);
    return clocks;
}

static uint32_t loads(uint32_t at, uint32_t stride, unsigned fewer)
{
    return clocks_of(&load, at, stride, STRETCH, BASE, fewer);
}

/* All lanes read the same four words: 16 bytes for all take two passes. */
static void four_words_for_all_take_two(void **state)
{
    (void)state;
    merge_begin(&m);
    assert_int_equal(loads(0, 0, 0), 1);
    assert_int_equal(loads(4, 0, 1), 0);
    assert_int_equal(loads(8, 0, 0), 1); /* 12 bytes: two instructions */
    assert_int_equal(loads(12, 0, 2), 0);
    assert_int_equal(loads(16, 0, 0), 1); /* other 16 bytes */
}

/* Rows of 48 words: single words meet in two banks, 16 lanes each; 16 bytes go
 * by quarters of a warp, four lanes in a bank. */
static void rows_of_words_are_read_at_once(void **state)
{
    (void)state;
    merge_begin(&m);
    assert_int_equal(loads(0, 192, 0), 16);
    assert_int_equal(loads(4, 192, 1), 0);
    assert_int_equal(loads(8, 192, 0), 16);
    assert_int_equal(loads(12, 192, 2), 0);
}

/* Each lane elsewhere in its 16 bytes: no wide access is aligned. */
static void misaligned_rows_stay_apart(void **state)
{
    (void)state;
    merge_begin(&m);
    assert_int_equal(loads(0, 33 * 4, 0), 1);
    assert_int_equal(loads(4, 33 * 4, 0), 1);
}

static void what_stands_between_keeps_apart(void **state)
{
    (void)state;
    merge_begin(&m);
    assert_int_equal(loads(0, 0, 0), 1);
    assert_int_equal(clocks_of(&load, 4, 0, NEXT, BASE, 0), 1);
    assert_int_equal(clocks_of(&load, 4, 0, STRETCH, OTHER, 0), 1);
    merge_begin(&m);
    assert_int_equal(loads(0, 0, 0), 1);
    assert_int_equal(clocks_of(&store, 64, 0, STRETCH, BASE, 0), 1);
    assert_int_equal(loads(4, 0, 0), 1);
}

/* The second and the third of four lie in no 8 aligned bytes. */
static void halves_are_aligned(void **state)
{
    (void)state;
    merge_begin(&m);
    assert_int_equal(loads(4, 0, 0), 1);
    assert_int_equal(loads(8, 0, 0), 1);
    assert_int_equal(loads(0, 0, 1), 0);
    assert_int_equal(loads(12, 0, 2), 0);
}

static void stores_merge_too(void **state)
{
    (void)state;
    merge_begin(&m);
    assert_int_equal(clocks_of(&store, 0, 16, STRETCH, BASE, 0), 4);
    assert_int_equal(clocks_of(&store, 4, 16, STRETCH, BASE, 1), 0);
}

/* The same word again is another access. */
static void again_is_another(void **state)
{
    (void)state;
    merge_begin(&m);
    assert_int_equal(loads(0, 0, 0), 1);
    assert_int_equal(loads(0, 0, 0), 1);
}

/* A pointer that is followed: the next word lies where the load said. */
static void a_new_address_is_another(void **state)
{
    (void)state;
    merge_begin(&m);
    assert_int_equal(loads(0, 0, 0), 1);
    merge_forget(&m, OTHER);
    assert_int_equal(loads(4, 0, 1), 0);
    merge_forget(&m, BASE);
    assert_int_equal(loads(8, 0, 0), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(four_words_for_all_take_two),
        cmocka_unit_test(rows_of_words_are_read_at_once),
        cmocka_unit_test(misaligned_rows_stay_apart),
        cmocka_unit_test(what_stands_between_keeps_apart),
        cmocka_unit_test(halves_are_aligned),
        cmocka_unit_test(stores_merge_too),
        cmocka_unit_test(again_is_another),
        cmocka_unit_test(a_new_address_is_another),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
