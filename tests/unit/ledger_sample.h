// SPDX-License-Identifier: MIT
/*
 * ledger_sample.h: works 1, 2, ... each on a stream of their own, so that none
 * is ordered but by `follows`; what one does to some bytes is judged against
 * what the ledger remembers.
 *
 *   start, stop            an empty ledger, before and after each test
 *   begin, follows         the work under way, and whom it comes after
 *   does, writes, reads, fills   to some bytes; how many units are accused
 *   accused, n_accused     which
 */
#ifndef TEST_LEDGER_SAMPLE_H
#define TEST_LEDGER_SAMPLE_H

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

static inline int start(void **state)
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

static inline int stop(void **state)
{
    (void)state;
    ledger_forget(s, START, 1 << 16);
    streams_close(s);
    return 0;
}

static inline void accuse(void *context, uint64_t address, unsigned class,
                          struct seen before)
{
    assert_ptr_equal(context, s);
    assert_true(n_accused < ACCUSATIONS);
    accused[n_accused].address = address;
    accused[n_accused].class = class;
    accused[n_accused++].before = before;
}

/* The work under way from here on, ordered behind nobody but itself. */
static inline void begin(uint32_t work)
{
    s->work = work;
    s->now = (struct clock){0};
    s->now.at[work] = 1;
    n_accused = 0;
}

static inline void follows(uint32_t work)
{
    s->now.at[work] = 1;
}

/* The work under way does this to some bytes; how many units are accused. */
static inline size_t does(unsigned class, uint64_t from, uint64_t bytes)
{
    struct deed d = {.classes = 1u << class};
    d.site[class] = 7;
    n_accused = 0;
    ledger_range(s, START + from, bytes, &d, 0, accuse, s);
    return n_accused;
}

static inline size_t writes(uint64_t from, uint64_t bytes)
{
    return does(RACE_WRITE, from, bytes);
}

static inline size_t reads(uint64_t from, uint64_t bytes)
{
    return does(RACE_READ, from, bytes);
}

/* Writes a value that is known. */
static inline size_t fills(uint64_t from, uint64_t bytes, uint32_t value)
{
    struct deed d = {.classes = 1u << RACE_WRITE, .known = 1};
    n_accused = 0;
    ledger_range(s, START + from, bytes, &d, value, accuse, s);
    return n_accused;
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, start, stop)

#endif
