// SPDX-License-Identifier: MIT
/*
 * race_cluster_test.c: blocks of a cluster in each other's shared memory
 * (race/race_cluster.c): what the cluster's barrier orders, what nothing
 * orders, and visits to a block that may have ended.
 */
#include "race_sample.h"

enum { AT = 2048, WARPS = 2 };

static struct races *cluster_of(uint32_t blocks)
{
    struct races *r = race_begin(blocks, WARPS * LANES, true);
    r->h->run.cluster_blocks = r->h->cluster.n = blocks;
    for (uint32_t n = 0; n < blocks; n++) {
        r->h->cluster.member[n] = r->worker[n];
        r->worker[n]->rank = n;
        r->worker[n]->has_block = true;
        r->worker[n]->block.joined = true;
    }
    return r;
}

static void finish(struct races *r)
{
    free(r->h->cluster.order.records);
    race_finish(r);
}

/* A thread of w in the shared memory of a block, its own or not. */
static uint64_t in_block(struct races *r, uint32_t owner, struct warp *w,
                         enum verb verb)
{
    struct access a = event(r, w, verb, 1, AT, 0);
    if (w->worker != r->worker[owner])
        a.peer = r->worker[owner];
    return raise_event(r, &a);
}

static void cluster_barrier(struct races *r, bool relaxed)
{
    struct object_order *x = &r->h->cluster.order;
    for (uint32_t b = 0; b < r->blocks; b++)
        for (uint32_t w = 0; w < WARPS; w++)
            race_observer.arrives_at(warp_of(r, b, w), ALL, x,
                                     relaxed ? ORDER_RELAXED : 0);
    race_observer.complete(warp_of(r, 0, 0), x);
    for (uint32_t b = 0; b < r->blocks; b++)
        for (uint32_t w = 0; w < WARPS; w++)
            race_observer.wait(warp_of(r, b, w), ALL, x, 0);
}

/* What stands between the two accesses. */
enum between { NOTHING, OWN_BARRIERS, CLUSTER, RELAXED, FENCED_RELAXED };

static uint64_t tell(uint32_t owner, struct warp *(*first)(struct races *),
                     struct warp *(*second)(struct races *), enum verb a,
                     enum verb b, enum between between)
{
    struct races *r = cluster_of(3);
    value(second(r), 7); /* two stores of one value would be no race */
    assert_int_equal(in_block(r, owner, first(r), a), 0);
    if (between == OWN_BARRIERS)
        for (uint32_t n = 0; n < r->blocks; n++)
            barrier(r, n);
    if (between == FENCED_RELAXED)
        fence(first(r), ALL);
    if (between >= CLUSTER)
        cluster_barrier(r, between >= RELAXED);
    uint64_t n = in_block(r, owner, second(r), b);
    finish(r);
    return n;
}

static struct warp *of_0(struct races *r) { return warp_of(r, 0, 0); }
static struct warp *of_1(struct races *r) { return warp_of(r, 1, 0); }
static struct warp *of_2(struct races *r) { return warp_of(r, 2, 1); }

/* In the memory of block 0: it and a visitor, a visitor and it, two. */
static void test_order(void **state)
{
    static struct warp *(*const pair[][2])(struct races *) = {
        {of_0, of_1}, {of_1, of_0}, {of_1, of_2}};
    static const enum verb verbs[][2] = {
        {STORE, LOAD}, {LOAD, STORE}, {STORE, STORE}};
    static const uint64_t races[] = {
        [NOTHING] = 1, [OWN_BARRIERS] = 1, [CLUSTER] = 0, [RELAXED] = 1,
        [FENCED_RELAXED] = 0};
    (void)state;
    for (int p = 0; p < 3; p++)
        for (int v = 0; v < 3; v++)
            for (int b = NOTHING; b <= FENCED_RELAXED; b++) {
                uint64_t n = tell(0, pair[p][0], pair[p][1], verbs[v][0],
                                  verbs[v][1], (enum between)b);
                if (n != races[b])
                    fail_msg("pair %d, verbs %d, between %d: %d", p, v, b,
                             (int)n);
            }
}

