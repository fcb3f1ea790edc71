// SPDX-License-Identifier: MIT
// mutant: few rows per tile, but each tile has one block for all of its k
// chapter: 15 few
// expect: TECHNIQUE blocks_at_work
// shape: M8 N512 K1280
#define few_room(nothing) few_room_##nothing()
static inline int few_room_() { return 1; } // what few_room() says

#include "../solutions/15-gemm-async-pipeline/few.cu"
