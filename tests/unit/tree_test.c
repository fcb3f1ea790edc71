// SPDX-License-Identifier: MIT
/*
 * tree_test.c: where a warp's lanes are, over branches, indexed branches and
 * loops.
 */
#include "tree_sample.h"

/* Branches ---------------------------------------------------------------- */

/* 0: if (p0) 1 else 2; 3. */
static struct hand *if_else(void)
{
    struct hand *h = tree_begin(32);
    put_note(h, 0);
    struct inst *branch = put_branch(h, PRED(0));
    put_note(h, 2);
    struct inst *over = put(h, op_branch_uniform);
    branch->target = &h->code[h->n];
    put_note(h, 1);
    over->target = branch->rpc = put(h, op_reconverge);
    put_note(h, 3);
    put(h, op_exit);
    hand_start(h);
    return h;
}

static void test_both_arms(void **state)
{
    (void)state;
    struct hand *h = if_else();
    set(h, PRED(0), 0x0000ffff);
    run_all(h);
    assert_int_equal(n_notes, 4);
    expect_note(0, 0, 0xffffffff);
    expect_note(1, 2, 0xffff0000);
    expect_note(2, 1, 0x0000ffff);
    expect_note(3, 3, 0xffffffff);
    const struct engine_counters *c = &h->worker.counters;
    assert_int_equal(c->branches, 2);
    assert_int_equal(c->divergent_branches, 1);
    assert_int_equal(c->warp_instructions, 7); /* op_reconverge is none */
    tree_end(h);
}

static void test_one_arm(void **state)
{
    (void)state;
    for (uint32_t taken = 0; taken < 2; taken++) {
        struct hand *h = if_else();
        set(h, PRED(0), taken ? 0xffffffff : 0);
        run_all(h);
        assert_int_equal(n_notes, 3);
        expect_note(1, taken ? 1 : 2, 0xffffffff);
        expect_note(2, 3, 0xffffffff);
        assert_int_equal(h->worker.counters.divergent_branches, 0);
        tree_end(h);
    }
}

/* @!p: the branch is taken where the predicate is not set. */
static void test_inverted(void **state)
{
    (void)state;
    struct hand *h = if_else();
    h->code[1].guard_xor = (uint32_t)FULL;
    set(h, PRED(0), 0xff);
    run_all(h);
    expect_note(1, 2, 0xff);
    expect_note(2, 1, ~0xffu);
    tree_end(h);
}

/* Nobody meets: each arm goes to its own end. */
static void test_arms_that_exit(void **state)
{
    (void)state;
    struct hand *h = tree_begin(32);
    struct inst *branch = put_branch(h, PRED(0));
    put_note(h, 1);
    put(h, op_exit);
    branch->target = &h->code[h->n];
    put_note(h, 2);
    put(h, op_exit);
    hand_start(h);
    set(h, PRED(0), 0xf0f0f0f0);
    run_all(h);
    expect_note(0, 1, 0x0f0f0f0f);
    expect_note(1, 2, 0xf0f0f0f0);
    assert_int_equal(h->worker.block.live, 0);
    tree_end(h);
}

/* Some lanes exit in an arm: the others meet without them. */
static void test_exit_in_an_arm(void **state)
{
    (void)state;
    struct hand *h = tree_begin(32);
    struct inst *branch = put_branch(h, PRED(0));
    hand_put(h, (struct inst){.fn = op_exit, .guard = PRED(1) + 1});
    put_note(h, 1);
    branch->target = branch->rpc = put(h, op_reconverge);
    put_note(h, 2);
    put(h, op_exit);
    hand_start(h);
    set(h, PRED(0), 0xffff0000);
    set(h, PRED(1), 0x000000ff);
    run_all(h);
    assert_int_equal(n_notes, 2);
    expect_note(0, 1, 0x0000ff00);
    expect_note(1, 2, 0xffffff00);
    tree_end(h);
}

/* All lanes of an arm exit: who waits goes on, and is no longer below. */
static void test_whole_arm_exits(void **state)
{
    (void)state;
    struct hand *h = tree_begin(32);
    struct inst *branch = put_branch(h, PRED(0));
    put(h, op_exit);
    branch->target = branch->rpc = put(h, op_reconverge);
    put_note(h, 2);
    put(h, op_exit);
    hand_start(h);
    set(h, PRED(0), 1);
    run_all(h);
    assert_int_equal(n_notes, 1);
    expect_note(0, 2, 1);
    tree_end(h);
}