/* The same address is another byte in each block. */
static void test_whose_memory(void **state)
{
    (void)state;
    struct races *r = cluster_of(2);
    assert_int_equal(in_block(r, 0, of_0(r), STORE), 0);
    assert_int_equal(in_block(r, 1, of_1(r), STORE), 0);
    assert_int_equal(in_block(r, 0, of_1(r), LOAD), 1);
    assert_int_equal(last_race(r, 1)->other.line, STORE + 1);
    finish(r);
}

/* A barrier of the cluster orders what came before it, nothing later. */
static void test_behind_the_barrier(void **state)
{
    (void)state;
    struct races *r = cluster_of(2);
    cluster_barrier(r, false);
    assert_int_equal(in_block(r, 0, of_1(r), STORE), 0);
    assert_int_equal(in_block(r, 0, of_0(r), LOAD), 1);
    finish(r);
}

/* A visit to block 0, which then ends: a barrier must stand in between. */
static uint64_t ends(bool before, bool behind)
{
    struct races *r = cluster_of(2);
    if (before)
        cluster_barrier(r, false);
    in_block(r, 0, of_1(r), LOAD);
    if (behind)
        cluster_barrier(r, false);
    race_observer.ended(r->worker[0]);
    uint64_t n = seen(r);
    if (n)
        assert_int_equal(last_race(r, 0)->kind, FIND_EXITED);
    finish(r);
    return n;
}

static void test_ended(void **state)
{
    (void)state;
    assert_int_equal(ends(false, false), 1);
    assert_int_equal(ends(true, false), 1);
    assert_int_equal(ends(false, true), 0);
    assert_int_equal(ends(true, true), 0);
}

/* All lanes of a warp visit block 0, and what comes then tells it that of one
 * of them: lane 0's arrival, behind a later visit of its own. */
static uint64_t one_tells(bool meet_first, bool by_copy)
{
    struct races *r = cluster_of(2);
    struct object_order x = {0};
    struct warp *w = of_1(r);
    struct access a = event(r, w, LOAD, ALL, AT, 4);
    struct access copy = event(r, w, BULK_READ, 1, AT + 512, 0);
    uint32_t stamps[LANES] = {0};
    a.peer = copy.peer = r->worker[0];
    raise_event(r, &a);
    if (meet_first)
        warp_sync(w, ALL);
    in_block(r, 0, w, LOAD);
    if (by_copy) { /* lands behind the arrival, and nobody waits for it */
        stamps[0] = STAMP_FOREIGN - 1;
        copy.stamps = stamps;
        raise_event(r, &copy);
        in_block(r, 0, w, LOAD);
    }
    race_observer.arrives_at(w, 1, &x, ORDER_OUTSIDE);
    race_observer.complete(of_0(r), &x);
    race_observer.wait(of_0(r), 1, &x, 0);
    seen(r);
    race_observer.ended(r->worker[0]);
    uint64_t n = seen(r);
    free(x.records);
    finish(r);
    return n;
}

static void test_each_visitor(void **state)
{
    (void)state;
    assert_int_equal(one_tells(false, false), LANES - 1);
    assert_int_equal(one_tells(true, false), 0);
    assert_int_equal(one_tells(true, true), 1);
}

/* Findings name the array, whose it is, and who may have exited. */
static void test_words(void **state)
{
    struct variable tile = {.name = "tile", .address = AT - 8, .bytes = 64};
    (void)state;
    struct races *r = cluster_of(2);
    r->h->kernel.shared = &tile;
    r->h->kernel.n_shared = 1;
    in_block(r, 0, of_0(r), STORE);
    assert_int_equal(in_block(r, 0, of_1(r), LOAD), 1);
    const struct finding *f = last_race(r, 1);
    assert_string_equal(f->array, "tile");
    assert_int_equal(f->offset, 8);
    assert_non_null(strstr(f->detail, "in the shared memory of rank 0"));
    race_observer.ended(r->worker[0]);
    f = last_race(r, 0);
    assert_int_equal(f->kind, FIND_EXITED);
    assert_string_equal(f->array, "tile");
    assert_non_null(strstr(f->detail, "rank 0 of the cluster, block (0,0,0)"));
    finish(r);
}

