// SPDX-License-Identifier: MIT
/*
 * shared_layout.c: where shared arrays stand. Interface: shared_layout.h.
 *
 * ptxas packs the shared arrays of a kernel (seen with 13.0, for compute
 * capability 7.5 to 10.0), each at the next multiple of its alignment, in this
 * order: those of the kernel that its code names; those of the module that
 * the kernel or a function it reaches names; those of each such function; last
 * what no code names. If the module declares dynamic memory, the end is
 * rounded up to its alignment, and to 16 bytes at least, and it begins there.
 *
 * The hard idea: packed arrays would hide an index that passes the end of one
 * and lands in the next. So a gap follows each array here, and the next begins
 * where its address is equal to the packed one modulo SHARED_PERIOD. Banks,
 * alignment and the patterns of swizzled tiles depend on no more than that, so
 * wavefronts are those of packed arrays.
 *
 * An array that a device function names has one address for all kernels,
 * since the function is decoded once; its place is the one that it has in the
 * first kernel that reaches it.
 */
#include "shared_layout.h"

#include <stdlib.h>

#include "simgpu/core/memory/own.h"
#include "simgpu/core/state/program.h"

enum {
    SHARED_PERIOD = 1024, /* bytes; banks repeat after 128, the widest swizzle
                             after 1024 */
    DYNAMIC_ALIGN = 16,   /* ptxas's least alignment of dynamic memory */
};

struct shared_layouts {
    const struct ptx_module *ptx;
    struct shared_layout *of;   /* of each function; entries only */
    bool **names;               /* [function]: which variables its code names */
    bool **calls;               /* [function]: which functions */
    bool *common;               /* which variables device functions name */
    uint64_t *common_address;
    bool common_dynamic;
    uint32_t dynamic_align;     /* 0: the module has no dynamic memory */
};

static uint64_t round_up(uint64_t n, uint64_t to)
{
    return to ? (n + to - 1) / to * to : n;
}

static bool is_shared(const struct ptx_var *v)
{
    return v->space == PTX_SPACE_SHARED;
}

static bool is_dynamic(const struct ptx_var *v)
{
    return is_shared(v) && v->bytes == 0;
}

static void note_symbol(struct shared_layouts *all, int32_t func, int32_t var,
                        int32_t callee)
{
    if (callee >= 0) {
        all->calls[func][callee] = true;
        return;
    }
    if (var < 0 || all->names[func][var])
        return;
    all->names[func][var] = true;
    const struct ptx_var *v = &all->ptx->vars[var];
    for (size_t k = 0; k < v->n_relocs; k++)
        note_symbol(all, func, v->relocs[k].var, v->relocs[k].func);
}

static void note_operand(struct shared_layouts *all, int32_t func,
                         const struct ptx_operand *o)
{
    if (o->kind == PTX_VAR)
        note_symbol(all, func, o->index, -1);
    else if (o->kind == PTX_FUNC)
        note_symbol(all, func, -1, o->index);
    for (uint16_t e = 0; e < o->n_elems; e++)
        note_operand(all, func, &o->elems[e]);
}

static void note_names(struct shared_layouts *all, int32_t func)
{
    const struct ptx_func *f = &all->ptx->funcs[func];
    for (size_t i = 0; i < f->n_insts; i++)
        for (uint16_t k = 0; k < f->insts[i].n_operands; k++)
            note_operand(all, func, &f->insts[i].operands[k]);
}

/* What device functions and initialisers name has one address for all. */
static void note_common(struct shared_layouts *all)
{
    const struct ptx_module *p = all->ptx;
    for (size_t f = 0; f < p->n_funcs; f++)
        for (size_t n = 0; n < p->n_vars && !p->funcs[f].is_entry; n++)
            all->common[n] |= all->names[f][n];
    for (size_t n = 0; n < p->n_vars; n++)
        for (size_t k = 0; k < p->vars[n].n_relocs; k++)
            if (p->vars[n].relocs[k].var >= 0)
                all->common[p->vars[n].relocs[k].var] = true;
    for (size_t n = 0; n < p->n_vars; n++)
        if (is_dynamic(&p->vars[n]) && all->common[n])
            all->common_dynamic = true;
}

