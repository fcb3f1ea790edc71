// SPDX-License-Identifier: MIT
/*
 * race_order_test.c: what orders two accesses of different threads of a block:
 * a barrier, a .sync. At last random orders against the definition: a vector
 * clock per thread.
 */
#include "race_sample.h"

static void test_lanes_of_a_warp(void **state)
{
    (void)state;
    struct races *r = race_begin(1, 64, false);
    struct mark m = touch(r, 0, 3);
    assert_true(before(r, m, 0, 3));
    assert_false(before(r, m, 0, 4));
    warp_sync(warp_of(r, 0, 0), ALL);
    assert_true(before(r, m, 0, 4));
    assert_false(before(r, m, 0, 36)); /* of another warp */
    assert_false(before(r, touch(r, 0, 3), 0, 4)); /* what comes after */
    race_finish(r);
}

static void test_some_lanes(void **state)
{
    (void)state;
    struct races *r = race_begin(1, 32, false);
    struct warp *w = warp_of(r, 0, 0);
    struct mark zero = touch(r, 0, 0), two = touch(r, 0, 2);
    warp_sync(w, 1); /* alone: orders nothing */
    warp_sync(w, 3);
    assert_true(before(r, zero, 0, 1));
    assert_false(before(r, two, 0, 1));
    assert_false(before(r, zero, 0, 2));
    struct mark later = touch(r, 0, 0);
    warp_sync(w, 6);
    assert_true(before(r, zero, 0, 2)); /* by way of lane 1 */
    assert_true(before(r, two, 0, 1));
    assert_false(before(r, later, 0, 2));
    assert_false(before(r, two, 0, 0));
    warp_sync(w, ALL);
    assert_true(before(r, later, 0, 2));
    assert_true(before(r, two, 0, 31));
    race_finish(r);
}

/* Lanes that are not there, or have left, are not waited for. */
static void test_short_warp(void **state)
{
    (void)state;
    struct races *r = race_begin(1, 8, false);
    struct mark m = touch(r, 0, 3);
    warp_sync(warp_of(r, 0, 0), 0xff);
    assert_true(before(r, m, 0, 4));
    assert_int_equal(warp_of(r, 0, 0)->stamp, warp_of(r, 0, 0)->full);
    race_finish(r);
}

static void test_barrier_of_all(void **state)
{
    (void)state;
    struct races *r = race_begin(1, 96, false);
    struct mark m = touch(r, 0, 3), n = touch(r, 0, 70);
    assert_false(before(r, m, 0, 70));
    barrier(r, 0);
    assert_true(before(r, m, 0, 70));
    assert_true(before(r, n, 0, 3));
    assert_true(before(r, m, 0, 4));
    assert_false(before(r, touch(r, 0, 3), 0, 70));
    race_finish(r);
}

static void test_barrier_of_some_warps(void **state)
{
    (void)state;
    struct races *r = race_begin(1, 128, false);
    struct mark m[4], later;
    for (uint32_t w = 0; w < 4; w++)
        m[w] = touch(r, 0, w * 32 + 5);
    meet(r, 0, 3, 3);
    assert_true(before(r, m[0], 0, 32));
    assert_true(before(r, m[1], 0, 0));
    assert_true(before(r, m[0], 0, 1));
    assert_false(before(r, m[0], 0, 64));
    assert_false(before(r, m[2], 0, 0));
    later = touch(r, 0, 5);
    meet(r, 0, 6, 6);
    assert_true(before(r, m[0], 0, 64)); /* by way of warp 1 */
    assert_false(before(r, later, 0, 64));
    assert_false(before(r, m[2], 0, 5));
    assert_false(before(r, m[3], 0, 64));
    race_finish(r);
}

/* bar.arrive: whoever only arrives is ordered before those who wait. */
static void test_arrive(void **state)
{
    (void)state;
    struct races *r = race_begin(1, 64, false);
    struct mark producer = touch(r, 0, 5), consumer = touch(r, 0, 40);
    meet(r, 0, 3, 2);
    assert_true(before(r, producer, 0, 40));
    assert_false(before(r, consumer, 0, 5));
    assert_false(before(r, touch(r, 0, 5), 0, 40));
    assert_false(before(r, producer, 0, 6)); /* is of no help to its warp */
    race_finish(r);
}

/* All threads come, but one warp does not wait: no barrier of all. */
static void test_arrive_of_all(void **state)
{
    (void)state;
    struct races *r = race_begin(1, 96, false);
    uint32_t floor = r->worker[0]->block.floor;
    struct mark m = touch(r, 0, 70);
    meet(r, 0, 7, 3);
    assert_int_equal(r->worker[0]->block.floor, floor);
    assert_true(before(r, m, 0, 5));
    race_finish(r);
}

/* Launches that overlap --------------------------------------------------- */

/* Each warp begins early, and one that waits is late for itself alone. */
static void test_early(void **state)
{
    (void)state;
    struct races *r = race_begin(1, 96, false);
    assert_false(early(r, 0, 1));
    all_early(r);
    for (uint32_t w = 0; w < 3; w++)
        assert_true(early(r, 0, w));
    race_not_early(warp_of(r, 0, 1));
    assert_true(early(r, 0, 0));
    assert_false(early(r, 0, 1));
    assert_true(early(r, 0, 2));
    race_not_early(warp_of(r, 0, 1));
    warp_sync(warp_of(r, 0, 1), ALL);
    warp_sync(warp_of(r, 0, 2), ALL);
    assert_false(early(r, 0, 1));
    assert_true(early(r, 0, 2));
    race_finish(r);
}

