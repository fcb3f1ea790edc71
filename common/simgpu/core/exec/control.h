// SPDX-License-Identifier: MIT
/*
 * control.h: where a warp's lanes are: branches, calls, exits.
 *
 *   warp_start          lanes at the kernel's first instruction
 *   warp_note_poll      an access that spin loops make
 *   op_branch ...       the handlers
 * tree.c:
 *   leaf_choose         makes a leaf that can run the current one
 *   leaf_block          the current leaf waits at a barrier or .sync
 *   leaf_add, leaf_make_inner, leaf_child, leaf_leave, leaf_unlink, leaf_drop
 *                       the tree, for branches and calls
 *   leaf_merge_waiting  what waits at one place becomes one leaf
 *   leaf_part           what waits for different lanes becomes two
 *   warp_release_early  lanes waiting to reconverge go on alone
 *   warp_release_exits  those that would then exit
 *
 *   frame_new, frame_begin   frame.c: the registers of an activation
 */
#ifndef SIMGPU_CONTROL_H
#define SIMGPU_CONTROL_H

#include "simgpu/core/state/state.h"

void node_recycle(struct worker *k, struct node *n);
void warp_start(struct warp *w, const struct function *f, uint32_t lanes);
const struct inst *leaf_choose(struct warp *w);
struct node *leaf_add(struct warp *w, const struct node *like, uint32_t mask,
                      const struct inst *pc);
struct node *leaf_make_inner(struct warp *w, const struct inst *pc);
/* Below inner, unless the lanes are at the meeting point rpc already. */
void leaf_child(struct warp *w, struct node *inner, uint32_t mask,
                const struct inst *pc, const struct inst *rpc);
/* Out of the list of leaves; drop: out of the tree, too. */
void leaf_unlink(struct warp *w, struct node *leaf);
void leaf_drop(struct warp *w, struct node *leaf);
const struct inst *leaf_leave(struct warp *w, const struct inst *i,
                              uint32_t mask);
const struct inst *leaf_block(struct warp *w, const struct inst *i,
                              uint32_t mask, enum node_state state);
void leaf_merge_waiting(struct warp *w, enum node_state state);
struct node *leaf_part(struct warp *w, struct node *leaf, uint32_t mask,
                       struct node **apart);
bool warp_release_early(struct warp *w);
bool warp_release_exits(struct warp *w);
void warp_note_poll(struct warp *w);
handler op_branch, op_branch_uniform, op_branch_index, op_reconverge, op_exit,
    op_return, op_call, op_unsupported, op_trap, op_nop;

struct frame *frame_new(struct worker *k, const struct function *f);
void frame_begin(struct warp *w, struct frame *f, uint32_t base);

/* device_calls.c: printf and assert in kernels */
bool call_printf(struct warp *w, const struct inst *i, uint32_t mask);
void call_assert(struct warp *w, const struct inst *i, uint32_t mask);

#endif
