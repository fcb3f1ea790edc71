// SPDX-License-Identifier: MIT
/*
 * race_flags_test.c: what orders two accesses of different blocks: fences, and
 * flags that are seen.
 */
#include "race_sample.h"

enum { FLAG = 0, OTHER_FLAG = 64, WORD = 1024 }; /* in global memory */

/* Thread 0 of a block raises the flag, thread 0 of another sees it. */
static void raise_flag(struct races *r, uint32_t block, enum verb verb)
{
    does(r, warp_of(r, block, 0), verb, 1, r->global + FLAG);
}

static void see(struct races *r, uint32_t block, enum verb verb)
{
    does(r, warp_of(r, block, 0), verb, 1, r->global + FLAG);
}

static void test_flag(void **state)
{
    static const enum verb raising[] = {STRONG_STORE, ADD, VOLATILE_STORE};
    static const enum verb seeing[] = {STRONG_LOAD, ADD, SWAP};
    (void)state;
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) {
            struct races *r = race_begin(2, 32, true);
            struct mark m = touch(r, 0, 0);
            fence(warp_of(r, 0, 0), 1);
            struct mark late = touch(r, 0, 0);
            raise_flag(r, 0, raising[a]);
            assert_false(before(r, m, 1, 0));
            see(r, 1, seeing[b]);
            assert_true(before(r, m, 1, 0));
            assert_false(before(r, late, 1, 0)); /* behind the fence */
            assert_false(before(r, touch(r, 0, 1), 1, 0));
            race_finish(r);
        }
}

/* What lane 0 alone has read, others know when they have met it. */
static void test_flag_of_one_lane(void **state)
{
    (void)state;
    for (int by_block = 0; by_block < 2; by_block++) {
        struct races *r = race_begin(2, 32, true);
        struct warp *w = warp_of(r, 1, 0);
        struct mark m = touch(r, 0, 0);
        fence(warp_of(r, 0, 0), 1);
        raise_flag(r, 0, STRONG_STORE);
        see(r, 1, STRONG_LOAD);
        assert_true(before(r, m, 1, 0));
        assert_false(before(r, m, 1, 5));
        warp_sync(w, 0x21);
        assert_true(before(r, m, 1, 5));
        assert_false(before(r, m, 1, 6));
        if (by_block)
            barrier(r, 1);
        else
            warp_sync(w, 0xffffffc1);
        assert_true(before(r, m, 1, 0));
        assert_true(before(r, m, 1, 6));
        race_finish(r);
    }
}

/* A lane that knows two flags; a flag that passes on what one lane knows. */
static void test_lane_passes_on(void **state)
{
    (void)state;
    struct races *r = race_begin(3, 32, true);
    struct mark m = touch(r, 0, 0);
    fence(warp_of(r, 0, 0), 1);
    raise_flag(r, 0, STRONG_STORE);
    see(r, 1, STRONG_LOAD);
    fence(warp_of(r, 1, 0), 1);
    does(r, warp_of(r, 1, 0), STRONG_STORE, 1, r->global + OTHER_FLAG);
    does(r, warp_of(r, 2, 0), STRONG_LOAD, 4, r->global + OTHER_FLAG);
    assert_true(before(r, m, 2, 2));
    assert_false(before(r, m, 2, 1));
    race_finish(r);
}

/* All lanes, one after another. */
static void test_flag_of_each_lane(void **state)
{
    (void)state;
    struct races *r = race_begin(2, 32, true);
    struct mark m = touch(r, 0, 0);
    fence(warp_of(r, 0, 0), 1);
    raise_flag(r, 0, STRONG_STORE);
    for (uint32_t l = 0; l < LANES; l++) {
        assert_false(before(r, m, 1, l));
        does(r, warp_of(r, 1, 0), STRONG_LOAD, 1u << l, r->global + FLAG);
        assert_true(before(r, m, 1, l));
    }
    assert_true(warp_of(r, 1, 0)->acquired != NULL);
    race_finish(r);
}

