// SPDX-License-Identifier: MIT
/* sync.h: detail.op of the instructions in sync.c. */
#ifndef SIMGPU_SYNC_H
#define SIMGPU_SYNC_H

enum shuffle { SHUFFLE_UP, SHUFFLE_DOWN, SHUFFLE_BFLY, SHUFFLE_IDX };
enum vote { VOTE_ALL, VOTE_ANY, VOTE_UNI, VOTE_BALLOT };
enum match { MATCH_ANY, MATCH_ALL };
enum redux { REDUX_ADD, REDUX_MIN, REDUX_MAX, REDUX_MIN_S, REDUX_MAX_S,
             REDUX_AND, REDUX_OR, REDUX_XOR, REDUX_MIN_F, REDUX_MAX_F };
enum barrier_op { BARRIER_POPC, BARRIER_AND, BARRIER_OR };

#endif
