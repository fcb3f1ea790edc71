// SPDX-License-Identifier: MIT
/*
 * tile.h: matrices between memory and fragments, and what matrix instructions
 * do when not all lanes of a warp come at once.
 *
 *   op_tile_load, op_tile_store    ldmatrix, stmatrix: what is not plain
 *   op_tile_turn                   movmatrix
 *   op_fragment_load, op_fragment_store   wmma.load, wmma.store
 *   op_product_late                mma and wmma.mma by some of the lanes
 */
#ifndef SIMGPU_TILE_H
#define SIMGPU_TILE_H

#include "simgpu/core/state/matrix.h"
#include "simgpu/core/state/state.h"

/* Of wmma.load and wmma.store: detail->fragment. */
enum fragment_role { FRAGMENT_A, FRAGMENT_B, FRAGMENT_SUM };
struct fragment {
    struct matrix shape;  /* m, n, k, and the type below in all of its places */
    uint8_t role, type;
    bool by_columns;      /* as it lies in memory */
    uint8_t n;            /* registers, */
    uint8_t n_held;       /* and of those the ones that are not repeated */
    uint32_t reg[MATRIX_REGISTERS];
    uint32_t stride;      /* slot: elements from row to row */
};

handler op_tile_load, op_tile_store, op_tile_turn, op_fragment_load,
    op_fragment_store, op_product_late;

#endif
