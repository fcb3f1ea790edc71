// SPDX-License-Identifier: MIT
/*
 * ledger_test.c: which work touched which bytes last. Works 1, 2, ... each on
 * a stream of their own, so that none is ordered but by `follows`; what one
 * does to some bytes is judged against what is remembered.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "simgpu/core/race/streams.h"

#define START DEVICE_BASE
enum { WORKS = 20, ACCUSATIONS = 8192 };

static struct streams *s;
static struct {
    uint64_t address;
    unsigned class;
    struct seen before;
} accused[ACCUSATIONS];
static size_t n_accused;

static int start(void **state)
{
    static struct memory memory = {.reserved = 1 << 20};
    (void)state;
    s = streams_open(&memory);
    s->works = calloc(WORKS + 1, sizeof *s->works);
    s->n_works = WORKS;
    for (uint32_t n = 1; n <= WORKS; n++)
        s->works[n] = (struct work){.track = n, .time = 1};
    n_accused = 0;
    return 0;
}

static int stop(void **state)
{
    (void)state;
    ledger_forget(s, START, 1 << 16);
    streams_close(s);
    return 0;
}

static void accuse(void *context, uint64_t address, unsigned class,
                   struct seen before)
{
    assert_ptr_equal(context, s);
    assert_true(n_accused < ACCUSATIONS);
    accused[n_accused].address = address;
    accused[n_accused].class = class;
    accused[n_accused++].before = before;
}

/* The work under way from here on, ordered behind nobody but itself. */
static void begin(uint32_t work)
{
    s->work = work;
    s->now = (struct clock){0};
    s->now.at[work] = 1;
    n_accused = 0;
}

static void follows(uint32_t work)
{
    s->now.at[work] = 1;
}

/* The work under way does this to some bytes; how many units are accused. */
static size_t does(unsigned class, uint64_t from, uint64_t bytes)
{
    struct deed d = {.classes = 1u << class};
    d.site[class] = 7;
    n_accused = 0;
    ledger_range(s, START + from, bytes, &d, 0, accuse, s);
    return n_accused;
}

static size_t writes(uint64_t from, uint64_t bytes)
{
    return does(RACE_WRITE, from, bytes);
}

static size_t reads(uint64_t from, uint64_t bytes)
{
    return does(RACE_READ, from, bytes);
}

/* Writes a value that is known. */
static size_t fills(uint64_t from, uint64_t bytes, uint32_t value)
{
    struct deed d = {.classes = 1u << RACE_WRITE, .known = 1};
    n_accused = 0;
    ledger_range(s, START + from, bytes, &d, value, accuse, s);
    return n_accused;
}

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

/* Each word with a value of its own stays apart, though all were written by
 * one work. */
