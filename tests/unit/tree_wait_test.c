// SPDX-License-Identifier: MIT
/*
 * tree_wait_test.c: where a warp's lanes are, over calls, and when some wait
 * for others.
 */
#include "tree_sample.h"

/* Calls ------------------------------------------------------------------- */

/* The callee has registers of its own: there p0 is what nobody set. */
static void test_call(void **state)
{
    (void)state;
    struct hand *h = call_of(0);
    set(h, PRED(0), 0xff);
    run_all(h);
    assert_int_equal(n_notes, 4);
    for (size_t n = 0; n < 4; n++)
        expect_note(n, (int64_t)n, 0xffffffff);
    assert_non_null(h->worker.frames); /* given back */
    assert_null(h->worker.frames->next);
    tree_end(h);
}

static const struct inst *even_lanes(struct warp *w, const struct inst *i,
                                     uint32_t mask)
{
    (void)mask;
    *(uint32_t *)slot(w, PRED(0)) = 0x55555555;
    return i + 1;
}

static void test_lanes_return_one_by_one(void **state)
{
    (void)state;
    struct hand *h = call_of(PRED(2) + 1);
    h->code[4] = (struct inst){.fn = even_lanes};
    set(h, PRED(2), 0x0000ffff);
    run_all(h);
    assert_int_equal(n_notes, 3);
    expect_note(0, 0, 0xffffffff);
    expect_note(1, 2, 0x0000aaaa);
    expect_note(2, 3, 0xffffffff); /* the others have waited */
    tree_end(h);
}

static void test_exit_in_a_callee(void **state)
{
    (void)state;
    struct hand *h = call_of(PRED(2) + 1);
    h->code[4] = (struct inst){.fn = even_lanes};
    h->code[5].fn = op_exit;
    set(h, PRED(2), 0x0000ffff);
    run_all(h);
    assert_int_equal(n_notes, 3);
    expect_note(1, 2, 0x0000aaaa);
    expect_note(2, 3, 0xffffaaaa);
    tree_end(h);
}

static void test_everybody_exits_in_a_callee(void **state)
{
    (void)state;
    struct hand *h = call_of(0);
    h->code[4] = (struct inst){.fn = op_exit};
    run_all(h);
    assert_int_equal(n_notes, 1);
    assert_null(h->worker.frames->next);
    tree_end(h);
}

/* Waiting ----------------------------------------------------------------- */

/* if (p0) sync A else sync B, at one place or at two; then 3. */
static struct hand *syncs(bool one_place)
{
    struct hand *h = tree_begin(32);
    struct inst *branch = put_branch(h, PRED(0));
    put_note(h, 1);
    hand_put(h, (struct inst){.fn = one_place ? op_nop : op_warp_sync,
                              .a = REG(1)});
    struct inst *over = put(h, op_branch_uniform);
    branch->target = &h->code[h->n];
    put_note(h, 2);
    hand_put(h, (struct inst){.fn = one_place ? op_nop : op_warp_sync,
                              .a = REG(1)});
    over->target = branch->rpc = put(h, op_reconverge);
    hand_put(h, (struct inst){.fn = one_place ? op_warp_sync : op_nop,
                              .a = REG(1)});
    put_note(h, 3);
    put(h, op_exit);
    hand_start(h);
    set(h, PRED(0), 0xff);
    for (uint32_t l = 0; l < LANES; l++)
        set(h, REG(1) + 4 * l, 0xffffffff);
    return h;
}

/* Lanes wait for each other at two places of the program. */
static void test_sync_from_two_arms(void **state)
{
    (void)state;
    for (int one = 0; one < 2; one++) {
        struct hand *h = syncs(one);
        run_all(h);
        assert_int_equal(n_notes, 3);
        expect_note(0, 1, ~0xffu);
        expect_note(1, 2, 0xff);
        expect_note(2, 3, 0xffffffff);
        tree_end(h);
    }
}

/* Who names others than the rest gets a leaf of its own, and completes alone.
 * Lanes 0-3 name themselves; the others lanes 4-31, of which some are still
 * elsewhere. */
static void test_parts_of_a_leaf(void **state)
{
    (void)state;
    struct hand *h = syncs(false);
    set(h, PRED(0), 0xff000000);
    for (uint32_t l = 0; l < LANES; l++)
        set(h, REG(1) + 4 * l, l < 4 ? 0xf : 0xfffffff0);
    run_all(h);
    assert_int_equal(n_notes, 3);
    expect_note(2, 3, 0xffffffff);
    tree_end(h);
}

/* In a callee, whose leaf is the call's own: parts of it go below. Lanes 4-15
 * wait for lane 16, which waits behind the call. */