static void test_flag_without_a_fence(void **state)
{
    (void)state;
    struct races *r = race_begin(2, 32, true);
    struct mark m = touch(r, 0, 0);
    raise_flag(r, 0, STRONG_STORE);
    see(r, 1, STRONG_LOAD);
    assert_false(before(r, m, 1, 0));
    fence(warp_of(r, 0, 0), 2); /* by another thread */
    raise_flag(r, 0, STRONG_STORE);
    see(r, 1, STRONG_LOAD);
    assert_false(before(r, m, 1, 0));
    race_finish(r);
}

/* st.release: the fence is the store's own. */
static void test_release(void **state)
{
    (void)state;
    struct races *r = race_begin(2, 64, true);
    struct mark m = touch(r, 0, 0);
    raise_flag(r, 0, RELEASE_IN_BLOCK);
    does(r, warp_of(r, 0, 1), STRONG_LOAD, 1, r->global + FLAG);
    assert_true(before(r, m, 0, 32));
    see(r, 1, STRONG_LOAD);
    assert_false(before(r, m, 1, 0)); /* not for another block */
    raise_flag(r, 0, RELEASE);
    see(r, 1, STRONG_LOAD);
    assert_true(before(r, m, 1, 0));
    race_finish(r);
}

static void test_fence_of_the_block(void **state)
{
    (void)state;
    struct races *r = race_begin(2, 64, true);
    struct mark m = touch(r, 0, 0);
    race_observer.fence(warp_of(r, 0, 0), 1, SCOPE_BLOCK,
                        FENCE_THREADS);
    raise_flag(r, 0, STRONG_STORE);
    see(r, 1, STRONG_LOAD);
    assert_false(before(r, m, 1, 0));
    does(r, warp_of(r, 0, 1), STRONG_LOAD, 2, r->global + FLAG);
    assert_true(before(r, m, 0, 33));
    race_finish(r);
}

/* A fence covers what its thread had seen: by a .sync, by a barrier. */
static void test_fence_covers_what_was_seen(void **state)
{
    (void)state;
    struct races *r = race_begin(2, 64, true);
    struct mark warp, block, other = touch(r, 0, 40);
    warp = touch(r, 0, 7);
    warp_sync(warp_of(r, 0, 0), 0x81);
    fence(warp_of(r, 0, 0), 1);
    raise_flag(r, 0, STRONG_STORE);
    see(r, 1, STRONG_LOAD);
    assert_true(before(r, warp, 1, 0));
    assert_false(before(r, other, 1, 0));
    block = touch(r, 0, 63);
    barrier(r, 0);
    raise_flag(r, 0, STRONG_STORE); /* the fence is an old one */
    see(r, 1, STRONG_LOAD);
    assert_false(before(r, block, 1, 0));
    fence(warp_of(r, 0, 0), 1);
    raise_flag(r, 0, STRONG_STORE);
    see(r, 1, STRONG_LOAD);
    assert_true(before(r, block, 1, 0));
    race_finish(r);
}

/* By a barrier of some warps, too. */
static void test_fence_behind_a_small_barrier(void **state)
{
    (void)state;
    struct races *r = race_begin(2, 96, true);
    struct mark m = touch(r, 0, 40);
    meet(r, 0, 3, 3);
    fence(warp_of(r, 0, 0), 1);
    raise_flag(r, 0, STRONG_STORE);
    see(r, 1, STRONG_LOAD);
    assert_true(before(r, m, 1, 0));
    race_finish(r);
}

static void test_flag_of_another_address(void **state)
{
    (void)state;
    struct races *r = race_begin(2, 32, true);
    struct mark m = touch(r, 0, 0);
    fence(warp_of(r, 0, 0), 1);
    raise_flag(r, 0, STRONG_STORE);
    does(r, warp_of(r, 1, 0), STRONG_LOAD, 1, r->global + OTHER_FLAG);
    assert_false(before(r, m, 1, 0));
    race_finish(r);
}

