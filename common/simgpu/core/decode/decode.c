// SPDX-License-Identifier: MIT
/*
 * decode.c: one PTX function -> its dense instructions. Interface: decode.h.
 *
 * Each instruction finds its row first, since control flow and register
 * allocation need to know what it is. One that is of no row becomes
 * op_unsupported, which ends the launch that reaches it. A point where diverged
 * lanes meet gets an op_reconverge of its own before it.
 */
#include "decode.h"

#include <stdlib.h>
#include <string.h>

#include "simgpu/core/exec/control.h"

/* div.s32, rem.u64: of integers. */
static bool divides(const struct form *f)
{
    return (strncmp(f->words, "div.", 4) == 0 ||
            strncmp(f->words, "rem.", 4) == 0) &&
           (f->words[4] == 's' || f->words[4] == 'u');
}

static void set_plain(struct decoder *d)
{
    const struct row *r = d->row;
    int n = d->in->n_operands;
    d->i->d = d->at[0];
    d->i->a = d->at[1];
    d->i->b = n > 2 ? d->at[2] : d->at[1];
    d->i->c = n > 3 ? d->at[3] : d->at[1];
    if (r->lane) {
        d->i->fn = decode_lane(d, r->lane);
        return;
    }
    const char *bytes = r->form.operands + 1; /* "=8448" */
    struct detail *t = decode_detail(d);
    t->width_d = bytes[0] == '8' ? 8 : 4;
    t->reg = bytes[1] == '8' ? 8 : 4;
    t->width_b = n > 2 ? (bytes[2] == '8' ? 8 : 4) : t->reg;
    t->width_c = n > 3 && bytes[3] == '8' ? 8 : 4;
    d->i->p0 = decode_has(d, "relu");
    d->i->p1 = decode_has(d, "satfinite");
    d->i->eval = r->eval;
    d->i->fn = decode_lane(d, n > 3               ? OP_scalar_3
                              : divides(&r->form) ? OP_divide
                                                  : OP_scalar_2);
}

static void begin(struct decoder *d)
{
    *d->i = (struct inst){.source = (uint32_t)d->index};
    d->bad = d->hidden_read = d->hidden_written = false;
    d->i->mods = (uint8_t)d->mods;
    if (d->in->guard < 0)
        return;
    d->i->guard = d->slot[d->in->guard] + 1;
    d->i->guard_xor = d->in->guard_negated ? UINT32_MAX : 0;
}

static bool take(struct decoder *d, const struct row *r)
{
    begin(d);
    d->row = r;
    d->i->flops = r->form.flops;
    if (!decode_operands(d) || d->bad)
        return false;
    if (r->decode)
        return r->decode(d) && !d->bad;
    set_plain(d);
    return true;
}

/* Moves that the machine does not do: of a constant, which is part of what
 * needs it, and between registers of two kinds, which are the same there. */
static bool is_folded(const struct decoder *d)
{
    const struct ptx_operand *to = decode_operand(d, 0),
                             *from = decode_operand(d, 1);
    if (from->kind == PTX_REG && to->kind == PTX_REG)
        return d->f->regs[from->index].type.class !=
               d->f->regs[to->index].type.class;
    return from->kind == PTX_INT || from->kind == PTX_F32 ||
           from->kind == PTX_F64;
}

/* What is known of the instruction besides how it is executed. */
static void describe(struct decoder *d, struct source *s)
{
    const struct detail *t = d->i->detail;
    const struct form *folded = row_folds(&d->row->form);
    s->form = folded && is_folded(d) ? folded : &d->row->form;
    s->class = s->form->work->class;
    if (s->form->flags & FORM_BY_SPACE)
        s->class = t->space == PTX_SPACE_SHARED  ? ISSUE_SHARED
                   : t->space == PTX_SPACE_LOCAL ? ISSUE_LOCAL
                   : t->space == PTX_SPACE_PARAM ? ISSUE_MOVE : ISSUE_GLOBAL;
    decode_registers(d, s);
}

/* What the observers of a memory instruction are told. */
static void finish_access(struct detail *t)
{
    t->access.space = t->space;
    t->access.size = t->size;
    t->access.n = t->n;
}

static void decode_one(struct decoder *d, const struct spelling *s)
{
    struct source *source = &d->out->sources[d->index];
    d->mods = s->mods;
    source->op = s->text;
    for (const struct row *r = s->row; r; r = spelling_next(s, r))
        if (take(d, r)) {
            row_take(r);
            describe(d, source);
            if (d->i->detail)
                finish_access((struct detail *)d->i->detail);
            return;
        }
    begin(d);
    d->i->mods = 0;
    d->i->fn = op_unsupported;
    decode_detail(d)->text = s->text;
}

