// SPDX-License-Identifier: MIT
/*
 * cluster.h: blocks that meet at a barrier and reach each other's memory.
 *
 *   cluster_open, cluster_close
 *   cluster_begin            its next blocks are about to start
 *   op_cluster_arrive, op_cluster_wait   barrier.cluster
 *   op_map_shared            mapa
 *   op_shared_rank           getctarank
 *   cluster_exit             lanes exited: what waited for them goes on
 *   cluster_describe         what a waiting leaf waits for
 */
#ifndef SIMGPU_CLUSTER_H
#define SIMGPU_CLUSTER_H

#include "simgpu/core/state/state.h"

struct cluster *cluster_open(void);
void cluster_close(struct cluster *c);
void cluster_begin(struct cluster *c, const uint32_t id[3]);
handler op_cluster_arrive, op_cluster_wait, op_map_shared, op_shared_rank;
void cluster_exit(struct warp *w, uint32_t mask);
void cluster_describe(const struct warp *w, struct finding *x);

#endif