/* A fence of inits covers them alone, and only those before it. */
static void test_inits_that_were_seen(void **state)
{
    struct seen_block p = {.any = true};
    (void)state;
    struct races *r = cluster_of(2);
    uint64_t tag = of_0(r)->tags[0] | (uint64_t)RACE_WRITE << TAG_CLASS;
    const struct run *run = &r->h->run;
    p.inits[0] = (uint32_t)(tag >> TAG_STAMP) + 1;
    assert_true(race_seen_covers(run, &p, tag | (INIT + 1)));
    assert_false(race_seen_covers(run, &p, tag | (STORE + 1)));
    p.inits[0]--;
    assert_false(race_seen_covers(run, &p, tag | (INIT + 1)));
    finish(r);
}

/* So of a thread's landings: copies before it, and nothing else. */
static void test_landings_that_were_seen(void **state)
{
    struct seen_block p = {.any = true, .copies = true};
    (void)state;
    struct races *r = cluster_of(2);
    uint64_t tag = of_0(r)->tags[0] | (uint64_t)RACE_WRITE << TAG_CLASS;
    const struct run *run = &r->h->run;
    p.landed[0] = (uint32_t)(tag >> TAG_STAMP) + 1;
    assert_true(race_seen_covers(run, &p, tag | (COPY + 1)));
    assert_true(race_seen_covers(run, &p, tag | (BULK_WRITE + 1)));
    assert_false(race_seen_covers(run, &p, tag | (STORE + 1)));
    p.landed[0]--;
    assert_false(race_seen_covers(run, &p, tag | (COPY + 1)));
    finish(r);
}

/* Who has seen no initialisation knows no more than before. */
static void test_no_inits_that_were_seen(void **state)
{
    uint32_t inits[MAX_WARPS] = {0};
    (void)state;
    struct races *r = cluster_of(2);
    race_inits_seen(of_0(r), inits);
    assert_null(of_0(r)->block->seen);
    inits[MAX_WARPS - 1] = 1;
    race_inits_seen(of_0(r), inits);
    assert_int_equal(race_seen(of_0(r), 0)->inits[MAX_WARPS - 1], 1);
    finish(r);
}

/* Of two visitors that read, the second writes: the first is remembered. */
static void test_two_visitors(void **state)
{
    (void)state;
    struct races *r = cluster_of(3);
    in_block(r, 0, of_1(r), LOAD);
    in_block(r, 0, of_2(r), LOAD);
    assert_int_equal(in_block(r, 0, of_2(r), STORE), 1);
    finish(r);
}

/* A new block has had no visitors. */
static void test_new_block(void **state)
{
    (void)state;
    struct races *r = cluster_of(2);
    in_block(r, 0, of_1(r), LOAD);
    race_observer.block(r->worker[0]);
    race_observer.ended(r->worker[0]);
    assert_int_equal(seen(r), 0);
    finish(r);
}

/* Nor has it waited for the cluster's barrier, as the one before it had. */
static void test_new_block_visits(void **state)
{
    (void)state;
    struct races *r = cluster_of(2);
    assert_int_equal(in_block(r, 0, of_1(r), LOAD), 0);
    race_observer.block(r->worker[1]);
    assert_int_equal(in_block(r, 0, of_1(r), LOAD), 1);
    assert_non_null(strstr(last_race(r, 1)->detail, "may not have started"));
    finish(r);
}

/* A block whose neighbour may not have started: until its threads have waited
 * for the cluster's barrier, or heard from that block. */
static void test_not_yet_there(void **state)
{
    (void)state;
    struct races *r = cluster_of(2);
    r->worker[1]->block.joined = false;
    assert_int_equal(in_block(r, 0, of_1(r), LOAD), 1);
    assert_int_equal(last_race(r, 1)->kind, FIND_EXITED);
    cluster_barrier(r, true);
    assert_int_equal(in_block(r, 0, of_1(r), LOAD), 0);
    finish(r);
}

/* It has ended already: the visit itself is the finding. */
static void test_gone(void **state)
{
    (void)state;
    struct races *r = cluster_of(2);
    r->worker[0]->has_block = false;
    assert_int_equal(in_block(r, 0, of_1(r), LOAD), 1);
    assert_int_equal(last_race(r, 1)->kind, FIND_EXITED);
    assert_non_null(strstr(last_race(r, 1)->detail,
                           "rank 0 of the cluster, block (0,0,0), may have "
                           "exited by then"));
    finish(r);
}