static void test_parts_of_a_callees_leaf(void **state)
{
    (void)state;
    struct hand *h = call_of(PRED(2) + 1);
    h->code[4] = (struct inst){.fn = op_warp_sync, .a = REG(1)};
    h->code[5] = (struct inst){.fn = op_nop};
    set(h, PRED(2), 0x0000ffff);
    struct frame *callee = frame_new(&h->worker, &h->function[1]);
    for (uint32_t l = 0; l < LANES; l++)
        ((uint32_t *)(callee->regs + REG(1)))[l] = l < 4 ? 0xf : 0x1fff0;
    h->worker.frames = callee;
    struct warp *w = &h->worker.block.warps[0];
    hand_run(w);
    assert_false(w->done);
    assert_int_equal(n_notes, 2);
    expect_note(1, 2, 0xf);
    struct node *leaf = w->leaves;
    assert_null(leaf->next);
    assert_int_equal(leaf->mask, 0xfff0);
    assert_int_equal(leaf->state, NODE_SYNC);
    assert_true(warp_release_early(w)); /* lane 16 goes on, and exits */
    run_all(h);
    assert_int_equal(n_notes, 5);
    expect_note(2, 3, 0xffff000f);
    expect_note(3, 2, 0xfff0);
    expect_note(4, 3, 0xfff0);
    tree_end(h);
}

/* @p0 sync: the others wait right behind it. */
static void test_guarded_sync(void **state)
{
    (void)state;
    struct hand *h = tree_begin(32);
    hand_put(h, (struct inst){.fn = op_warp_sync, .a = REG(1),
                              .guard = PRED(0) + 1});
    put(h, op_reconverge);
    put_note(h, 1);
    put(h, op_exit);
    hand_start(h);
    set(h, PRED(0), 0x1);
    for (uint32_t l = 0; l < LANES; l++)
        set(h, REG(1) + 4 * l, 0x3);
    struct warp *w = &h->worker.block.warps[0];
    hand_run(w);
    assert_false(w->done); /* lane 1 waits for lane 0 behind the sync */
    assert_int_equal(w->leaves->state, NODE_SYNC);
    assert_int_equal(w->leaves->mask, 1);
    assert_int_equal(w->leaves->parent->mask, 0xfffffffe);
    assert_true(warp_release_exits(w) == false);
    assert_true(warp_release_early(w));
    assert_false(warp_release_early(w)); /* nobody waits any more */
    assert_int_equal(w->leaves->mask, 0xfffffffe);
    run_all(h); /* exits free lane 0 */
    assert_int_equal(n_notes, 2);
    expect_note(0, 1, 0xfffffffe);
    expect_note(1, 1, 0x1);
    tree_end(h);
}

/* @p1 barrier.arrive, @p0 barrier.sync of the other lanes alone: they meet the
 * others right behind it. */
static void test_guarded_barrier(void **state)
{
    (void)state;
    struct hand *h = tree_begin(32);
    hand_put(h, (struct inst){.fn = op_barrier_arrive, .a = REG(1),
                              .b = REG(2), .p0 = 1, .guard = PRED(1) + 1});
    put(h, op_reconverge);
    hand_put(h, (struct inst){.fn = op_barrier, .a = REG(1), .b = REG(2),
                              .p0 = 1, .guard = PRED(0) + 1});
    put(h, op_reconverge);
    put_note(h, 1);
    put(h, op_exit);
    hand_start(h);
    set(h, PRED(0), 0xf0);
    set(h, PRED(1), ~0xf0u);
    for (uint32_t l = 0; l < LANES; l++) {
        set(h, REG(1) + 4 * l, 3);
        set(h, REG(2) + 4 * l, 32);
    }
    run_all(h);
    assert_int_equal(n_notes, 1);
    expect_note(0, 1, 0xffffffff);
    assert_int_equal(h->worker.counters.barriers, 2);
    tree_end(h);
}

/* Lanes that wait to exit together may exit now; others may not. */
static void test_release_exits(void **state)
{
    (void)state;
    for (int notes_first = 0; notes_first < 2; notes_first++) {
        struct hand *h = tree_begin(32);
        struct inst *branch = put_branch(h, PRED(0));
        hand_put(h, (struct inst){.fn = op_warp_sync, .a = REG(1)});
        branch->target = branch->rpc = put(h, op_reconverge);
        put(h, op_reconverge); /* that of another branch */
        if (notes_first)
            put_note(h, 1);
        put(h, op_exit);
        hand_start(h);
        set(h, PRED(0), 0xff);
        for (uint32_t l = 0; l < LANES; l++)
            set(h, REG(1) + 4 * l, 0xffffffff);
        struct warp *w = &h->worker.block.warps[0];
        hand_run(w);
        assert_int_equal(warp_release_exits(w), !notes_first);
        if (notes_first)
            assert_true(warp_release_early(w));
        run_all(h);
        tree_end(h);
    }
}

