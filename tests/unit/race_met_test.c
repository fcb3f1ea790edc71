// SPDX-License-Identifier: MIT
/*
 * race_met_test.c: what warps that met at a barrier for some of the block know
 * goes on to whoever waits for an mbarrier that one of them arrives at; and
 * what a wait for copies leaves behind.
 */
#include "race_sample.h"

#include "simgpu/core/access/transfer.h"
#include "simgpu/core/exec/async.h"

enum { AT = 2048, WARPS = 3 };

/* Warp 0 stores, meets warp 1 or not, which arrives; warp 2 waits and loads. */
static uint64_t tell(bool meets)
{
    struct races *r = race_begin(1, WARPS * LANES, true);
    struct object_order x = {0};
    does(r, warp_of(r, 0, 0), STORE, 1, AT);
    if (meets)
        meet(r, 0, 3, 3);
    race_observer.arrives_at(warp_of(r, 0, 1), ALL, &x, 0);
    race_observer.complete(warp_of(r, 0, 1), &x);
    race_observer.wait(warp_of(r, 0, 2), ALL, &x, 0);
    uint64_t n = does(r, warp_of(r, 0, 2), LOAD, 1, AT);
    free(x.records);
    race_finish(r);
    return n;
}

static void test_met_before_an_arrival(void **state)
{
    (void)state;
    assert_int_equal(tell(true), 0);
    assert_int_equal(tell(false), 1);
}

/* Copies of which nothing is under way any more go with the next wait, and can
 * be had again. */
static void test_a_wait_sweeps(void **state)
{
    struct hand *h = hand_open(32);
    struct block *b = &h->worker.block;
    struct transfer *t = calloc(1, sizeof *t);
    (void)state;
    assert_non_null(t);
    struct inst wait = {.fn = op_async_wait};
    hand_put(h, (struct inst){.fn = op_exit});
    hand_start(h);
    b->warps[0].transfers = t;
    b->n_transfers = 1;
    op_async_wait(&b->warps[0], &wait, UINT32_MAX);
    assert_null(b->warps[0].transfers);
    assert_int_equal(b->n_transfers, 0);
    assert_ptr_equal(h->worker.free_transfers, t);
    free(t);
    node_recycle(&h->worker, b->warps[0].leaves);
    hand_close(h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_met_before_an_arrival),
        cmocka_unit_test(test_a_wait_sweeps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
