// SPDX-License-Identifier: MIT
/*
 * perhaps.c: loads whose value may be thrown away. Interface: decode.h.
 *
 * nvcc moves a load in front of the branch that guards it in the source, if
 * nothing can go wrong there: it selects behind it, or takes it out of a loop.
 * So of what such a load gives, only a use tells that the program reads it
 * (exec/suspect.c). All other loads are accused at once, which is quicker, and
 * names each of them.
 *
 * The hard idea: from the end of a block to its start, a set of registers holds
 * those that are used on every path from here. An instruction whose result is
 * in the set puts what it reads there, too; a selection, only its predicate. A
 * load whose result is not there is marked. A result that the next turn of a
 * loop goes on with counts as used: a sum is, although only threads within the
 * matrix store it. At first all registers are in all sets, and each pass takes
 * some away, until none changes.
 *
 * Without optimisation (nvcc -G) each variable lies in local memory. Structures
 * are copied whole there, padding included, and a bit-field is set by reading
 * its word first. So any load that may be of local memory is marked for that.
 */
#include "decode.h"

#include <stdlib.h>

#include "simgpu/core/memory/own.h"

struct flow {
    struct decoder *d;
    const struct form *const *forms;
    const uint32_t *place;
    const bool *meets;
    size_t words;        /* of one set of registers */
    uint64_t *in, *now;  /* a set per block, and one */
    bool *carried;       /* per register: the next turn of a loop reads it */
    bool any, all, goes_on; /* of registers asked for: some are in the set; all
                               that anybody reads are; some are carried */
    uint32_t *seen, loop; /* per register: the loop in which it was met */
};

static void each_register(const struct ptx_operand *o, decode_visit *visit,
                          void *to)
{
    if (o->kind == PTX_REG)
        visit(to, o->index);
    for (uint16_t e = 0; e < o->n_elems; e++)
        each_register(&o->elems[e], visit, to);
}

void decode_each(const struct ptx_inst *in, const struct form *form,
                 bool written, decode_visit *visit, void *to)
{
    const char *p = form ? form->operands : "V*";
    struct row_operand o = {0};
    for (uint16_t k = 0; k < in->n_operands; k++) {
        if (!o.repeated)
            p = row_operand(p, &o);
        if (written ? o.written : !o.written || o.kept)
            each_register(&in->operands[k], visit, to);
    }
}

static void each(struct flow *w, int32_t i, bool written, decode_visit *visit)
{
    decode_each(&w->d->f->insts[i], w->forms[i], written, visit, w);
}

static void put(void *to, int32_t reg)
{
    struct flow *w = to;
    w->now[reg / 64] |= 1ull << (reg % 64);
}

static void drop(void *to, int32_t reg)
{
    struct flow *w = to;
    w->now[reg / 64] &= ~(1ull << (reg % 64));
}

static void ask(void *to, int32_t reg)
{
    struct flow *w = to;
    bool in = w->now[reg / 64] >> (reg % 64) & 1;
    w->any |= in;
    w->all &= in || !w->d->read[reg];
    w->goes_on |= w->carried[reg];
}

/* Of what instruction i writes. */
static void ask_all(struct flow *w, int32_t i)
{
    w->any = w->goes_on = false;
    w->all = true;
    each(w, i, true, ask);
}

/* Shows a value, or decides by it. Local memory is not followed. */
static bool is_use(const struct flow *w, int32_t i)
{
    const struct form *f = w->forms[i];
    uint8_t class = w->d->out->sources[i].class;
    return !f ||
           f->flags & (FORM_LOADS | FORM_STORES | FORM_JUMPS | FORM_BARRIER |
                       FORM_CALLS) ||
           class == ISSUE_EXCHANGE || class == ISSUE_ATOMIC ||
           class == ISSUE_TENSOR;
}

static bool is_arithmetic(const struct flow *w, int32_t i)
{
    uint8_t class = w->d->out->sources[i].class;
    return class == ISSUE_FP32 || class == ISSUE_FP64 || class == ISSUE_FP16 ||
           class == ISSUE_INTEGER || class == ISSUE_SPECIAL;
}

bool decode_chooses(const struct ptx_inst *in)
{
    bool logic = strcmp(in->op, "and") == 0 || strcmp(in->op, "or") == 0;
    return strcmp(in->op, "selp") == 0 ||
           (logic && in->n_suffixes && strcmp(in->suffix[0], "pred") == 0);
}

/* From behind instruction i to before it. */
static void step(struct flow *w, int32_t i)
{
    const struct ptx_inst *in = &w->d->f->insts[i];
    ask_all(w, i);
    bool used = is_use(w, i) || w->any || (w->goes_on && is_arithmetic(w, i));
    each(w, i, true, drop);
    if (used && in->guard >= 0)
        put(w, in->guard);
    if (!used || in->guard >= 0)
        return;
    if (!decode_chooses(in))
        each(w, i, false, put);
    else if (in->n_operands == 4)
        each_register(&in->operands[3], put, w);
}

