// SPDX-License-Identifier: MIT
/*
 * finding_test.c: a hit that is found again counts as one that is described:
 * random hits of a few pairs of lines on two arrays, in any order of blocks and
 * threads, given to two workers, of which only one remembers.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "simgpu/core/state/finding.h"

enum { LINES = 3, HITS = 4000, ROUNDS = 20, ARRAY = 64 };

static const struct launch launch = {.grid = {4, 3, 2}, .block = {8, 4, 2}};
static uint64_t state;

static uint64_t draw(uint64_t n)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (state >> 33) % n;
}

static void split(uint64_t n, const uint32_t size[3], uint32_t id[3])
{
    id[0] = (uint32_t)(n % size[0]);
    id[1] = (uint32_t)(n / size[0] % size[1]);
    id[2] = (uint32_t)(n / size[0] / size[1]);
}

static void describe(struct worker *k, const struct hit *h, int line,
                     int other)
{
    bool second = h->address >= 2 * ARRAY;
    struct finding x = {.kind = FIND_RACE, .kernel = "k", .count = 1,
                        .array = second ? "second" : "first",
                        .address = h->address, .array_bytes = ARRAY,
                        .offset = (int64_t)(h->address -
                                            (second ? 2 * ARRAY : ARRAY / 2)),
                        .at = {.file = "a.cu", .line = line},
                        .other = {.file = "a.cu", .line = other}};
    split(h->block, launch.grid, x.block);
    split(h->thread, launch.block, x.at.thread);
    found_add(k, &x, h->order);
}

static size_t hit_both(struct worker *plain, struct worker *quick)
{
    int line = (int)draw(LINES), other = (int)draw(LINES);
    uint64_t block = draw(24);
    struct hit h = {hit_pair(FIND_RACE, (uint64_t)line, (uint64_t)other),
                    draw(2) * 2 * ARRAY, block, draw(64),
                    (block * 7 + 5) % 24}; /* not by block: a seed shuffles */
    h.address += (h.address ? 0 : ARRAY / 2) + draw(ARRAY);
    describe(plain, &h, line, other);
    if (found_again(quick, &h))
        return 1;
    describe(quick, &h, line, other);
    found_remember(quick, &h);
    return 0;
}

static void expect_equal(const struct launch_report *a,
                         const struct launch_report *b)
{
    assert_int_equal(a->n_findings, b->n_findings);
    assert_int_equal(a->races, b->races);
    for (size_t i = 0; i < a->n_findings; i++) {
        const struct finding *x = &a->findings[i], *y = &b->findings[i];
        assert_int_equal(x->count, y->count);
        assert_int_equal(x->address, y->address);
        assert_int_equal(x->at.line, y->at.line);
        assert_int_equal(x->other.line, y->other.line);
        assert_memory_equal(x->block, y->block, sizeof x->block);
        assert_memory_equal(x->at.thread, y->at.thread, sizeof x->at.thread);
    }
}

static void what_is_remembered_counts(void **unused)
{
    (void)unused;
    size_t again = 0;
    for (int round = 0; round < ROUNDS; round++) {
        static struct run run;
        static struct worker plain, quick;
        struct launch_report a = {0}, b = {0};
        run = (struct run){.launch = &launch};
        atomic_store(&run.fault_order, UINT64_MAX);
        memset(&plain, 0, sizeof plain);
        memset(&quick, 0, sizeof quick);
        plain.run = quick.run = &run;
        state = (uint64_t)round;
        for (int n = 0; n < HITS; n++)
            again += hit_both(&plain, &quick);
        for (size_t n = 0; n < plain.found->n; n++)
            assert_int_equal(plain.found->order[n], quick.found->order[n]);
        found_merge(&plain, 1, MAX_FOUND, &a);
        found_merge(&quick, 1, MAX_FOUND, &b);
        assert_int_equal(a.n_findings, 2 * LINES * LINES);
        assert_int_equal(a.races, HITS);
        expect_equal(&a, &b);
        free(a.findings);
        free(b.findings);
        free(plain.found);
        free(quick.found);
    }
    assert_true(again > ROUNDS * HITS / 4);
}