static void test_values_of_a_page(void **state)
{
    static struct deeds x;
    struct deed write = {.classes = 1u << RACE_WRITE, .known = 1};
    (void)state;
    x.n = 0;
    x.units = RACE_GROUP;
    deeds_add(&x, &write);
    for (uint32_t k = 0; k < RACE_GROUP; k++) {
        x.which[k] = 1;
        x.value[k] = k;
    }
    begin(1);
    ledger_page(s, START, &x, accuse, s);
    begin(2);
    assert_int_equal(fills(20, 4, 5), 0);
    assert_int_equal(fills(24, 4, 5), 1);
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

static void test_deeds_are_numbered(void **state)
{
    static struct deeds x;
    struct deed a = {.classes = 1, .site = {5}}, b = {.classes = 2};
    (void)state;
    x.n = 0;
    assert_int_equal(deeds_add(&x, &a), 1);
    assert_int_equal(deeds_add(&x, &b), 2);
    assert_int_equal(deeds_add(&x, &a), 1);
    assert_int_equal(deeds_add(&x, &b), 2);
    b.known = 1;
    assert_int_equal(deeds_add(&x, &b), 3);
    assert_int_equal(x.n, 3);
}

/* Several deeds to one page: each unit its own, or none. */
static void test_deeds_of_a_page(void **state)
{
    static struct deeds x;
    struct deed read = {.classes = 1u << RACE_READ},
                write = {.classes = 1u << RACE_WRITE, .known = 1};
    (void)state;
    x.n = 0;
    x.units = RACE_GROUP;
    deeds_add(&x, &read);
    deeds_add(&x, &write);
    memset(x.which, 0, sizeof x.which);
    x.which[3] = 1;
    x.which[5] = 2;
    x.value[5] = 9;
    begin(1);
    ledger_page(s, START, &x, accuse, s);
    begin(2);
    assert_int_equal(fills(20, 4, 9), 0);
    assert_int_equal(fills(12, 4, 9), 1);
    begin(3);
    follows(2);
    assert_int_equal(writes(0, 64), 2);
    assert_int_equal(accused[0].address, START + 12);
    assert_int_equal(accused[1].address, START + 20);
}

/* Messages: a strong write of a fenced kernel, that no order explains. */
static void test_signal(void **state)
{
    static struct deeds x;
    struct deed listens = {.classes = 1u << RACE_STRONG_READ};
    (void)state;
    begin(1);
    s->works[1].fenced = true;
    does(RACE_STRONG_WRITE, 40, 4);
    does(RACE_STRONG_READ, 44, 4);
    s->works[2].fenced = false;
    begin(2);
    does(RACE_STRONG_WRITE, 48, 4);
    begin(3);
    x.n = 0;
    x.units = RACE_GROUP;
    deeds_add(&x, &listens);
    for (uint32_t unit = 9; unit < 14; unit++) {
        memset(x.which, 0, sizeof x.which);
        x.which[unit] = 1;
        assert_int_equal(ledger_signal(s, START, &x), unit == 10);
    }
    x.which[10] = 1;
    follows(1);
    assert_int_equal(ledger_signal(s, START, &x), 0);
    assert_int_equal(ledger_signal(s, START + LEDGER_PAGE, &x), 0);
    begin(1);
    assert_int_equal(ledger_signal(s, START, &x), 0); /* its own */
    begin(4);
    x.n = 0;
    listens.classes = 1u << RACE_READ;
    deeds_add(&x, &listens);
    assert_int_equal(ledger_signal(s, START, &x), 0);
    x.deed[1].classes = 1u << RACE_STRONG_WRITE;
    assert_int_equal(ledger_signal(s, START, &x), 1);
}

/* Listener and page may be divided differently. */
static void test_signal_in_bytes(void **state)
{
    static struct deeds x;
    struct deed listens = {.classes = 1u << RACE_STRONG_READ};
    (void)state;
    begin(1);
    s->works[1].fenced = true;
    does(RACE_STRONG_WRITE, 41, 1);
    begin(2);
    x.n = 0;
    deeds_add(&x, &listens);
    for (x.units = RACE_GROUP; x.units <= LEDGER_PAGE; x.units *= RACE_WORD) {
        uint32_t unit = 41 / (LEDGER_PAGE / x.units);
        memset(x.which, 0, sizeof x.which);
        x.which[unit] = 1;
        assert_int_equal(ledger_signal(s, START, &x), 1);
        x.which[unit] = 0;
        x.which[unit + 1] = x.which[unit - 1] = 1;
        assert_int_equal(ledger_signal(s, START, &x), 0);
    }
    begin(1);
    s->works[1].fenced = true;
    ledger_forget(s, START, LEDGER_PAGE);
    does(RACE_STRONG_WRITE, 0, LEDGER_PAGE);
    begin(2);
    x.units = RACE_GROUP;
    memset(x.which, 0, sizeof x.which);
    assert_int_equal(ledger_signal(s, START, &x), 0);
    x.which[RACE_GROUP - 1] = 1;
    assert_int_equal(ledger_signal(s, START, &x), 1);
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
#define CASE(f) cmocka_unit_test_setup_teardown(f, start, stop)
    const struct CMUnitTest tests[] = {
        CASE(test_each_pair_of_classes),
        CASE(test_an_order_between_them),
        CASE(test_bytes_beside_are_apart),
        CASE(test_page_is_divided),
        CASE(test_values_of_a_page),
        CASE(test_read_hides_nothing),
        CASE(test_page_is_whole_again),
        CASE(test_one_value),
        CASE(test_value_of_an_earlier_writer),
        CASE(test_write_hides_what_is_before_it),
        CASE(test_many_readers),
        CASE(test_forget),
        CASE(test_deeds_are_numbered),
        CASE(test_deeds_of_a_page),
        CASE(test_signal),
        CASE(test_signal_in_bytes),
        CASE(test_random),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
