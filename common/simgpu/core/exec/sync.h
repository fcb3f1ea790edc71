// SPDX-License-Identifier: MIT
/* sync.h: barriers of a block, .sync operations of a warp, fences; and
 * detail.op of each. */
#ifndef SIMGPU_SYNC_H
#define SIMGPU_SYNC_H

#include "simgpu/core/state/state.h"

enum shuffle { SHUFFLE_UP, SHUFFLE_DOWN, SHUFFLE_BFLY, SHUFFLE_IDX };
enum vote { VOTE_ALL, VOTE_ANY, VOTE_UNI, VOTE_BALLOT };
enum match { MATCH_ANY, MATCH_ALL };
enum redux { REDUX_ADD, REDUX_MIN, REDUX_MAX, REDUX_MIN_S, REDUX_MAX_S,
             REDUX_AND, REDUX_OR, REDUX_XOR, REDUX_MIN_F, REDUX_MAX_F };
enum barrier_op { BARRIER_POPC, BARRIER_AND, BARRIER_OR };

handler op_barrier, op_warp_sync, op_shuffle, op_vote, op_match, op_redux,
    op_elect, op_activemask, op_fence, op_barrier_arrive, op_barrier_reduce;
/* A matrix instruction, which needs all lanes of the warp at once, is reached
 * by some: they wait for the others. */
const struct inst *sync_whole(struct warp *w, const struct inst *i,
                              uint32_t mask);
/* After lanes exited: what waited for them alone goes on. */
void sync_recheck(struct warp *w);
bool barrier_recheck(struct block *b);
/* Accuses those who wait for ever. */
void sync_deadlock(struct block *b);

#endif
