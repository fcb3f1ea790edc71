// SPDX-License-Identifier: MIT
/*
 * decode_cluster.c: the cluster's barrier, and addresses in its blocks' shared
 * memory.
 */
#include "decode.h"
#include "simgpu/core/exec/cluster.h"

bool decode_cluster_barrier(struct decoder *d)
{
    d->i->fn = decode_has(d, "arrive") ? op_cluster_arrive : op_cluster_wait;
    d->i->p0 = decode_has(d, "relaxed");
    return true;
}

/* mapa d, a, rank: a is an address, or a shared variable; without a space the
 * addresses are generic. */
bool decode_map_shared(struct decoder *d)
{
    const struct ptx_operand *from = decode_operand(d, 1);
    int bytes = decode_has(d, "u64") ? 8 : 4;
    d->i->d = d->at[0];
    d->i->a = decode_source(d, from, bytes);
    d->i->b = d->at[2];
    d->i->p0 = (uint8_t)bytes;
    d->i->p1 = !decode_has(d, "shared::cluster");
    d->i->imm = d->i->p1 && from->kind == PTX_VAR ? (int64_t)SHARED_WINDOW : 0;
    d->i->fn = op_map_shared;
    return bytes == 8 || !d->i->p1;
}

/* getctarank d, a */
bool decode_shared_rank(struct decoder *d)
{
    d->i->d = d->at[0];
    d->i->a = d->at[1];
    d->i->p0 = decode_has(d, "u64") ? 8 : 4;
    d->i->p1 = !decode_has(d, "shared::cluster");
    d->i->fn = op_shared_rank;
    return d->i->p0 == 8 || !d->i->p1;
}
