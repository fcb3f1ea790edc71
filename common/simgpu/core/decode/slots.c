// SPDX-License-Identifier: MIT
/*
 * slots.c: virtual registers -> slots of the frame, by a linear scan.
 *
 * A register lives from its first to its last use in program order, extended
 * over the blocks where it is live. Every lane runs the program by itself, so
 * registers whose lives do not overlap in one lane may share a slot, even when
 * the lanes have diverged. A guarded write does not end the life before it. A
 * slot is used for registers of one size only, so that a handler may read and
 * write its lanes in any order.
 */
#include <stdlib.h>
#include <string.h>

#include "cfg.h"
#include "rows.h"

#include "simgpu/core/memory/own.h"

enum slot_class { CLASS_PRED, CLASS_32, CLASS_64, CLASS_128, N_CLASSES };
static const uint32_t class_bytes[N_CLASSES] = {4, 128, 256, 512};

struct life {
    int32_t reg, begin, end; /* 2 i: before instruction i; 2 i + 1: after */
};

struct scan {
    const struct ptx_func *f;
    const struct form *const *forms;
    const struct cfg *g;
    size_t words;               /* of one set of registers */
    uint64_t *use, *def, *in;   /* a set per block */
    struct life *life;
};

static void *allocate(size_t n, size_t size)
{
    return own_not_null(calloc(n ? n : 1, size));
}

static enum slot_class class_of(const struct ptx_reg *r)
{
    if (r->type.class == PTX_PRED)
        return CLASS_PRED;
    return r->type.bits > 64   ? CLASS_128
           : r->type.bits > 32 ? CLASS_64 : CLASS_32;
}

typedef void visitor(struct scan *s, int32_t i, int32_t reg, bool is_def);

static void each_reg(struct scan *s, int32_t i, const struct ptx_operand *o,
                     bool is_def, visitor *visit)
{
    if (o->kind == PTX_REG)
        visit(s, i, o->index, is_def);
    for (uint16_t e = 0; e < o->n_elems; e++)
        each_reg(s, i, &o->elems[e], is_def, visit);
}

/* The operands that are written, or those that are read. Nothing is known of an
 * instruction without a form: it may do both with any. A written register that
 * perhaps stays (guarded) counts as read too, so that its life goes on. */
static void each_operand(struct scan *s, int32_t i, bool written,
                         visitor *visit)
{
    const struct ptx_inst *inst = &s->f->insts[i];
    const struct form *form = s->forms[i];
    const char *p = form ? form->operands : "V*";
    struct row_operand o = {0};
    for (uint16_t k = 0; k < inst->n_operands; k++) {
        if (!o.repeated)
            p = row_operand(p, &o);
        bool mine = !form || o.written == written ||
                    (!written && (inst->guard >= 0 || o.kept));
        if (mine)
            each_reg(s, i, &inst->operands[k], written, visit);
    }
}

/* Uses first, then what is written. */
static void each_access(struct scan *s, int32_t i, visitor *visit)
{
    const struct ptx_inst *inst = &s->f->insts[i];
    if (inst->guard >= 0)
        visit(s, i, inst->guard, false);
    each_operand(s, i, false, visit);
    each_operand(s, i, true, visit);
}

static bool has(const uint64_t *set, int32_t reg)
{
    return set[reg / 64] >> (reg % 64) & 1;
}

static void add(uint64_t *set, int32_t reg)
{
    set[reg / 64] |= 1ull << (reg % 64);
}

static void note_block(struct scan *s, int32_t i, int32_t reg, bool is_def)
{
    size_t at = (size_t)s->g->block_of[i] * s->words;
    if (is_def)
        add(s->def + at, reg);
    else if (!has(s->def + at, reg))
        add(s->use + at, reg);
}

/* in = use | (out & ~def), out = union of the successors' in. */
static bool flow(struct scan *s, int32_t b, uint64_t *out)
{
    const struct basic *block = &s->g->block[b];
    memset(out, 0, s->words * sizeof *out);
    for (int32_t k = 0; k < block->n_succ; k++)
        for (size_t w = 0; w < s->words && block->succ[k] < s->g->n; w++)
            out[w] |= s->in[(size_t)block->succ[k] * s->words + w];
    bool changed = false;
    size_t at = (size_t)b * s->words;
    for (size_t w = 0; w < s->words; w++) {
        uint64_t in = s->use[at + w] | (out[w] & ~s->def[at + w]);
        changed |= in != s->in[at + w];
        s->in[at + w] = in;
    }
    return changed;
}

static void extend(struct life *l, int32_t at)
{
    if (at < l->begin)
        l->begin = at;
    if (at > l->end)
        l->end = at;
}

static bool is_elementwise(const struct ptx_inst *inst)
{
    return inst->n_operands && inst->operands[0].kind == PTX_REG;
}

static void note_life(struct scan *s, int32_t i, int32_t reg, bool is_def)
{
    bool late = is_def || !is_elementwise(&s->f->insts[i]);
    extend(&s->life[reg], 2 * i + late);
}

static void widen(struct scan *s, int32_t b, const uint64_t *set, int32_t at)
{
    (void)b;
    for (size_t w = 0; w < s->words; w++)
        for (uint64_t rest = set[w]; rest; rest &= rest - 1)
            extend(&s->life[w * 64 + (size_t)__builtin_ctzll(rest)], at);
}

