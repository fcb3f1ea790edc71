// SPDX-License-Identifier: MIT
/*
 * race_proxy_test.c: fences between proxies (race/race_proxy.c). A thread of
 * warp 0 writes a word, the block meets at a barrier, and warp 1 issues an
 * asynchronous operation that reads it: which fences, and where, are enough.
 */
#include "race_sample.h"

enum { SHARED_AT = 2048, WARPS = 3 };

/* Where a fence stands. */
enum stand { NOWHERE, BEFORE_WRITE, BEHIND_WRITE, AT_READER_EARLY, AT_READER,
             AT_THIRD, THIRD_BETWEEN, THIRD_BEFORE };

static void fences(struct races *r, uint32_t warp, bool here,
                   enum fence_kind kind)
{
    if (here)
        race_observer.fence(warp_of(r, 0, warp), ALL, SCOPE_BLOCK, kind);
}

/* How many findings the operation makes; all of them are of the proxy. */
static uint64_t tell(enum verb verb, enum stand stand, enum fence_kind kind,
                     bool shared)
{
    struct variable x = {.name = "x", .address = SHARED_AT, .bytes = 64};
    struct races *r = race_begin(1, WARPS * LANES, true);
    uint64_t address = shared ? SHARED_AT : r->global;
    r->h->kernel.shared = &x;
    r->h->kernel.n_shared = 1;
    fences(r, 0, stand == BEFORE_WRITE, kind);
    fences(r, 2, stand == THIRD_BEFORE, kind);
    does(r, warp_of(r, 0, 0), verb, 1, address);
    fences(r, 0, stand == BEHIND_WRITE, kind);
    fences(r, 1, stand == AT_READER_EARLY, kind);
    barrier(r, 0);
    fences(r, 1, stand == AT_READER, kind);
    fences(r, 2, stand == AT_THIRD || stand == THIRD_BETWEEN, kind);
    if (stand == THIRD_BETWEEN)
        barrier(r, 0);
    uint64_t n = does(r, warp_of(r, 0, 1), BULK_READ, 1, address);
    if (n) {
        const struct finding *f = last_race(r, 0);
        assert_int_equal(f->kind, FIND_PROXY);
        assert_int_equal(f->at.line, BULK_READ + 1);
        assert_int_equal(f->other.line, verb + 1);
        assert_int_equal(f->allocation, !shared);
        assert_true(shared ? f->array && strcmp(f->array, "x") == 0
                           : !f->array);
        assert_int_equal(strstr(f->detail, "fence.mbarrier_init") != NULL,
                         verb == INIT);
    }
    race_finish(r);
    return n;
}

/* Plain or not: whatever writes. */
static void test_where(void **state)
{
    static const enum verb writes[] = {STORE, STRONG_STORE, VOLATILE_STORE,
                                       ADD, ADD_IN_BLOCK, SWAP, RELEASE};
    static const struct { enum stand stand; uint64_t n; } cases[] = {
        {NOWHERE, 1}, {BEFORE_WRITE, 1}, {BEHIND_WRITE, 0},
        {AT_READER_EARLY, 1}, {AT_READER, 0}, {AT_THIRD, 1},
        {THIRD_BETWEEN, 0}, {THIRD_BEFORE, 1},
    };
    (void)state;
    for (size_t v = 0; v < sizeof writes / sizeof *writes; v++)
        for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
            for (int shared = 0; shared < 2; shared++)
                assert_int_equal(tell(writes[v], cases[k].stand, FENCE_PROXY,
                                      shared), cases[k].n);
}

/* What has read need not be fenced, nor what is of the operation's proxy. */
static void test_no_fence_needed(void **state)
{
    static const enum verb verbs[] = {LOAD, STRONG_LOAD, VOLATILE_LOAD,
                                      BULK_READ, BULK_WRITE};
    (void)state;
    for (size_t v = 0; v < sizeof verbs / sizeof *verbs; v++)
        for (int shared = 0; shared < 2; shared++)
            assert_int_equal(tell(verbs[v], NOWHERE, FENCE_PROXY, shared), 0);
}

/* A fence of the other space is none; nor is one between threads. */
static void test_space(void **state)
{
    static const enum stand stands[] = {BEHIND_WRITE, AT_READER};
    (void)state;
    for (int k = 0; k < 2; k++)
        for (int shared = 0; shared < 2; shared++) {
            enum stand s = stands[k];
            assert_int_equal(tell(STORE, s, FENCE_PROXY_SHARED, shared),
                             !shared);
            assert_int_equal(tell(STORE, s, FENCE_PROXY_GLOBAL, shared),
                             shared);
            assert_int_equal(tell(STORE, s, FENCE_THREADS, shared), 1);
        }
}

