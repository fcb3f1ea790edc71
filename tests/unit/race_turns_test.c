// SPDX-License-Identifier: MIT
/*
 * race_turns_test.c: volatile stores of several blocks to one word. Where the
 * blocks take turns, as a lock lets them, one that comes out of turn is found.
 */
#include "race_sample.h"

enum { X = 1024, FLAG = 0 };

/* Stores n to X: races. */
static uint64_t stray(struct races *r, struct warp *w, enum verb verb,
                      uint32_t n)
{
    value(w, n);
    return does(r, w, verb, 1, r->global + X);
}

/* The same, behind whoever raised the flag; and raises it. */
static uint64_t turn(struct races *r, struct warp *w, enum verb verb,
                     uint32_t n)
{
    does(r, w, STRONG_LOAD, 1, r->global + FLAG);
    uint64_t races = stray(r, w, verb, n);
    fence(w, 1);
    does(r, w, STRONG_STORE, 1, r->global + FLAG);
    return races;
}

static void test_in_turn(void **state)
{
    (void)state;
    struct races *r = race_begin(4, 32, true);
    for (uint32_t b = 0; b < 4; b++)
        assert_int_equal(turn(r, warp_of(r, b, 0), VOLATILE_STORE, b), 0);
    race_finish(r);
}

static void test_out_of_turn(void **state)
{
    (void)state;
    for (uint32_t n = 0; n < 2; n++) {
        struct races *r = race_begin(3, 32, true);
        turn(r, warp_of(r, 0, 0), VOLATILE_STORE, 1);
        turn(r, warp_of(r, 1, 0), VOLATILE_STORE, 1);
        assert_int_equal(stray(r, warp_of(r, 2, 0), VOLATILE_STORE, 1 + n), n);
        if (n) {
            const struct finding *f = last_race(r, 2);
            assert_int_equal(f->block[0], 2);
            assert_non_null(strstr(f->detail, "block (1,0,0)"));
            assert_non_null(strstr(f->detail, "volatile is no lock"));
        }
        race_finish(r);
    }
}

/* Before anybody took a turn, it is found when the second does. */
static void test_stray_comes_first(void **state)
{
    (void)state;
    struct races *r = race_begin(3, 32, true);
    assert_int_equal(stray(r, warp_of(r, 2, 0), VOLATILE_STORE, 9), 0);
    assert_int_equal(turn(r, warp_of(r, 0, 0), VOLATILE_STORE, 1), 0);
    assert_int_equal(turn(r, warp_of(r, 1, 0), VOLATILE_STORE, 2), 1);
    race_finish(r);
}

/* The same, where each reads before it stores, as sums do: its read takes no
 * store's place. */
static void test_reads_between(void **state)
{
    (void)state;
    struct races *r = race_begin(4, 32, true);
    static const uint32_t order[] = {2, 0, 1, 3};
    uint64_t races = 0;
    for (uint32_t n = 0; n < 4; n++) {
        struct warp *w = warp_of(r, order[n], 0);
        if (n)
            does(r, w, STRONG_LOAD, 1, r->global + FLAG);
        races += does(r, w, VOLATILE_LOAD, 1, r->global + X);
        races += stray(r, w, VOLATILE_STORE, n + 1);
        fence(w, 1);
        if (n)
            does(r, w, STRONG_STORE, 1, r->global + FLAG);
    }
    assert_true(races > 0);
    race_finish(r);
}

/* Where no block follows another; and within one block. */
static void test_no_turns(void **state)
{
    (void)state;
    struct races *r = race_begin(3, 64, true);
    fence(warp_of(r, 0, 0), 1);
    for (uint32_t b = 0; b < 3; b++)
        assert_int_equal(stray(r, warp_of(r, b, 0), VOLATILE_STORE, b), 0);
    race_finish(r);
    r = race_begin(2, 64, true);
    turn(r, warp_of(r, 0, 0), VOLATILE_STORE, 1);
    turn(r, warp_of(r, 0, 1), VOLATILE_STORE, 2);
    assert_int_equal(stray(r, warp_of(r, 1, 0), VOLATILE_STORE, 3), 0);
    race_finish(r);
    r = race_begin(2, 64, true);
    turn(r, warp_of(r, 0, 0), VOLATILE_STORE, 1);
    does(r, warp_of(r, 1, 1), STRONG_LOAD, 1, r->global + FLAG);
    turn(r, warp_of(r, 1, 0), VOLATILE_STORE, 2);
    assert_int_equal(stray(r, warp_of(r, 1, 1), VOLATILE_STORE, 3), 0);
    race_finish(r);
}

/* Who writes relaxed or atomic stores knows it, on either side. */
static void test_not_volatile(void **state)
{
    (void)state;
    for (int first = 0; first < 2; first++) {
        enum verb others[] = {STRONG_STORE, RELAXED_ADD, VOLATILE_LOAD};
        for (int n = 0; n < 3; n++) {
            struct races *r = race_begin(3, 32, true);
            enum verb a = first ? others[n] : VOLATILE_STORE;
            enum verb b = first ? VOLATILE_STORE : others[n];
            turn(r, warp_of(r, 0, 0), a, 1);
            turn(r, warp_of(r, 1, 0), a, 2);
            assert_int_equal(stray(r, warp_of(r, 2, 0), b, 3), 0);
            race_finish(r);
        }
    }
}

/* One byte of a word: only that one's value counts. */
static void test_bytes(void **state)
{
    (void)state;
    static const struct { uint32_t at, n, races; } cases[] = {
        {0, 5, 0}, {1, 7, 0}, {1, 5, 1}, {0, 7, 1}, {3, 0, 0},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct races *r = race_begin(3, 32, true);
        struct warp *w = warp_of(r, 2, 0);
        struct access_form *byte = &r->h->detail[STORE_BYTE].access;
        byte->strong = byte->is_volatile = true;
        turn(r, warp_of(r, 0, 0), VOLATILE_STORE, 0x0705);
        turn(r, warp_of(r, 1, 0), VOLATILE_STORE, 0x0705);
        value(w, cases[k].n);
        assert_int_equal(does(r, w, STORE_BYTE, 1,
                              r->global + X + cases[k].at), cases[k].races);
        race_finish(r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_in_turn),
        cmocka_unit_test(test_out_of_turn),
        cmocka_unit_test(test_stray_comes_first),
        cmocka_unit_test(test_reads_between),
        cmocka_unit_test(test_no_turns),
        cmocka_unit_test(test_not_volatile),
        cmocka_unit_test(test_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