/* A store without a fence ends what the flag said; an atomic does not. */
static void test_flag_lowered(void **state)
{
    (void)state;
    for (int atomic = 0; atomic < 2; atomic++) {
        struct races *r = race_begin(3, 32, true);
        struct mark m = touch(r, 0, 0);
        fence(warp_of(r, 0, 0), 1);
        raise_flag(r, 0, STRONG_STORE);
        raise_flag(r, 2, atomic ? ADD : STRONG_STORE);
        see(r, 1, STRONG_LOAD);
        assert_int_equal(before(r, m, 1, 0), atomic);
        race_finish(r);
    }
}

/* Blocks count: the last one has seen all of them. */
static void test_counter(void **state)
{
    (void)state;
    struct races *r = race_begin(4, 32, true);
    struct mark m[4];
    for (uint32_t b = 0; b < 4; b++) {
        m[b] = touch(r, b, 0);
        fence(warp_of(r, b, 0), 1);
        raise_flag(r, b, ADD);
    }
    for (uint32_t b = 0; b < 3; b++) {
        assert_true(before(r, m[b], 3, 0));
        assert_int_equal(before(r, m[b], 1, 0), b < 2);
    }
    assert_false(before(r, m[3], 2, 0));
    race_finish(r);
}

/* A message that is passed on. */
static void test_by_way_of_a_third_block(void **state)
{
    (void)state;
    for (int passes = 0; passes < 2; passes++) {
        struct races *r = race_begin(3, 32, true);
        struct mark m = touch(r, 0, 0);
        fence(warp_of(r, 0, 0), 1);
        raise_flag(r, 0, STRONG_STORE);
        see(r, 1, STRONG_LOAD);
        if (passes)
            fence(warp_of(r, 1, 0), 1);
        does(r, warp_of(r, 1, 0), STRONG_STORE, 1, r->global + OTHER_FLAG);
        does(r, warp_of(r, 2, 0), STRONG_LOAD, 1, r->global + OTHER_FLAG);
        assert_int_equal(before(r, m, 2, 0), passes);
        race_finish(r);
    }
}

/* Two messages, of which neither knows of the other. */
static void test_two_messages(void **state)
{
    (void)state;
    struct races *r = race_begin(3, 32, true);
    struct mark m[2];
    for (uint32_t b = 0; b < 2; b++) {
        m[b] = touch(r, b, 0);
        fence(warp_of(r, b, 0), 1);
        does(r, warp_of(r, b, 0), STRONG_STORE, 1,
             r->global + (b ? OTHER_FLAG : FLAG));
    }
    see(r, 2, STRONG_LOAD);
    assert_true(before(r, m[0], 2, 0));
    assert_false(before(r, m[1], 2, 0));
    does(r, warp_of(r, 2, 0), STRONG_LOAD, 1, r->global + OTHER_FLAG);
    see(r, 2, STRONG_LOAD); /* again: nothing new */
    assert_true(before(r, m[0], 2, 0));
    assert_true(before(r, m[1], 2, 0));
    assert_true(before(r, m[0], 2, 0));
    race_finish(r);
}

/* The same, asked only at the end: both are still there. */
static void test_three_messages_at_once(void **state)
{
    (void)state;
    struct races *r = race_begin(4, 32, true);
    struct mark m[3];
    for (uint32_t b = 0; b < 3; b++) {
        m[b] = touch(r, b, 0);
        fence(warp_of(r, b, 0), 1);
        does(r, warp_of(r, b, 0), STRONG_STORE, 1, r->global + 64 * b);
    }
    for (uint32_t b = 0; b < 3; b++)
        does(r, warp_of(r, 3, 0), STRONG_LOAD, 1, r->global + 64 * b);
    for (uint32_t b = 0; b < 3; b++)
        assert_true(before(r, m[b], 3, 0));
    race_finish(r);
}

/* Who counts a second time says what it has seen since the first, if it has
 * fenced that. */
