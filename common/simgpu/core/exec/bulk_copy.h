// SPDX-License-Identifier: MIT
/*
 * bulk_copy.h: bulk copies (cp.async.bulk) and their groups.
 *
 *   op_bulk_copy      one of any form
 *   op_bulk_store     st.async, red.async: registers to another block
 *   op_bulk_commit, op_bulk_wait
 *   bulks_finish      the block has ended: what its threads did not wait for
 */
#ifndef SIMGPU_BULK_COPY_H
#define SIMGPU_BULK_COPY_H

#include "simgpu/core/state/state.h"

handler op_bulk_copy, op_bulk_store, op_bulk_commit, op_bulk_wait;
void bulks_finish(struct worker *k);

#endif
