// SPDX-License-Identifier: MIT
/*
 * decode_async.c: cp.async, its groups, and mbarriers. Bulk copies are not
 * known.
 */
#include "simgpu/core/exec/async.h"
#include "simgpu/core/exec/mbarrier.h"
#include "decode.h"

/* commit_group; wait_group n; wait_all */
bool decode_group(struct decoder *d)
{
    unsigned flags = d->row->form.flags;
    d->i->fn = flags & FORM_COMMITS ? op_async_commit : op_async_wait;
    d->i->p0 = decode_has(d, "wait_all");
    d->i->imm = d->in->n_operands ? decode_operand(d, 0)->bits : 0;
    return d->i->imm >= 0;
}

/* src-size, or ignore-src, or neither; a cache policy is a hint. */
static bool copy_extra(struct decoder *d, uint32_t size)
{
    int n = d->in->n_operands - 3 - decode_has(d, "L2::cache_hint");
    const struct ptx_operand *o = decode_operand(d, 3);
    bool is_predicate = decode_register(d, o) == 1;
    d->i->c = decode_constant(d, 0, 4);
    if (n == 0)
        return true;
    d->i->p1 = is_predicate ? COPY_IGNORED : COPY_SIZED;
    d->i->c = decode_source(d, o, is_predicate ? 1 : 4);
    return n == 1 && !(is_predicate && o->negated) &&
           !(o->kind == PTX_INT && (uint64_t)o->bits > size);
}

static bool copy_source(struct decoder *d, uint32_t size)
{
    struct detail *t = decode_detail(d);
    struct access_form *from;
    if (!decode_address(d, decode_operand(d, 1)))
        return false;
    d->i->b = d->i->a;
    d->i->bits = (uint64_t)d->i->imm;
    d->i->p0 = t->address64;
    from = arena_alloc(d->arena, 1, sizeof *from);
    if (!from)
        return false;
    *from = (struct access_form){.kind = ACCESS_COPY, .n = 1,
                                 .space = PTX_SPACE_GLOBAL,
                                 .size = (uint8_t)size,
                                 .site = ++d->module->n_sites};
    t->from = from;
    t->access.site = ++d->module->n_sites;
    return true;
}

bool decode_copy(struct decoder *d)
{
    int64_t size = decode_operand(d, 2)->bits;
    struct detail *t = decode_detail(d);
    bool l2_only = decode_has(d, "cg");
    if (!(size == 16 || (!l2_only && (size == 4 || size == 8))) ||
        !copy_source(d, (uint32_t)size) || !copy_extra(d, (uint32_t)size) ||
        !decode_address(d, decode_operand(d, 0)))
        return false;
    t->space = PTX_SPACE_SHARED;
    t->size = 4;
    t->n = (uint8_t)(size / t->size);
    t->access.kind = ACCESS_COPY;
    t->access.write = true;
    t->text = "cp.async with a src-size above its cp-size";
    t->slow = op_async_copy;
    d->i->fn = decode_lane(d, OP_async_copy);
    return true;
}

/* The address of an mbarrier, and what observers are told. */
static bool object_address(struct decoder *d, int k, bool writes)
{
    struct detail *t = decode_detail(d);
    bool cluster = decode_has(d, "shared::cluster");
    t->space = cluster || decode_has(d, "shared") ||
                       decode_has(d, "shared::cta")
                   ? PTX_SPACE_SHARED : PTX_SPACE_GENERIC;
    t->size = 8;
    t->n = 1;
    t->slot = decode_slots(d, 1);
    t->slot[0] = NO_SLOT;
    t->op = (uint8_t)((decode_has(d, "relaxed") ? MBARRIER_RELAXED : 0) |
                      (decode_has(d, "cta") ? MBARRIER_OF_BLOCK : 0));
    t->access = (struct access_form){
        .kind = ACCESS_OBJECT, .strong = true, .write = writes,
        .cluster = cluster,
        .scope = decode_has(d, "cluster") || cluster ? SCOPE_CLUSTER
                                                     : SCOPE_BLOCK,
        .site = ++d->module->n_sites};
    return decode_address(d, decode_operand(d, k));
}

/* mbarrier.{init,inval} */
bool decode_object(struct decoder *d)
{
    bool init = decode_has(d, "init");
    d->i->fn = init ? op_mbarrier_init : op_mbarrier_inval;
    d->i->b = init ? d->at[1] : 0;
    if (!object_address(d, 0, true))
        return false;
    decode_detail(d)->access.strong = false;
    return true;
}

/* test_wait, try_wait d, [object], phase{, time}; .parity: the phase is a bit,
 * else the state that an arrival returned. */
bool decode_object_wait(struct decoder *d)
{
    d->i->d = d->at[0];
    d->i->p0 = decode_has(d, "parity");
    d->i->p1 = decode_has(d, "try_wait");
    d->i->b = decode_source(d, decode_operand(d, 2), d->i->p0 ? 4 : 8);
    d->i->fn = op_mbarrier_wait;
    if (d->i->p1 && !decode_is_asked(d, decode_operand(d, 0)))
        d->i->fn = op_mbarrier_glance;
    return object_address(d, 1, false) &&
           (d->in->n_operands == 3 || d->i->p1);
}

/* arrive, arrive_drop, expect_tx, complete_tx: [state,] [object]{, count}. What
 * follows the address is a number of arrivals, or of bytes. */
bool decode_object_arrive(struct decoder *d)
{
    bool drops = decode_has(d, "arrive_drop");
    bool arrives = decode_has(d, "arrive") || drops;
    bool expects = decode_has(d, "expect_tx");
    bool completes = decode_has(d, "complete_tx");
    int at = arrives ? 1 : 0;
    const struct ptx_operand *state = decode_operand(d, 0);
    struct detail *t = decode_detail(d);
    bool counted = d->in->n_operands == at + 2;
    if (!object_address(d, at, true))
        return false;
    t->op |= (uint8_t)((arrives ? MBARRIER_ARRIVE : 0) |
                      (drops ? MBARRIER_DROP : 0) |
                      (expects ? MBARRIER_EXPECT : 0) |
                      (completes ? MBARRIER_COMPLETE : 0) |
                      (decode_has(d, "noComplete") ? MBARRIER_INCOMPLETE : 0));
    d->i->b = decode_constant(d, 1, 4);
    d->i->c = decode_constant(d, 0, 4);
    if (counted)
        *(expects || completes ? &d->i->c : &d->i->b) =
            decode_source(d, decode_operand(d, at + 1), 4);
    if (arrives && state->kind != PTX_SINK)
        t->slot[0] = decode_dest(d, state, 8);
    d->i->fn = op_mbarrier_arrive;
    return counted || !(expects || completes);
}

/* mbarrier.pending_count d, state */
bool decode_object_count(struct decoder *d)
{
    d->i->d = d->at[0];
    d->i->a = d->at[1];
    d->i->fn = op_mbarrier_count;
    return true;
}

/* cp.async.mbarrier.arrive [object] */
bool decode_copy_arrive(struct decoder *d)
{
    d->i->p0 = !decode_has(d, "noinc");
    d->i->fn = op_async_arrive;
    return object_address(d, 0, true);
}
