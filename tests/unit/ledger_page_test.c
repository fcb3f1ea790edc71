// SPDX-License-Identifier: MIT
/*
 * ledger_page_test.c: a kernel's deeds, page by page, against what the ledger
 * remembers; and the messages between kernels that are found there.
 */
#include "ledger_sample.h"

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

/* The middle of a page is not the page. */
static void test_part_of_a_page(void **state)
{
    (void)state;
    begin(1);
    writes(LEDGER_PAGE / 4, LEDGER_PAGE / 2);
    begin(2);
    assert_int_equal(writes(0, 4), 0);
    assert_int_equal(writes(LEDGER_PAGE / 4 * 3, 4), 0);
    begin(3);
    assert_int_equal(writes(LEDGER_PAGE / 2, 4), 1);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(test_values_of_a_page),
        CASE(test_part_of_a_page),
        CASE(test_deeds_are_numbered),
        CASE(test_deeds_of_a_page),
        CASE(test_signal),
        CASE(test_signal_in_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
