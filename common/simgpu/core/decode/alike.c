// SPDX-License-Identifier: MIT
/*
 * alike.c: atomics of a warp that ptxas makes one. Interface: decode.h.
 *
 * What follows was seen in the machine code that 13.0 makes for compute
 * capability 9.0 (tests/unit/alike_test.c has the kernels). If the address is
 * the same in all lanes whatever the data, one lane alone adds what all of them
 * would: their number times the value (vote, count bits) or, if the values
 * differ, their sum (redux). So it does for 32 bits: add, and, or, xor, min and
 * max; if the result is used, add alone, values that differ by shuffles and
 * only in a whole warp. For 64 bits: add of a value that is the same in all
 * lanes. It does not for floats, inc, dec, exch and cas. The space does not
 * matter, nor does the scope, nor an `if` around it.
 *
 * The hard idea: at first all registers are alike, and each pass finds some
 * that are not, until none changes. Lanes differ in their index, in what an
 * atomic or a function gives, and in what is computed from these. A register
 * that is written in several places differs, too, if lanes that parted are not
 * together again where it is written: they may come from another place. So does
 * the counter of a loop that lanes leave at different turns.
 */
#include <stdlib.h>

#include "decode.h"

#include "simgpu/core/memory/own.h"

struct flow {
    struct decoder *d;
    const struct form *const *forms;
    bool *differs;      /* per register */
    uint8_t *writers;   /* per register: so many instructions; 2: or more */
    bool *parted, *done; /* per block: lanes may have parted before; and that
                           they do at its end is known */
    int32_t *seen, *stack; /* blocks: from which one they were reached last */
    bool changed;
};

static bool operand_differs(const struct flow *w, const struct ptx_operand *o)
{
    static const char *const own[] = {"%tid", "%laneid", "%lanemask"};
    bool differs = o->kind == PTX_REG && w->differs[o->index];
    for (int k = 0; k < 3 && o->kind == PTX_SPECIAL; k++)
        differs |= strncmp(o->name, own[k], strlen(own[k])) == 0;
    for (uint16_t e = 0; e < o->n_elems; e++)
        differs |= operand_differs(w, &o->elems[e]);
    return differs;
}

static bool is_op(const struct ptx_inst *in, const char *op)
{
    return strcmp(in->op, op) == 0;
}

static bool is_argument(const struct flow *w, const struct ptx_inst *in)
{
    const struct ptx_func *f = w->d->f;
    const struct ptx_operand *o = &in->operands[1];
    if (!is_op(in, "ld") || strcmp(in->suffix[0], "param") != 0)
        return false;
    for (size_t k = 0; f->is_entry && k < f->n_params; k++)
        if (o->n_elems && o->elems[0].kind == PTX_VAR &&
            o->elems[0].index == f->params[k])
            return false;
    return true; /* of a function, or what one gave */
}

/* All lanes get the same, whatever they bring. */
static bool gathers(const struct ptx_inst *in)
{
    return is_op(in, "vote") || is_op(in, "redux") || is_op(in, "activemask");
}

/* Nothing is known of it, or it is made to give each lane its own. */
static bool scatters(const struct flow *w, int32_t i)
{
    const struct ptx_inst *in = &w->d->f->insts[i];
    uint8_t class = w->d->out->sources[i].class;
    bool takes = is_op(in, "shfl") && in->n_suffixes > 1 &&
                 strcmp(in->suffix[1], "idx") != 0;
    return !w->forms[i] || w->forms[i]->flags & (FORM_CALLS | FORM_BARRIER) ||
           class == ISSUE_ATOMIC || class == ISSUE_TENSOR || takes ||
           is_op(in, "match") || is_op(in, "elect") || is_argument(w, in);
}

static bool gives_different(const struct flow *w, int32_t i)
{
    const struct ptx_inst *in = &w->d->f->insts[i];
    bool differs = in->guard >= 0 && w->differs[in->guard];
    uint16_t from = is_op(in, "shfl") ? 2 : 1; /* which lane gives it */
    if (differs || scatters(w, i))
        return true;
    for (uint16_t k = from; k < in->n_operands && !gathers(in); k++)
        differs |= operand_differs(w, &in->operands[k]);
    return differs;
}

static void count_writer(void *to, int32_t reg)
{
    struct flow *w = to;
    w->writers[reg] += w->writers[reg] < 2;
}

static void differs(void *to, int32_t reg)
{
    struct flow *w = to;
    w->changed |= !w->differs[reg];
    w->differs[reg] = true;
}

static void differs_if_several(void *to, int32_t reg)
{
    struct flow *w = to;
    if (w->writers[reg] > 1)
        differs(w, reg);
}

/* Nobody is left to meet. */
static bool is_over(const struct flow *w, int32_t b)
{
    const struct cfg *g = w->d->cfg;
    return b == g->n || (w->forms[g->block[b].first] &&
                         w->forms[g->block[b].first]->flags & FORM_LEAVES);
}