static void test_counting_twice(void **state)
{
    (void)state;
    for (int fences = 0; fences < 2; fences++) {
        struct races *r = race_begin(3, 32, true);
        fence(warp_of(r, 1, 0), 1);
        raise_flag(r, 1, ADD);
        struct mark m = touch(r, 0, 0);
        fence(warp_of(r, 0, 0), 1);
        does(r, warp_of(r, 0, 0), STRONG_STORE, 1, r->global + OTHER_FLAG);
        does(r, warp_of(r, 1, 0), STRONG_LOAD, 1, r->global + OTHER_FLAG);
        if (fences)
            fence(warp_of(r, 1, 0), 1);
        raise_flag(r, 1, ADD);
        see(r, 2, STRONG_LOAD);
        assert_int_equal(before(r, m, 2, 0), fences);
        race_finish(r);
    }
}

/* The same, by an atomic that sees the other's. */
static void test_counting_in_turn(void **state)
{
    (void)state;
    struct races *r = race_begin(3, 32, true);
    fence(warp_of(r, 1, 0), 1);
    raise_flag(r, 1, ADD);
    struct mark m = touch(r, 0, 0);
    fence(warp_of(r, 0, 0), 1);
    raise_flag(r, 0, STRONG_STORE); /* ends what block 1 said */
    raise_flag(r, 1, ADD);
    see(r, 2, STRONG_LOAD);
    assert_true(before(r, m, 2, 0));
    raise_flag(r, 1, ADD); /* nothing new */
    assert_true(before(r, m, 2, 0));
    race_finish(r);
}

/* A block that comes later on the same worker has seen nothing. */
static void test_the_next_block_has_seen_nothing(void **state)
{
    (void)state;
    struct races *r = race_begin(2, 32, true);
    struct mark m = touch(r, 0, 0);
    fence(warp_of(r, 0, 0), 1);
    raise_flag(r, 0, STRONG_STORE);
    see(r, 1, STRONG_LOAD);
    r->worker[1]->block.index = 2;
    race_observer.block(r->worker[1]);
    assert_false(race_released(warp_of(r, 1, 0), FULL, m.block, m.tag));
    race_finish(r);
}

/* What one thread has seen its block has seen behind a barrier. */
static void test_barrier_tells_all(void **state)
{
    (void)state;
    struct races *r = race_begin(2, 96, true);
    struct mark m = touch(r, 0, 0);
    fence(warp_of(r, 0, 0), 1);
    raise_flag(r, 0, STRONG_STORE);
    see(r, 1, STRONG_LOAD);
    assert_false(before(r, m, 1, 64));
    meet(r, 1, 3, 3);
    assert_true(before(r, m, 1, 40));
    assert_false(before(r, m, 1, 64));
    barrier(r, 1);
    assert_true(before(r, m, 1, 64));
    race_finish(r);
}

/* A warp that only comes to the barrier tells those that wait. */
static void test_arrival_tells(void **state)
{
    (void)state;
    struct races *r = race_begin(2, 96, true);
    struct mark m = touch(r, 0, 0);
    fence(warp_of(r, 0, 0), 1);
    raise_flag(r, 0, STRONG_STORE);
    see(r, 1, STRONG_LOAD);
    meet(r, 1, 3, 2);
    assert_true(before(r, m, 1, 40));
    assert_false(before(r, m, 1, 64));
    race_finish(r);
}

/* Any lane of any warp may raise a flag; others of its warp see it, too. */
static void test_flag_of_any_lane(void **state)
{
    (void)state;
    struct races *r = race_begin(2, 64, true);
    struct mark m = touch(r, 0, 45), other = touch(r, 0, 44);
    fence(warp_of(r, 0, 1), 1u << 13);
    does(r, warp_of(r, 0, 1), STRONG_STORE, 1u << 13, r->global + FLAG);
    does(r, warp_of(r, 1, 1), STRONG_LOAD, 1u << 7, r->global + FLAG);
    assert_true(before(r, m, 1, 39));
    assert_false(before(r, other, 1, 39));
    assert_false(before(r, m, 0, 44));
    does(r, warp_of(r, 0, 1), STRONG_LOAD, 1u << 12, r->global + FLAG);
    assert_true(before(r, m, 0, 44));
    race_finish(r);
}

