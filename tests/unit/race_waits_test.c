// SPDX-License-Identifier: MIT
/*
 * race_waits_test.c: what waiting for an object tells whom (race/race_waits.c,
 * race/race_objects.c): the lanes that waited, those who meet them afterwards,
 * and nobody else; relaxed waits and arrivals; scopes.
 */
#include "race_sample.h"

enum { WARPS = 3, READER = LANES };

static struct races *r;
static struct object_order object;

static int setup(void **state)
{
    (void)state;
    r = race_begin(1, WARPS * LANES, true);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    free(object.records);
    object = (struct object_order){0};
    race_finish(r);
    return 0;
}

static struct warp *warp(uint32_t n)
{
    return warp_of(r, 0, n);
}

static void arrive(uint32_t n, uint32_t lanes, unsigned how)
{
    race_observer.arrives_at(warp(n), lanes, &object, how);
}

static void hear(uint32_t n, uint32_t lanes, unsigned how)
{
    race_observer.wait(warp(n), lanes, &object, how);
}

/* What warp 0 did before this, whoever waits is ordered behind. */
static struct mark announced(unsigned how)
{
    struct mark m = touch(r, 0, 5);
    arrive(0, ALL, how);
    race_observer.complete(warp(0), &object);
    return m;
}

static bool knows(struct mark m, uint32_t thread)
{
    return before(r, m, 0, thread);
}

static void test_lanes_that_wait(void **state)
{
    (void)state;
    struct mark m = announced(0);
    assert_false(knows(m, READER));
    hear(1, 1u << 3 | 1u << 9, 0);
    for (uint32_t l = 0; l < LANES; l++)
        assert_int_equal(knows(m, READER + l), l == 3 || l == 9);
    hear(1, 1u << 31, 0);
    assert_true(knows(m, READER + 31));
    assert_true(knows(m, READER + 3));
    assert_false(knows(m, READER + 30));
    hear(2, ALL, 0);
    for (uint32_t l = 0; l < LANES; l++)
        assert_true(knows(m, 2 * LANES + l));
}

/* Of a warp that is not whole, the lanes that live are all. */
static void test_the_others_have_exited(void **state)
{
    (void)state;
    struct mark m = announced(0);
    warp(1)->dead = ~7u;
    hear(1, 7, 0);
    assert_true(knows(m, READER + 2));
    assert_true(knows(m, READER + 20));
}

/* __syncwarp() tells those who meet. */
static void test_sync(void **state)
{
    (void)state;
    struct mark m = announced(0);
    hear(1, 1, 0);
    warp_sync(warp(1), 1u << 4 | 1u << 5); /* without lane 0 */
    assert_false(knows(m, READER + 4));
    warp_sync(warp(1), 1 | 1u << 4);
    assert_true(knows(m, READER));
    assert_true(knows(m, READER + 4));
    assert_false(knows(m, READER + 5));
    warp_sync(warp(1), 1u << 4 | 1u << 5); /* by way of lane 4 */
    assert_true(knows(m, READER + 5));
    assert_false(knows(m, READER + 6));
    warp_sync(warp(1), ALL);
    assert_true(knows(m, READER + 6));
    assert_false(knows(m, 2 * LANES));
}

static void test_sync_of_those_that_live(void **state)
{
    (void)state;
    struct mark m = announced(0);
    warp(1)->dead = ~3u;
    hear(1, 1, 0);
    assert_false(knows(m, READER + 1));
    warp_sync(warp(1), ALL);
    assert_true(knows(m, READER + 1));
}

/* A barrier of the block makes it everybody's. */
static void test_barrier(void **state)
{
    (void)state;
    struct mark m = announced(0);
    hear(1, 1u << 8, 0);
    meet(r, 0, 6, 6); /* warps 1 and 2 */
    assert_true(knows(m, READER));
    assert_true(knows(m, 2 * LANES + 31));
}

/* All that its lanes have heard one by one. */
static void test_barrier_behind_many_waits(void **state)
{
    (void)state;
    struct mark m[4];
    for (uint32_t n = 0; n < 4; n++) {
        m[n] = announced(0);
        hear(1, 1u << n, 0);
    }
    meet(r, 0, 6, 6);
    for (uint32_t n = 0; n < 4; n++) {
        assert_true(knows(m[n], READER + 20));
        assert_true(knows(m[n], 2 * LANES + n));
    }
    m[0] = announced(0);
    hear(1, 1, 0);
    assert_false(knows(m[0], READER + 1));
    meet(r, 0, 6, 6);
    assert_true(knows(m[0], READER + 1));
}

