// SPDX-License-Identifier: MIT
/*
 * race_rules_test.c: accesses that race for other reasons than their class:
 * reads of constants that are written, atomics of two sizes, equal writes that
 * a third one meets, and atomics of the block's scope. Each with its twin.
 */
#include "race_sample.h"

enum { X = 512, WORD = 1024 };

/* A read by .nc of what this launch wrote, whoever wrote it and when; and of
 * what nobody wrote. */
static void test_constant_is_written(void **state)
{
    (void)state;
    for (int fenced = 0; fenced < 2; fenced++) {
        struct races *r = race_begin(1, 64, fenced);
        struct warp *w = warp_of(r, 0, 0);
        assert_int_equal(does(r, w, CONSTANT_LOAD, 1, r->global + X), 0);
        does(r, w, STORE, 1, r->global + X);
        assert_int_equal(does(r, w, LOAD, 1, r->global + X), 0);
        assert_int_equal(does(r, w, CONSTANT_LOAD, 1, r->global + X), 1);
        const struct finding *x = last_race(r, 0);
        assert_non_null(strstr(x->detail, "ld.global.nc"));
        assert_int_equal(x->allocation, 1);
        assert_int_equal(x->address, r->global + X);
        assert_int_equal(x->bytes, 4);
        assert_int_equal(x->at.line, CONSTANT_LOAD + 1);
        assert_int_equal(x->other.line, STORE + 1);
        assert_true(x->other.write);
        barrier(r, 0);
        assert_int_equal(does(r, warp_of(r, 0, 1), CONSTANT_LOAD, 1,
                              r->global + X), 1);
        assert_int_equal(does(r, w, CONSTANT_LOAD, 1, r->global + X + 4), 0);
        does(r, w, ADD, 1, r->global + X + 8);
        assert_int_equal(does(r, w, CONSTANT_LOAD, 1, r->global + X + 8), 1);
        race_finish(r);
    }
}

/* Half of an 8-byte counter; the same counter twice; and who reads it only. */
static void test_sizes(void **state)
{
    (void)state;
    struct races *r = race_begin(2, 32, true);
    does(r, warp_of(r, 0, 0), ADD_EIGHT, 1, r->global + X);
    assert_int_equal(does(r, warp_of(r, 1, 0), ADD_EIGHT, 1, r->global + X),
                     0);
    assert_int_equal(does(r, warp_of(r, 1, 0), ADD, 1, r->global + X), 1);
    race_finish(r);
    r = race_begin(1, 64, false);
    does(r, warp_of(r, 0, 0), ADD_EIGHT, 1, WORD);
    assert_int_equal(does(r, warp_of(r, 0, 1), ADD_EIGHT, 1, WORD), 0);
    assert_int_equal(does(r, warp_of(r, 0, 1), ADD, 1, WORD), 1);
    race_finish(r);
    for (int first = 0; first < 2; first++) {
        r = race_begin(1, 64, false);
        enum verb verbs[] = {ADD_EIGHT, VOLATILE_LOAD};
        does(r, warp_of(r, 0, 0), verbs[first], 1, WORD);
        assert_int_equal(does(r, warp_of(r, 0, 1), verbs[!first], 1, WORD), 0);
        race_finish(r);
    }
}

/* Warps 0 and 1 write one value; warp 2 has met warp 1 alone. */
static void third(bool fenced, uint64_t at, bool met_both, uint64_t races)
{
    struct races *r = race_begin(1, 96, fenced);
    uint64_t address = at == X ? r->global + X : at;
    for (uint32_t w = 0; w < 2; w++) {
        value(warp_of(r, 0, w), 7);
        assert_int_equal(does(r, warp_of(r, 0, w), STORE, 1, address), 0);
    }
    assert_int_equal(noted(r), 1);
    meet(r, 0, met_both ? 7 : 6, met_both ? 7 : 6);
    assert_int_equal(does(r, warp_of(r, 0, 2), LOAD, 1, address), races);
    assert_int_equal(noted(r), 1);
    race_finish(r);
}

static void test_equal_writes(void **state)
{
    (void)state;
    for (int fenced = 0; fenced < 2; fenced++) {
        third(fenced, X, false, 1);
        third(fenced, X, true, 0);
        third(fenced, WORD, false, 1);
        third(fenced, WORD, true, 0);
    }
}

/* A word of zeros and a byte of it: equal, but in pieces of two sizes. */
static void test_what_equal_writes_say(void **state)
{
    (void)state;
    for (int blocks = 1; blocks <= 2; blocks++)
        for (int bytes = 0; bytes < 2; bytes++) {
            struct races *r = race_begin((uint32_t)blocks, 64, true);
            struct warp *a = warp_of(r, 0, 0);
            struct warp *b = warp_of(r, (uint32_t)blocks - 1,
                                     blocks == 1 ? 1 : 0);
            value(a, 0);
            value(b, 0);
            does(r, a, STORE, 1, r->global + X);
            assert_int_equal(does(r, b, bytes ? STORE_BYTE : STORE, 1,
                                  r->global + X), 0);
            assert_int_equal(noted(r), 1);
            const struct finding *f =
                &r->worker[blocks - 1]->found->list[0];
            assert_int_equal(f->kind, FIND_EQUAL_WRITES);
            assert_true(f->at.write && f->other.write);
            assert_true(!strstr(f->detail, "sizes") == !bytes);
            race_finish(r);
        }
}

/* A thread adds at the block's scope, then at the GPU's: the first one still
 * races with another block's. */
static void test_narrow_then_wide(void **state)
{
    (void)state;
    for (int narrow = 0; narrow < 2; narrow++) {
        struct races *r = race_begin(2, 32, true);
        struct warp *w = warp_of(r, 0, 0);
        does(r, w, narrow ? ADD_IN_BLOCK : RELAXED_ADD, 1, r->global + X);
        does(r, w, RELAXED_ADD, 1, r->global + X);
        assert_int_equal(does(r, warp_of(r, 1, 0), RELAXED_ADD, 1,
                              r->global + X), narrow);
        race_finish(r);
    }
}

/* Of an access that nobody knows nothing is said. */
static void test_unknown(void **state)
{
    (void)state;
    for (int known = 0; known < 2; known++) {
        struct races *r = race_begin(1, 32, false);
        if (!known)
            r->h->detail[VOLATILE_STORE].access.site = 0;
        does(r, warp_of(r, 0, 0), VOLATILE_STORE, 1, WORD);
        assert_int_equal(does(r, warp_of(r, 0, 0), VOLATILE_LOAD, 2, WORD),
                         known);
        race_finish(r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_constant_is_written),
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_equal_writes),
        cmocka_unit_test(test_what_equal_writes_say),
        cmocka_unit_test(test_narrow_then_wide),
        cmocka_unit_test(test_unknown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
