// SPDX-License-Identifier: MIT
/*
 * mbarrier.h: barriers that are objects in shared memory.
 *
 *   op_mbarrier_init, op_mbarrier_inval
 *   op_mbarrier_arrive   also arrive_drop, expect_tx, complete_tx
 *   op_mbarrier_wait     test_wait and try_wait
 *   op_mbarrier_glance   a try_wait whose answer nobody looks at
 *   op_mbarrier_count    pending_count
 *   op_async_arrive      cp.async.mbarrier.arrive
 */
#ifndef SIMGPU_MBARRIER_H
#define SIMGPU_MBARRIER_H

#include "mbarrier_object.h" /* detail.op */

handler op_mbarrier_init, op_mbarrier_inval, op_mbarrier_arrive,
    op_mbarrier_wait, op_mbarrier_glance, op_mbarrier_count, op_async_arrive;

#endif
