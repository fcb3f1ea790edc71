// SPDX-License-Identifier: MIT
/*
 * choices.c: where a load that may be thrown away counts. Interface:
 * decode.h.
 *
 * Two things of loads that perhaps.c has marked:
 *
 * - If one selection in the same basic block, or one `and` or `or` of
 *   predicates, decides for each lane whether its value counts, the load is
 *   looked at for races there (exec/chosen.c). On the way to it the value may
 *   go through arithmetic that nobody else reads. Nothing in between may
 *   order accesses or change the address.
 *
 * - nvcc drops the line of an instruction that it moves, which then seems to be
 *   of the line before it, or of line 0. The line is doubtful if nothing else
 *   of that line leads to the load. It gets the line where its value is used.
 */
#include "decode.h"

#include "simgpu/core/exec/chosen.h"
#include "simgpu/core/memory/own.h"

#include <stdlib.h>

struct search {
    struct decoder *d;
    const struct form *const *forms;
    const uint32_t *place;
    const bool *meets;
    uint32_t *reads;    /* per register: by how many instructions */
    int32_t reg;        /* who reads it? */
    bool found;
    int32_t n, last;    /* registers visited, and the last of them */
};

static void count_read(void *to, int32_t reg)
{
    ((struct search *)to)->reads[reg]++;
}

static void look(void *to, int32_t reg)
{
    struct search *s = to;
    s->found |= reg == s->reg;
    s->n++;
    s->last = reg;
}

static struct inst *decoded(const struct search *s, int32_t i)
{
    return &s->d->out->insts[s->place[i] + s->meets[i]];
}

static void each(struct search *s, int32_t i, bool written)
{
    s->found = false;
    s->n = 0;
    decode_each(&s->d->f->insts[i], s->forms[i], written, look, s);
}

static bool reads(struct search *s, int32_t i, int32_t reg)
{
    s->reg = reg;
    each(s, i, false);
    return s->found || s->d->f->insts[i].guard == reg;
}

/* The one register that it writes; or -1. */
static int32_t result(struct search *s, int32_t i)
{
    each(s, i, true);
    return s->n == 1 ? s->last : -1;
}

/* Other accesses cannot pass it, or the program does not come by. */
static bool orders(const struct search *s, int32_t i)
{
    const struct form *f = s->forms[i];
    const struct detail *t = decoded(s, i)->detail;
    uint8_t class = s->d->out->sources[i].class;
    return !f || f->flags & ~(FORM_LOADS | FORM_BY_SPACE) ||
           class == ISSUE_EXCHANGE || class == ISSUE_ATOMIC ||
           class == ISSUE_TENSOR || class == ISSUE_BARRIER ||
           class == ISSUE_CONTROL || (t && t->access.strong);
}

static bool writes_slot(const struct search *s, int32_t i, uint32_t slot)
{
    const struct source *x = &s->d->out->sources[i];
    bool any = false;
    for (unsigned k = 0; k < x->n_written; k++)
        any |= x->slot[x->n_read + k] == slot;
    return any;
}

/* Which predicate takes reg for the result of selection i; false: it is used
 * in another way. */
static bool decides(const struct search *s, int32_t i, int32_t reg,
                    struct choice *c)
{
    const struct ptx_inst *in = &s->d->f->insts[i];
    const struct inst *to = decoded(s, i);
    const struct ptx_operand *o = in->operands;
    bool first = o[1].kind == PTX_REG && o[1].index == reg;
    bool second = o[2].kind == PTX_REG && o[2].index == reg;
    if (in->guard >= 0 || first == second)
        return false;
    if (in->n_operands == 4) {
        c->decides = to->c;
        c->flip = first ? 0 : UINT32_MAX;
        return !(o[3].kind == PTX_REG && o[3].index == reg);
    }
    c->decides = first ? to->b : to->a;
    c->flip = (first ? to->p1 : to->p0) != (strcmp(in->op, "or") == 0)
                  ? UINT32_MAX : 0;
    return true;
}

/* The selection that decides about load i, whose result nobody else reads; or
 * -1. */