/* A fence of inits is one for an mbarrier's, and for no other write. */
static void test_inits(void **state)
{
    (void)state;
    assert_int_equal(tell(INIT, NOWHERE, FENCE_INIT, true), 1);
    assert_int_equal(tell(INIT, BEFORE_WRITE, FENCE_INIT, true), 1);
    assert_int_equal(tell(INIT, BEHIND_WRITE, FENCE_INIT, true), 0);
    assert_int_equal(tell(STORE, BEHIND_WRITE, FENCE_INIT, true), 1);
}

/* A kernel without fences between threads has those of inits all the same. */
static void test_inits_without_other_fences(void **state)
{
    (void)state;
    for (int fenced = 0; fenced < 2; fenced++) {
        struct races *r = race_begin(1, WARPS * LANES, false);
        does(r, warp_of(r, 0, 0), INIT, 1, SHARED_AT);
        fences(r, 0, fenced, FENCE_INIT);
        barrier(r, 0);
        assert_int_equal(does(r, warp_of(r, 0, 1), BULK_READ, 1, SHARED_AT),
                         !fenced);
        race_finish(r);
    }
}

/* Whoever has waited for an operation sees what it wrote. */
static void test_other_way(void **state)
{
    (void)state;
    for (int shared = 0; shared < 2; shared++) {
        struct races *r = race_begin(1, WARPS * LANES, true);
        uint64_t address = shared ? SHARED_AT : r->global;
        does(r, warp_of(r, 0, 0), BULK_WRITE, 1, address);
        barrier(r, 0);
        assert_int_equal(does(r, warp_of(r, 0, 1), LOAD, 1, address), 0);
        barrier(r, 0);
        assert_int_equal(does(r, warp_of(r, 0, 2), BULK_READ, 1, address), 0);
        race_finish(r);
    }
}

/* A new block has fenced nothing, and fences anew. */
static void test_new_block(void **state)
{
    (void)state;
    for (int fenced = 0; fenced < 2; fenced++) {
        struct races *r = race_begin(1, WARPS * LANES, true);
        fences(r, 0, true, FENCE_PROXY);
        race_observer.block(r->worker[0]);
        race_observer.block(r->worker[0]);
        does(r, warp_of(r, 0, 0), STORE, 1, SHARED_AT);
        fences(r, 0, fenced, FENCE_PROXY);
        barrier(r, 0);
        assert_int_equal(does(r, warp_of(r, 0, 1), BULK_READ, 1, SHARED_AT),
                         !fenced);
        race_finish(r);
    }
}

/* Nor does a third warp's fence of an earlier block stand in for one that is
 * ordered before the operation. */
static void test_third_of_an_earlier_block(void **state)
{
    (void)state;
    for (int shared = 0; shared < 2; shared++) {
        struct races *r = race_begin(1, WARPS * LANES, true);
        uint64_t address = shared ? SHARED_AT : r->global;
        fences(r, 2, true, FENCE_PROXY);
        race_observer.block(r->worker[0]);
        does(r, warp_of(r, 0, 0), STORE, 1, address);
        barrier(r, 0);
        fences(r, 2, true, FENCE_PROXY);
        assert_int_equal(does(r, warp_of(r, 0, 1), BULK_READ, 1, address), 1);
        race_finish(r);
    }
}

/* A block outside the cluster is beyond what is known of its fences. */
static void test_block_outside_the_cluster(void **state)
{
    (void)state;
    struct races *r = race_begin(2, WARPS * LANES, true);
    struct warp *a = warp_of(r, 1, 0), *b = warp_of(r, 0, 0);
    does(r, a, STORE, 1, r->global);
    fence(a, 1);
    does(r, a, STRONG_STORE, 1, r->global + 64);
    does(r, b, STRONG_LOAD, 1, r->global + 64);
    assert_int_equal(does(r, b, BULK_READ, 1, r->global), 0);
    race_finish(r);
}

/* Without any order it is a race, whatever is fenced. */
static void test_no_order(void **state)
{
    (void)state;
    for (int shared = 0; shared < 2; shared++) {
        struct races *r = race_begin(1, WARPS * LANES, true);
        uint64_t address = shared ? SHARED_AT : r->global;
        does(r, warp_of(r, 0, 0), STORE, 1, address);
        fences(r, 0, true, FENCE_PROXY);
        assert_int_equal(does(r, warp_of(r, 0, 1), BULK_READ, 1, address), 1);
        assert_int_equal(last_race(r, 0)->kind, FIND_RACE);
        race_finish(r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_where),
        cmocka_unit_test(test_no_fence_needed),
        cmocka_unit_test(test_space),
        cmocka_unit_test(test_inits),
        cmocka_unit_test(test_inits_without_other_fences),
        cmocka_unit_test(test_other_way),
        cmocka_unit_test(test_block_outside_the_cluster),
        cmocka_unit_test(test_no_order),
        cmocka_unit_test(test_new_block),
        cmocka_unit_test(test_third_of_an_earlier_block),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