/* Who polls, or counts without a fence in between, needs no memory: past the
 * engine's limit all would count as ordered. */
static void test_polling(void **state)
{
    enum { OFTEN = (1 << 20) + 100 };
    (void)state;
    struct races *r = race_begin(3, 32, true);
    for (uint32_t b = 0; b < 2; b++) {
        fence(warp_of(r, b, 0), 1);
        does(r, warp_of(r, b, 0), STRONG_STORE, 1,
             r->global + (b ? OTHER_FLAG : FLAG));
    }
    struct access one = event(r, warp_of(r, 2, 0), STRONG_LOAD, 1,
                              r->global + FLAG, 0);
    struct access two = event(r, warp_of(r, 2, 0), STRONG_LOAD, 1,
                              r->global + OTHER_FLAG, 0);
    struct access add = event(r, warp_of(r, 0, 0), ADD, 1, r->global + FLAG,
                              0);
    for (uint32_t n = 0; n < OFTEN; n++) {
        race_acquire(&one);
        race_acquire(&two);
        race_release(&add);
    }
    assert_false(before(r, touch(r, 0, 1), 2, 0));
    assert_non_null(warp_of(r, 2, 0)->order->alone[0].by); /* lane 0 has */
    race_finish(r);
}

/* Without room for one more release, whoever waits for it counts as ordered,
 * though it has seen nothing. */
static void test_no_room(void **state)
{
    enum { ENOUGH = (1 << 20) / LANES };
    (void)state;
    struct races *r = race_begin(2, 32, true);
    struct warp *w = warp_of(r, 0, 0);
    struct access all = event(r, w, STRONG_STORE, ALL, r->global, 4);
    for (uint32_t n = 0; n < ENOUGH; n++) {
        fence(w, ALL);
        race_release(&all);
    }
    struct mark m = touch(r, 0, 0);
    assert_false(before(r, m, 1, 0));
    fence(w, 1);
    does(r, w, STRONG_STORE, 1, r->global + 2048);
    does(r, warp_of(r, 1, 0), STRONG_LOAD, 1, r->global + 2048);
    assert_true(before(r, m, 1, 0));
    race_finish(r);
}

/* The flag itself is no race for who has seen it. */
static void test_the_flags_own_write(void **state)
{
    (void)state;
    struct races *r = race_begin(2, 32, true);
    fence(warp_of(r, 0, 0), 1);
    struct mark flag = touch(r, 0, 0);
    flag.tag |= (uint64_t)RACE_STRONG_READ << TAG_CLASS;
    raise_flag(r, 0, STRONG_STORE);
    see(r, 1, STRONG_LOAD);
    assert_true(before(r, flag, 1, 0));
    warp_sync(warp_of(r, 0, 0), 3); /* the fence is still the same */
    flag = touch(r, 0, 0);
    flag.tag |= (uint64_t)RACE_STRONG_READ << TAG_CLASS;
    raise_flag(r, 0, STRONG_STORE);
    see(r, 1, STRONG_LOAD);
    assert_true(before(r, flag, 1, 0));
    race_finish(r);
}

/* In shared memory each block has flags of its own. */
static void test_shared_flag(void **state)
{
    (void)state;
    struct races *r = race_begin(2, 64, true);
    struct mark m = touch(r, 0, 0);
    fence(warp_of(r, 0, 0), 1);
    does(r, warp_of(r, 0, 0), STRONG_STORE, 1, WORD);
    does(r, warp_of(r, 1, 0), STRONG_LOAD, 1, WORD);
    assert_false(before(r, m, 1, 0));
    does(r, warp_of(r, 0, 1), STRONG_LOAD, 1, WORD);
    assert_true(before(r, m, 0, 32));
    race_finish(r);
}

