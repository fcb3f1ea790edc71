// SPDX-License-Identifier: MIT
/*
 * ledger_test.c: which work touched which bytes last, of ranges; pages that
 * are given as one stand in ledger_page_test.c.
 */
#include "ledger_sample.h"

static void test_each_pair_of_classes(void **state)
{
    static const bool races[RACE_CLASSES][RACE_CLASSES] = {
        [RACE_READ] = {false, true, false, true},
        [RACE_WRITE] = {true, true, true, true},
        [RACE_STRONG_READ] = {false, true, false, false},
        [RACE_STRONG_WRITE] = {true, true, false, false},
    };
    (void)state;
    for (unsigned a = 0; a < RACE_CLASSES; a++)
        for (unsigned b = 0; b < RACE_CLASSES; b++) {
            uint64_t at = 4 * (a * RACE_CLASSES + b);
            begin(1);
            assert_int_equal(does(a, at, 4), 0);
            assert_int_equal(does(b, at, 4), 0); /* its own */
            ledger_forget(s, START, LEDGER_PAGE);
            does(a, at, 4);
            begin(2);
            assert_int_equal(does(b, at, 4), races[a][b]);
            if (!races[a][b])
                continue;
            assert_int_equal(accused[0].address, START + at);
            assert_int_equal(accused[0].class, b);
            assert_int_equal(accused[0].before.work, 1);
            assert_int_equal(accused[0].before.site, a << TAG_CLASS | 7);
            begin(3);
            follows(1);
            follows(2);
            assert_int_equal(does(b, at, 4), 0);
        }
}

static void test_an_order_between_them(void **state)
{
    (void)state;
    begin(1);
    writes(0, 64);
    begin(2);
    follows(1);
    assert_int_equal(reads(0, 64), 0);
    begin(3);
    follows(1);
    assert_int_equal(writes(0, 64), 16); /* against the reader */
    assert_int_equal(accused[0].before.work, 2);
}

/* What one value of several works leaves is that of each of them. */
static void test_one_value_of_three(void **state)
{
    (void)state;
    for (uint32_t n = 1; n <= 3; n++) {
        begin(n);
        assert_int_equal(fills(0, 64, 5), 0);
    }
    begin(4);
    assert_int_equal(fills(0, 32, 6), 3 * 8);
    begin(5);
    assert_int_equal(fills(32, 32, 5), 0);
    assert_int_equal(writes(32, 32), 3 * 8);
    begin(6);
    assert_int_equal(reads(0, 4), 4);
    assert_int_equal(fills(0, 4, 6), 3);
    assert_int_equal(fills(0, 4, 5), 4);
}

/* A page of many values is not one of a single value once it was read. */
static void test_values_outlive_a_reader(void **state)
{
    (void)state;
    begin(1);
    for (uint64_t at = 0; at < LEDGER_PAGE; at += 4)
        fills(at, 4, (uint32_t)at);
    begin(2);
    follows(1);
    reads(0, LEDGER_PAGE);
    begin(3);
    follows(2);
    assert_int_equal(fills(2048, 4, 2048), 0);
    assert_int_equal(fills(2052, 4, 2048), 1);
}

static void test_bytes_beside_are_apart(void **state)
{
    (void)state;
    begin(1);
    writes(100, 2);
    begin(2);
    assert_int_equal(writes(102, 2), 0);
    assert_int_equal(writes(98, 2), 0);
    begin(3);
    assert_int_equal(writes(101, 2), 2);
    assert_int_equal(accused[0].address, START + 101);
    assert_int_equal(accused[0].before.work, 1);
    assert_int_equal(accused[1].address, START + 102);
    assert_int_equal(accused[1].before.work, 2);
}

