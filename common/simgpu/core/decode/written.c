// SPDX-License-Identifier: MIT
/*
 * written.c: which arrays a kernel's stores may reach. Interface: decode.h.
 *
 * A store's address is computed from the kernel's pointers. Each 64-bit
 * register has the set of all that flows into it anywhere in the function,
 * whatever the order of its instructions: parameters and variables by number,
 * and two more members. FROM_ELSEWHERE is shared or local memory. FROM_ANY is
 * what cannot be followed: pointers that were loaded, or put together by mov
 * from 32-bit halves. A register of 32 bits holds no pointer, and has no set; a
 * pointer that is shifted together from such has an empty one, which leads
 * nowhere.
 *
 * The hard idea: only the addresses of stores matter. A load may come from
 * anywhere; if no store can reach the array, it is in no race.
 */
#include "decode.h"

#include <stdlib.h>

#include "simgpu/core/memory/own.h"

struct flow {
    struct decoder *d;
    struct written *to;
    uint64_t *from; /* per register */
    bool changed;
};

static uint64_t pointer(struct flow *w, uint64_t at, bool of_param)
{
    struct written *to = w->to;
    for (uint32_t k = 0; k < to->n_pointers; k++)
        if (to->pointer[k].at == at && to->pointer[k].of_param == of_param)
            return 1ull << k;
    if (to->n_pointers == POINTERS_MOST)
        return FROM_ANY;
    to->pointer[to->n_pointers] = (struct pointer){at, of_param};
    return 1ull << to->n_pointers++;
}

static uint64_t variable(struct flow *w, int32_t index)
{
    switch (w->d->ptx->vars[index].space) {
    case PTX_SPACE_GLOBAL: return pointer(w, w->d->address[index], false);
    case PTX_SPACE_SHARED:
    case PTX_SPACE_LOCAL:
    case PTX_SPACE_CONST: return FROM_ELSEWHERE;
    default: return FROM_ANY; /* the address of a parameter */
    }
}

static int bytes_of(const struct flow *w, const struct ptx_operand *o)
{
    return decode_register(w->d, o);
}

static uint64_t sources(struct flow *w, const struct ptx_operand *o)
{
    uint64_t all = 0;
    if (o->kind == PTX_REG)
        all = w->from[o->index]; /* of 32 bits: none, see reach() */
    else if (o->kind == PTX_VAR)
        all = variable(w, o->index);
    for (uint16_t e = 0; e < o->n_elems; e++) {
        const struct ptx_operand *part = &o->elems[e];
        bool half = o->kind == PTX_VECTOR && bytes_of(w, part) == 4;
        all |= half ? FROM_ANY : sources(w, part);
    }
    return all;
}

static void reach(struct flow *w, const struct ptx_operand *o, uint64_t from)
{
    if (o->kind == PTX_REG && bytes_of(w, o) >= 8 &&
        (w->from[o->index] | from) != w->from[o->index]) {
        w->from[o->index] |= from;
        w->changed = true;
    }
    for (uint16_t e = 0; e < o->n_elems; e++)
        reach(w, &o->elems[e], from);
}

/* ld.param of 64-bit values of the kernel's own: which, per element. */
static void load_param(struct flow *w, const struct ptx_inst *in,
                       const struct detail *t)
{
    const struct ptx_operand *to = &in->operands[0];
    const struct ptx_operand *base = &in->operands[1].elems[0];
    bool known = w->d->f->is_entry && base->kind == PTX_VAR &&
                 w->d->address[base->index] >= PARAM_WINDOW && t->size == 8;
    if (!known) {
        reach(w, to, FROM_ANY);
        return;
    }
    uint64_t at = w->d->address[base->index] - PARAM_WINDOW +
                  (uint64_t)in->operands[1].bits;
    for (int e = 0; e < t->n; e++)
        reach(w, t->n > 1 ? &to->elems[e] : to,
              pointer(w, at + 8 * (uint64_t)e, true));
}

/* What flows into the instruction's operands reaches the first one: no row
 * writes another. */
static void flow_through(struct flow *w, const struct ptx_inst *in,
                         const struct form *form, const struct detail *t)
{
    uint64_t from = t && t->access.site ? FROM_ANY : 0;
    struct row_operand is = {0}, first = {0};
    const char *p = form->operands;
    if (t && t->space == PTX_SPACE_PARAM && t->access.kind == ACCESS_LOAD) {
        load_param(w, in, t);
        return;
    }
    for (uint16_t k = 0; k < in->n_operands; k++) {
        if (!is.repeated)
            p = row_operand(p, &is);
        if (k == 0)
            first = is;
        if (!is.written || is.kept)
            from |= sources(w, &in->operands[k]);
    }
    if (first.written)
        reach(w, in->operands, from);
}

/* A set that is not there yet. */
static void add_store(struct flow *w, uint64_t from)
{
    struct written *to = w->to;
    for (uint32_t k = 0; k < to->n_stores; k++)
        if (to->store[k] == from)
            return;
    if (to->n_stores == STORES_MOST)
        to->store[0] |= FROM_ANY;
    else
        to->store[to->n_stores++] = from;
}

static void store(struct flow *w, const struct ptx_inst *in,
                  const struct detail *t)
{
    uint64_t from = 0;
    if (!t || !t->access.write || (t->access.space != PTX_SPACE_GLOBAL &&
                                   t->access.space != PTX_SPACE_GENERIC))
        return;
    for (uint16_t k = 0; k < in->n_operands; k++)
        if (in->operands[k].kind == PTX_ADDRESS)
            from |= sources(w, &in->operands[k]);
    add_store(w, from);
}

const struct written *decode_written(struct decoder *d,
                                     const struct form *const *forms,
                                     const uint32_t *place, const bool *meets)
{
    struct flow w = {.d = d, .changed = true,
                     .to = own_not_null(
                         arena_alloc(d->arena, 1, sizeof *w.to)),
                     .from = own_not_null(
                         calloc(d->f->n_regs + 1, sizeof *w.from))};
    const struct ptx_inst *in = d->f->insts;
    while (w.changed) {
        w.changed = false;
        for (size_t i = 0; i < d->f->n_insts; i++)
            if (forms[i])
                flow_through(&w, &in[i], forms[i],
                             d->out->insts[place[i] + meets[i]].detail);
    }
    for (size_t i = 0; i < d->f->n_insts; i++) {
        store(&w, &in[i], d->out->insts[place[i] + meets[i]].detail);
        if (!forms[i] || forms[i]->flags & FORM_CALLS)
            add_store(&w, FROM_ANY); /* whatever is called may store */
    }
    free(w.from);
    return w.to;
}