/* Lanes that are let go come to the next meeting point, and wait there. */
static void test_release_within_a_branch(void **state)
{
    (void)state;
    struct hand *h = tree_begin(32);
    struct inst *outer = put_branch(h, PRED(1));
    struct inst *inner = put_branch(h, PRED(0));
    put_note(h, 1);
    hand_put(h, (struct inst){.fn = op_warp_sync, .a = REG(1)});
    inner->target = inner->rpc = put(h, op_reconverge);
    put_note(h, 2);
    outer->target = outer->rpc = put(h, op_reconverge);
    put_note(h, 3);
    put(h, op_exit);
    hand_start(h);
    set(h, PRED(1), 0xff000000);
    set(h, PRED(0), 0x0000ff00);
    for (uint32_t l = 0; l < LANES; l++)
        set(h, REG(1) + 4 * l, 0xffffffff);
    struct warp *w = &h->worker.block.warps[0];
    hand_run(w);
    assert_int_equal(n_notes, 1);
    assert_true(warp_release_early(w));
    hand_run(w);
    assert_int_equal(n_notes, 2);
    expect_note(1, 2, 0x0000ff00);
    assert_true(warp_release_early(w));
    run_all(h); /* exits free those at the sync */
    assert_int_equal(n_notes, 5);
    expect_note(2, 3, 0xff00ff00);
    expect_note(3, 2, 0x00ff00ff);
    expect_note(4, 3, 0x00ff00ff);
    tree_end(h);
}

/* A callee's return is no exit: its caller goes on. */
static void test_release_exits_in_a_callee(void **state)
{
    (void)state;
    struct hand *h = call_of(PRED(2) + 1);
    struct inst *outer = &h->code[4], *inner = &h->code[5];
    *outer = (struct inst){.fn = op_branch, .a = REG(2)};
    *inner = (struct inst){.fn = op_branch, .a = REG(3)};
    h->code[6] = (struct inst){.fn = op_warp_sync, .a = REG(1)};
    inner->target = inner->rpc = &h->code[7];
    h->code[7] = (struct inst){.fn = op_reconverge};
    outer->target = outer->rpc = put(h, op_reconverge);
    put(h, op_return);
    set(h, PRED(2), 0xffffffff);
    struct frame *callee = frame_new(&h->worker, &h->function[1]);
    *(uint32_t *)(callee->regs + REG(2)) = 0xff;
    *(uint32_t *)(callee->regs + REG(3)) = 0xff00;
    for (uint32_t l = 0; l < LANES; l++)
        ((uint32_t *)(callee->regs + REG(1)))[l] = 0xffffffff;
    h->worker.frames = callee;
    struct warp *w = &h->worker.block.warps[0];
    hand_run(w);
    assert_false(w->done);
    assert_false(warp_release_exits(w));
    assert_true(warp_release_early(w));
    struct node *leaf = w->leaves->next;
    assert_int_equal(leaf->state, NODE_SYNC);
    leaf->state = NODE_RUN; /* as if all had come */
    leaf->pc++;
    run_all(h);
    assert_int_equal(n_notes, 2);
    expect_note(1, 3, 0xffffffff);
    tree_end(h);
}

/* Lanes that part at the top level of a callee: those that are let go pass its
 * end and their caller's, while the others still need its frame. */
static void test_release_within_a_callee(void **state)
{
    (void)state;
    struct hand *h = call_of(PRED(2) + 1);
    h->code[4] = (struct inst){.fn = op_branch, .a = REG(2),
                               .target = &h->code[6], .rpc = &h->code[6]};
    h->code[5] = (struct inst){.fn = op_warp_sync, .a = REG(1)};
    h->code[6] = (struct inst){.fn = op_reconverge};
    h->code[7] = (struct inst){.fn = note, .imm = 2};
    put(h, op_return);
    set(h, PRED(2), 0xffffffff);
    struct frame *callee = frame_new(&h->worker, &h->function[1]);
    *(uint32_t *)(callee->regs + REG(2)) = 0xff;
    for (uint32_t l = 0; l < LANES; l++)
        ((uint32_t *)(callee->regs + REG(1)))[l] = 0xffffffff;
    h->worker.frames = callee;
    struct warp *w = &h->worker.block.warps[0];
    hand_run(w);
    assert_int_equal(n_notes, 1);
    assert_true(warp_release_early(w));
    hand_run(w);
    assert_int_equal(n_notes, 2);
    expect_note(1, 2, 0xff);
    assert_null(h->worker.frames); /* still in use */
    assert_true(warp_release_early(w)); /* behind the call */
    run_all(h); /* exits free those at the sync */
    assert_int_equal(n_notes, 5);
    expect_note(2, 3, 0xff);
    expect_note(3, 2, 0xffffff00);
    expect_note(4, 3, 0xffffff00);
    assert_ptr_equal(h->worker.frames, callee);
    assert_null(callee->next);
    tree_end(h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_call),
        cmocka_unit_test(test_lanes_return_one_by_one),
        cmocka_unit_test(test_exit_in_a_callee),
        cmocka_unit_test(test_everybody_exits_in_a_callee),
        cmocka_unit_test(test_sync_from_two_arms),
        cmocka_unit_test(test_parts_of_a_leaf),
        cmocka_unit_test(test_parts_of_a_callees_leaf),
        cmocka_unit_test(test_guarded_sync),
        cmocka_unit_test(test_guarded_barrier),
        cmocka_unit_test(test_release_within_a_branch),
        cmocka_unit_test(test_release_within_a_callee),
        cmocka_unit_test(test_release_exits_in_a_callee),
        cmocka_unit_test(test_release_exits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