/* Whole pages, then words of them, then bytes: what is known is kept. */
static void test_page_is_divided(void **state)
{
    (void)state;
    begin(1);
    writes(0, 2 * LEDGER_PAGE);
    begin(2);
    follows(1);
    assert_int_equal(writes(LEDGER_PAGE - 8, 16), 0);
    begin(3);
    follows(1);
    assert_int_equal(reads(0, LEDGER_PAGE), 2);
    assert_int_equal(accused[0].address, START + LEDGER_PAGE - 8);
    assert_int_equal(accused[1].address, START + LEDGER_PAGE - 4);
    assert_int_equal(accused[0].before.work, 2);
    begin(4);
    follows(3);
    assert_int_equal(reads(LEDGER_PAGE - 4, 4), 1);
    assert_int_equal(reads(0, 4), 1);
    follows(2);
    assert_int_equal(reads(LEDGER_PAGE + 1, 1), 0);
    assert_int_equal(reads(LEDGER_PAGE + 9, 1), 1);
    assert_int_equal(accused[0].before.work, 1);
    assert_int_equal(reads(LEDGER_PAGE + 4, LEDGER_PAGE - 4), LEDGER_PAGE - 8);
}

/* Who reads in order hides no writer from who does not. */
static void test_read_hides_nothing(void **state)
{
    (void)state;
    begin(1);
    writes(0, LEDGER_PAGE);
    writes(8, 4);
    begin(2);
    follows(1);
    assert_int_equal(reads(0, LEDGER_PAGE), 0);
    assert_int_equal(does(RACE_STRONG_READ, 8, 4), 0);
    begin(3);
    assert_int_equal(reads(8, 4), 1);
    assert_int_equal(accused[0].before.work, 1);
}

/* All of a page is one unit again when nothing tells its parts apart. */
static void test_page_is_whole_again(void **state)
{
    (void)state;
    begin(1);
    writes(3, 1);
    begin(2);
    follows(1);
    assert_int_equal(writes(0, LEDGER_PAGE), 0);
    begin(3);
    assert_int_equal(reads(0, LEDGER_PAGE), 1);
    assert_int_equal(accused[0].address, START);
}

static void test_one_value(void **state)
{
    (void)state;
    begin(1);
    assert_int_equal(fills(0, LEDGER_PAGE, 0x01020304), 0);
    begin(2);
    assert_int_equal(fills(16, 4, 0x01020304), 0);
    assert_int_equal(fills(20, 4, 0x01020305), 1);
    assert_int_equal(accused[0].before.work, 1);
    begin(3);
    assert_int_equal(fills(41, 1, 0x01020304), 0); /* byte 1 is 3 */
    assert_int_equal(fills(42, 1, 0x01030304), 1); /* byte 2 is 2 */
    begin(4); /* the page has a unit a byte by now */
    assert_int_equal(writes(80, 4), 4); /* a value that is not known */
    begin(5);
    assert_int_equal(fills(80, 4, 0x01020304), 8);
    assert_int_equal(reads(84, 4), 4);
}

/* The value is that of the last writer; an earlier one may have had another. */
static void test_value_of_an_earlier_writer(void **state)
{
    (void)state;
    begin(1);
    fills(0, 4, 5);
    begin(2);
    fills(0, 4, 6);
    begin(3);
    assert_int_equal(fills(0, 4, 6), 1);
    assert_int_equal(accused[0].before.work, 1);
}

/* Who follows a writer follows what that had followed. */
static void test_write_hides_what_is_before_it(void **state)
{
    (void)state;
    begin(1);
    reads(0, 4);
    begin(2);
    follows(1);
    assert_int_equal(writes(0, 4), 0);
    begin(3);
    follows(2); /* not told of 1 */
    assert_int_equal(writes(0, 4), 0);
    begin(4);
    follows(3);
    assert_int_equal(writes(0, 4), 0);
}