static void reach(const struct shared_layouts *all, int32_t func,
                  bool *reached)
{
    if (reached[func])
        return;
    reached[func] = true;
    for (size_t f = 0; f < all->ptx->n_funcs; f++)
        if (all->calls[func][f])
            reach(all, (int32_t)f, reached);
}

static bool is_named(const struct shared_layouts *all, const bool *reached,
                     size_t var)
{
    for (size_t f = 0; f < all->ptx->n_funcs; f++)
        if (reached[f] && all->names[f][var])
            return true;
    return false;
}

/* The packed layout: variables in ptxas's order, with their offsets. */
struct packed {
    size_t *var;
    uint64_t *offset;
    size_t n;
    uint64_t end;
};

static void pack(struct packed *to, const struct ptx_module *ptx, size_t var)
{
    const struct ptx_var *v = &ptx->vars[var];
    to->var[to->n] = var;
    to->offset[to->n] = round_up(to->end, v->align);
    to->end = to->offset[to->n++] + v->bytes;
}

/* Of one owner: a function's own, or the module's (-1). */
static void pack_named(struct packed *to, const struct shared_layouts *all,
                       const bool *reached, int32_t owner, bool named)
{
    for (size_t n = 0; n < all->ptx->n_vars; n++) {
        const struct ptx_var *v = &all->ptx->vars[n];
        if (is_shared(v) && !is_dynamic(v) && v->func == owner &&
            is_named(all, reached, n) == named)
            pack(to, all->ptx, n);
    }
}

static void pack_callees(struct packed *to, const struct shared_layouts *all,
                         const bool *reached, int32_t entry, bool named)
{
    for (size_t f = 0; f < all->ptx->n_funcs; f++)
        if (reached[f] && (int32_t)f != entry)
            pack_named(to, all, reached, (int32_t)f, named);
}

static void pack_kernel(struct packed *to, const struct shared_layouts *all,
                        int32_t entry)
{
    bool *reached = own_not_null(calloc(all->ptx->n_funcs + 1, 1));
    to->n = 0;
    to->end = 0;
    reach(all, entry, reached);
    pack_named(to, all, reached, entry, true);
    pack_named(to, all, reached, -1, true);
    pack_callees(to, all, reached, entry, true);
    pack_named(to, all, reached, entry, false);
    pack_callees(to, all, reached, entry, false);
    if (all->dynamic_align)
        to->end = round_up(to->end, all->dynamic_align);
    free(reached);
}

/* The first address from `from` on that stands where the offset does. */
static uint64_t apart(uint64_t from, uint64_t offset)
{
    uint64_t base = from / SHARED_PERIOD * SHARED_PERIOD;
    uint64_t at = base + offset % SHARED_PERIOD;
    return at < from ? at + SHARED_PERIOD : at;
}

static uint64_t place(uint64_t *at, const struct packed *p, size_t k,
                      const struct ptx_module *ptx)
{
    uint64_t address = apart(*at, p->offset[k]);
    *at = address + ptx->vars[p->var[k]].bytes + SHARED_GAP;
    return address;
}

/* Room for what several kernels may name; returns its end. */
static uint64_t place_common(struct shared_layouts *all, struct packed *p)
{
    const struct ptx_module *ptx = all->ptx;
    uint64_t at = SHARED_START;
    for (size_t f = 0; f < ptx->n_funcs; f++) {
        if (!ptx->funcs[f].is_entry)
            continue;
        pack_kernel(p, all, (int32_t)f);
        for (size_t k = 0; k < p->n; k++)
            if (all->common[p->var[k]] && !all->common_address[p->var[k]])
                all->common_address[p->var[k]] = place(&at, p, k, ptx);
    }
    return at;
}

static void place_kernel(struct shared_layouts *all, struct packed *p,
                         int32_t entry, uint64_t from)
{
    struct shared_layout *to = &all->of[entry];
    const struct ptx_module *ptx = all->ptx;
    uint64_t at = from;
    to->address = own_not_null(calloc(ptx->n_vars + 1, sizeof *to->address));
    pack_kernel(p, all, entry);
    to->static_bytes = (size_t)p->end;
    for (size_t k = 0; k < p->n; k++)
        to->address[p->var[k]] = all->common[p->var[k]]
                                     ? all->common_address[p->var[k]]
                                     : place(&at, p, k, ptx);
    to->dynamic = (uint32_t)apart(at, p->end);
}

