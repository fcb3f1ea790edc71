// SPDX-License-Identifier: MIT
/*
 * decode.c: one PTX function -> its dense instructions. Interface: decode.h.
 *
 * Immediates become registers that never change, special registers become
 * registers filled when a warp starts, so that a handler knows one form of
 * operand only. A meeting point of diverged lanes gets an op_reconverge of
 * its own before it.
 */
#include "decode.h"

#include <stdio.h>
#include <stdlib.h>

const struct ptx_operand *operand(const struct decoder *d, int n)
{
    static const struct ptx_operand none = {.kind = PTX_SINK};
    return n < d->in->n_operands ? &d->in->operands[n] : &none;
}

bool has_suffix(const struct decoder *d, const char *text)
{
    for (int s = 0; s < d->in->n_suffixes; s++)
        if (strcmp(d->in->suffix[s], text) == 0)
            return true;
    return false;
}

const char *last_suffix(const struct decoder *d)
{
    return d->in->n_suffixes ? d->in->suffix[d->in->n_suffixes - 1] : "";
}

int find_word(const char *word, const char *const *list, int n)
{
    for (int k = 0; k < n; k++)
        if (strcmp(word, list[k]) == 0)
            return k;
    return -1;
}

handler *lane(const struct decoder *d, enum lane_op op)
{
    return d->lanes->op[op];
}

struct detail *detail(struct decoder *d)
{
    if (!d->i->detail) {
        struct detail *t = arena_alloc(d->arena, 1, sizeof *t);
        if (!t)
            abort();
        t->slot[0] = NO_SLOT;
        d->i->detail = t;
    }
    return (struct detail *)(uintptr_t)d->i->detail;
}

static uint32_t take(struct decoder *d, uint32_t bytes)
{
    uint32_t at = d->frame;
    d->frame += (bytes + 63) / 64 * 64;
    return at;
}

uint32_t scratch_slot(struct decoder *d, int bytes)
{
    return take(d, bytes == 1 ? 64 : (uint32_t)(bytes == 8 ? 8 : 4) * LANES);
}

uint32_t trash_slot(struct decoder *d)
{
    if (!d->trash)
        d->trash = take(d, 8 * LANES) + 1;
    return d->trash - 1;
}

static void *grow(struct decoder *d, void *list, size_t n, size_t *cap,
                  size_t size)
{
    if (n < *cap)
        return list;
    *cap = *cap ? 2 * *cap : 32;
    void *bigger = arena_alloc(d->arena, *cap, size);
    if (!bigger)
        abort();
    if (n)
        memcpy(bigger, list, n * size);
    return bigger;
}

uint32_t constant_slot(struct decoder *d, uint64_t bits, int bytes)
{
    struct function *f = d->out;
    uint8_t size = bytes == 8 ? 8 : 4;
    if (bytes == 2)
        bits &= 0xffff;
    if (size == 4)
        bits &= UINT32_MAX;
    for (size_t k = 0; k < f->n_constants; k++)
        if (f->constants[k].bits == bits && f->constants[k].size == size)
            return f->constants[k].slot;
    f->constants = grow(d, f->constants, f->n_constants, &d->cap_constants,
                        sizeof *f->constants);
    uint32_t at = take(d, size * (uint32_t)LANES);
    f->constants[f->n_constants++] = (struct constant){bits, at, size};
    return at;
}

uint32_t special_slot(struct decoder *d, enum special what, int bytes)
{
    struct function *f = d->out;
    uint8_t size = bytes == 8 ? 8 : 4;
    for (size_t k = 0; k < f->n_specials; k++)
        if (f->specials[k].what == what && f->specials[k].size == size)
            return f->specials[k].slot;
    f->specials = grow(d, f->specials, f->n_specials, &d->cap_specials,
                       sizeof *f->specials);
    uint32_t at = take(d, size * (uint32_t)LANES);
    f->specials[f->n_specials++] = (struct special_slot){what, at, size};
    return at;
}

