// SPDX-License-Identifier: MIT
/*
 * group.h: wgmma, the products of a group of four warps.
 *
 *   group              one mma_async: its operands
 *   op_group_product   this warp's 16 rows of it
 *   op_group_fence, op_group_commit, op_group_wait
 *   group_did          a warp does what its group does together
 *   group_judge        did all warps of each group?
 *
 * A warp makes its rows at once, when it comes to the instruction, and by
 * itself. It goes on reading its tiles until somebody waits for its group: who
 * writes there before is accused. Registers are not watched: ptxas itself waits
 * before sums are used (its message C7517).
 */
#ifndef SIMGPU_GROUP_H
#define SIMGPU_GROUP_H

#include "simgpu/core/state/matrix.h"
#include "simgpu/core/state/state.h"

/* along_k: what a descriptor names has the elements of a row of k side by
 * side. */
struct group {
    uint16_t n, n_d;
    uint8_t k, a_type, b_type, d_type;
    bool from_registers, a_along_k, b_along_k, a_negative, b_negative,
        saturates;
    uint32_t a[4];             /* slots; or the first: of a descriptor */
    uint32_t b;                /* slot of the descriptor */
    uint32_t adds;             /* slot of a predicate or number: D = AB + D */
    bool adds_is_predicate;
    uint32_t *d;               /* [n_d] */
    uint32_t ops;              /* of a warp */
    uint16_t counter;
};

handler op_group_product, op_group_fence, op_group_commit, op_group_wait;
void group_did(struct warp *w, struct together *x, const struct inst *i);
void group_judge(struct worker *k);

#endif