/* One address of dynamic memory for all, if a device function names it. */
static void share_dynamic(struct shared_layouts *all)
{
    const struct ptx_module *ptx = all->ptx;
    uint64_t end = 0, offset = 0;
    for (size_t f = ptx->n_funcs; f-- > 0;)
        if (ptx->funcs[f].is_entry) {
            offset = all->of[f].static_bytes;
            end = all->of[f].dynamic > end ? all->of[f].dynamic : end;
        }
    for (size_t f = 0; f < ptx->n_funcs; f++)
        if (ptx->funcs[f].is_entry)
            all->of[f].dynamic = (uint32_t)apart(end, offset);
    for (size_t n = 0; n < ptx->n_vars; n++)
        if (is_dynamic(&ptx->vars[n]))
            all->common_address[n] = apart(end, offset);
}

static void place_all(struct shared_layouts *all)
{
    const struct ptx_module *ptx = all->ptx;
    struct packed p = {
        .var = own_not_null(calloc(ptx->n_vars + 1, sizeof *p.var)),
        .offset = own_not_null(calloc(ptx->n_vars + 1, sizeof *p.offset))};
    uint64_t from = place_common(all, &p);
    for (size_t f = 0; f < ptx->n_funcs; f++)
        if (ptx->funcs[f].is_entry)
            place_kernel(all, &p, (int32_t)f, from);
    if (all->common_dynamic)
        share_dynamic(all);
    for (size_t f = 0; f < ptx->n_funcs; f++)
        for (size_t n = 0; n < ptx->n_vars && ptx->funcs[f].is_entry; n++)
            if (is_dynamic(&ptx->vars[n]))
                all->of[f].address[n] = all->of[f].dynamic;
    free(p.var);
    free(p.offset);
}

struct shared_layouts *shared_layouts_open(const struct ptx_module *ptx)
{
    struct shared_layouts *all = own_not_null(calloc(1, sizeof *all));
    all->ptx = ptx;
    all->of = own_not_null(calloc(ptx->n_funcs + 1, sizeof *all->of));
    all->names = own_not_null(calloc(ptx->n_funcs + 1, sizeof *all->names));
    all->calls = own_not_null(calloc(ptx->n_funcs + 1, sizeof *all->calls));
    all->common = own_not_null(calloc(ptx->n_vars + 1, 1));
    all->common_address =
        own_not_null(calloc(ptx->n_vars + 1, sizeof *all->common_address));
    for (size_t n = 0; n < ptx->n_vars; n++)
        if (is_dynamic(&ptx->vars[n])) {
            uint32_t align = ptx->vars[n].align;
            if (all->dynamic_align < DYNAMIC_ALIGN)
                all->dynamic_align = DYNAMIC_ALIGN;
            if (all->dynamic_align < align)
                all->dynamic_align = align;
        }
    for (size_t f = 0; f < ptx->n_funcs; f++) {
        all->names[f] = own_not_null(calloc(ptx->n_vars + 1, 1));
        all->calls[f] = own_not_null(calloc(ptx->n_funcs + 1, 1));
        note_names(all, (int32_t)f);
    }
    note_common(all);
    place_all(all);
    return all;
}

void shared_layouts_close(struct shared_layouts *all)
{
    for (size_t f = 0; f < all->ptx->n_funcs; f++) {
        free(all->of[f].address);
        free(all->names[f]);
        free(all->calls[f]);
    }
    free(all->of);
    free(all->names);
    free(all->calls);
    free(all->common);
    free(all->common_address);
    free(all);
}

const struct shared_layout *
shared_layout_of(const struct shared_layouts *all, int32_t entry)
{
    return &all->of[entry];
}

uint64_t shared_layout_address(const struct shared_layouts *all, int32_t func,
                               size_t var)
{
    return func >= 0 && all->ptx->funcs[func].is_entry
               ? all->of[func].address[var]
               : all->common_address[var];
}