/* place[i]: where instruction i goes, after the op_reconverge before it. */
static uint32_t *find_places(const struct ptx_func *f, const struct cfg *g,
                             const struct form *const *forms, bool *meets)
{
    uint32_t *place = calloc(f->n_insts + 1, sizeof *place);
    if (!place)
        abort();
    for (size_t i = 0; i < f->n_insts; i++) {
        unsigned flags = forms[i] ? forms[i]->flags : 0;
        int32_t at = flags & FORM_JUMPS ? cfg_meeting(g, (int32_t)i) : -1;
        if (at >= 0)
            meets[at] = true;
        if (flags & FORM_MEETS && f->insts[i].guard >= 0 && i + 1 < f->n_insts)
            meets[i + 1] = true;
    }
    uint32_t at = 0;
    for (size_t i = 0; i <= f->n_insts; i++) {
        place[i] = at;
        at += 1 + (i < f->n_insts && meets[i]);
    }
    return place;
}

static const char *file_at(const struct decoder *d, int32_t loc)
{
    return d->ptx->files[d->ptx->locs[loc].file];
}

/* Up from an inlined function to who called it, out of a file; file NULL: out
 * of the toolkit's headers, which is not where the learner looks. Ends at the
 * outermost call. */
static int32_t outside(const struct decoder *d, int32_t loc, const char *file)
{
    for (;;) {
        const char *here = file_at(d, loc);
        int32_t call = d->ptx->locs[loc].inlined_at;
        bool inside = here && (file ? strcmp(here, file) == 0
                                    : strstr(here, "/include/") != NULL);
        if (!inside || call < 0)
            return loc;
        loc = call;
    }
}

static void read_sources(struct decoder *d)
{
    struct function *f = d->out;
    f->n_sources = d->f->n_insts;
    f->sources = arena_alloc(d->arena, f->n_sources + 1, sizeof *f->sources);
    for (size_t i = 0; i < f->n_sources; i++) {
        const struct ptx_inst *in = &d->f->insts[i];
        struct source *s = &f->sources[i];
        *s = (struct source){.ptx_line = in->ptx_line, .op = ""};
        if (in->loc < 0)
            continue;
        int32_t loc = outside(d, in->loc, NULL);
        s->line = d->ptx->locs[loc].line;
        s->file = file_at(d, loc);
        int32_t call = s->file ? outside(d, loc, s->file) : loc;
        if (!s->file || !file_at(d, call))
            continue;
        if (strcmp(file_at(d, call), s->file) == 0)
            call = d->ptx->locs[loc].inlined_at;
        if (call < 0)
            continue;
        s->call_file = file_at(d, call);
        s->call_line = d->ptx->locs[call].line;
    }
}

struct kept_name {
    const char *of, *copy;
};

/* The module's copy of a file name, made once for neighbours. */
static const char *keep_name(struct decoder *d, struct kept_name *last,
                             const char *name)
{
    if (name && name != last->of) {
        char *p = arena_alloc(d->arena, strlen(name) + 1, 1);
        *last = (struct kept_name){name, p ? strcpy(p, name) : NULL};
    }
    return name ? last->copy : NULL;
}

static void keep_names(struct decoder *d)
{
    struct kept_name file = {0}, call = {0};
    for (size_t i = 0; i < d->out->n_sources; i++) {
        struct source *s = &d->out->sources[i];
        s->file = keep_name(d, &file, s->file);
        s->call_file = keep_name(d, &call, s->call_file);
    }
}

static struct inst *target_at(struct decoder *d, const uint32_t *place,
                              int32_t i)
{
    return &d->out->insts[place[i]];
}

/* Branch targets and meeting points, once every place is known. */
static void link_jumps(struct decoder *d, const struct form *const *forms,
                       const uint32_t *place, const bool *meets)
{
    for (size_t i = 0; i < d->f->n_insts; i++) {
        struct inst *at = &d->out->insts[place[i] + meets[i]];
        bool one = !at->detail, jumps = one || at->detail->targets;
        if (!forms[i] || !(forms[i]->flags & FORM_JUMPS) || !jumps)
            continue;
        int32_t meet = cfg_meeting(d->cfg, (int32_t)i);
        at->rpc = meet >= 0 ? target_at(d, place, meet) : NULL;
        if (one) {
            at->target = target_at(d, place, (int32_t)at->imm);
            continue;
        }
        const struct ptx_operand *list = &d->f->insts[i].operands[1];
        for (uint16_t e = 0; e < list->n_elems; e++)
            at->detail->targets[e] =
                target_at(d, place, list->elems[e].index);
    }
}

/* A register that is read before it is written shows it: NaN in each format,
 * and the same in every block. */
static void find_unset(struct decoder *d, const bool *unset)
{
    struct function *f = d->out;
    f->unset = arena_alloc(d->arena, 2 * d->f->n_regs + 1, sizeof *f->unset);
    for (size_t r = 0; f->unset && r < d->f->n_regs; r++) {
        int bits = d->f->regs[r].type.bits;
        if (!unset[r] || d->f->regs[r].type.class == PTX_PRED)
            continue;
        f->unset[f->n_unset++] =
            (struct constant){UNSET_BITS, d->slot[r], bits > 32 ? 8 : 4};
        if (bits > 64)
            f->unset[f->n_unset++] =
                (struct constant){UNSET_BITS, d->slot[r] + WIDE_HALF, 8};
    }
}

