// SPDX-License-Identifier: MIT
/*
 * awaited.c: strong reads whose value somebody waits for, and those whose value
 * decides nothing. Interface: decode.h.
 *
 * Two threads that pass a message by volatile or relaxed accesses alone leave
 * no race. That it is a message can be told by what the reader does with what
 * it reads, and that is in the code:
 *
 *   A flag is awaited. A jump that depends on it goes round, over a read of the
 *   same address and no store, until it likes the value, as in a lock; or it
 *   is an atomic that counts, and whose result is compared for equality, as by
 *   the block that comes last.
 *
 *   Data is taken. It goes into sums, addresses and stores, and no jump
 *   depends on it. A load whose value decides something is not taken: it may
 *   be a guess that is checked, a flag itself, or a value and its flag in one
 *   word. Nor is one that is repeated while others are awaited.
 *
 * What depends on what is found without the order of instructions: a register
 * depends on a read if anything that is ever written to it does.
 */
#include <stdlib.h>

#include "decode.h"

#include "simgpu/core/memory/own.h"

enum { BATCH = 64 }; /* reads that are followed at once: a bit each */

/* What is known of an instruction that reads. */
enum {
    IS_READ = 1,
    IS_AWAITED = 2,
    DECIDES = 4,       /* whether something is done, */
    DECIDES_JUMP = 8,  /* by a jump */
    IS_REPEATED = 16,  /* by a loop that waits, with the same address */
};

struct awaited {
    struct decoder *d;
    const struct form *const *forms;
    const uint32_t *place;
    const bool *meets;
    uint8_t *is;                /* of each instruction */
    int32_t read[BATCH], n;
    uint64_t *of;               /* reads that a register depends on; */
    uint64_t *plainly;          /* the same, through few operations */
    int32_t n_blocks;
    bool *region, *seen;        /* of blocks */
    int32_t *stack;
};

static const struct detail *detail_of(const struct awaited *w, int32_t i)
{
    return w->d->out->insts[w->place[i] + w->meets[i]].detail;
}

static bool is_word(const char *word, const char *const *list, int n)
{
    return decode_word(word, list, n) >= 0;
}

/* Reads ------------------------------------------------------------------- */

/* A strong load, or an atomic whose result is used; of global memory, as far
 * as can be told. */
static bool is_read(const struct awaited *w, int32_t i)
{
    const struct detail *t = detail_of(w, i);
    if (!t || !t->access.site || !t->access.strong ||
        (t->space != PTX_SPACE_GLOBAL && t->space != PTX_SPACE_GENERIC))
        return false;
    const struct ptx_operand *to = w->d->f->insts[i].operands;
    return t->access.kind == ACCESS_LOAD ||
           (t->access.kind == ACCESS_ATOMIC && to->kind == PTX_REG &&
            w->d->read[to->index]);
}

/* An address is its base and an offset. */
static const struct ptx_operand *address_of(const struct ptx_inst *in)
{
    for (uint16_t k = 0; k < in->n_operands; k++)
        if (in->operands[k].kind == PTX_ADDRESS)
            return &in->operands[k];
    return NULL;
}

/* Registers of an operand, and of an instruction -------------------------- */

static uint64_t bits_of(const uint64_t *of, const struct ptx_operand *o)
{
    uint64_t bits = o->kind == PTX_REG ? of[o->index] : 0;
    for (uint16_t e = 0; e < o->n_elems; e++)
        bits |= bits_of(of, &o->elems[e]);
    return bits;
}

/* Did any register learn something? */
static bool add_bits(uint64_t *of, const struct ptx_operand *o, uint64_t bits)
{
    bool news = false;
    if (o->kind == PTX_REG) {
        news = bits & ~of[o->index];
        of[o->index] |= bits;
    }
    for (uint16_t e = 0; e < o->n_elems; e++)
        news |= add_bits(of, &o->elems[e], bits);
    return news;
}

/* What the operands that are read depend on. */
static uint64_t reads(const struct awaited *w, const uint64_t *of, int32_t i)
{
    const struct ptx_inst *in = &w->d->f->insts[i];
    const char *p = w->forms[i] ? w->forms[i]->operands : "V*";
    struct row_operand o = {0};
    uint64_t bits = in->guard >= 0 ? of[in->guard] : 0;
    for (uint16_t k = 0; k < in->n_operands; k++) {
        if (!o.repeated)
            p = row_operand(p, &o);
        if (!o.written || o.kept)
            bits |= bits_of(of, &in->operands[k]);
    }
    return bits;
}

