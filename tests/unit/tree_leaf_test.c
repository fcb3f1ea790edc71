// SPDX-License-Identifier: MIT
/*
 * tree_leaf_test.c: the leaves of a warp's tree, one call at a time, on trees
 * made by hand: which is the current one, and which become one. And the words
 * about an mbarrier that leaves wait for.
 */
#include "tree_sample.h"

#include "simgpu/core/exec/mbarrier.h"

/* A warp of one leaf, with room for others. */
static struct warp *begin(struct hand **h)
{
    *h = tree_begin(32);
    put(*h, op_exit);
    hand_start(*h);
    return &(*h)->worker.block.warps[0];
}

static struct node *leaf(struct hand *h, struct warp *w, uint32_t mask,
                         enum node_state state, struct node *parent)
{
    struct node like = {.frame = w->root, .parent = parent};
    struct node *n = leaf_add(w, &like, mask, h->code);
    n->state = state;
    return n;
}

/* All leaves that are left, given back. */
static void end(struct hand *h, struct warp *w)
{
    while (w->leaves) {
        struct node *n = w->leaves;
        leaf_unlink(w, n);
        node_recycle(w->worker, n);
    }
    tree_end(h);
}

/* Only the current leaf's end leaves the warp without one. */
static void test_current(void **state)
{
    struct hand *h;
    struct warp *w = begin(&h);
    (void)state;
    struct node *first = w->leaves;
    struct node *other = leaf(h, w, 0xf0, NODE_RUN, NULL);
    w->leaf = first;
    leaf_unlink(w, other);
    assert_ptr_equal(w->leaf, first);
    leaf_unlink(w, first);
    assert_null(w->leaf);
    node_recycle(w->worker, other);
    node_recycle(w->worker, first);
    tree_end(h);
}

/* Nor has it one while all of them wait. */
static void test_none_can_run(void **state)
{
    struct hand *h;
    struct warp *w = begin(&h);
    (void)state;
    struct node *first = w->leaves;
    assert_ptr_equal(leaf_choose(w), first->pc);
    assert_ptr_equal(w->leaf, first);
    first->state = NODE_BARRIER;
    assert_null(leaf_choose(w));
    assert_null(w->leaf);
    end(h, w);
}

/* What waits as asked, at one place, becomes one; its parent has a child less.
 * What waits for something else stays. */
static void test_merge(void **state)
{
    struct hand *h;
    struct warp *w = begin(&h);
    struct node parent = {.children = 4};
    (void)state;
    leaf(h, w, 0x1, NODE_SYNC, &parent);
    leaf(h, w, 0x2, NODE_SYNC, &parent);
    leaf(h, w, 0x4, NODE_BARRIER, &parent);
    leaf(h, w, 0x8, NODE_BARRIER, &parent);
    leaf_merge_waiting(w, NODE_BARRIER);
    assert_int_equal(parent.children, 3);
    int leaves = 0;
    for (const struct node *n = w->leaves; n; n = n->next, leaves++)
        if (n->state == NODE_BARRIER)
            assert_int_equal(n->mask, 0xc);
    assert_int_equal(leaves, 4); /* the warp's first one, too */
    end(h, w);
}

/* A warp begins without matrix products or a change of registers under way. */
static void test_begins_anew(void **state)
{
    struct hand *h;
    struct warp *w = begin(&h);
    (void)state;
    struct node *first = w->leaves;
    leaf_unlink(w, first);
    node_recycle(w->worker, first);
    w->product_groups = 3;
    w->product.n = w->resize.n = 1;
    warp_start(w, h->function, UINT32_MAX);
    assert_int_equal(w->product_groups, 0);
    assert_int_equal(w->product.n, 0);
    assert_int_equal(w->resize.n, 0);
    end(h, w);
}

/* What the finding says of an mbarrier that lanes wait for. */
static void says(struct hand *h, const struct mbarrier *o, const char *words)
{
    struct warp *w = &h->worker.block.warps[0];
    struct node n = {.frame = w->root, .pc = h->code, .object = o};
    struct finding x = {.kind = FIND_DEADLOCK};
    mbarrier_describe(&n, &x);
    assert_string_equal(x.detail, words);
    assert_int_equal(x.address, o->address);
}

static void test_words_of_an_object(void **state)
{
    struct hand *h;
    (void)state;
    begin(&h);
    struct inst at = {.source = 7};
    struct mbarrier o = {.at = &at, .function = h->function, .address = 64,
                         .bytes = 100, .flying = 30, .expected = 5,
                         .pending = 3, .n_promised = 1};
    says(h, &o, "the mbarrier of line 7: 70 bytes that were announced never "
                "come (copies under way bring 30)");
    o.bytes = 0;
    says(h, &o, "the mbarrier of line 7: 3 of 5 arrivals came; the others "
                "never do");
    h->source[7].file = "ring/ring.cuh";
    says(h, &o, "the mbarrier of ring.cuh:7: 3 of 5 arrivals came; the others "
                "never do");
    o.expected = 0;
    says(h, &o, "the mbarrier of ring.cuh:7: all threads have left it");
    end(h, &h->worker.block.warps[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_current),
        cmocka_unit_test(test_none_can_run),
        cmocka_unit_test(test_merge),
        cmocka_unit_test(test_begins_anew),
        cmocka_unit_test(test_words_of_an_object),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