/* What a lane knows goes with its own arrival, and with no other lane's. */
static void test_handed_on(void **state)
{
    (void)state;
    struct object_order first = {0};
    struct mark m = announced(0);
    hear(1, 2, 0);
    first = object;
    object = (struct object_order){0};
    arrive(1, 1, 0);
    race_observer.complete(warp(1), &object);
    hear(2, ALL, 0);
    assert_false(knows(m, 2 * LANES));
    arrive(1, 2, 0);
    race_observer.complete(warp(1), &object);
    hear(2, 1, 0);
    assert_true(knows(m, 2 * LANES));
    assert_false(knows(m, 2 * LANES + 1));
    free(first.records);
}

/* Lane 5 of warp 0 alone arrives, and all of warp 1 wait. */
static struct mark announced_alone(void)
{
    struct mark m = touch(r, 0, 5);
    arrive(0, 1u << 5, 0);
    race_observer.complete(warp(0), &object);
    hear(1, ALL, 0);
    return m;
}

/* What a warp knows of single threads goes with its arrivals. */
static void test_threads_handed_on(void **state)
{
    struct object_order first;
    (void)state;
    struct mark m = announced_alone(), other = touch(r, 0, 6);
    assert_true(knows(m, READER + 7));
    first = object;
    object = (struct object_order){0};
    arrive(1, ALL, 0);
    race_observer.complete(warp(1), &object);
    hear(2, 1, 0);
    assert_true(knows(m, 2 * LANES));
    assert_false(knows(other, 2 * LANES));
    assert_false(knows(m, 2 * LANES + 1));
    assert_false(knows(m, 6)); /* of warp 0, which has not waited */
    free(first.records);
}

/* And with a barrier, from those that come to those that wait. */
static void test_threads_at_a_barrier(void **state)
{
    (void)state;
    struct mark m = announced_alone();
    meet(r, 0, 6, 2); /* warp 2 only arrives */
    assert_false(knows(m, 2 * LANES));
    meet(r, 0, 6, 4);
    assert_true(knows(m, 2 * LANES));
    assert_false(knows(m, 6));
    assert_false(knows(touch(r, 0, 6), 2 * LANES));
}

/* A new block has heard nothing. */
static void test_new_block(void **state)
{
    (void)state;
    announced(0);
    hear(1, 1, 0);
    race_observer.block(r->worker[0]);
    struct mark m = touch(r, 0, 5);
    assert_false(knows(m, READER));
    /* A stamp of the old block's would cover it, had it been kept. */
    hear(1, 2, 0);
    assert_false(knows(m, READER + 1));
}

/* More lanes wait alone than there are notes: what is forgotten is who. */
static void test_many_that_wait(void **state)
{
    (void)state;
    struct mark m[8];
    for (uint32_t n = 0; n < 8; n++) {
        m[n] = announced(0);
        hear(1, 1u << n, 0);
        assert_true(knows(m[n], READER + n));
        assert_false(knows(m[n], READER + n + 1));
    }
    for (uint32_t n = 0; n < 8; n++)
        assert_true(knows(m[n], READER + n));
    assert_true(knows(m[0], READER + 20));  /* the oldest note: the warp's */
    assert_false(knows(m[7], READER + 20));
}

/* A lane that waits again and again needs one note. */
static void test_one_that_waits_often(void **state)
{
    (void)state;
    struct mark m = {0};
    for (uint32_t n = 0; n < 8; n++) {
        m = announced(0);
        hear(1, 1, 0);
        hear(1, 2, 0);
        assert_true(knows(m, READER) && knows(m, READER + 1));
        assert_false(knows(m, READER + 2));
    }
}

/* Relaxed: nothing before a fence, of that lane; then what the wait heard, and
 * nothing that came later. */