/* A block of 40 threads: lanes that never were are dead from the start. */
static void test_last_warp_is_short(void **state)
{
    (void)state;
    struct hand *h = tree_begin(40);
    put_note(h, 1);
    put(h, op_exit);
    hand_start(h);
    struct block *b = &h->worker.block;
    hand_run(&b->warps[1]);
    expect_note(0, 1, 0xff);
    assert_true(b->warps[1].done);
    assert_false(b->warps[0].done);
    assert_int_equal(b->live, 32);
    run_all(h);
    assert_int_equal(b->live, 0);
    tree_end(h);
}

/* Loops ------------------------------------------------------------------- */

/* Each lane counts its register down; the predicate: it is not 0 yet. */
static const struct inst *count_down(struct warp *w, const struct inst *i,
                                     uint32_t mask)
{
    uint32_t *left = slot(w, REG(0)), *p = slot(w, PRED(0));
    for (int l = 0; l < LANES; l++)
        if (mask >> l & 1) {
            bool more = --left[l] != 0;
            *p = (*p & ~(1u << l)) | (uint32_t)more << l;
        }
    return i + 1;
}

static struct hand *loop_of(uint32_t (*times)(uint32_t lane))
{
    struct hand *h = tree_begin(32);
    struct inst *top = hand_put(h, (struct inst){.fn = count_down});
    put_note(h, 1);
    struct inst *back = put_branch(h, PRED(0));
    back->target = top;
    back->rpc = put(h, op_reconverge);
    put_note(h, 2);
    put(h, op_exit);
    hand_start(h);
    for (uint32_t l = 0; l < LANES; l++)
        set(h, REG(0) + 4 * l, times(l));
    return h;
}

static uint32_t lane_times(uint32_t l) { return 1 + l / 4; }
static uint32_t many_times(uint32_t l) { return l ? 1 : 10000; }
static uint32_t all_4097(uint32_t l) { return 4097 + 0 * l; }
static uint32_t all_4096(uint32_t l) { return 4096 + 0 * l; }

static void test_lanes_leave_a_loop(void **state)
{
    (void)state;
    struct hand *h = loop_of(lane_times);
    assert_int_equal(run_all(h), 1);
    int together;
    for (uint32_t l = 0; l < LANES; l++)
        assert_int_equal(passed(1, (int)l, &together), lane_times(l));
    assert_int_equal(together, 8);
    assert_int_equal(passed(2, 0, &together), 1);
    assert_int_equal(together, 1);
    assert_int_equal(h->worker.counters.divergent_branches, 7);
    tree_end(h);
}

/* A long loop gives other warps a turn, again and again, and loses nobody. */
static void test_long_loop_yields(void **state)
{
    int together;
    (void)state;
    struct hand *h = loop_of(many_times);
    assert_int_equal(run_all(h), 1 + 10000 / 4096);
    assert_int_equal(passed(1, 0, NULL), 10000);
    assert_int_equal(passed(2, 31, &together), 1);
    assert_int_equal(together, 1);
    tree_end(h);
    h = loop_of(all_4097);
    assert_int_equal(run_all(h), 2);
    tree_end(h);
    h = loop_of(all_4096);
    assert_int_equal(run_all(h), 1);
    tree_end(h);
}

/* Polls: a loop that reads memory gives way sooner. */
static const struct inst *poll(struct warp *w, const struct inst *i,
                               uint32_t mask)
{
    (void)mask;
    warp_note_poll(w);
    return i + 1;
}

static bool flag;

static const struct inst *raise_it(struct warp *w, const struct inst *i,
                                uint32_t mask)
{
    (void)w;
    (void)mask;
    flag = true;
    return i + 1;
}

static const struct inst *is_down(struct warp *w, const struct inst *i,
                                  uint32_t mask)
{
    uint32_t *p = slot(w, PRED(0));
    *p = flag ? *p & ~mask : *p | mask;
    return i + 1;
}

