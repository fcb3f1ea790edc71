// SPDX-License-Identifier: MIT
/* sync.h: .sync operations of a warp (sync.c); barriers of a block, fences
 * (barrier.c); and detail.op of each. */
#ifndef SIMGPU_SYNC_H
#define SIMGPU_SYNC_H

#include "simgpu/core/state/state.h"

enum shuffle { SHUFFLE_UP, SHUFFLE_DOWN, SHUFFLE_BFLY, SHUFFLE_IDX };
enum vote { VOTE_ALL, VOTE_ANY, VOTE_UNI, VOTE_BALLOT };
enum match { MATCH_ANY, MATCH_ALL };
enum redux { REDUX_ADD, REDUX_MIN, REDUX_MAX, REDUX_MIN_S, REDUX_MAX_S,
             REDUX_AND, REDUX_OR, REDUX_XOR, REDUX_MIN_F, REDUX_MAX_F };
enum barrier_op { BARRIER_POPC, BARRIER_AND, BARRIER_OR };

handler op_warp_sync, op_shuffle, op_vote, op_match, op_redux, op_elect,
    op_activemask;
/* detail.finish of each */
exchange sync_end_shuffle, sync_end_vote, sync_end_match, sync_end_redux,
    sync_end_elect;
/* A matrix instruction, which needs all lanes of the warp at once, is reached
 * by some: they wait for the others. */
const struct inst *sync_whole(struct warp *w, const struct inst *i,
                              uint32_t mask);
/* After lanes exited: what waited for them alone goes on. true: the warp holds
 * suspect values from now on, and must be resumed by the loop that follows
 * them. */
bool sync_recheck(struct warp *w);

handler op_barrier, op_barrier_arrive, op_barrier_reduce, op_fence;
bool barrier_recheck(struct block *b);
/* Accuses those who wait for ever. */
void sync_deadlock(struct block *b);

#endif
