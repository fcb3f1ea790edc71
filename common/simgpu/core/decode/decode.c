// SPDX-License-Identifier: MIT
/*
 * decode.c: one PTX function -> its dense instructions. Interface: decode.h.
 *
 * An instruction that no decoder takes becomes op_unsupported, which ends the
 * launch that reaches it. A meeting point of diverged lanes gets an
 * op_reconverge of its own before it.
 */
#include "decode.h"
#include "decode_forms.h"
#include "simgpu/core/exec/control.h"

#include <stdio.h>
#include <stdlib.h>

/* Splits the suffixes into modifiers and words. */
static void read_words(struct decoder *d)
{
    static const struct { const char *word; uint32_t mod; } mods[] = {
        {"ftz", MOD_FTZ}, {"sat", MOD_SAT}, {"rn", MOD_HAS_ROUND},
        {"rz", MOD_HAS_ROUND | ROUND_ZERO << 2},
        {"rm", MOD_HAS_ROUND | ROUND_DOWN << 2},
        {"rp", MOD_HAS_ROUND | ROUND_UP << 2}, {"NaN", MOD_NAN},
        {"xorsign", MOD_XORSIGN}, {"abs", MOD_ABS},
        {"rni", MOD_INTEGER}, {"rzi", MOD_INTEGER | ROUND_ZERO << 2},
        {"rmi", MOD_INTEGER | ROUND_DOWN << 2},
        {"rpi", MOD_INTEGER | ROUND_UP << 2},
    };
    size_t n = (size_t)snprintf(d->words, sizeof d->words, "%s", d->in->op);
    d->mods = 0;
    for (int s = 0; s < d->in->n_suffixes; s++) {
        size_t k = 0;
        while (k < sizeof mods / sizeof *mods &&
               strcmp(mods[k].word, d->in->suffix[s]) != 0)
            k++;
        if (k < sizeof mods / sizeof *mods)
            d->mods |= mods[k].mod;
        else if (n < sizeof d->words)
            n += (size_t)snprintf(d->words + n, sizeof d->words - n, ".%s",
                                  d->in->suffix[s]);
    }
}

enum { TEXT_MOST = 128 };

static void write_text(const struct ptx_inst *in, char text[TEXT_MOST])
{
    size_t n = (size_t)snprintf(text, TEXT_MOST, "%s", in->op);
    for (int s = 0; s < in->n_suffixes && n < TEXT_MOST; s++)
        n += (size_t)snprintf(text + n, TEXT_MOST - n, ".%s", in->suffix[s]);
}

static const char *full_text(struct decoder *d)
{
    char text[TEXT_MOST];
    write_text(d->in, text);
    char *copy = arena_alloc(d->arena, strlen(text) + 1, 1);
    return copy ? strcpy(copy, text) : "?";
}

/* Rows name all of their words; other decoders look for theirs. */
static bool is_spelt(const struct decoder *d)
{
    char text[TEXT_MOST];
    if (d->by_row)
        return true;
    write_text(d->in, text);
    return form_known(text, NULL);
}

/* What the observers of a memory instruction are told. */
static void finish_access(struct detail *t)
{
    t->access.space = t->space;
    t->access.size = t->size;
    t->access.n = t->n;
}

static void decode_one(struct decoder *d)
{
    struct inst blank = {.source = (uint32_t)d->index};
    *d->i = blank;
    d->bad = d->by_row = false;
    if (d->in->guard >= 0) {
        d->i->guard = d->slot[d->in->guard] + 1;
        d->i->guard_xor = d->in->guard_negated ? UINT32_MAX : 0;
    }
    read_words(d);
    d->i->mods = (uint8_t)d->mods;
    decode_fn *family = decode_family(d->in->op);
    if (family && family(d) && !d->bad && is_spelt(d)) {
        if (d->i->detail)
            finish_access((struct detail *)d->i->detail);
        return;
    }
    uint32_t guard = d->i->guard, invert = d->i->guard_xor;
    *d->i = blank;
    d->i->guard = guard;
    d->i->guard_xor = invert;
    d->i->fn = op_unsupported;
    decode_detail(d)->text = full_text(d);
}

/* Needs its lanes to come together again right behind it, when guarded. */
static bool parts_lanes(const struct ptx_inst *in)
{
    static const char *const ops[] = {"bar", "barrier", "shfl", "vote",
                                      "match", "redux", "elect"};
    return in->guard >= 0 &&
           decode_word(in->op, ops, sizeof ops / sizeof *ops) >= 0;
}

/* place[i]: where instruction i goes, after the op_reconverge before it. */
static uint32_t *find_places(const struct ptx_func *f, const struct cfg *g,
                             bool *meets)
{
    uint32_t *place = calloc(f->n_insts + 1, sizeof *place);
    if (!place)
        abort();
    for (size_t i = 0; i < f->n_insts; i++) {
        const struct ptx_inst *in = &f->insts[i];
        if (strcmp(in->op, "bra") == 0 || strcmp(in->op, "brx") == 0) {
            int32_t at = cfg_meeting(g, (int32_t)i);
            if (at >= 0)
                meets[at] = true;
        }
        if (parts_lanes(in) && i + 1 < f->n_insts)
            meets[i + 1] = true;
    }
    uint32_t at = 0;
    for (size_t i = 0; i <= f->n_insts; i++) {
        place[i] = at;
        at += 1 + (i < f->n_insts && meets[i]);
    }
    return place;
}