static bool writes(const struct awaited *w, uint64_t *of, int32_t i,
                   uint64_t bits)
{
    const struct ptx_inst *in = &w->d->f->insts[i];
    const char *p = w->forms[i] ? w->forms[i]->operands : "";
    struct row_operand o = {0};
    bool news = false;
    for (uint16_t k = 0; k < in->n_operands && p; k++) {
        if (!o.repeated)
            p = row_operand(p, &o);
        if (o.written)
            news |= add_bits(of, &in->operands[k], bits);
    }
    return news;
}

/* What depends on what ---------------------------------------------------- */

/* What memory and calls give depends on no register. */
static bool gives_its_own(const struct form *f)
{
    return !f || f->flags & (FORM_LOADS | FORM_CALLS) ||
           f->work->class == ISSUE_ATOMIC;
}

/* Operations between what an atomic found and what tells the last one. */
static bool is_plain(const struct ptx_inst *in)
{
    static const char *const ops[] = {"mov", "add", "sub", "and", "or", "xor",
                                      "lop3", "cvt"};
    return is_word(in->op, ops, sizeof ops / sizeof *ops);
}

static bool pass(struct awaited *w)
{
    bool news = false;
    for (int32_t i = 0; i < (int32_t)w->d->f->n_insts; i++) {
        if (gives_its_own(w->forms[i]))
            continue;
        news |= writes(w, w->of, i, reads(w, w->of, i));
        if (is_plain(&w->d->f->insts[i]))
            news |= writes(w, w->plainly, i, reads(w, w->plainly, i));
    }
    return news;
}

static void follow(struct awaited *w)
{
    size_t bytes = (w->d->f->n_regs + 1) * sizeof *w->of;
    memset(w->of, 0, bytes);
    memset(w->plainly, 0, bytes);
    for (int32_t k = 0; k < w->n; k++) {
        writes(w, w->of, w->read[k], 1ull << k);
        writes(w, w->plainly, w->read[k], 1ull << k);
    }
    while (pass(w))
        ;
}

static void mark(struct awaited *w, uint64_t bits, uint8_t how)
{
    for (; bits; bits &= bits - 1)
        w->is[w->read[__builtin_ctzll(bits)]] |= how;
}

/* What decides -------------------------------------------------------------*/

/* Out of sight: called functions and local memory may do anything with it. A
 * compare-and-swap checks what it is given. */
static uint64_t gives_away(const struct awaited *w, int32_t i)
{
    const struct ptx_inst *in = &w->d->f->insts[i];
    const struct detail *t = detail_of(w, i);
    const struct form *f = w->forms[i];
    bool stores = f && f->flags & FORM_STORES && t &&
                  (t->space == PTX_SPACE_LOCAL || t->space == PTX_SPACE_PARAM);
    if (!f || f->flags & FORM_CALLS || stores)
        return reads(w, w->of, i);
    if (t && t->access.swaps && in->n_operands > 2)
        return bits_of(w->of, &in->operands[2]);
    return 0;
}

static bool jumps(const struct awaited *w, int32_t i)
{
    return w->forms[i] && w->forms[i]->flags & FORM_JUMPS;
}

/* Of ever more threads, or of ever fewer. */
static bool counts(const struct detail *t)
{
    return t->access.kind == ACCESS_ATOMIC && t->op != ATOM_EXCH &&
           t->op != ATOM_CAS && t->op != ATOM_MIN && t->op != ATOM_MAX;
}

/* setp.eq, setp.ne: of an atomic's result, and with something but 0, which says
 * that nobody had come. What is claimed once by an exchange tells nothing of
 * who has it. */
static uint64_t is_compared(const struct awaited *w, int32_t i)
{
    const struct ptx_inst *in = &w->d->f->insts[i];
    uint64_t bits, atomics = 0;
    if (!in->n_suffixes || strncmp(in->op, "set", 3) != 0 ||
        (strcmp(in->suffix[0], "eq") != 0 && strcmp(in->suffix[0], "ne") != 0))
        return 0;
    bool zero = false;
    for (uint16_t k = 1; k < in->n_operands; k++)
        zero |= in->operands[k].kind == PTX_INT && in->operands[k].bits == 0;
    bits = zero ? 0 : reads(w, w->plainly, i);
    for (; bits; bits &= bits - 1)
        if (counts(detail_of(w, w->read[__builtin_ctzll(bits)])))
            atomics |= bits & -bits;
    return atomics;
}

