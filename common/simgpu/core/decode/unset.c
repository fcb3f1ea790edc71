// SPDX-License-Identifier: MIT
/*
 * unset.c: uses of what no path has set. Interface: decode.h.
 *
 * A variable without a first value is in PTX a register that is read although
 * nothing has written it. Reading it is no fault: nvcc packs a value beside a
 * half that nobody needs, and selects. It is one if an address, a store, an
 * atomic or a branch depends on it.
 *
 * The hard idea: a register counts as unset at an instruction only if it is so
 * on every path that leads there, so that no right kernel is accused. What is
 * computed from an unset register is unset too: `sum += x[i]` writes sum, and
 * sum is worth no more than before. What is put together of several operands,
 * or chosen among them, is unset only if all of them are. Sets of registers
 * flow along the blocks: at first all are unset everywhere, and each pass
 * takes some away, until none changes.
 */
#include <stdlib.h>

#include "decode.h"

#include "simgpu/core/exec/unset.h"
#include "simgpu/core/memory/own.h"

struct flow {
    struct decoder *d;
    const struct form *const *forms;
    size_t words;       /* of one set of registers */
    uint64_t *in, *now; /* a set per block, and one */
    int32_t *first;     /* where what is in a register was first read unset, or
                           -1 */
};

/* Of the operands looked at. */
struct seen {
    uint32_t n, unset;
    int32_t reg;        /* one that is unset */
};

static bool has(const struct flow *w, int32_t reg)
{
    return w->now[reg / 64] >> (reg % 64) & 1;
}

static void look(const struct flow *w, const struct ptx_operand *o,
                 struct seen *s)
{
    if (o->kind == PTX_REG && has(w, o->index)) {
        s->unset++;
        s->reg = o->index;
    }
    s->n += !o->n_elems;
    for (uint16_t e = 0; e < o->n_elems; e++)
        look(w, &o->elems[e], s);
}

/* Selects or combines bits, of which some may be meant for nothing. */
static bool is_choice(const struct ptx_inst *in)
{
    static const char *const ops[] = {"mov", "selp", "slct", "and", "or",
                                      "xor", "lop3", "prmt", "bfi", "shf",
                                      "min", "max", "cvt"};
    return decode_word(in->op, ops, sizeof ops / sizeof *ops) >= 0;
}

/* What memory and calls give is set, and the sums of a group of warps may be:
 * an operand says whether they are read. */
static bool is_computed(const struct form *f)
{
    uint8_t class = f->work->class;
    return !(f->flags & (FORM_LOADS | FORM_CALLS)) && class != ISSUE_ATOMIC &&
           f->operands[0] != '+' && !strchr(f->operands, 'M');
}

/* Are the results unset? Where it is said in s. */
static bool gives_unset(const struct flow *w, int32_t i, struct seen *s)
{
    const struct ptx_inst *in = &w->d->f->insts[i];
    const struct form *form = w->forms[i];
    if (!form || !is_computed(form))
        return false;
    bool selects = strcmp(in->op, "selp") == 0 || strcmp(in->op, "slct") == 0;
    for (uint16_t k = 1; k + selects < in->n_operands; k++)
        look(w, &in->operands[k], s);
    return is_choice(in) ? s->n && s->unset == s->n : s->unset;
}

static void set(struct flow *w, const struct ptx_operand *o, bool unset,
                bool kept, int32_t first)
{
    if (o->kind == PTX_REG) {
        uint64_t bit = 1ull << (o->index % 64);
        unset &= !kept || has(w, o->index);
        if (!unset)
            w->now[o->index / 64] &= ~bit;
        else if (!has(w, o->index) || w->first[o->index] < 0)
            w->first[o->index] = first;
        if (unset)
            w->now[o->index / 64] |= bit;
    }
    for (uint16_t e = 0; e < o->n_elems; e++)
        set(w, &o->elems[e], unset, kept, first);
}

static void step(struct flow *w, int32_t i)
{
    const struct ptx_inst *in = &w->d->f->insts[i];
    const char *p = w->forms[i] ? w->forms[i]->operands : "+V*";
    struct row_operand o = {0};
    struct seen s = {.reg = -1};
    bool unset = gives_unset(w, i, &s);
    int32_t first = unset && w->first[s.reg] >= 0 ? w->first[s.reg] : i;
    for (uint16_t k = 0; k < in->n_operands; k++) {
        if (!o.repeated)
            p = row_operand(p, &o);
        if (o.written)
            set(w, &in->operands[k], unset, in->guard >= 0, first);
    }
}