static void test_many_readers(void **state)
{
    (void)state;
    for (uint32_t n = 1; n <= 6; n++) {
        begin(n);
        assert_int_equal(reads(0, 4), 0);
    }
    begin(7);
    assert_int_equal(writes(0, 4), 6);
    for (uint32_t n = 1; n <= 6; n++)
        follows(n);
    assert_int_equal(writes(0, 4), 0);
    ledger_forget(s, START, LEDGER_PAGE);
    for (uint32_t n = 1; n <= 9; n++) { /* more than there is room for */
        begin(n);
        for (uint32_t m = 1; m < 7; m++)
            if (n > 6)
                follows(m);
        assert_int_equal(reads(0, 4), 0);
    }
    begin(10);
    for (uint32_t m = 1; m <= 6; m++)
        follows(m);
    assert_int_equal(writes(0, 4), 3); /* 7, 8, 9 took places of 1 to 6 */
}

static void test_forget(void **state)
{
    (void)state;
    begin(1);
    writes(0, 3 * LEDGER_PAGE);
    ledger_forget(s, START + LEDGER_PAGE, LEDGER_PAGE);
    begin(2);
    assert_int_equal(reads(LEDGER_PAGE, LEDGER_PAGE), 0);
    assert_int_equal(reads(0, LEDGER_PAGE), 1);
    assert_int_equal(reads(2 * LEDGER_PAGE, 4), 1);
}

/* Random accesses against a list of all that ever was ---------------------- */

enum { RANGE = 64, ROUNDS = 400 };

struct past { uint32_t work; unsigned class; uint32_t from, to; };

static uint32_t next(uint32_t *seed, uint32_t below)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (*seed >> 16) % below;
}

static bool needs_order(unsigned a, unsigned b)
{
    bool write = a == RACE_WRITE || a == RACE_STRONG_WRITE ||
                 b == RACE_WRITE || b == RACE_STRONG_WRITE;
    return write && !(a >= RACE_STRONG_READ && b >= RACE_STRONG_READ);
}

/* Few works, so that nothing must be forgotten for want of room. */
static bool races_with_any(const struct past *past, size_t n, uint32_t work,
                           unsigned class, uint32_t byte, uint32_t seen)
{
    for (size_t k = 0; k < n; k++)
        if (past[k].work != work && !(seen >> past[k].work & 1) &&
            byte >= past[k].from && byte < past[k].to &&
            needs_order(past[k].class, class))
            return true;
    return false;
}

/* A byte is accused when and only when it races. Works 1 to 3 do a thing
 * each, unordered; then work 4 follows some of them. */
static void test_random(void **state)
{
    uint32_t seed = 3;
    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        struct past past[8];
        size_t n = 0;
        ledger_forget(s, START, LEDGER_PAGE);
        begin(5);
        reads(RANGE, 1); /* from here on the page has a unit a byte */
        for (uint32_t work = 1; work <= 4; work++) {
            uint32_t from = next(&seed, RANGE);
            uint32_t to = from + 1 + next(&seed, RANGE - from);
            unsigned class = next(&seed, RACE_CLASSES);
            uint32_t seen = work == 4 ? next(&seed, 16) & ~1u : 0;
            bool accused_at[RANGE] = {false};
            begin(work);
            for (uint32_t w = 1; w < 4; w++)
                if (seen >> w & 1)
                    follows(w);
            does(class, from, to - from);
            for (size_t k = 0; k < n_accused; k++)
                accused_at[accused[k].address - START] = true;
            for (uint32_t byte = 0; byte < RANGE; byte++) {
                bool races = byte >= from && byte < to &&
                             races_with_any(past, n, work, class, byte, seen);
                if (accused_at[byte] != races)
                    fail_msg("round %d, byte %u: %d", round, byte, races);
            }
            past[n++] = (struct past){work, class, from, to};
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(test_each_pair_of_classes),
        CASE(test_an_order_between_them),
        CASE(test_one_value_of_three),
        CASE(test_values_outlive_a_reader),
        CASE(test_bytes_beside_are_apart),
        CASE(test_page_is_divided),
        CASE(test_read_hides_nothing),
        CASE(test_page_is_whole_again),
        CASE(test_one_value),
        CASE(test_value_of_an_earlier_writer),
        CASE(test_write_hides_what_is_before_it),
        CASE(test_many_readers),
        CASE(test_forget),
        CASE(test_random),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