static void find_lives(struct scan *s)
{
    uint64_t *out = allocate(s->words, sizeof *out);
    for (bool changed = true; changed;) {
        changed = false;
        for (int32_t b = s->g->n - 1; b >= 0; b--)
            changed |= flow(s, b, out);
    }
    for (size_t r = 0; r < s->f->n_regs; r++)
        s->life[r] = (struct life){(int32_t)r, INT32_MAX, -1};
    for (size_t i = 0; i < s->f->n_insts; i++)
        each_access(s, (int32_t)i, note_life);
    for (int32_t b = 0; b < s->g->n; b++) {
        flow(s, b, out);
        widen(s, b, s->in + (size_t)b * s->words, 2 * s->g->block[b].first);
        widen(s, b, out, 2 * s->g->block[b].last);
    }
    free(out);
}

static int by_begin(const void *pa, const void *pb)
{
    const struct life *a = pa, *b = pb;
    if (a->begin != b->begin)
        return a->begin < b->begin ? -1 : 1;
    return (a->reg > b->reg) - (a->reg < b->reg);
}

struct pool {
    uint32_t *free;
    size_t n_free;
    uint32_t made;
    struct life *active;
    size_t n_active;
};

static void expire(struct pool *p, int32_t now, const uint32_t *slot)
{
    size_t kept = 0;
    for (size_t k = 0; k < p->n_active; k++) {
        if (p->active[k].end < now)
            p->free[p->n_free++] = slot[p->active[k].reg];
        else
            p->active[kept++] = p->active[k];
    }
    p->n_active = kept;
}

static void number(struct scan *s, uint32_t *slot, uint32_t made[N_CLASSES])
{
    struct pool pool[N_CLASSES];
    for (int c = 0; c < N_CLASSES; c++)
        pool[c] = (struct pool){
            .free = allocate(s->f->n_regs, sizeof *pool[c].free),
            .active = allocate(s->f->n_regs, sizeof *pool[c].active)};
    for (size_t k = 0; k < s->f->n_regs; k++) {
        const struct life *l = &s->life[k];
        struct pool *p = &pool[class_of(&s->f->regs[l->reg])];
        slot[l->reg] = 0;
        if (l->end < 0)
            continue; /* never named */
        expire(p, l->begin, slot);
        slot[l->reg] = p->n_free ? p->free[--p->n_free] : p->made++;
        p->active[p->n_active++] = *l;
    }
    for (int c = 0; c < N_CLASSES; c++) {
        made[c] = pool[c].made ? pool[c].made : 1;
        free(pool[c].free);
        free(pool[c].active);
    }
}

static uint32_t lay_out(const struct ptx_func *f, uint32_t *slot,
                        const uint32_t made[N_CLASSES])
{
    uint32_t start[N_CLASSES], at = 0;
    for (int c = 0; c < N_CLASSES; c++) {
        start[c] = at;
        at += (made[c] * class_bytes[c] + 63) / 64 * 64;
    }
    for (size_t r = 0; r < f->n_regs; r++) {
        enum slot_class c = class_of(&f->regs[r]);
        slot[r] = start[c] + slot[r] * class_bytes[c];
    }
    return at;
}

static void mark(bool *read, const struct ptx_operand *o)
{
    if (o->kind == PTX_REG)
        read[o->index] = true;
    for (uint16_t e = 0; e < o->n_elems; e++)
        mark(read, &o->elems[e]);
}

void slots_read(const struct ptx_func *f, const struct form *const *forms,
                bool *read)
{
    for (size_t i = 0; i < f->n_insts; i++) {
        const struct ptx_inst *inst = &f->insts[i];
        const char *p = forms[i] ? forms[i]->operands : "V*";
        struct row_operand o = {0};
        if (inst->guard >= 0)
            read[inst->guard] = true;
        for (uint16_t k = 0; k < inst->n_operands; k++) {
            if (!o.repeated)
                p = row_operand(p, &o);
            if (!o.written || o.kept)
                mark(read, &inst->operands[k]);
        }
    }
}

uint32_t slots_assign(const struct ptx_func *f, const struct cfg *g,
                      const struct form *const *forms, uint32_t *slot,
                      bool *unset)
{
    struct scan s = {.f = f, .forms = forms, .g = g,
                     .words = f->n_regs / 64 + 1};
    size_t sets = (size_t)g->n * s.words;
    s.use = allocate(sets, sizeof *s.use);
    s.def = allocate(sets, sizeof *s.def);
    s.in = allocate(sets, sizeof *s.in);
    s.life = allocate(f->n_regs, sizeof *s.life);
    for (size_t i = 0; i < f->n_insts; i++)
        each_access(&s, (int32_t)i, note_block);
    find_lives(&s);
    for (size_t r = 0; g->n && r < f->n_regs; r++)
        unset[r] = has(s.in, (int32_t)r);
    qsort(s.life, f->n_regs, sizeof *s.life, by_begin);
    uint32_t made[N_CLASSES];
    number(&s, slot, made);
    free(s.use);
    free(s.def);
    free(s.in);
    free(s.life);
    return lay_out(f, slot, made);
}
