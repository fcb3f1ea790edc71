// SPDX-License-Identifier: MIT
/*
 * tree_sample.h: a warp that goes through a program made by hand, and notes
 * of who passed where; for the tests of control.c.
 *
 *   tree_begin, tree_end   no instructions yet
 *   put, put_note, put_branch, set
 *   run_all                the warp to its end
 *   passed, expect_note    who came by
 *   call_of                a kernel that calls a function
 */
#ifndef TREE_SAMPLE_H
#define TREE_SAMPLE_H

#include "warp_sample.h"

enum { NOTES = 1 << 14 };

static struct { int64_t id; uint32_t mask; } notes[NOTES];
static size_t n_notes;

static inline const struct inst *note(struct warp *w, const struct inst *i,
                                      uint32_t mask)
{
    (void)w;
    assert_true(n_notes < NOTES);
    notes[n_notes].id = i->imm;
    notes[n_notes++].mask = mask;
    return i + 1;
}

/* How often a lane passed a note; *together: in how many steps of the warp. */
static inline int passed(int64_t id, int lane, int *together)
{
    int times = 0;
    if (together)
        *together = 0;
    for (size_t n = 0; n < n_notes; n++)
        if (notes[n].id == id) {
            times += notes[n].mask >> lane & 1;
            if (together)
                ++*together;
        }
    return times;
}

static inline void expect_note(size_t n, int64_t id, uint32_t mask)
{
    assert_true(n < n_notes);
    assert_int_equal(notes[n].id, id);
    assert_int_equal(notes[n].mask, mask);
}

/* Instructions ------------------------------------------------------------ */

static inline void put_note(struct hand *h, int64_t id)
{
    hand_put(h, (struct inst){.fn = note, .imm = id});
}

static inline struct inst *put(struct hand *h, handler *fn)
{
    return hand_put(h, (struct inst){.fn = fn});
}

static inline struct inst *put_branch(struct hand *h, uint32_t pred)
{
    return hand_put(h, (struct inst){.fn = op_branch, .a = pred});
}

static inline void set(struct hand *h, uint32_t at, uint32_t value)
{
    *(uint32_t *)(h->worker.block.warps[0].root->regs + at) = value;
}

static inline struct hand *tree_begin(uint32_t threads)
{
    n_notes = 0;
    return hand_open(threads);
}

/* Until the warp is done; in how many turns. */
static inline int run_all(struct hand *h)
{
    struct warp *w = &h->worker.block.warps[0];
    int turns = 0;
    for (; !w->done && turns < 1000; turns++)
        hand_run(w);
    assert_true(w->done);
    assert_null(w->leaves);
    assert_int_equal(w->dead, 0xffffffff);
    return turns;
}

static inline void tree_end(struct hand *h)
{
    hand_close(h);
}

/* k: 0; @p2 call f; 3.  f: 1; @p0 return; 2; return. */
static inline struct hand *call_of(uint32_t guard)
{
    static struct call_info info;
    struct hand *h = tree_begin(32);
    info = (struct call_info){.callee = &h->function[1]};
    h->detail[0].call = &info;
    put_note(h, 0);
    hand_put(h, (struct inst){.fn = op_call, .detail = &h->detail[0],
                              .guard = guard});
    put_note(h, 3);
    put(h, op_return);
    h->function[1].insts = &h->code[h->n];
    put_note(h, 1);
    hand_put(h, (struct inst){.fn = op_return, .guard = PRED(0) + 1});
    put_note(h, 2);
    put(h, op_return);
    h->function[1].n_insts = 4;
    hand_start(h);
    return h;
}

#endif