static void test_relaxed_wait(void **state)
{
    (void)state;
    struct mark m = announced(0);
    hear(1, ALL, ORDER_RELAXED);
    assert_false(knows(m, READER));
    struct mark later = announced(0);
    fence(warp(1), ALL);
    assert_true(knows(m, READER + 31));
    assert_false(knows(later, READER));
    hear(2, 3, ORDER_RELAXED);
    assert_false(knows(m, 2 * LANES));
    fence(warp(2), 4); /* of another lane */
    assert_false(knows(m, 2 * LANES));
    race_observer.fence(warp(2), 3, SCOPE_GPU, FENCE_PROXY);
    assert_false(knows(m, 2 * LANES));
    warp_sync(warp(2), ALL);
    assert_false(knows(m, 2 * LANES));
    fence(warp(2), 3);
    assert_true(knows(m, 2 * LANES));
    assert_true(knows(later, 2 * LANES + 1));
    assert_false(knows(later, 2 * LANES + 2));
}

/* A lane that has waited, and then waits relaxed. */
static void test_both_waits(void **state)
{
    (void)state;
    struct mark m = announced(0);
    hear(1, 8, 0);
    struct mark later = announced(0);
    hear(1, 8, ORDER_RELAXED);
    assert_true(knows(m, READER + 3));
    assert_false(knows(later, READER + 3));
    fence(warp(1), 8);
    assert_true(knows(later, READER + 3));
    assert_false(knows(later, READER + 4));
}

/* The fence of one lane covers what it knows of its warp and its block; and
 * who waits knows that of it. */
static void test_relaxed_arrival_of_a_lane(void **state)
{
    (void)state;
    struct mark of_warp = touch(r, 0, 7), of_block = touch(r, 0, 70);
    warp_sync(warp(0), ALL);
    meet(r, 0, 5, 5); /* warps 0 and 2 */
    struct mark late = touch(r, 0, 7);
    fence(warp(0), 1);
    arrive(0, 1, ORDER_RELAXED);
    race_observer.complete(warp(0), &object);
    hear(1, ALL, 0);
    assert_true(knows(of_warp, READER));
    assert_true(knows(of_block, READER));
    assert_false(knows(late, READER));
}

static void test_relaxed_arrival_behind_a_sync(void **state)
{
    (void)state;
    struct mark of_warp = touch(r, 0, 7);
    warp_sync(warp(0), ALL);
    fence(warp(0), 1);
    arrive(0, 1, ORDER_RELAXED);
    race_observer.complete(warp(0), &object);
    hear(1, ALL, 0);
    assert_true(knows(of_warp, READER));
    assert_false(knows(touch(r, 0, 7), READER));
}

/* fence.mbarrier_init covers inits alone, of its warp. */
static void test_inits(void **state)
{
    (void)state;
    struct mark init = touch(r, 0, 3), store = init;
    init.tag = (init.tag & ~SITE_MASK) | (INIT + 1);
    race_observer.fence(warp(0), 1u << 3, SCOPE_CLUSTER, FENCE_INIT);
    struct mark late = touch(r, 0, 3);
    late.tag = (late.tag & ~SITE_MASK) | (INIT + 1);
    arrive(0, 1u << 3, ORDER_RELAXED);
    race_observer.complete(warp(0), &object);
    assert_false(knows(init, READER));
    hear(1, ALL, 0);
    assert_true(knows(init, READER + 9));
    assert_false(knows(store, READER + 9));
    assert_false(knows(late, READER + 9));
    assert_false(knows(init, 2 * LANES));
}

/* They go with any lane's arrival, and with a barrier. */
static void test_inits_handed_on(void **state)
{
    (void)state;
    struct mark init = touch(r, 0, 3);
    init.tag = (init.tag & ~SITE_MASK) | (INIT + 1);
    race_observer.fence(warp(0), 1u << 3, SCOPE_CLUSTER, FENCE_INIT);
    arrive(0, 1u << 4, 0);
    race_observer.complete(warp(0), &object);
    hear(1, ALL, 0);
    assert_true(knows(init, READER));
    meet(r, 0, 6, 2); /* warp 2 only arrives */
    assert_false(knows(init, 2 * LANES));
    meet(r, 0, 6, 4);
    assert_true(knows(init, 2 * LANES));
}

/* A relaxed arrival tells what a fence before it covers. */
static void test_relaxed_arrival(void **state)
{
    (void)state;
    struct mark m = announced(ORDER_RELAXED);
    hear(1, ALL, 0);
    assert_false(knows(m, READER));
    fence(warp(0), ALL);
    struct mark late = announced(ORDER_RELAXED);
    hear(1, ALL, 0);
    assert_true(knows(m, READER));
    assert_false(knows(late, READER));
}