/* The warps (a bit each) that are early behind a barrier, if one was late. */
static uint32_t early_behind(int late, uint32_t arriving, uint32_t waiting)
{
    uint32_t left = 0;
    struct races *r = race_begin(1, 128, false);
    all_early(r);
    if (late >= 0)
        race_not_early(warp_of(r, 0, (uint32_t)late));
    meet(r, 0, arriving, waiting);
    for (uint32_t w = 0; w < 4; w++)
        left |= (uint32_t)early(r, 0, w) << w;
    race_finish(r);
    return left;
}

/* Whoever comes to a barrier tells those that wait there. */
static void test_early_at_a_barrier(void **state)
{
    (void)state;
    assert_int_equal(early_behind(-1, 15, 15), 15);
    assert_int_equal(early_behind(-1, 6, 6), 15);
    for (int late = 0; late < 4; late++)
        assert_int_equal(early_behind(late, 15, 15), 0);
    assert_int_equal(early_behind(0, 7, 7), 8);
    assert_int_equal(early_behind(2, 7, 7), 8);
    assert_int_equal(early_behind(3, 7, 7), 7);  /* it did not come */
    assert_int_equal(early_behind(0, 3, 2), 12); /* it came, and did not wait */
    assert_int_equal(early_behind(1, 3, 2), 13); /* who did not wait heard
                                                    nothing */
    assert_int_equal(early_behind(2, 12, 8), 3);
}

/* Random orders ----------------------------------------------------------- */

enum { THREADS = 96, STEPS = 40, ROUNDS = 200 };

static uint32_t next(uint32_t *seed, uint32_t below)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (*seed >> 16) % below;
}

/* clock[t][u]: how much of u's past thread t has seen. */
static uint32_t clock_of[THREADS][THREADS];

static void join(const uint8_t *from, const uint8_t *to)
{
    uint32_t all[THREADS] = {0};
    for (uint32_t t = 0; t < THREADS; t++)
        for (uint32_t u = 0; from[t] && u < THREADS; u++)
            if (clock_of[t][u] > all[u])
                all[u] = clock_of[t][u];
    for (uint32_t t = 0; t < THREADS; t++) {
        for (uint32_t u = 0; to[t] && u < THREADS; u++)
            if (all[u] > clock_of[t][u])
                clock_of[t][u] = all[u];
        if (from[t] || to[t])
            clock_of[t][t]++;
    }
}

static void random_sync(struct races *r, uint32_t *seed)
{
    uint8_t in[THREADS] = {0}, out[THREADS] = {0};
    if (next(seed, 3)) {
        uint32_t warp = next(seed, 3);
        uint32_t lanes = next(seed, 4) ? 3u << next(seed, 6) : ALL;
        for (uint32_t l = 0; l < LANES; l++)
            in[warp * LANES + l] = lanes >> l & 1;
        warp_sync(warp_of(r, 0, warp), lanes);
        join(in, in);
        return;
    }
    uint32_t arriving = 1 + next(seed, 7), waiting = arriving;
    if (next(seed, 2))
        waiting &= 1 + next(seed, 7);
    if (!waiting)
        return;
    for (uint32_t t = 0; t < THREADS; t++) {
        in[t] = arriving >> t / LANES & 1;
        out[t] = waiting >> t / LANES & 1;
    }
    meet(r, 0, arriving, waiting);
    join(in, out);
}

static void test_random(void **state)
{
    uint32_t seed = 21;
    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        struct races *r = race_begin(1, THREADS, false);
        struct { struct mark m; uint32_t thread, time; } past[STEPS];
        memset(clock_of, 0, sizeof clock_of);
        for (uint32_t t = 0; t < THREADS; t++)
            clock_of[t][t] = 1;
        for (uint32_t n = 0; n < STEPS; n++) {
            uint32_t t = next(&seed, 3) * LANES + next(&seed, 8);
            past[n].thread = t;
            past[n].time = clock_of[t][t];
            past[n].m = touch(r, 0, t);
            random_sync(r, &seed);
            uint32_t who = next(&seed, 3) * LANES + next(&seed, 8);
            for (uint32_t k = 0; k <= n; k++) {
                bool is = past[k].thread == who ||
                          clock_of[who][past[k].thread] >= past[k].time;
                if (before(r, past[k].m, 0, who) != is)
                    fail_msg("round %d: what thread %u did is%s ordered "
                             "before thread %u", round, past[k].thread,
                             is ? "" : " not", who);
            }
        }
        race_finish(r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lanes_of_a_warp),
        cmocka_unit_test(test_some_lanes),
        cmocka_unit_test(test_short_warp),
        cmocka_unit_test(test_barrier_of_all),
        cmocka_unit_test(test_barrier_of_some_warps),
        cmocka_unit_test(test_arrive),
        cmocka_unit_test(test_arrive_of_all),
        cmocka_unit_test(test_early),
        cmocka_unit_test(test_early_at_a_barrier),
        cmocka_unit_test(test_random),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
