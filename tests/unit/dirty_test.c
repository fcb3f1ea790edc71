// SPDX-License-Identifier: MIT
/*
 * dirty_test.c: what L2 has yet to write back (model/dirty.c).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "simgpu/core/model/dirty.h"

enum { LINES = 1024, TURNS = 8 };

static void sectors_wait_word_by_word(void **state)
{
    struct dirty d;
    (void)state;
    dirty_open(&d, LINES * CACHE_LINE);
    assert_int_equal(dirty_words(0x5), 0x00ff00ff);
    assert_int_equal(dirty_write(&d, 7, 0x00000001).was, 0);
    assert_int_equal(dirty_write(&d, 7, 0x0000ff00).was, 0x1);
    assert_int_equal(dirty_write(&d, 7, 0xff000000).was, 0x3);
    assert_int_equal(dirty_write(&d, 8, 0xff000000).was, 0);
    dirty_close(&d);
}

/* Stores `words` of each of n lines, again and again; what left in all. */
static struct dirty_answer gone_round(uint32_t n, uint32_t words,
                                      uint32_t more, uint32_t *left)
{
    struct dirty d;
    struct dirty_answer any = {0};
    *left = 0;
    dirty_open(&d, LINES * CACHE_LINE);
    for (uint32_t k = 0; k < n * TURNS; k++)
        for (int twice = 0; twice < 2; twice++) {
            struct dirty_answer a =
                dirty_write(&d, k % n, twice ? more : words);
            any.whole |= a.whole;
            any.partly |= a.partly;
            *left += a.whole + a.partly;
        }
    dirty_close(&d);
    return any;
}

static void a_sector_leaves_in_part_or_whole(void **state)
{
    uint32_t left, twice;
    (void)state;
    assert_int_equal(gone_round(LINES / 2, 1, 1, &left).partly, 0);
    assert_int_equal(left, 0); /* there is room for all */
    assert_int_equal(gone_round(LINES * 4, 1, 1, &left).partly, 1);
    assert_int_equal(gone_round(LINES * 4, 1, 1, &left).whole, 0);
    assert_int_equal(gone_round(LINES * 4, 0x01010101, 1, &left).partly, 4);
    /* The rest of the sector comes before it leaves. */
    assert_int_equal(gone_round(LINES * 4, 0x0f, 0xf0, &left).partly, 0);
    assert_int_equal(gone_round(LINES * 4, 0x0f, 0xf0, &twice).whole, 1);
    assert_int_equal(left, twice);
}

/* Of n places, lines that are a little more find most of theirs: the share m
 * that does not is where 1 - m = exp(-m * lines / n). */
static void a_little_too_much_finds_most(void **state)
{
    uint32_t little, much, turns = TURNS - 1;
    (void)state;
    gone_round(LINES * 5 / 4, 1, 1, &little);
    gone_round(LINES * 2, 1, 1, &much);
    assert_in_range(little, LINES * 5 / 4 * turns * 30 / 100,
                    LINES * 5 / 4 * turns * 55 / 100);
    assert_in_range(much, LINES * 2 * turns * 70 / 100,
                    LINES * 2 * turns * 95 / 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sectors_wait_word_by_word),
        cmocka_unit_test(a_sector_leaves_in_part_or_whole),
        cmocka_unit_test(a_little_too_much_finds_most),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