/* What a lane has heard, its fence covers, too. */
static void test_fence_covers_what_was_heard(void **state)
{
    (void)state;
    struct races *two = race_begin(2, 2 * LANES, true);
    struct object_order x = {0};
    for (int fences = 0; fences < 2; fences++) {
        struct mark m = touch(two, 0, 5);
        race_observer.arrives_at(warp_of(two, 0, 0), ALL, &x, 0);
        race_observer.complete(warp_of(two, 0, 0), &x);
        race_observer.wait(warp_of(two, 0, 1), 1, &x, 0);
        if (fences)
            fence(warp_of(two, 0, 1), 1);
        does(two, warp_of(two, 0, 1), STRONG_STORE, 1, two->global);
        does(two, warp_of(two, 1, 0), STRONG_LOAD, 1, two->global);
        assert_int_equal(before(two, m, 1, 0), fences);
    }
    free(x.records);
    race_finish(two);
}

/* Arrivals from outside, and a wait at the scope of the block. */
static void test_scope(void **state)
{
    (void)state;
    struct mark far = announced(ORDER_OUTSIDE);
    struct mark near = touch(r, 0, 64);
    arrive(2, ALL, 0);
    race_observer.complete(warp(0), &object);
    hear(1, ALL, ORDER_OF_BLOCK);
    assert_true(knows(near, READER));
    assert_false(knows(far, READER));
    hear(1, ALL, 0);
    assert_true(knows(far, READER));
}

/* A fence of the block's scope is none for an arrival from outside. */
static void test_scope_of_the_fence(void **state)
{
    static const struct { enum access_scope scope; unsigned how; bool told; }
    cases[] = {
        {SCOPE_BLOCK, 0, true}, {SCOPE_BLOCK, ORDER_OUTSIDE, false},
        {SCOPE_CLUSTER, ORDER_OUTSIDE, true}, {SCOPE_GPU, ORDER_OUTSIDE, true},
    };
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct mark m = touch(r, 0, 5);
        race_observer.fence(warp(0), ALL, cases[k].scope, FENCE_THREADS);
        arrive(0, ALL, ORDER_RELAXED | cases[k].how);
        race_observer.complete(warp(0), &object);
        hear(1, ALL, 0);
        assert_int_equal(knows(m, READER), cases[k].told);
        barrier(r, 0);
    }
}

/* Copies land for whoever waits, at any scope: the lane, and no other. */
static void test_copies(void **state)
{
    (void)state;
    uint32_t stamp = race_observer.lands(warp(0), 1, &object);
    struct access a = event(r, warp(0), BULK_WRITE, 1, 2048, 0);
    uint32_t stamps[LANES] = {stamp};
    uint8_t bytes[BYTES] = {0};
    a.part = PART_LANDED;
    a.stamps = stamps;
    a.stored = (uintptr_t)bytes;
    raise_event(r, &a);
    race_observer.complete(warp(0), &object);
    hear(1, 1, ORDER_OF_BLOCK);
    assert_int_equal(does(r, warp(1), LOAD, 1, 2048), 0);
    assert_int_equal(does(r, warp(1), LOAD, 2, 2048), 1);
    assert_int_equal(does(r, warp(2), LOAD, 1, 2048), 1);
}

/* A word that a copy of warp 0's lane 0 has written, and whose landing the
 * object tells. */
static void copy_lands(void)
{
    static uint8_t bytes[BYTES];
    uint32_t stamp = race_observer.lands(warp(0), 1, &object);
    struct access a = event(r, warp(0), BULK_WRITE, 1, 2048, 0);
    uint32_t stamps[LANES] = {stamp};
    a.part = PART_LANDED;
    a.stamps = stamps;
    a.stored = (uintptr_t)bytes;
    raise_event(r, &a);
    race_observer.complete(warp(0), &object);
}

/* A landing comes behind all that was known of the thread before. */
static void test_copies_that_land_later(void **state)
{
    struct object_order first;
    (void)state;
    copy_lands();
    hear(1, ALL, 0);
    first = object;
    object = (struct object_order){0};
    copy_lands();
    assert_int_equal(does(r, warp(1), LOAD, 1, 2048), 1);
    hear(1, ALL, 0);
    assert_int_equal(does(r, warp(1), LOAD, 2, 2048), 0);
    free(first.records);
}

/* How much of its own block a lane knows by a wait: one that has waited, and
 * whose wait was not relaxed. */