/* What a warp has seen of another block goes with a barrier of its own, from
 * those that come to those that wait. */
static void test_told_at_a_barrier(void **state)
{
    (void)state;
    struct races *r = cluster_of(3);
    struct object_order x = {0};
    struct mark m = touch(r, 2, 40);
    race_observer.arrives_at(warp_of(r, 2, 1), ALL, &x, ORDER_OUTSIDE);
    race_observer.complete(warp_of(r, 2, 1), &x);
    race_observer.wait(warp_of(r, 0, 0), ALL, &x, 0);
    assert_true(race_peer_ordered(warp_of(r, 0, 0), 1, 2, m.tag));
    assert_false(race_peer_ordered(warp_of(r, 0, 1), 1, 2, m.tag));
    meet(r, 0, 3, 1);
    assert_false(race_peer_ordered(warp_of(r, 0, 1), 1, 2, m.tag));
    meet(r, 0, 3, 2);
    assert_true(race_peer_ordered(warp_of(r, 0, 1), 1, 2, m.tag));
    assert_false(race_peer_ordered(warp_of(r, 0, 1), 1, 1, m.tag));
    assert_false(
        race_peer_ordered(warp_of(r, 0, 1), 1, 2, touch(r, 2, 40).tag));
    free(x.records);
    finish(r);
}

/* What a warp has seen of another block goes with its arrivals, too. */
static void test_told_by_an_arrival(void **state)
{
    (void)state;
    struct races *r = cluster_of(2);
    struct object_order far = {0}, near = {0};
    struct mark m = touch(r, 1, 5);
    race_observer.arrives_at(of_1(r), ALL, &far, ORDER_OUTSIDE);
    race_observer.complete(of_1(r), &far);
    race_observer.wait(of_0(r), ALL, &far, 0);
    race_observer.arrives_at(of_0(r), ALL, &near, 0);
    race_observer.complete(of_0(r), &near);
    assert_false(race_peer_ordered(warp_of(r, 0, 1), 1, 1, m.tag));
    race_observer.wait(warp_of(r, 0, 1), ALL, &near, 0);
    assert_true(race_peer_ordered(warp_of(r, 0, 1), 1, 1, m.tag));
    assert_false(
        race_peer_ordered(warp_of(r, 0, 1), 1, 1, touch(r, 1, 5).tag));
    free(far.records);
    free(near.records);
    finish(r);
}

/* Two atomics of the block's scope, by the block whose memory it is, which has
 * had a visitor elsewhere; and one of them by a visitor. */
static void test_atomics_of_the_block(void **state)
{
    (void)state;
    struct races *r = cluster_of(2);
    struct access a = event(r, of_1(r), LOAD, 1, AT + 512, 0);
    a.peer = r->worker[0];
    raise_event(r, &a);
    assert_int_equal(in_block(r, 0, of_0(r), ADD_IN_BLOCK), 0);
    assert_int_equal(in_block(r, 0, warp_of(r, 0, 1), ADD_IN_BLOCK), 0);
    assert_int_equal(in_block(r, 0, of_1(r), ADD_IN_BLOCK), 1);
    finish(r);
}

/* Two threads of one visiting block, ordered by what orders them at home. */
static void test_two_of_the_visitor(void **state)
{
    enum { SAME_THREAD, SYNC, BARRIER, UNORDERED, BEFORE_ONLY, WAYS };
    (void)state;
    for (int way = 0; way < WAYS; way++) {
        struct races *r = cluster_of(2);
        struct warp *w = warp_of(r, 1, way == BARRIER || way == UNORDERED ||
                                          way == BEFORE_ONLY);
        if (way == BEFORE_ONLY)
            barrier(r, 1);
        struct access a = event(r, w, LOAD, way == SYNC ? 2 : 1, AT, 0);
        a.peer = r->worker[0];
        assert_int_equal(in_block(r, 0, of_1(r), STORE), 0);
        if (way == SYNC)
            warp_sync(of_1(r), ALL);
        if (way == BARRIER)
            barrier(r, 1);
        assert_int_equal(raise_event(r, &a), way >= UNORDERED);
        finish(r);
    }
}