static void enter(struct flow *w, int32_t b)
{
    memcpy(w->now, w->in + (size_t)b * w->words, w->words * sizeof *w->now);
}

/* What leaves block b comes into those behind it. */
static bool leave(struct flow *w, int32_t b)
{
    const struct basic *block = &w->d->cfg->block[b];
    bool changed = false;
    for (int32_t k = 0; k < block->n_succ; k++) {
        uint64_t *in = w->in + (size_t)block->succ[k] * w->words;
        for (size_t n = 0; n < w->words; n++) {
            changed |= (in[n] & ~w->now[n]) != 0;
            in[n] &= w->now[n];
        }
    }
    return changed;
}

static bool pass(struct flow *w)
{
    const struct cfg *g = w->d->cfg;
    bool changed = false;
    for (int32_t b = 0; b < g->n; b++) {
        enter(w, b);
        for (int32_t i = g->block[b].first; i < g->block[b].last; i++)
            step(w, i);
        changed |= leave(w, b);
    }
    return changed;
}

/* An address, or all of what is stored. */
static bool reaches_memory(const struct flow *w, const struct ptx_inst *in,
                           const struct inst *to, struct seen *s)
{
    const struct detail *t = to->detail;
    if (!t || !t->access.site || t->space == PTX_SPACE_LOCAL ||
        t->space == PTX_SPACE_PARAM)
        return false;
    for (uint16_t k = 0; k < in->n_operands; k++) {
        struct seen one = {0};
        bool address = in->operands[k].kind == PTX_ADDRESS;
        if (!address && (k == 0 || !t->access.write))
            continue;
        look(w, &in->operands[k], &one);
        if (one.unset && (address || one.unset == one.n)) {
            *s = one;
            return true;
        }
    }
    return false;
}

/* Does a result, or what comes next, depend on what is unset? */
static bool is_use(const struct flow *w, int32_t i, const struct inst *to,
                   struct seen *s)
{
    const struct ptx_inst *in = &w->d->f->insts[i];
    if (!w->forms[i])
        return false;
    if (w->forms[i]->flags & FORM_JUMPS && in->guard >= 0 &&
        has(w, in->guard)) {
        s->reg = in->guard;
        return true;
    }
    return reaches_memory(w, in, to, s);
}

static void mark(struct function *f, struct inst *to, const struct inst *first)
{
    f->uses[f->n_uses++] = (struct unset_use){to, first, to->fn};
    to->fn = op_unset;
}

static void mark_uses(struct flow *w, const uint32_t *place, const bool *meets)
{
    const struct cfg *g = w->d->cfg;
    struct inst *insts = w->d->out->insts;
    for (int32_t b = 0; b < g->n; b++) {
        enter(w, b);
        for (int32_t i = g->block[b].first; i < g->block[b].last; i++) {
            struct inst *to = &insts[place[i] + meets[i]];
            struct seen s = {0};
            if (is_use(w, i, to, &s)) {
                int32_t at = w->first[s.reg] >= 0 ? w->first[s.reg] : i;
                mark(w->d->out, to, &insts[place[at] + meets[at]]);
            }
            step(w, i);
        }
    }
}

/* Once more when nothing changes: who reads first is known only then. */
static void find_first(struct flow *w)
{
    size_t bytes = (w->d->f->n_regs + 1) * sizeof *w->first;
    memset(w->first, 0xff, bytes);
    while (pass(w))
        ;
    memset(w->first, 0xff, bytes);
    pass(w);
}

void decode_unset(struct decoder *d, const struct form *const *forms,
                  const uint32_t *place, const bool *meets)
{
    size_t words = d->f->n_regs / 64 + 1;
    size_t sets = words * ((size_t)d->cfg->n + 1);
    struct flow w = {
        .d = d, .forms = forms, .words = words,
        .in = own_not_null(malloc(sets * sizeof *w.in)),
        .now = own_not_null(malloc(words * sizeof *w.now)),
        .first = own_not_null(malloc((d->f->n_regs + 1) * sizeof *w.first))};
    memset(w.in, 0xff, sets * sizeof *w.in);
    find_first(&w);
    d->out->uses = own_not_null(
        arena_alloc(d->arena, d->f->n_insts + 1, sizeof *d->out->uses));
    mark_uses(&w, place, meets);
    free(w.in);
    free(w.now);
    free(w.first);
}