static void emit(struct decoder *d, const struct spelling *spelt,
                 const uint32_t *place, const bool *meets)
{
    struct function *f = d->out;
    f->n_insts = place[d->f->n_insts] + 1;
    f->insts = arena_alloc(d->arena, f->n_insts + 1, sizeof *f->insts);
    if (!f->insts)
        abort();
    for (size_t i = 0; i < d->f->n_insts; i++) {
        d->i = &f->insts[place[i]];
        if (meets[i])
            *d->i++ = (struct inst){.fn = op_reconverge, .unnamed = true,
                                    .source = (uint32_t)i};
        d->in = &d->f->insts[i];
        d->index = (int32_t)i;
        decode_one(d, &spelt[i]);
    }
    /* Behind the last instruction: whoever falls off returns. */
    f->insts[place[d->f->n_insts]] = (struct inst){
        .fn = op_return,
        .source = (uint32_t)(d->f->n_insts ? d->f->n_insts - 1 : 0)};
}

/* Which row each instruction is of, by its words. */
static void find_forms(const struct ptx_func *f, struct spellings *spellings,
                       struct spelling *spelt, const struct form **forms)
{
    for (size_t i = 0; i < f->n_insts; i++) {
        spelt[i] = spelling_of(spellings, &f->insts[i]);
        forms[i] = spelt[i].row ? &spelt[i].row->form : NULL;
    }
}

/* A page of the book has no room for it: it runs the book's own kernels, and
 * predicts nothing. */
#ifdef __wasm__
enum { FINDS_UNSET = false, FINDS_AWAITED = false, FINDS_ALIKE = false };
#else
enum { FINDS_UNSET = true, FINDS_AWAITED = true, FINDS_ALIKE = true };
#endif

static bool any(const bool *set, size_t n)
{
    return memchr(set, true, n) != NULL;
}

static void *allocate(size_t n, size_t size)
{
    void *p = calloc(n + 1, size);
    if (!p)
        abort();
    return p;
}

/* Where rows of registers begin, by their size, and where they end. */
static void note_rows(struct decoder *d)
{
    uint32_t *rows = d->out->rows;
    for (int k = 0; k < 4; k++)
        rows[k] = d->frame;
    for (size_t r = 0; r < d->f->n_regs; r++) {
        const struct ptx_reg *reg = &d->f->regs[r];
        unsigned bits = reg->type.bits;
        int k = bits > 64 ? 2 : bits > 32 ? 1 : 0;
        if (reg->type.class != PTX_PRED && d->slot[r] < rows[k])
            rows[k] = d->slot[r];
    }
    for (int k = 2; k >= 0; k--)
        if (rows[k] > rows[k + 1])
            rows[k] = rows[k + 1];
}

void decode_function(struct module *m, const struct ptx_module *ptx,
                     struct spellings *spellings, int32_t func,
                     const uint64_t *address)
{
    struct decoder d = {.ptx = ptx, .f = &ptx->funcs[func], .module = m,
                        .out = &m->functions[func], .arena = m->text,
                        .lanes = m->engine->lanes, .address = address};
    size_t n = d.f->n_insts;
    struct spelling *spelt = allocate(n, sizeof *spelt);
    const struct form **forms = allocate(n, sizeof *forms);
    bool *meets = allocate(n, sizeof *meets);
    bool *unset = allocate(d.f->n_regs, sizeof *unset);
    d.slot = allocate(d.f->n_regs, sizeof *d.slot);
    d.read = allocate(d.f->n_regs, sizeof *d.read);
    find_forms(d.f, spellings, spelt, forms);
    slots_read(d.f, forms, d.read);
    d.cfg = cfg_build(d.f, forms);
    d.frame = slots_assign(d.f, d.cfg, forms, d.slot, unset);
    note_rows(&d);
    note_rows(&d);
    find_unset(&d, unset);
    uint32_t *place = find_places(d.f, d.cfg, forms, meets);
    read_sources(&d);
    emit(&d, spelt, place, meets);
    link_jumps(&d, forms, place, meets);
    decode_shared(&d, forms);
    decode_unrolled(&d, forms);
    if (FINDS_ALIKE) {
        decode_narrow(&d, forms);
        decode_alike(&d, forms, place, meets);
    }
    d.out->written = decode_written(&d, forms, place, meets);
    if (FINDS_UNSET) {
        decode_perhaps(&d, forms, place, meets);
        decode_choices(&d, forms, place, meets);
    }
    if (FINDS_UNSET && any(unset, d.f->n_regs))
        decode_unset(&d, forms, place, meets);
    if (FINDS_AWAITED)
        decode_awaited(&d, forms, place, meets);
    keep_names(&d);
    d.out->frame_bytes = d.frame;
    cfg_free(d.cfg);
    free(place);
    free(meets);
    free(unset);
    free(d.slot);
    free(d.read);
    free(forms);
    free(spelt);
}