static void add(struct worker *k, enum finding_kind kind, int line,
                uint32_t block)
{
    found_add(k, &(struct finding){.kind = kind, .kernel = "k", .count = 3,
                                   .array = "x", .block = {block, 0, 0},
                                   .at = {.file = "a.cu", .line = line},
                                   .other = {.file = "a.cu", .line = 9}},
              block);
}

/* A note is no race and comes last, so that it takes no race's place; beside a
 * race of the same lines it says nothing. */
static void notes_count_for_nothing(void **unused)
{
    (void)unused;
    static struct run run;
    static struct worker k;
    struct launch_report all = {0}, two = {0};
    run = (struct run){.launch = &launch};
    atomic_store(&run.fault_order, UINT64_MAX);
    k = (struct worker){.run = &run};
    add(&k, FIND_EQUAL_WRITES, 1, 0);
    add(&k, FIND_EQUAL_WRITES, 2, 0);
    add(&k, FIND_RACE, 2, 4);
    add(&k, FIND_RACE, 3, 5);
    found_merge(&k, 1, MAX_FOUND, &all);
    assert_int_equal(all.n_findings, 3);
    assert_int_equal(all.races, 6);
    assert_int_equal(all.equal_writes, 3);
    assert_int_equal(all.memory_errors, 0);
    assert_int_equal(all.findings[0].at.line, 2);
    assert_int_equal(all.findings[0].kind, FIND_RACE);
    assert_int_equal(all.findings[2].kind, FIND_EQUAL_WRITES);
    assert_int_equal(all.findings[2].at.line, 1);
    found_merge(&k, 1, 2, &two);
    assert_int_equal(two.n_findings, 2);
    assert_int_equal(two.findings[1].at.line, 3);
    free(all.findings);
    free(two.findings);
    free(k.found);
}

/* Warps that wait at different barriers explain a race; a launch without one is
 * right. */
static void parted_warps_explain_races(void **unused)
{
    (void)unused;
    for (int races = 0; races < 2; races++) {
        static struct run run;
        static struct worker k;
        struct launch_report all = {0};
        run = (struct run){.launch = &launch};
        atomic_store(&run.fault_order, UINT64_MAX);
        k = (struct worker){.run = &run};
        add(&k, FIND_PARTED, 2, 0);
        if (races)
            add(&k, FIND_RACE, 3, 0);
        found_merge(&k, 1, MAX_FOUND, &all);
        assert_int_equal(all.n_findings, 2 * races);
        assert_int_equal(all.races, 3 * races);
        assert_int_equal(all.equal_writes + all.memory_errors, 0);
        if (races)
            assert_int_equal(all.findings[1].kind, FIND_PARTED);
        free(all.findings);
        free(k.found);
    }
}

/* However many notes came first, on one worker or on several. */
static void notes_keep_no_race_out(void **unused)
{
    (void)unused;
    enum { NOTES = 300, WORKERS = 5 };
    for (int n = 1; n <= WORKERS; n += WORKERS - 1) {
        static struct run run;
        static struct worker k[WORKERS];
        struct launch_report all = {0};
        run = (struct run){.launch = &launch};
        atomic_store(&run.fault_order, UINT64_MAX);
        memset(k, 0, sizeof k);
        for (int i = 0; i < n; i++)
            k[i].run = &run;
        for (int line = 1; line <= NOTES; line++)
            add(&k[line % n], FIND_EQUAL_WRITES, line, 0);
        assert_int_equal(k[0].found->last,
                         n == 1 ? MAX_FOUND : NOTES / WORKERS - 1);
        add(&k[n - 1], FIND_RACE, NOTES + 1, 1);
        assert_int_equal(k[n - 1].found->last, k[n - 1].found->n - 1);
        found_merge(k, n, MAX_FOUND, &all);
        assert_int_equal(all.races, 3);
        assert_int_equal(all.n_findings, MAX_NOTES + 1);
        assert_int_equal(all.equal_writes, 3 * NOTES);
        assert_int_equal(all.unlisted, 3 * (NOTES - MAX_NOTES));
        assert_int_equal(all.findings[0].kind, FIND_RACE);
        assert_int_equal(all.findings[0].at.line, NOTES + 1);
        free(all.findings);
        for (int i = 0; i < n; i++)
            free(k[i].found);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_remembered_counts),
        cmocka_unit_test(notes_count_for_nothing),
        cmocka_unit_test(parted_warps_explain_races),
        cmocka_unit_test(notes_keep_no_race_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