static void read_sources(struct decoder *d)
{
    struct function *f = d->out;
    f->n_sources = d->f->n_insts;
    f->sources = arena_alloc(d->arena, f->n_sources + 1, sizeof *f->sources);
    for (size_t i = 0; i < f->n_sources; i++) {
        const struct ptx_inst *in = &d->f->insts[i];
        int32_t loc = in->loc;
        f->sources[i] = (struct source){NULL, 0, in->ptx_line, ""};
        /* A header of the toolkit is not where the learner looks. */
        while (loc >= 0 && d->ptx->locs[loc].inlined_at >= 0) {
            const char *file = d->ptx->files[d->ptx->locs[loc].file];
            if (!file || !strstr(file, "/include/"))
                break;
            loc = d->ptx->locs[loc].inlined_at;
        }
        if (loc < 0)
            continue;
        const char *file = d->ptx->files[d->ptx->locs[loc].file];
        f->sources[i].line = d->ptx->locs[loc].line;
        f->sources[i].file = file;
    }
}

/* "ld.global.f32", kept by the module. */
static const char *full_name(struct decoder *d, const struct ptx_inst *in)
{
    size_t bytes = strlen(in->op) + 1;
    for (int s = 0; s < in->n_suffixes; s++)
        bytes += strlen(in->suffix[s]) + 1;
    char *text = arena_alloc(d->arena, bytes, 1);
    if (!text)
        return "?";
    char *end = stpcpy(text, in->op);
    for (int s = 0; s < in->n_suffixes; s++)
        end = stpcpy(stpcpy(end, "."), in->suffix[s]);
    return text;
}

/* The module's copy of each file name, made once. */
static void keep_names(struct decoder *d)
{
    const char *last = NULL, *copy = NULL;
    for (size_t i = 0; i < d->out->n_sources; i++) {
        struct source *s = &d->out->sources[i];
        if (s->file && s->file != last) {
            last = s->file;
            char *p = arena_alloc(d->arena, strlen(last) + 1, 1);
            copy = p ? strcpy(p, last) : NULL;
        }
        s->file = s->file ? copy : NULL;
        s->op = full_name(d, &d->f->insts[i]);
    }
}

static struct inst *target_at(struct decoder *d, const uint32_t *place,
                              const bool *meets, int32_t i)
{
    (void)meets;
    return &d->out->insts[place[i]];
}

/* Branch targets and meeting points, once every place is known. */
static void link_jumps(struct decoder *d, const uint32_t *place,
                       const bool *meets)
{
    for (size_t i = 0; i < d->f->n_insts; i++) {
        struct inst *at = &d->out->insts[place[i] + meets[i]];
        if (at->fn != op_branch && at->fn != op_branch_uniform &&
            at->fn != op_branch_index)
            continue;
        int32_t meet = cfg_meeting(d->cfg, (int32_t)i);
        at->rpc = meet >= 0 ? target_at(d, place, meets, meet) : NULL;
        if (at->fn != op_branch_index) {
            at->target = target_at(d, place, meets, (int32_t)at->imm);
            continue;
        }
        const struct ptx_operand *list = &d->f->insts[i].operands[1];
        for (uint16_t e = 0; e < list->n_elems; e++)
            at->detail->targets[e] =
                target_at(d, place, meets, list->elems[e].index);
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

static void emit(struct decoder *d, const uint32_t *place, const bool *meets)
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
        decode_one(d);
    }
    /* Behind the last instruction: whoever falls off returns. */
    f->insts[place[d->f->n_insts]] = (struct inst){
        .fn = op_return,
        .source = (uint32_t)(d->f->n_insts ? d->f->n_insts - 1 : 0)};
}

void decode_function(struct module *m, const struct ptx_module *ptx,
                     int32_t func, const uint64_t *address)
{
    struct decoder d = {.ptx = ptx, .f = &ptx->funcs[func], .module = m,
                        .out = &m->functions[func], .arena = m->text,
                        .lanes = lane_table(), .address = address};
    size_t n = d.f->n_insts;
    bool *meets = calloc(n + 1, sizeof *meets);
    bool *unset = calloc(d.f->n_regs + 1, sizeof *unset);
    d.slot = calloc(d.f->n_regs + 1, sizeof *d.slot);
    if (!meets || !unset || !d.slot)
        abort();
    d.cfg = cfg_build(d.f);
    d.frame = slots_assign(d.f, d.cfg, d.slot, unset);
    find_unset(&d, unset);
    uint32_t *place = find_places(d.f, d.cfg, meets);
    read_sources(&d);
    emit(&d, place, meets);
    link_jumps(&d, place, meets);
    keep_names(&d);
    d.out->frame_bytes = d.frame;
    cfg_free(d.cfg);
    free(place);
    free(meets);
    free(unset);
    free(d.slot);
}