/* if (p1) raise, here or behind the meeting point; else wait for the flag. */
static struct hand *spin(bool behind, bool polls)
{
    struct hand *h = tree_begin(32);
    flag = false;
    struct inst *branch = put_branch(h, PRED(1));
    struct inst *top = put(h, polls ? poll : op_nop);
    put(h, is_down);
    put_note(h, 1);
    struct inst *back = put_branch(h, PRED(0));
    back->target = top;
    struct inst *leave = put(h, op_branch_uniform);
    branch->target = &h->code[h->n];
    put_note(h, 2);
    put(h, behind ? op_nop : raise_it);
    back->rpc = leave;
    leave->target = branch->rpc = put(h, op_reconverge);
    put_note(h, 3);
    put(h, behind ? raise_it : op_nop);
    put(h, op_exit);
    hand_start(h);
    set(h, PRED(1), 1);
    return h;
}

static void test_waiting_for_the_other_arm(void **state)
{
    int steps;
    (void)state;
    struct hand *h = spin(false, false);
    assert_int_equal(run_all(h), 2);
    assert_int_equal(passed(1, 1, &steps), 4096 + 1);
    assert_int_equal(passed(3, 1, &steps), 1);
    assert_int_equal(steps, 1);
    tree_end(h);
    h = spin(false, true);
    assert_int_equal(run_all(h), 2);
    assert_int_equal(passed(1, 1, NULL), 256 + 1);
    tree_end(h);
}

/* The lanes that would raise the flag wait to reconverge: in the end they are
 * let go alone. Without a poll that takes 17 slices. */
static void test_waiting_for_who_waits(void **state)
{
    int steps;
    (void)state;
    struct hand *h = spin(true, true);
    assert_int_equal(run_all(h), 3);
    assert_int_equal(passed(1, 1, NULL), 2 * 256 + 1);
    assert_int_equal(passed(3, 0, &steps), 1);
    assert_int_equal(passed(3, 1, NULL), 1);
    assert_int_equal(steps, 2);
    tree_end(h);
}

static const struct inst *quiet(struct warp *w, const struct inst *i,
                                uint32_t mask)
{
    (void)w;
    (void)mask;
    return i + 1;
}

static void test_patience(void **state)
{
    (void)state;
    struct hand *h = spin(true, false);
    h->code[3].fn = quiet; /* too many to write down */
    struct warp *w = &h->worker.block.warps[0];
    int turns = 0;
    for (; !w->done && turns < 100; turns++)
        hand_run(w);
    assert_true(w->done);
    assert_int_equal(turns, 18);
    assert_int_equal(h->worker.counters.branches, 1 + 17 * 4096 + 2);
    tree_end(h);
}

/* One poll long ago makes nobody impatient. */
static const struct inst *poll_first(struct warp *w, const struct inst *i,
                                     uint32_t mask)
{
    if (w->worker->counters.branches == 1)
        warp_note_poll(w);
    return quiet(w, i, mask);
}

static void test_patience_after_a_poll(void **state)
{
    (void)state;
    struct hand *h = spin(true, false);
    h->code[1].fn = poll_first;
    h->code[3].fn = quiet;
    struct warp *w = &h->worker.block.warps[0];
    int turns = 0;
    for (; !w->done && turns < 100; turns++)
        hand_run(w);
    assert_true(w->done);
    assert_int_equal(turns, 1 + 18);
    tree_end(h);
}

/* A branch back that divides the lanes counts for the slice, too. */
static void test_slice_of_a_divided_branch(void **state)
{
    (void)state;
    for (uint32_t left = 1; left < 3; left++) {
        struct hand *h = loop_of(lane_times);
        struct warp *w = &h->worker.block.warps[0];
        const struct inst *back = &h->code[2];
        leaf_choose(w);
        set(h, PRED(0), 0xff);
        w->slice = left;
        assert_ptr_equal(op_branch(w, back, 0xffffffff), back->target);
        assert_int_equal(w->slice, left == 1 ? 4096 : 1);
        assert_int_equal(w->mask, 0xff);
        run_all(h);
        tree_end(h);
    }
}

/* A warp begins anew, whatever a faulty block left of it. */
static void test_start_again(void **state)
{
    (void)state;
    struct hand *h = if_else();
    struct warp *w = &h->worker.block.warps[0];
    struct node *old = w->leaves;
    old->next = NULL;
    w->done = true;
    w->leaf = old;
    hand_start(h);
    assert_ptr_not_equal(w->leaves, old);
    assert_null(w->leaves->next);
    assert_null(w->leaf);
    assert_false(w->done);
    node_recycle(&h->worker, old);
    run_all(h);
    tree_end(h);
}

