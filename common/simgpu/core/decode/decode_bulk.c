// SPDX-License-Identifier: MIT
/*
 * decode_bulk.c: bulk copies, their groups, and asynchronous stores to another
 * block. A cache policy is a hint.
 */
#include <stdlib.h>

#include "decode.h"
#include "simgpu/core/exec/bulk_copy.h"
#include "simgpu/core/exec/move.h"
#include "simgpu/core/exec/mbarrier_object.h"

enum { UNIT = 16 };

static bool address(struct decoder *d, int k, struct bulk_address *to)
{
    if (!decode_address(d, decode_operand(d, k)))
        return false;
    *to = (struct bulk_address){d->i->a, decode_detail(d)->address64,
                                d->i->imm};
    return true;
}

static struct access_form form(struct decoder *d, uint8_t kind, uint8_t space,
                               bool write)
{
    return (struct access_form){.kind = kind, .space = space, .size = UNIT,
                                .n = 1, .align = UNIT, .write = write,
                                .proxy = PROXY_ASYNC, .scope = SCOPE_CLUSTER,
                                .site = ++d->module->n_sites};
}

static struct bulk_info *new_info(struct decoder *d)
{
    struct detail *t = decode_detail(d);
    t->bulk = arena_alloc(d->arena, 1, sizeof *t->bulk);
    if (!t->bulk)
        abort();
    return t->bulk;
}

/* The object that counts the bytes: operand k. */
static bool signal(struct decoder *d, struct bulk_info *info, int k)
{
    info->signal = form(d, ACCESS_OBJECT, PTX_SPACE_SHARED, true);
    info->signal.strong = info->signal.cluster = true;
    info->signal.align = MBARRIER_BYTES;
    info->counts = true;
    return address(d, k, &info->object);
}

static bool reduction(struct decoder *d, struct bulk_info *info)
{
    static const char *const ops[] = {"add", "min", "max", "and", "or",
                                      "xor", "exch", "cas", "inc", "dec"};
    struct detail *t = decode_detail(d);
    struct type_word type;
    int op = -1;
    for (int s = 0; s < d->in->n_suffixes && op < 0; s++)
        op = decode_word(d->in->suffix[s], ops, 10);
    if (op < 0 || !decode_type(decode_last(d), &type))
        return false;
    info->reduces = true;
    t->op = (uint8_t)op;
    t->size = (uint8_t)(type.bits / 8);
    t->n = (uint8_t)(UNIT / t->size);
    t->type_class = type.class;
    t->type_bits = (uint8_t)type.bits;
    t->access.strong = true; /* PTX ISA: relaxed.gpu */
    if (t->space == PTX_SPACE_GLOBAL)
        t->access.scope = SCOPE_GPU;
    return atomic_reduces(t);
}

/* [to], [from], size {, [object]} {, blocks} {, policy} */
static bool copy(struct decoder *d, bool reduces)
{
    struct detail *t = decode_detail(d);
    struct bulk_info *info = new_info(d);
    bool counts = decode_has(d, "mbarrier::complete_tx::bytes");
    bool to_global = !counts;
    bool from_global = counts && decode_has(d, "global");
    int operands = counts ? 4 : 3;
    info->multicast = decode_has(d, "multicast::cluster");
    t->space = to_global ? PTX_SPACE_GLOBAL : PTX_SPACE_SHARED;
    t->size = UNIT;
    t->n = 1;
    t->access = form(d, ACCESS_BULK, t->space, true);
    t->access.cluster = decode_has(d, "shared::cluster");
    info->source = form(d, ACCESS_BULK,
                        from_global ? PTX_SPACE_GLOBAL : PTX_SPACE_SHARED,
                        false);
    t->from = &info->source;
    info->bytes = decode_source(d, decode_operand(d, 2), 4);
    if (info->multicast)
        info->mask = decode_source(d, decode_operand(d, operands), 4);
    operands += info->multicast + decode_has(d, "L2::cache_hint");
    d->i->fn = op_bulk_copy;
    return (!counts || signal(d, info, 3)) && address(d, 1, &info->from) &&
           address(d, 0, &info->to) && d->in->n_operands == operands &&
           (!reduces || reduction(d, info));
}

bool decode_bulk_copy(struct decoder *d)
{
    return copy(d, false);
}

bool decode_bulk_reduce(struct decoder *d)
{
    return copy(d, true);
}

/* [to], value, [object] */
static bool store(struct decoder *d, bool reduces)
{
    struct detail *t = decode_detail(d);
    struct bulk_info *info = new_info(d);
    const struct ptx_operand *o = decode_operand(d, 1);
    struct type_word type;
    uint8_t n = 0;
    for (int s = 0; s < d->in->n_suffixes && !n; s++)
        n = decode_vector(d->in->suffix[s]);
    t->access = form(d, ACCESS_BULK, PTX_SPACE_SHARED, true);
    t->access.cluster = true;
    t->access.proxy = PROXY_GENERIC; /* only bulk copies have the other one */
    if (!decode_type(decode_last(d), &type) ||
        (reduces && !reduction(d, info)))
        return false;
    t->space = PTX_SPACE_SHARED;
    t->size = (uint8_t)(type.bits / 8);
    t->n = n ? n : 1;
    t->reg = t->size == 8 ? 8 : 4;
    t->access.align = (uint8_t)(t->size * t->n);
    t->slot = decode_slots(d, t->n);
    if (n && (o->kind != PTX_VECTOR || o->n_elems != n))
        return false;
    for (int e = 0; e < t->n; e++)
        t->slot[e] = decode_source(d, n ? &o->elems[e] : o, t->reg);
    d->i->fn = op_bulk_store;
    return signal(d, info, 2) && address(d, 0, &info->to);
}

bool decode_bulk_store(struct decoder *d)
{
    return store(d, false);
}

bool decode_bulk_store_reduce(struct decoder *d)
{
    return store(d, true);
}

/* commit_group; wait_group{.read} n */
bool decode_bulk_group(struct decoder *d)
{
    bool waits = d->in->n_operands == 1;
    d->i->fn = waits ? op_bulk_wait : op_bulk_commit;
    d->i->imm = waits ? decode_operand(d, 0)->bits : 0;
    d->i->p0 = decode_has(d, "read");
    return d->i->imm >= 0;
}