/* Many flags, and messages without end: none is lost. */
static void test_many_flags(void **state)
{
    enum { FLAGS = 900 };
    (void)state;
    struct races *r = race_begin(2, 32, true);
    struct mark m[FLAGS];
    for (uint32_t k = 0; k < 2 * FLAGS; k++) {
        uint32_t n = k % FLAGS;
        m[n] = touch(r, 0, 0);
        fence(warp_of(r, 0, 0), 1);
        does(r, warp_of(r, 0, 0), STRONG_STORE, 1, r->global + 4 * n);
    }
    for (uint32_t n = 0; n < FLAGS; n += 30) {
        does(r, warp_of(r, 1, 0), STRONG_LOAD, 1, r->global + 4 * n);
        assert_true(before(r, m[n], 1, 0));
        assert_true(n == 0 || before(r, m[n - 1], 1, 0));
        assert_false(before(r, m[n + 1], 1, 0));
    }
    race_finish(r);
}

/* A relaxed read says nothing until the reader has fenced it; the fence of
 * another lane does not count, nor one whose scope ends at the block. */
static void test_reader_fences(void **state)
{
    (void)state;
    struct races *r = race_begin(2, 64, true);
    struct mark m = touch(r, 0, 0);
    struct warp *w = warp_of(r, 1, 0);
    fence(warp_of(r, 0, 0), 1);
    raise_flag(r, 0, RELAXED_ADD);
    see(r, 1, RELAXED_LOAD);
    assert_false(before(r, m, 1, 0));
    fence(w, 2);
    assert_false(before(r, m, 1, 0));
    race_observer.fence(w, 1, SCOPE_BLOCK, FENCE_THREADS);
    assert_false(before(r, m, 1, 0));
    fence(w, 1);
    assert_true(before(r, m, 1, 0));
    race_finish(r);
}

/* Within the block, a fence of its scope is enough. */
static void test_reader_in_the_block(void **state)
{
    (void)state;
    struct races *r = race_begin(1, 64, true);
    struct mark m = touch(r, 0, 0);
    struct warp *w = warp_of(r, 0, 1);
    fence(warp_of(r, 0, 0), 1);
    raise_flag(r, 0, STRONG_STORE);
    does(r, w, RELAXED_LOAD, 1, r->global + FLAG);
    assert_false(before(r, m, 0, 32));
    race_observer.fence(w, 1, SCOPE_BLOCK, FENCE_THREADS);
    assert_true(before(r, m, 0, 32));
    race_finish(r);
}

/* The accesses to the flag have scopes, too. */
static void test_scope_of_the_flag(void **state)
{
    (void)state;
    struct races *r = race_begin(2, 32, true);
    struct mark m = touch(r, 0, 0);
    fence(warp_of(r, 0, 0), 1);
    raise_flag(r, 0, STRONG_STORE);
    see(r, 1, LOAD_IN_BLOCK);
    fence(warp_of(r, 1, 0), 1);
    assert_false(before(r, m, 1, 0));
    raise_flag(r, 0, ADD_IN_BLOCK);
    see(r, 1, STRONG_LOAD);
    assert_true(before(r, m, 1, 0)); /* it passes on what the store said */
    race_finish(r);
    r = race_begin(2, 32, true);
    m = touch(r, 0, 0);
    fence(warp_of(r, 0, 0), 1);
    raise_flag(r, 0, ADD_IN_BLOCK);
    see(r, 1, STRONG_LOAD);
    assert_false(before(r, m, 1, 0));
    race_finish(r);
}

/* What one thread has read another may fence, behind a .sync or a barrier. */
static void test_another_fences(void **state)
{
    (void)state;
    for (int way = 0; way < 3; way++) {
        struct races *r = race_begin(2, 64, true);
        struct mark m = touch(r, 0, 0);
        fence(warp_of(r, 0, 0), 1);
        raise_flag(r, 0, STRONG_STORE);
        see(r, 1, RELAXED_LOAD);
        if (way == 1)
            warp_sync(warp_of(r, 1, 0), 3);
        if (way == 2)
            barrier(r, 1);
        assert_false(before(r, m, 1, 1));
        fence(warp_of(r, 1, 0), 2);
        assert_int_equal(before(r, m, 1, 1), way > 0);
        if (way == 2) {
            assert_false(before(r, m, 1, 40));
            fence(warp_of(r, 1, 1), 1u << 8);
            assert_true(before(r, m, 1, 40));
        }
        race_finish(r);
    }
}

