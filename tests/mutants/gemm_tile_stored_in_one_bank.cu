// SPDX-License-Identifier: MIT
// mutant: 32 lanes store a column of the tile: one bank
// chapter: 12 gemm
// expect: TECHNIQUE shared_store_conflicts_per_request 15.5 <= 2 MISSED
// say: A shared store waits 15.5 extra wavefronts
// from: 12 gemm
// edit: /a_tile.* =$/s/threadIdx.y/threadIdx.x/
// edit: /a_tile.* =$/s/threadIdx.x\] =/threadIdx.y] =/
// edit: s/a_tile\[threadIdx.y\]\[k\]/a_tile[k][threadIdx.y]/