/* What every block behind b has; nothing is used behind the function's end. */
static void leave(struct flow *w, int32_t b)
{
    const struct basic *block = &w->d->cfg->block[b];
    memset(w->now, block->n_succ ? 0xff : 0, w->words * sizeof *w->now);
    for (int32_t k = 0; k < block->n_succ; k++)
        for (size_t n = 0; n < w->words; n++)
            w->now[n] &= block->succ[k] == w->d->cfg->n
                             ? 0 : w->in[(size_t)block->succ[k] * w->words + n];
}

static bool pass(struct flow *w)
{
    const struct cfg *g = w->d->cfg;
    size_t bytes = w->words * sizeof *w->now;
    bool changed = false;
    for (int32_t b = g->n - 1; b >= 0; b--) {
        uint64_t *in = w->in + (size_t)b * w->words;
        leave(w, b);
        for (int32_t i = g->block[b].last - 1; i >= g->block[b].first; i--)
            step(w, i);
        changed |= memcmp(in, w->now, bytes) != 0;
        memcpy(in, w->now, bytes);
    }
    return changed;
}

static void meet_read(void *to, int32_t reg)
{
    struct flow *w = to;
    w->carried[reg] |= w->seen[reg] != w->loop;
    w->seen[reg] = w->loop;
}

static void meet_write(void *to, int32_t reg)
{
    struct flow *w = to;
    w->seen[reg] = w->loop;
}

/* Registers that a loop's text reads before it writes them. Those that it never
 * writes are no result of its instructions. */
static void find_carried(struct flow *w)
{
    const struct cfg *g = w->d->cfg;
    for (int32_t b = 0; b < g->n; b++)
        for (int32_t k = 0; k < g->block[b].n_succ; k++) {
            int32_t head = g->block[b].succ[k];
            w->loop++;
            for (int32_t i = head > b ? g->block[b].last
                                      : g->block[head].first;
                 i < g->block[b].last; i++) {
                each(w, i, false, meet_read);
                each(w, i, true, meet_write);
            }
        }
}

static struct inst *decoded(const struct flow *w, int32_t i)
{
    return &w->d->out->insts[w->place[i] + w->meets[i]];
}

/* nvcc moves loads only of memory that it knows: arrays of the kernel, and
 * variables. */
static bool may_move(const struct inst *i)
{
    const struct detail *t = i->detail;
    return t && t->access.site && t->access.kind == ACCESS_LOAD &&
           !t->access.write && !t->access.strong && !t->access.matrix &&
           (t->space == PTX_SPACE_SHARED || t->space == PTX_SPACE_LOCAL ||
            t->var);
}

static bool any_may_move(const struct flow *w)
{
    bool any = false;
    for (size_t i = 0; i < w->d->f->n_insts; i++)
        any |= may_move(decoded(w, (int32_t)i));
    return any;
}

static void mark(struct flow *w)
{
    const struct cfg *g = w->d->cfg;
    for (int32_t b = 0; b < g->n; b++) {
        leave(w, b);
        for (int32_t i = g->block[b].last - 1; i >= g->block[b].first; i--) {
            const struct inst *to = decoded(w, i);
            if (may_move(to)) {
                ask_all(w, i);
                ((struct detail *)to->detail)->access.perhaps = !w->all;
            }
            step(w, i);
        }
    }
}

static void mark_locals(struct flow *w)
{
    for (size_t i = 0; i < w->d->f->n_insts; i++) {
        struct detail *t = (struct detail *)decoded(w, (int32_t)i)->detail;
        if (t && t->access.kind == ACCESS_LOAD && !t->access.strong &&
            !t->access.write && !t->access.matrix &&
            (t->space == PTX_SPACE_GENERIC || t->space == PTX_SPACE_LOCAL))
            t->access.perhaps_local = true;
    }
}

void decode_perhaps(struct decoder *d, const struct form *const *forms,
                    const uint32_t *place, const bool *meets)
{
    size_t words = d->f->n_regs / 64 + 1;
    size_t sets = words * ((size_t)d->cfg->n + 1);
    struct flow w = {.d = d, .forms = forms, .place = place, .meets = meets,
                     .words = words};
    if (d->ptx->debug)
        mark_locals(&w);
    if (!any_may_move(&w))
        return;
    w.in = own_not_null(malloc(sets * sizeof *w.in));
    w.now = own_not_null(malloc(words * sizeof *w.now));
    w.carried = own_not_null(calloc(d->f->n_regs + 1, sizeof *w.carried));
    w.seen = own_not_null(calloc(d->f->n_regs + 1, sizeof *w.seen));
    memset(w.in, 0xff, sets * sizeof *w.in);
    find_carried(&w);
    while (pass(&w))
        ;
    mark(&w);
    free(w.seen);
    free(w.in);
    free(w.now);
    free(w.carried);
}