static void look_at_uses(struct awaited *w)
{
    for (int32_t i = 0; i < (int32_t)w->d->f->n_insts; i++) {
        const struct ptx_inst *in = &w->d->f->insts[i];
        uint64_t guard = in->guard >= 0 ? w->of[in->guard] : 0;
        if (jumps(w, i)) {
            mark(w, reads(w, w->of, i), DECIDES | DECIDES_JUMP);
            continue;
        }
        mark(w, guard | gives_away(w, i), DECIDES);
        mark(w, is_compared(w, i), IS_AWAITED);
    }
}

/* Loops that wait --------------------------------------------------------- */

/* Marks blocks that are reached from b before `end` is, inside `within`; NULL:
 * anywhere. */
static void reach(struct awaited *w, int32_t b, int32_t end, bool *to,
                  const bool *within)
{
    int32_t n = 0;
    memset(to, 0, (size_t)w->n_blocks * sizeof *to);
    w->stack[n++] = b;
    while (n) {
        const struct basic *from = &w->d->cfg->block[w->stack[--n]];
        for (int32_t k = 0; k < from->n_succ; k++) {
            int32_t s = from->succ[k];
            if (s == end || s >= w->n_blocks || to[s] || (within && !within[s]))
                continue;
            to[s] = true;
            w->stack[n++] = s;
        }
    }
}

static bool writes_register(const struct awaited *w, int32_t i, int32_t reg)
{
    const struct ptx_inst *in = &w->d->f->insts[i];
    const char *p = w->forms[i] ? w->forms[i]->operands : "";
    struct row_operand o = {0};
    for (uint16_t k = 0; k < in->n_operands && p; k++) {
        const struct ptx_operand *x = &in->operands[k];
        if (!o.repeated)
            p = row_operand(p, &o);
        for (uint16_t e = 0; o.written && e < x->n_elems; e++)
            if (x->elems[e].kind == PTX_REG && x->elems[e].index == reg)
                return true;
        if (o.written && x->kind == PTX_REG && x->index == reg)
            return true;
    }
    return false;
}

/* Instructions of the region that write the register; -1: of any block. */
static int32_t writers(const struct awaited *w, const bool *region, int32_t reg)
{
    int32_t n = 0;
    for (int32_t b = 0; b < w->n_blocks; b++)
        for (int32_t i = w->d->cfg->block[b].first;
             (!region || region[b]) && i < w->d->cfg->block[b].last; i++)
            n += writes_register(w, i, reg);
    return n;
}

/* Does the region come back to the instruction, with the same address? */
static bool comes_again(struct awaited *w, int32_t i)
{
    const struct ptx_operand *at = address_of(&w->d->f->insts[i]);
    int32_t b = w->d->cfg->block_of[i];
    if (!w->region[b] || !at ||
        (at->elems[0].kind == PTX_REG &&
         writers(w, w->region, at->elems[0].index)))
        return false;
    reach(w, b, -1, w->seen, w->region);
    return w->seen[b];
}

/* A store, a call, or an atomic that does not decide whether the region is
 * left. */
static bool does_more(const struct awaited *w, int32_t i, uint64_t awaited)
{
    const struct detail *t = detail_of(w, i);
    if (!w->forms[i] || w->forms[i]->flags & FORM_CALLS)
        return true;
    if (!t || !t->access.site || !t->access.write ||
        t->space == PTX_SPACE_LOCAL || t->space == PTX_SPACE_PARAM)
        return false;
    for (int32_t k = 0; k < w->n; k++)
        if (w->read[k] == i)
            return !(awaited >> k & 1);
    return true;
}

static bool region_waits(const struct awaited *w, uint64_t awaited)
{
    for (int32_t b = 0; b < w->n_blocks; b++)
        for (int32_t i = w->d->cfg->block[b].first;
             w->region[b] && i < w->d->cfg->block[b].last; i++)
            if (does_more(w, i, awaited))
                return false;
    return true;
}

/* The jump at the end of block b depends on these reads. Its region is what
 * lies before the place where both ways meet again. */