static void test_known_of_the_block(void **state)
{
    (void)state;
    announced(0);
    hear(1, 1u << 3, 0);
    assert_true(race_notes_block(warp(1), 3) > 0);
    assert_int_equal(race_notes_block(warp(1), 4), 0);
    hear(2, ALL, ORDER_RELAXED);
    assert_int_equal(race_notes_block(warp(2), 3), 0);
}

static void test_copies_handed_on(void **state)
{
    struct object_order first;
    (void)state;
    copy_lands();
    hear(1, ALL, 0);
    first = object;
    object = (struct object_order){0};
    arrive(1, ALL, 0);
    race_observer.complete(warp(1), &object);
    assert_int_equal(does(r, warp(2), LOAD, 1, 2048), 1);
    hear(2, ALL, 0);
    assert_int_equal(does(r, warp(2), LOAD, 2, 2048), 0);
    free(first.records);
}

static void test_copies_at_a_barrier(void **state)
{
    (void)state;
    copy_lands();
    hear(1, ALL, 0);
    meet(r, 0, 6, 4);
    assert_int_equal(does(r, warp(2), LOAD, 1, 2048), 0);
    assert_int_equal(does(r, warp(0), LOAD, 2, 2048), 1);
}

/* Block 1 has seen a flag; who hears of that by an object has seen it, too. */
static void flags_handed_on(unsigned arriving, unsigned waiting, bool fences,
                            bool told)
{
    struct races *two = race_begin(2, WARPS * LANES, true);
    struct object_order x = {0};
    struct mark m = touch(two, 0, 0);
    fence(warp_of(two, 0, 0), 1);
    does(two, warp_of(two, 0, 0), STRONG_STORE, 1, two->global);
    does(two, warp_of(two, 1, 0), STRONG_LOAD, 1, two->global);
    race_observer.arrives_at(warp_of(two, 1, 0), ALL, &x, arriving);
    assert_false(before(two, m, 1, LANES));
    race_observer.wait(warp_of(two, 1, 1), ALL, &x, waiting);
    assert_false(before(two, m, 1, LANES)); /* the phase is not over */
    race_observer.complete(warp_of(two, 1, 0), &x);
    race_observer.wait(warp_of(two, 1, 1), ALL, &x, waiting);
    if (fences) {
        assert_false(before(two, m, 1, LANES));
        fence(warp_of(two, 1, 1), ALL);
    }
    assert_int_equal(before(two, m, 1, LANES), told);
    assert_false(before(two, m, 1, 2 * LANES));
    free(x.records);
    race_finish(two);
}

/* A relaxed wait and a barrier, which is no fence; and then the fence. */
static void test_relaxed_wait_at_a_barrier(void **state)
{
    (void)state;
    struct mark m = announced(0);
    hear(1, 1, ORDER_RELAXED);
    meet(r, 0, 6, 6);
    for (uint32_t t = LANES; t < WARPS * LANES; t += LANES / 2)
        assert_false(knows(m, t));
    fence(warp(2), 1);
    assert_true(knows(m, 2 * LANES));
    assert_false(knows(m, LANES));
    meet(r, 0, 6, 6);
    assert_true(knows(m, LANES));
}

static void test_flags_at_a_barrier(void **state)
{
    (void)state;
    struct races *two = race_begin(2, WARPS * LANES, true);
    struct object_order x = {0};
    struct mark m = touch(two, 0, 0);
    fence(warp_of(two, 0, 0), 1);
    does(two, warp_of(two, 0, 0), STRONG_STORE, 1, two->global);
    does(two, warp_of(two, 1, 0), STRONG_LOAD, 1, two->global);
    race_observer.arrives_at(warp_of(two, 1, 0), ALL, &x, 0);
    race_observer.complete(warp_of(two, 1, 0), &x);
    race_observer.wait(warp_of(two, 1, 1), 4, &x, ORDER_RELAXED);
    meet(two, 1, 6, 6);
    assert_false(before(two, m, 1, LANES + 2));
    fence(warp_of(two, 1, 2), 1); /* who has met the lane that waited */
    assert_true(before(two, m, 1, 2 * LANES));
    assert_false(before(two, m, 1, LANES));
    fence(warp_of(two, 1, 1), ALL);
    assert_true(before(two, m, 1, LANES));
    free(x.records);
    race_finish(two);
}

/* What one lane hears of flags by waiting, it alone knows until a .sync; of two
 * that wait relaxed, the one that fences. */