/* A cluster is one block: no launch asks for more. */
static const struct { const char *name; enum special what; } specials[] = {
    {"%tid.x", SP_TID_X}, {"%tid.y", SP_TID_Y}, {"%tid.z", SP_TID_Z},
    {"%ntid.x", SP_NTID_X}, {"%ntid.y", SP_NTID_Y}, {"%ntid.z", SP_NTID_Z},
    {"%ctaid.x", SP_CTAID_X}, {"%ctaid.y", SP_CTAID_Y},
    {"%ctaid.z", SP_CTAID_Z}, {"%nctaid.x", SP_NCTAID_X},
    {"%nctaid.y", SP_NCTAID_Y}, {"%nctaid.z", SP_NCTAID_Z},
    {"%laneid", SP_LANEID}, {"%warpid", SP_WARPID},
    {"%nwarpid", SP_NWARPID}, {"%smid", SP_SMID}, {"%nsmid", SP_NSMID},
    {"%gridid", SP_GRIDID}, {"%lanemask_eq", SP_LANEMASK_EQ},
    {"%lanemask_le", SP_LANEMASK_LE}, {"%lanemask_lt", SP_LANEMASK_LT},
    {"%lanemask_ge", SP_LANEMASK_GE}, {"%lanemask_gt", SP_LANEMASK_GT},
    {"%dynamic_smem_size", SP_DYNAMIC_SMEM},
    {"%total_smem_size", SP_TOTAL_SMEM},
    {"%clusterid.x", SP_CTAID_X}, {"%clusterid.y", SP_CTAID_Y},
    {"%clusterid.z", SP_CTAID_Z}, {"%nclusterid.x", SP_NCTAID_X},
    {"%nclusterid.y", SP_NCTAID_Y}, {"%nclusterid.z", SP_NCTAID_Z},
    {"%cluster_ctaid.x", SP_ZERO}, {"%cluster_ctaid.y", SP_ZERO},
    {"%cluster_ctaid.z", SP_ZERO}, {"%cluster_nctaid.x", SP_ONE},
    {"%cluster_nctaid.y", SP_ONE}, {"%cluster_nctaid.z", SP_ONE},
    {"%cluster_ctarank", SP_ZERO}, {"%cluster_nctarank", SP_ONE},
};

static uint32_t named_special(struct decoder *d, const char *name, int bytes)
{
    for (size_t k = 0; k < sizeof specials / sizeof *specials; k++)
        if (strcmp(specials[k].name, name) == 0)
            return special_slot(d, specials[k].what, bytes);
    d->bad = true;
    return 0;
}

int register_bytes(const struct decoder *d, const struct ptx_operand *o)
{
    if (o->kind != PTX_REG)
        return 0;
    const struct ptx_type *t = &d->f->regs[o->index].type;
    if (t->class == PTX_PRED)
        return 1;
    return t->bits > 64 ? 0 : t->bits > 32 ? 8 : 4;
}

static uint32_t register_slot(struct decoder *d, const struct ptx_operand *o,
                              int bytes)
{
    if (register_bytes(d, o) != (bytes == 2 ? 4 : bytes))
        d->bad = true;
    return d->slot[o->index];
}

static uint64_t immediate(const struct ptx_operand *o, int bytes)
{
    if (o->kind == PTX_F64 && bytes == 4) { /* a decimal where f32 is meant */
        double wide;
        memcpy(&wide, &o->bits, sizeof wide);
        float narrow = (float)wide;
        uint32_t bits;
        memcpy(&bits, &narrow, sizeof bits);
        return bits;
    }
    return (uint64_t)o->bits;
}

/* A .param variable of this function's own frame. */
bool is_frame_param(const struct decoder *d, const struct ptx_operand *o)
{
    if (o->kind != PTX_VAR)
        return false;
    const struct ptx_var *v = &d->ptx->vars[o->index];
    return v->space == PTX_SPACE_PARAM && v->func >= 0 &&
           &d->ptx->funcs[v->func] == d->f &&
           d->address[o->index] < PARAM_WINDOW;
}

/* A variable's or function's address as a value. */
static uint32_t address_slot(struct decoder *d, const struct ptx_operand *o,
                             int bytes)
{
    if (o->kind == PTX_FUNC)
        return constant_slot(d, FUNC_WINDOW + 16u * (uint64_t)o->index,
                             bytes);
    if (d->ptx->vars[o->index].space == PTX_SPACE_LOCAL ||
        is_frame_param(d, o))
        d->bad = true; /* relative to the frame: only mov knows */
    return constant_slot(d, d->address[o->index] + (uint64_t)o->bits, bytes);
}

uint32_t source(struct decoder *d, const struct ptx_operand *o, int bytes)
{
    switch (o->kind) {
    case PTX_REG:
        if (o->negated && bytes != 1)
            d->bad = true;
        return register_slot(d, o, bytes);
    case PTX_SPECIAL: return named_special(d, o->name, bytes);
    case PTX_INT:
    case PTX_F32:
    case PTX_F64:
        if (bytes == 1)
            return constant_slot(d, o->bits ? UINT32_MAX : 0, 4);
        return constant_slot(d, immediate(o, bytes), bytes);
    case PTX_VAR:
    case PTX_FUNC: return address_slot(d, o, bytes);
    default: d->bad = true; return 0;
    }
}

uint32_t dest(struct decoder *d, const struct ptx_operand *o, int bytes)
{
    if (o->kind == PTX_SINK)
        return trash_slot(d);
    if (o->kind != PTX_REG) {
        d->bad = true;
        return 0;
    }
    return register_slot(d, o, bytes);
}