static void look_at_jump(struct awaited *w, int32_t b, uint64_t bits)
{
    bool waits = false;
    reach(w, b, w->d->cfg->block[b].ipdom, w->region, NULL);
    if (!region_waits(w, bits))
        return;
    for (int32_t k = 0; k < w->n; k++)
        if (bits >> k & 1 && comes_again(w, w->read[k])) {
            w->is[w->read[k]] |= IS_AWAITED;
            waits = true;
        }
    for (int32_t i = 0; waits && i < (int32_t)w->d->f->n_insts; i++)
        if (w->is[i] & IS_READ && comes_again(w, i))
            w->is[i] |= IS_REPEATED;
}

static void look_at_jumps(struct awaited *w)
{
    for (int32_t b = 0; b < w->n_blocks; b++) {
        int32_t last = w->d->cfg->block[b].last - 1;
        int32_t guard = w->d->f->insts[last].guard;
        if (guard >= 0 && jumps(w, last) && w->of[guard])
            look_at_jump(w, b, w->of[guard]);
    }
}

/* The first look, which nvcc takes out of a loop. */
static bool is_first_look(const struct awaited *w, int32_t i)
{
    const struct ptx_operand *at = address_of(&w->d->f->insts[i]);
    if (!at || (w->is[i] & (DECIDES_JUMP | IS_AWAITED)) != DECIDES_JUMP ||
        (at->elems[0].kind == PTX_REG &&
         writers(w, NULL, at->elems[0].index) != 1))
        return false;
    for (int32_t k = 0; k < (int32_t)w->d->f->n_insts; k++) {
        const struct ptx_operand *o = address_of(&w->d->f->insts[k]);
        if (w->is[k] & IS_AWAITED && o && o->bits == at->bits &&
            o->elems[0].kind == at->elems[0].kind &&
            o->elems[0].index == at->elems[0].index)
            return true;
    }
    return false;
}

static bool is_used(const struct awaited *w, const struct ptx_operand *o)
{
    bool used = o->kind == PTX_REG && w->d->read[o->index];
    for (uint16_t e = 0; e < o->n_elems; e++)
        used |= is_used(w, &o->elems[e]);
    return used;
}

static void note(struct awaited *w)
{
    for (int32_t i = 0; i < (int32_t)w->d->f->n_insts; i++) {
        const struct ptx_inst *in = &w->d->f->insts[i];
        if (!(w->is[i] & IS_READ))
            continue;
        struct access_form *form =
            (struct access_form *)&detail_of(w, i)->access;
        if (w->is[i] & IS_REPEATED && w->is[i] & IS_AWAITED)
            form->awaited = AWAITED_IN_LOOP;
        else if (w->is[i] & IS_AWAITED || is_first_look(w, i))
            form->awaited = AWAITED_ONCE;
        form->taken = form->kind == ACCESS_LOAD && w->is[i] == IS_READ &&
                      is_used(w, in->operands);
        w->d->out->awaits |= form->awaited != NOT_AWAITED;
        w->d->out->takes |= form->taken;
    }
}

static void look_at_batch(struct awaited *w)
{
    if (!w->n)
        return;
    follow(w);
    look_at_uses(w);
    look_at_jumps(w);
    w->n = 0;
}

static void *allocate(size_t n, size_t size)
{
    return own_not_null(calloc(n + 1, size));
}

void decode_awaited(struct decoder *d, const struct form *const *forms,
                    const uint32_t *place, const bool *meets)
{
    struct awaited w = {.d = d, .forms = forms, .place = place, .meets = meets,
                        .is = allocate(d->f->n_insts, 1),
                        .n_blocks = d->cfg->n};
    int32_t n = 0;
    for (int32_t i = 0; i < (int32_t)d->f->n_insts; i++)
        if (is_read(&w, i)) {
            w.is[i] = IS_READ;
            n++;
        }
    if (n > 1) {
        w.of = allocate(d->f->n_regs, sizeof *w.of);
        w.plainly = allocate(d->f->n_regs, sizeof *w.plainly);
        w.region = allocate((size_t)w.n_blocks, sizeof *w.region);
        w.seen = allocate((size_t)w.n_blocks, sizeof *w.seen);
        w.stack = allocate((size_t)w.n_blocks, sizeof *w.stack);
        for (int32_t i = 0; i < (int32_t)d->f->n_insts; i++) {
            if (w.is[i] & IS_READ)
                w.read[w.n++] = i;
            if (w.n == BATCH)
                look_at_batch(&w);
        }
        look_at_batch(&w);
        note(&w);
        free(w.of);
        free(w.plainly);
        free(w.region);
        free(w.seen);
        free(w.stack);
    }
    free(w.is);
}