/* Every thread fences, all meet, and one of them raises the flag. Who has not
 * fenced is not spoken for. */
static void test_fences_before_a_barrier(void **state)
{
    (void)state;
    struct races *r = race_begin(2, 96, true);
    struct mark a = touch(r, 0, 1), b = touch(r, 0, 40), c = touch(r, 0, 41);
    fence(warp_of(r, 0, 0), ALL);
    fence(warp_of(r, 0, 1), 1u << 8);
    struct mark late = touch(r, 0, 40);
    barrier(r, 0);
    struct mark after = touch(r, 0, 1);
    raise_flag(r, 0, STRONG_STORE);
    see(r, 1, STRONG_LOAD);
    assert_true(before(r, a, 1, 0));
    assert_true(before(r, b, 1, 0));
    assert_false(before(r, c, 1, 0));
    assert_false(before(r, late, 1, 0));
    assert_false(before(r, after, 1, 0));
    race_finish(r);
}

/* The one that raises the flag need not have fenced; but fences of the block's
 * scope do not reach another block. */
static void test_others_fence(void **state)
{
    (void)state;
    for (int wide = 0; wide < 2; wide++) {
        struct races *r = race_begin(2, 64, true);
        struct mark m = touch(r, 0, 40);
        race_observer.fence(warp_of(r, 0, 1), ALL,
                            wide ? SCOPE_GPU : SCOPE_BLOCK, FENCE_THREADS);
        barrier(r, 0);
        raise_flag(r, 0, STRONG_STORE);
        see(r, 1, STRONG_LOAD);
        assert_int_equal(before(r, m, 1, 0), wide);
        race_finish(r);
    }
}

/* What a block heard at its own scope goes on with a wider flag. */
static void test_scopes_in_a_chain(void **state)
{
    (void)state;
    struct races *r = race_begin(2, 64, true);
    struct mark m = touch(r, 0, 0);
    raise_flag(r, 0, RELEASE_IN_BLOCK);
    does(r, warp_of(r, 0, 1), STRONG_LOAD, 1, r->global + FLAG);
    fence(warp_of(r, 0, 1), 1);
    does(r, warp_of(r, 0, 1), STRONG_STORE, 1, r->global + OTHER_FLAG);
    does(r, warp_of(r, 1, 0), STRONG_LOAD, 1, r->global + OTHER_FLAG);
    assert_true(before(r, m, 1, 0));
    race_finish(r);
}

/* The words of a finding: what is missing. */
static void test_why(void **state)
{
    (void)state;
    char text[160] = "";
    struct races *r = race_begin(2, 32, true);
    struct mark m = touch(r, 0, 0);
    struct warp *w = warp_of(r, 1, 0);
    race_why(w, m.block, m.tag, text, sizeof text);
    assert_string_equal(text, "");
    fence(warp_of(r, 0, 0), 1);
    raise_flag(r, 0, STRONG_STORE);
    see(r, 1, RELAXED_LOAD);
    race_why(w, m.block, m.tag, text, sizeof text);
    assert_non_null(strstr(text, "no __threadfence() came"));
    *text = '\0';
    race_why(w, m.block, touch(r, 0, 1).tag, text, sizeof text);
    assert_string_equal(text, "");
    race_finish(r);
    r = race_begin(2, 32, true);
    m = touch(r, 0, 0);
    raise_flag(r, 0, RELEASE_IN_BLOCK);
    see(r, 1, STRONG_LOAD);
    race_why(warp_of(r, 1, 0), m.block, m.tag, text, sizeof text);
    assert_non_null(strstr(text, "ends at the block"));
    race_finish(r);
}