/* [base + offset] into a, imm, detail. */
bool address_operand(struct decoder *d, const struct ptx_operand *o)
{
    struct detail *t = detail(d);
    if (o->kind != PTX_ADDRESS || o->n_elems < 1)
        return false;
    const struct ptx_operand *base = &o->elems[0];
    d->i->imm = o->bits;
    t->address64 = true;
    if (base->kind == PTX_REG) {
        int bytes = register_bytes(d, base);
        t->address64 = bytes == 8;
        d->i->a = source(d, base, bytes);
        return bytes >= 4 && o->n_elems == 1;
    }
    if (base->kind == PTX_VAR) {
        const struct ptx_var *v = &d->ptx->vars[base->index];
        t->op = v->space == PTX_SPACE_LOCAL; /* add the frame's base */
        d->i->a = constant_slot(d, d->address[base->index], 8);
        return o->n_elems == 1;
    }
    if (base->kind != PTX_INT)
        return false;
    d->i->a = constant_slot(d, (uint64_t)base->bits, 8);
    return o->n_elems == 1;
}

bool type_of(const char *word, struct type_word *t)
{
    static const struct { const char *name; struct type_word t; } types[] = {
        {"u8", {PTX_UNSIGNED, 8, 1}}, {"u16", {PTX_UNSIGNED, 16, 1}},
        {"u32", {PTX_UNSIGNED, 32, 1}}, {"u64", {PTX_UNSIGNED, 64, 1}},
        {"s8", {PTX_SIGNED, 8, 1}}, {"s16", {PTX_SIGNED, 16, 1}},
        {"s32", {PTX_SIGNED, 32, 1}}, {"s64", {PTX_SIGNED, 64, 1}},
        {"b8", {PTX_BITS, 8, 1}}, {"b16", {PTX_BITS, 16, 1}},
        {"b32", {PTX_BITS, 32, 1}}, {"b64", {PTX_BITS, 64, 1}},
        {"f16", {PTX_FLOAT, 16, 1}}, {"f32", {PTX_FLOAT, 32, 1}},
        {"f64", {PTX_FLOAT, 64, 1}}, {"bf16", {PTX_BFLOAT, 16, 1}},
        {"f16x2", {PTX_FLOAT, 32, 2}}, {"bf16x2", {PTX_BFLOAT, 32, 2}},
        {"pred", {PTX_PRED, 1, 1}},
    };
    for (size_t k = 0; k < sizeof types / sizeof *types; k++)
        if (strcmp(types[k].name, word) == 0) {
            *t = types[k].t;
            return true;
        }
    return false;
}

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

static const char *full_text(struct decoder *d)
{
    char text[128];
    size_t n = (size_t)snprintf(text, sizeof text, "%s", d->in->op);
    for (int s = 0; s < d->in->n_suffixes && n < sizeof text; s++)
        n += (size_t)snprintf(text + n, sizeof text - n, ".%s",
                              d->in->suffix[s]);
    char *copy = arena_alloc(d->arena, strlen(text) + 1, 1);
    return copy ? strcpy(copy, text) : "?";
}

static void decode_one(struct decoder *d)
{
    struct inst blank = {.source = (uint32_t)d->index};
    *d->i = blank;
    d->bad = false;
    if (d->in->guard >= 0) {
        d->i->guard = d->slot[d->in->guard] + 1;
        d->i->guard_xor = d->in->guard_negated ? UINT32_MAX : 0;
    }
    read_words(d);
    d->i->mods = (uint8_t)d->mods;
    decode_fn *family = decode_family(d->in->op);
    if (family && family(d) && !d->bad)
        return;
    uint32_t guard = d->i->guard, invert = d->i->guard_xor;
    *d->i = blank;
    d->i->guard = guard;
    d->i->guard_xor = invert;
    d->i->fn = op_unsupported;
    detail(d)->text = full_text(d);
}

/* Needs its lanes to come together again right behind it, when guarded. */
static bool parts_lanes(const struct ptx_inst *in)
{
    static const char *const ops[] = {"bar", "barrier", "shfl", "vote",
                                      "match", "redux"};
    return in->guard >= 0 &&
           find_word(in->op, ops, sizeof ops / sizeof *ops) >= 0;
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
        const char *op = d->f->insts[i].op;
        char *text = arena_alloc(d->arena, strlen(op) + 1, 1);
        s->op = text ? strcpy(text, op) : "?";
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
    f->unset = arena_alloc(d->arena, d->f->n_regs + 1, sizeof *f->unset);
    for (size_t r = 0; f->unset && r < d->f->n_regs; r++)
        if (unset[r] && d->f->regs[r].type.class != PTX_PRED)
            f->unset[f->n_unset++] = (struct constant){
                UNSET_BITS, d->slot[r],
                d->f->regs[r].type.bits > 32 ? 8 : 4};
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
            *d->i++ = (struct inst){.fn = op_reconverge,
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