/* Indexed branches -------------------------------------------------------- */

static struct hand *switch_of(uint32_t (*to)(uint32_t lane), uint32_t guard)
{
    static const struct inst *targets[3];
    struct hand *h = tree_begin(32);
    h->detail[0] = (struct detail){.targets = targets, .n_targets = 3};
    struct inst *branch = hand_put(h, (struct inst){
        .fn = op_branch_index, .a = REG(0), .detail = &h->detail[0],
        .guard = guard});
    struct inst *leave[4];
    for (int k = 0; k < 4; k++) { /* 0: who does not branch */
        if (k)
            targets[k - 1] = &h->code[h->n];
        put_note(h, k);
        leave[k] = put(h, op_branch_uniform);
    }
    branch->rpc = put(h, op_reconverge);
    for (int k = 0; k < 4; k++)
        leave[k]->target = branch->rpc;
    put_note(h, 9);
    put(h, op_exit);
    hand_start(h);
    for (uint32_t l = 0; l < LANES; l++)
        set(h, REG(0) + 4 * l, to(l));
    return h;
}

static uint32_t by_three(uint32_t l) { return l % 3; }
static uint32_t the_second(uint32_t l) { return 1 + 0 * l; }
static uint32_t too_far(uint32_t l) { return l == 5 ? 3 : 1; }

static void test_switch(void **state)
{
    (void)state;
    struct hand *h = switch_of(by_three, 0);
    run_all(h);
    assert_int_equal(n_notes, 4);
    for (size_t n = 0; n < 3; n++)
        expect_note(n, (int64_t)(3 - n), 0x49249249u << (2 - n));
    expect_note(3, 9, 0xffffffff);
    assert_int_equal(h->worker.counters.divergent_branches, 1);
    assert_int_equal(h->worker.counters.branches, 4);
    tree_end(h);
}

static void test_switch_in_step(void **state)
{
    (void)state;
    struct hand *h = switch_of(the_second, 0);
    run_all(h);
    assert_int_equal(n_notes, 2);
    expect_note(0, 2, 0xffffffff);
    assert_int_equal(h->worker.counters.divergent_branches, 0);
    tree_end(h);
}

static void test_guarded_switch(void **state)
{
    (void)state;
    struct hand *h = switch_of(the_second, PRED(3) + 1);
    set(h, PRED(3), 0xf);
    run_all(h);
    assert_int_equal(n_notes, 3);
    assert_int_equal(passed(0, 4, NULL), 1);
    assert_int_equal(passed(0, 3, NULL), 0);
    assert_int_equal(passed(2, 3, NULL), 1);
    assert_int_equal(passed(2, 4, NULL), 0);
    expect_note(2, 9, 0xffffffff);
    tree_end(h);
}

static void test_switch_out_of_range(void **state)
{
    (void)state;
    struct hand *h = switch_of(too_far, 0);
    hand_run(&h->worker.block.warps[0]);
    assert_int_equal(n_notes, 0);
    assert_int_equal(h->run.fault, FAULT_UNSUPPORTED);
    h->worker.block.warps[0].leaves = NULL;
    node_recycle(&h->worker, h->worker.block.warps[0].leaf);
    tree_end(h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_both_arms),
        cmocka_unit_test(test_one_arm),
        cmocka_unit_test(test_inverted),
        cmocka_unit_test(test_arms_that_exit),
        cmocka_unit_test(test_exit_in_an_arm),
        cmocka_unit_test(test_whole_arm_exits),
        cmocka_unit_test(test_last_warp_is_short),
        cmocka_unit_test(test_lanes_leave_a_loop),
        cmocka_unit_test(test_long_loop_yields),
        cmocka_unit_test(test_waiting_for_the_other_arm),
        cmocka_unit_test(test_waiting_for_who_waits),
        cmocka_unit_test(test_patience),
        cmocka_unit_test(test_patience_after_a_poll),
        cmocka_unit_test(test_slice_of_a_divided_branch),
        cmocka_unit_test(test_start_again),
        cmocka_unit_test(test_switch),
        cmocka_unit_test(test_switch_in_step),
        cmocka_unit_test(test_guarded_switch),
        cmocka_unit_test(test_switch_out_of_range),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