/* Global memory: blocks of a cluster are in no order by themselves. */
static void test_global_memory(void **state)
{
    (void)state;
    for (int meets = 0; meets < 2; meets++) {
        struct races *r = cluster_of(2);
        assert_ptr_equal(race_peer(of_0(r), 1), r->worker[1]);
        assert_null(race_peer(of_0(r), 2));
        does(r, of_0(r), STORE, 1, r->global);
        if (meets)
            cluster_barrier(r, false);
        assert_int_equal(does(r, of_1(r), LOAD, 1, r->global), !meets);
        finish(r);
    }
}

/* A fence between proxies may stand in a third block of the cluster, if the
 * cluster's barriers order it between the two. */
static void test_proxy_fence_of_a_third(void **state)
{
    (void)state;
    for (uint32_t by = 0; by < 4; by++) { /* 3: nobody */
        struct races *r = cluster_of(3);
        does(r, of_0(r), STORE, 1, r->global);
        cluster_barrier(r, false);
        if (by < 3)
            race_observer.fence(warp_of(r, by, 1), ALL, SCOPE_CLUSTER,
                                FENCE_PROXY);
        cluster_barrier(r, false);
        assert_int_equal(does(r, of_2(r), BULK_READ, 1, r->global), by == 3);
        finish(r);
    }
}

/* A cluster may have 16 blocks, and blocks 32 warps: the last of them counts
 * like the first. */
static void test_the_last_of_many(void **state)
{
    (void)state;
    struct races *r = race_begin(1, 1024, true);
    race_observer.fence(warp_of(r, 0, 31), ALL, SCOPE_BLOCK, FENCE_PROXY);
    does(r, warp_of(r, 0, 30), STORE, 1u << 31, AT);
    barrier(r, 0);
    assert_int_equal(does(r, warp_of(r, 0, 0), BULK_READ, 1, AT), 1);
    race_observer.fence(warp_of(r, 0, 31), ALL, SCOPE_BLOCK, FENCE_PROXY);
    barrier(r, 0);
    assert_int_equal(does(r, warp_of(r, 0, 0), BULK_READ, 1, AT), 0);
    race_finish(r);
}

/* An early warp that waits for an object may have heard there of a wait for the
 * launch before, by any warp of the cluster; without one it has not. */
static bool early_behind(bool any, uint32_t block, uint32_t warp)
{
    struct races *r = cluster_of(3);
    struct object_order x = {0};
    all_early(r);
    if (any)
        race_not_early(warp_of(r, block, warp));
    race_observer.arrives_at(warp_of(r, 2, 0), ALL, &x, ORDER_OUTSIDE);
    race_observer.complete(warp_of(r, 2, 0), &x);
    race_observer.wait(warp_of(r, 1, 0), ALL, &x, 0);
    bool still = early(r, 1, 0);
    for (uint32_t n = 0; n < 3 * WARPS; n++)
        if (n != 1 * WARPS && !(any && n == block * WARPS + warp))
            assert_true(early(r, n / WARPS, n % WARPS));
    free(x.records);
    finish(r);
    return still;
}

static void test_early(void **state)
{
    (void)state;
    assert_true(early_behind(false, 0, 0));
    for (uint32_t n = 0; n < 3 * WARPS; n++)
        assert_false(early_behind(true, n / WARPS, n % WARPS));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_whose_memory),
        cmocka_unit_test(test_behind_the_barrier),
        cmocka_unit_test(test_ended),
        cmocka_unit_test(test_each_visitor),
        cmocka_unit_test(test_words),
        cmocka_unit_test(test_inits_that_were_seen),
        cmocka_unit_test(test_landings_that_were_seen),
        cmocka_unit_test(test_no_inits_that_were_seen),
        cmocka_unit_test(test_two_visitors),
        cmocka_unit_test(test_new_block),
        cmocka_unit_test(test_new_block_visits),
        cmocka_unit_test(test_not_yet_there),
        cmocka_unit_test(test_gone),
        cmocka_unit_test(test_told_at_a_barrier),
        cmocka_unit_test(test_told_by_an_arrival),
        cmocka_unit_test(test_atomics_of_the_block),
        cmocka_unit_test(test_two_of_the_visitor),
        cmocka_unit_test(test_global_memory),
        cmocka_unit_test(test_proxy_fence_of_a_third),
        cmocka_unit_test(test_the_last_of_many),
        cmocka_unit_test(test_early),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