static void go_to(struct flow *w, int32_t b, int32_t from, int32_t *top)
{
    if (b != w->d->cfg->n && w->seen[b] != from + 1) {
        w->seen[b] = from + 1;
        w->stack[(*top)++] = b;
    }
}

/* The lanes that leave block b at its end by several ways are apart until they
 * meet. If they never do, those that go on are together, but in a loop. */
static void part(struct flow *w, int32_t b)
{
    const struct basic *block = w->d->cfg->block;
    int32_t meeting = block[b].ipdom, top = 0, n = 0;
    for (int32_t k = 0; k < block[b].n_succ; k++)
        if (block[b].succ[k] != meeting)
            go_to(w, block[b].succ[k], b, &top);
    for (; n < top; n++) /* what was reached stays on the stack */
        for (int32_t k = 0; k < block[w->stack[n]].n_succ; k++)
            if (block[w->stack[n]].succ[k] != meeting)
                go_to(w, block[w->stack[n]].succ[k], b, &top);
    if (is_over(w, meeting) && w->seen[b] != b + 1)
        return;
    w->changed = true;
    for (n = 0; n < top; n++)
        w->parted[w->stack[n]] = true;
}

static void pass_block(struct flow *w, int32_t b)
{
    const struct basic *block = &w->d->cfg->block[b];
    const struct ptx_inst *insts = w->d->f->insts;
    for (int32_t i = block->first; i < block->last; i++) {
        if (gives_different(w, i))
            decode_each(&insts[i], w->forms[i], true, differs, w);
        else if (w->parted[b])
            decode_each(&insts[i], w->forms[i], true, differs_if_several, w);
    }
    int32_t guard = insts[block->last - 1].guard;
    if (block->n_succ < 2 || (guard >= 0 && !w->differs[guard]) || w->done[b])
        return;
    w->done[b] = true;
    part(w, b);
}

static bool is_alike(const struct flow *w, const struct ptx_operand *o)
{
    return !operand_differs(w, o);
}

static bool is_used(const struct flow *w, const struct ptx_inst *in)
{
    const struct ptx_operand *o = &in->operands[0];
    return is_op(in, "atom") && o->kind == PTX_REG && w->d->read[o->index];
}

/* enum joined */
static uint8_t how_joined(const struct flow *w, const struct ptx_inst *in,
                          const struct detail *t)
{
    int at = is_op(in, "atom");
    bool value = is_alike(w, &in->operands[at + 1]), used = is_used(w, in);
    bool is_float = t->type_class == PTX_FLOAT || t->type_class == PTX_BFLOAT;
    if (is_float || t->n > 1 || !is_alike(w, &in->operands[at]))
        return JOINED_NOT;
    if (t->op == ATOM_ADD && value && t->size >= 4)
        return JOINED_BY_COUNT;
    if (t->size != 4 || t->op > ATOM_XOR || (used && t->op != ATOM_ADD))
        return JOINED_NOT;
    return used ? JOINED_IF_WHOLE : JOINED_BY_VALUE;
}

static void mark(struct flow *w, const uint32_t *place, const bool *meets)
{
    for (size_t i = 0; i < w->d->f->n_insts; i++) {
        const struct detail *t = w->d->out->insts[place[i] + meets[i]].detail;
        if (t && t->access.kind == ACCESS_ATOMIC)
            w->d->out->sources[i].joined =
                how_joined(w, &w->d->f->insts[i], t);
    }
}

static bool has_atomics(const struct decoder *d)
{
    for (size_t i = 0; i < d->f->n_insts; i++)
        if (d->out->sources[i].class == ISSUE_ATOMIC)
            return true;
    return false;
}

void decode_alike(struct decoder *d, const struct form *const *forms,
                  const uint32_t *place, const bool *meets)
{
    struct flow w = {.d = d, .forms = forms, .changed = true};
    size_t blocks = (size_t)d->cfg->n + 1;
    if (!has_atomics(d))
        return;
    w.differs = own_not_null(calloc(d->f->n_regs + 1, sizeof *w.differs));
    w.writers = own_not_null(calloc(d->f->n_regs + 1, sizeof *w.writers));
    w.parted = own_not_null(calloc(blocks, sizeof *w.parted));
    w.done = own_not_null(calloc(blocks, sizeof *w.done));
    w.seen = own_not_null(calloc(blocks, sizeof *w.seen));
    w.stack = own_not_null(calloc(blocks, sizeof *w.stack));
    for (size_t i = 0; i < d->f->n_insts; i++)
        decode_each(&d->f->insts[i], forms[i], true, count_writer, &w);
    while (w.changed) {
        w.changed = false;
        for (int32_t b = 0; b < d->cfg->n; b++)
            pass_block(&w, b);
    }
    mark(&w, place, meets);
    free(w.differs);
    free(w.writers);
    free(w.parted);
    free(w.done);
    free(w.seen);
    free(w.stack);
}