/* A launch without fences asks for no order between blocks. */
static void test_no_fence_no_flags(void **state)
{
    (void)state;
    struct races *r = race_begin(2, 32, false);
    struct mark m = touch(r, 0, 0);
    fence(warp_of(r, 0, 0), 1);
    raise_flag(r, 0, STRONG_STORE);
    see(r, 1, STRONG_LOAD);
    assert_null(warp_of(r, 1, 0)->acquired);
    assert_false(before(r, m, 1, 0));
    race_finish(r);
}

static void test_a_new_block_knows_nothing(void **state)
{
    (void)state;
    struct races *r = race_begin(1, 64, true);
    struct warp *w = warp_of(r, 0, 0);
    warp_sync(w, 3);
    meet(r, 0, 1, 1);
    fence(w, 1);
    race_observer.block(r->worker[0]);
    struct mark m = touch(r, 0, 1);
    assert_false(before(r, m, 0, 0));
    assert_false(before(r, touch(r, 0, 0), 0, 33));
    assert_int_equal(does(r, w, RELEASE, 2, r->global + FLAG), 0);
    assert_null(w->acquired);
    race_finish(r);
}

/* A block that comes later on the same worker has fenced nothing: what it
 * stores ends what a flag said. */
static void test_the_next_block_has_no_fence(void **state)
{
    (void)state;
    struct races *r = race_begin(3, 32, true);
    fence(warp_of(r, 0, 0), 1);
    r->worker[0]->block.index = 3;
    race_observer.block(r->worker[0]);
    struct mark m = touch(r, 2, 0);
    fence(warp_of(r, 2, 0), 1);
    raise_flag(r, 2, STRONG_STORE);
    raise_flag(r, 0, STRONG_STORE);
    see(r, 1, STRONG_LOAD);
    assert_false(before(r, m, 1, 0));
    race_finish(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_flag),
        cmocka_unit_test(test_flag_of_one_lane),
        cmocka_unit_test(test_lane_passes_on),
        cmocka_unit_test(test_flag_of_each_lane),
        cmocka_unit_test(test_flag_without_a_fence),
        cmocka_unit_test(test_release),
        cmocka_unit_test(test_fence_of_the_block),
        cmocka_unit_test(test_fence_covers_what_was_seen),
        cmocka_unit_test(test_fence_behind_a_small_barrier),
        cmocka_unit_test(test_flag_of_another_address),
        cmocka_unit_test(test_flag_lowered),
        cmocka_unit_test(test_counter),
        cmocka_unit_test(test_by_way_of_a_third_block),
        cmocka_unit_test(test_two_messages),
        cmocka_unit_test(test_three_messages_at_once),
        cmocka_unit_test(test_counting_twice),
        cmocka_unit_test(test_counting_in_turn),
        cmocka_unit_test(test_the_next_block_has_seen_nothing),
        cmocka_unit_test(test_barrier_tells_all),
        cmocka_unit_test(test_arrival_tells),
        cmocka_unit_test(test_flag_of_any_lane),
        cmocka_unit_test(test_polling),
        cmocka_unit_test(test_no_room),
        cmocka_unit_test(test_the_next_block_has_no_fence),
        cmocka_unit_test(test_the_flags_own_write),
        cmocka_unit_test(test_shared_flag),
        cmocka_unit_test(test_many_flags),
        cmocka_unit_test(test_reader_fences),
        cmocka_unit_test(test_reader_in_the_block),
        cmocka_unit_test(test_scope_of_the_flag),
        cmocka_unit_test(test_another_fences),
        cmocka_unit_test(test_fences_before_a_barrier),
        cmocka_unit_test(test_others_fence),
        cmocka_unit_test(test_scopes_in_a_chain),
        cmocka_unit_test(test_why),
        cmocka_unit_test(test_no_fence_no_flags),
        cmocka_unit_test(test_a_new_block_knows_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