static int32_t find_choice(struct search *s, int32_t i, struct choice *c)
{
    const struct basic *b = &s->d->cfg->block[s->d->cfg->block_of[i]];
    int32_t reg = result(s, i);
    uint32_t address = c->load->a;
    if (s->d->f->insts[i].guard >= 0 || writes_slot(s, i, address))
        return -1;
    for (int32_t k = i + 1; k < b->last && reg >= 0; k++) {
        bool reader = reads(s, k, reg);
        if (s->reads[reg] != 1 || orders(s, k))
            return -1;
        if (reader && decode_chooses(&s->d->f->insts[k]))
            return decides(s, k, reg, c) ? k : -1;
        if (writes_slot(s, k, address) ||
            (reader && (s->forms[k]->flags || s->d->f->insts[k].guard >= 0)))
            return -1;
        reg = reader ? result(s, k) : reg;
    }
    return -1;
}

static void defer(struct search *s, int32_t i)
{
    struct function *f = s->d->out;
    struct inst *load = decoded(s, i);
    struct choice c = {.load = load};
    int32_t at = find_choice(s, i, &c);
    struct inst *to = at >= 0 ? decoded(s, at) : NULL;
    if (!to || to->fn == op_chosen)
        return;
    c.fn = to->fn;
    to->fn = op_chosen;
    to->imm = (int64_t)f->n_choices;
    f->choices[f->n_choices++] = c;
    ((struct detail *)load->detail)->access.chosen = true;
}

/* Lines ------------------------------------------------------------------ */

static bool same_line(const struct search *s, int32_t a, int32_t b)
{
    return s->d->f->insts[a].loc == s->d->f->insts[b].loc;
}

static bool leads_to(struct search *s, int32_t k, int32_t load)
{
    int32_t reg = result(s, k);
    return reg >= 0 && reads(s, load, reg);
}

static bool is_doubtful(struct search *s, int32_t i)
{
    int32_t k = i;
    if (s->d->f->insts[i].loc < 0)
        return false;
    if (s->d->out->sources[i].line == 0)
        return true;
    while (k > 0 && same_line(s, k - 1, i) && (k == i || !leads_to(s, k, i)))
        k--;
    return k < i && !leads_to(s, k, i);
}

/* The first instruction of another line that depends on the load; or -1. */
static int32_t find_use(struct search *s, int32_t i)
{
    int32_t reg = result(s, i), n = (int32_t)s->d->f->n_insts;
    for (int32_t k = i + 1; k < n && reg >= 0; k++) {
        if (!reads(s, k, reg))
            continue;
        if (s->d->out->sources[k].line && !same_line(s, k, i))
            return k;
        reg = result(s, k);
    }
    return -1;
}

static void name_line(struct search *s, int32_t i)
{
    int32_t use = is_doubtful(s, i) ? find_use(s, i) : -1;
    struct source *x = &s->d->out->sources[i];
    if (use < 0)
        return;
    const struct source *y = &s->d->out->sources[use];
    x->file = y->file;
    x->line = y->line;
    x->call_file = y->call_file;
    x->call_line = y->call_line;
}

void decode_choices(struct decoder *d, const struct form *const *forms,
                    const uint32_t *place, const bool *meets)
{
    struct search s = {.d = d, .forms = forms, .place = place, .meets = meets};
    size_t n = 0;
    for (size_t i = 0; i < d->f->n_insts; i++) {
        const struct detail *t = decoded(&s, (int32_t)i)->detail;
        n += t && t->access.perhaps;
    }
    if (n == 0)
        return;
    s.reads = own_not_null(calloc(d->f->n_regs + 1, sizeof *s.reads));
    d->out->choices = own_not_null(
        arena_alloc(d->arena, n, sizeof *d->out->choices));
    for (size_t i = 0; i < d->f->n_insts; i++) {
        decode_each(&d->f->insts[i], forms[i], false, count_read, &s);
        if (d->f->insts[i].guard >= 0)
            s.reads[d->f->insts[i].guard]++;
    }
    for (size_t i = 0; i < d->f->n_insts; i++) {
        const struct detail *t = decoded(&s, (int32_t)i)->detail;
        if (!t || !t->access.perhaps)
            continue;
        defer(&s, (int32_t)i);
        name_line(&s, (int32_t)i);
    }
    free(s.reads);
}