static void test_flags_of_a_lane(void **state)
{
    (void)state;
    for (int relaxed = 0; relaxed < 2; relaxed++) {
        struct races *two = race_begin(2, WARPS * LANES, true);
        struct warp *w = warp_of(two, 1, 1);
        struct object_order x = {0};
        struct mark m = touch(two, 0, 0);
        fence(warp_of(two, 0, 0), 1);
        does(two, warp_of(two, 0, 0), STRONG_STORE, 1, two->global);
        does(two, warp_of(two, 1, 0), STRONG_LOAD, 1, two->global);
        race_observer.arrives_at(warp_of(two, 1, 0), ALL, &x, 0);
        race_observer.complete(warp_of(two, 1, 0), &x);
        race_observer.wait(w, relaxed ? 12 : 4, &x,
                           relaxed ? ORDER_RELAXED : 0);
        if (relaxed)
            fence(w, 4);
        assert_true(before(two, m, 1, LANES + 2));
        assert_false(before(two, m, 1, LANES + 3));
        assert_false(before(two, m, 1, LANES));
        warp_sync(w, ALL);
        assert_true(before(two, m, 1, LANES));
        free(x.records);
        race_finish(two);
    }
}

static void test_flags_handed_on(void **state)
{
    (void)state;
    flags_handed_on(0, 0, false, true);
    flags_handed_on(0, ORDER_RELAXED, false, false);
    flags_handed_on(0, ORDER_RELAXED, true, true);
    flags_handed_on(ORDER_OUTSIDE, 0, false, true);
    flags_handed_on(ORDER_OUTSIDE, ORDER_OF_BLOCK, false, false);
    flags_handed_on(ORDER_RELAXED, 0, false, false);
}

/* The other block of a cluster: what lanes have heard of it. */
static void test_of_another_block(void **state)
{
    (void)state;
    struct races *two = race_begin(2, WARPS * LANES, true);
    two->h->run.cluster_blocks = two->h->cluster.n = 2;
    for (uint32_t n = 0; n < 2; n++) {
        two->h->cluster.member[n] = two->worker[n];
        two->worker[n]->rank = n;
    }
    struct warp *w = warp_of(two, 0, 1);
    struct object_order x = {0};
    for (int round = 0; round < 2; round++) {
        struct mark m = touch(two, 1, 5);
        race_observer.arrives_at(warp_of(two, 1, 0), ALL, &x, ORDER_OUTSIDE);
        race_observer.complete(warp_of(two, 1, 0), &x);
        race_observer.wait(w, 2, &x, 0);
        assert_true(race_peer_ordered(w, 2, 1, m.tag));
        assert_false(race_peer_ordered(w, 4, 1, m.tag));
        warp_sync(w, 6);
        assert_true(race_peer_ordered(w, 4, 1, m.tag));
        if (round) {
            race_observer.block(two->worker[0]); /* has heard nothing */
            assert_false(race_peer_ordered(w, 2, 1, m.tag));
            warp_sync(w, ALL);
            assert_false(race_peer_ordered(w, 2, 1, m.tag));
        } else {
            warp_sync(w, ALL);
            assert_true(race_peer_ordered(w, 8, 1, m.tag));
        }
    }
    free(x.records);
    race_finish(two);
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(test_lanes_that_wait), TEST(test_the_others_have_exited),
        TEST(test_sync), TEST(test_sync_of_those_that_live),
        TEST(test_barrier), TEST(test_handed_on), TEST(test_new_block),
        TEST(test_many_that_wait), TEST(test_one_that_waits_often),
        TEST(test_relaxed_wait), TEST(test_relaxed_wait_at_a_barrier),
        TEST(test_flags_of_a_lane),
        TEST(test_relaxed_arrival),
        TEST(test_fence_covers_what_was_heard), TEST(test_scope),
        TEST(test_scope_of_the_fence), TEST(test_copies),
        TEST(test_threads_handed_on), TEST(test_threads_at_a_barrier),
        TEST(test_copies_handed_on), TEST(test_copies_at_a_barrier),
        TEST(test_copies_that_land_later), TEST(test_known_of_the_block),
        TEST(test_barrier_behind_many_waits), TEST(test_both_waits),
        TEST(test_relaxed_arrival_of_a_lane),
        TEST(test_relaxed_arrival_behind_a_sync), TEST(test_inits),
        TEST(test_inits_handed_on),
        TEST(test_flags_at_a_barrier), TEST(test_flags_handed_on),
        TEST(test_of_another_block),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
