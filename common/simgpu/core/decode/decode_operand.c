// SPDX-License-Identifier: MIT
/*
 * decode_operand.c: an instruction's operands and words -> slots and types.
 *
 *   decode_source, decode_dest, decode_address   operand -> slot of the frame
 *   decode_constant, decode_scratch, decode_trash
 *   decode_operand, decode_register, decode_type, decode_has ...
 *
 * Immediates and special registers get slots of their own, equal ones the
 * same, so that a handler knows one form of operand only.
 */
#include "decode.h"

#include <stdlib.h>

const struct ptx_operand *decode_operand(const struct decoder *d, int n)
{
    static const struct ptx_operand none = {.kind = PTX_SINK};
    return n < d->in->n_operands ? &d->in->operands[n] : &none;
}

bool decode_has(const struct decoder *d, const char *text)
{
    for (int s = 0; s < d->in->n_suffixes; s++)
        if (strcmp(d->in->suffix[s], text) == 0)
            return true;
    return false;
}

const char *decode_last(const struct decoder *d)
{
    return d->in->n_suffixes ? d->in->suffix[d->in->n_suffixes - 1] : "";
}

int decode_word(const char *word, const char *const *list, int n)
{
    for (int k = 0; k < n; k++)
        if (strcmp(word, list[k]) == 0)
            return k;
    return -1;
}

handler *decode_lane(const struct decoder *d, enum lane_op op)
{
    return d->lanes->op[op];
}

struct detail *decode_detail(struct decoder *d)
{
    if (!d->i->detail) {
        struct detail *t = arena_alloc(d->arena, 1, sizeof *t);
        if (!t)
            abort();
        t->pair = NO_SLOT;
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

uint32_t decode_scratch(struct decoder *d, int bytes)
{
    return take(d, bytes == 1 ? 64 : (uint32_t)(bytes == 8 ? 8 : 4) * LANES);
}

uint32_t decode_trash(struct decoder *d)
{
    if (!d->trash)
        d->trash = take(d, 16 * LANES) + 1;
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

uint32_t decode_constant(struct decoder *d, uint64_t bits, int bytes)
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

static uint32_t special_slot(struct decoder *d, enum special what, int bytes)
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
    {"%clusterid.x", SP_CLUSTERID_X}, {"%clusterid.y", SP_CLUSTERID_Y},
    {"%clusterid.z", SP_CLUSTERID_Z}, {"%nclusterid.x", SP_NCLUSTERID_X},
    {"%nclusterid.y", SP_NCLUSTERID_Y}, {"%nclusterid.z", SP_NCLUSTERID_Z},
    {"%cluster_ctaid.x", SP_CLUSTER_CTAID_X},
    {"%cluster_ctaid.y", SP_CLUSTER_CTAID_Y},
    {"%cluster_ctaid.z", SP_CLUSTER_CTAID_Z},
    {"%cluster_nctaid.x", SP_CLUSTER_NCTAID_X},
    {"%cluster_nctaid.y", SP_CLUSTER_NCTAID_Y},
    {"%cluster_nctaid.z", SP_CLUSTER_NCTAID_Z},
    {"%envreg1", SP_GRID_HIGH}, {"%envreg2", SP_GRID_LOW},
    {"%cluster_ctarank", SP_CLUSTER_CTARANK},
    {"%cluster_nctarank", SP_CLUSTER_NCTARANK},
    {"%is_explicit_cluster", SP_EXPLICIT_CLUSTER},
};

/* Shared memory that the system keeps, the second half of it for the threads'
 * groups, which keep their barriers there. */
static const struct { const char *name; uint32_t value; } reserved[] = {
    {"%reserved_smem_offset_begin", RESERVED_START},
    {"%reserved_smem_offset_end", SHARED_START},
    {"%reserved_smem_offset_cap", SHARED_START - RESERVED_START},
    {"%reserved_smem_offset_0", RESERVED_START},
    {"%reserved_smem_offset_1", SHARED_START / 2},
};

/* high: the upper half of 64 bits. */
static const struct { const char *name; bool high, timer; } clocks[] = {
    {"%clock", false, false}, {"%clock_hi", true, false},
    {"%clock64", false, false}, {"%globaltimer", false, true},
    {"%globaltimer_lo", false, true}, {"%globaltimer_hi", true, true},
};

bool decode_clock(const char *name, bool *high, bool *timer)
{
    for (size_t k = 0; k < sizeof clocks / sizeof *clocks; k++)
        if (strcmp(clocks[k].name, name) == 0) {
            *high = clocks[k].high;
            *timer = clocks[k].timer;
            return true;
        }
    return false;
}

static uint32_t named_special(struct decoder *d, const char *name, int bytes)
{
    for (size_t k = 0; k < sizeof specials / sizeof *specials; k++)
        if (strcmp(specials[k].name, name) == 0)
            return special_slot(d, specials[k].what, bytes);
    for (size_t k = 0; k < sizeof reserved / sizeof *reserved; k++)
        if (strcmp(reserved[k].name, name) == 0) {
            d->module->reserved_shared = true;
            return decode_constant(d, reserved[k].value, bytes);
        }
    d->bad = true;
    return 0;
}

int decode_register(const struct decoder *d, const struct ptx_operand *o)
{
    if (o->kind != PTX_REG)
        return 0;
    const struct ptx_type *t = &d->f->regs[o->index].type;
    if (t->class == PTX_PRED)
        return 1;
    return t->bits > 64 ? 16 : t->bits > 32 ? 8 : 4;
}

static uint32_t register_slot(struct decoder *d, const struct ptx_operand *o,
                              int bytes)
{
    if (decode_register(d, o) != (bytes == 2 ? 4 : bytes))
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
bool decode_is_param(const struct decoder *d, const struct ptx_operand *o)
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
        return decode_constant(d, FUNC_WINDOW + 16u * (uint64_t)o->index,
                             bytes);
    if (d->ptx->vars[o->index].space == PTX_SPACE_LOCAL ||
        decode_is_param(d, o))
        d->bad = true; /* relative to the frame: only mov knows */
    return decode_constant(d, d->address[o->index] + (uint64_t)o->bits, bytes);
}

uint32_t decode_source(struct decoder *d, const struct ptx_operand *o,
                       int bytes)
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
            return decode_constant(d, o->bits ? UINT32_MAX : 0, 4);
        return decode_constant(d, immediate(o, bytes), bytes);
    case PTX_VAR:
    case PTX_FUNC: return address_slot(d, o, bytes);
    default: d->bad = true; return 0;
    }
}

uint32_t decode_dest(struct decoder *d, const struct ptx_operand *o, int bytes)
{
    if (o->kind == PTX_SINK)
        return decode_trash(d);
    if (o->kind != PTX_REG) {
        d->bad = true;
        return 0;
    }
    return register_slot(d, o, bytes);
}

/* By rows ------------------------------------------------------------------ */

static int bytes_of(const struct decoder *d, char kind)
{
    struct type_word t;
    if (kind == 'g')
        return 16;
    if (kind != 'T')
        return kind - '0';
    if (!decode_type(decode_last(d), &t))
        return 0;
    return t.class == PTX_PRED ? 1 : t.bits == 64 ? 8 : t.bits == 16 ? 2 : 4;
}

/* d|p: p is the pair of d. */
static const struct ptx_operand *first_of(struct decoder *d,
                                          const struct ptx_operand *o)
{
    if (o->kind != PTX_PAIR)
        return o;
    if (o->elems[1].kind != PTX_SINK)
        decode_detail(d)->pair = decode_dest(d, &o->elems[1], 1);
    return &o->elems[0];
}

static bool one_operand(struct decoder *d, int k, const struct row_operand *is)
{
    const struct ptx_operand *o = decode_operand(d, k);
    switch (is->kind) {
    case 'V': return true;
    case 'M': return o->kind == PTX_ADDRESS;
    case 'I': return o->kind == PTX_INT;
    case 'L': return o->kind == PTX_LABEL || o->kind == PTX_LIST;
    default: break;
    }
    int bytes = bytes_of(d, is->kind);
    if (is->paired)
        o = first_of(d, o);
    d->at[k] = is->written ? decode_dest(d, o, bytes)
                           : decode_source(d, o, bytes);
    d->negated |= (uint32_t)o->negated << k;
    return bytes > 0;
}

bool decode_operands(struct decoder *d)
{
    const char *p = d->row->form.operands;
    struct row_operand is = {0};
    d->negated = 0;
    for (int k = 0; k < d->in->n_operands; k++) {
        if (!is.repeated)
            p = row_operand(p, &is);
        if (k < OPERANDS_MOST ? !one_operand(d, k, &is) : is.kind != 'V')
            return false;
    }
    return true;
}

static size_t count_registers(const struct ptx_operand *o)
{
    size_t n = o->kind == PTX_REG;
    for (uint16_t e = 0; e < o->n_elems; e++)
        n += count_registers(&o->elems[e]);
    return n;
}

static uint32_t *list_registers(const struct decoder *d,
                                const struct ptx_operand *o, uint32_t *to)
{
    if (o->kind == PTX_REG)
        *to++ = d->slot[o->index];
    for (uint16_t e = 0; e < o->n_elems; e++)
        to = list_registers(d, &o->elems[e], to);
    return to;
}

/* Of the operands that are written, or of the others. */
static uint32_t *list_operands(const struct decoder *d, bool written,
                               uint32_t *to)
{
    const char *p = d->row->form.operands;
    struct row_operand is = {0};
    for (int k = 0; k < d->in->n_operands; k++) {
        if (!is.repeated)
            p = row_operand(p, &is);
        if (is.written == written || (is.kept && !written))
            to = list_registers(d, &d->in->operands[k], to);
    }
    return to;
}

void decode_registers(struct decoder *d, struct source *s)
{
    size_t most = 3; /* the guard, and the hidden one twice */
    for (int k = 0; k < d->in->n_operands; k++) /* some are in both lists */
        most += 2 * count_registers(&d->in->operands[k]);
    s->slot = arena_alloc(d->arena, most, sizeof *s->slot);
    if (!s->slot)
        abort();
    uint32_t *to = list_operands(d, false, s->slot);
    if (d->in->guard >= 0)
        *to++ = d->slot[d->in->guard];
    if (d->hidden_read)
        *to++ = d->hidden;
    s->n_read = (uint16_t)(to - s->slot);
    to = list_operands(d, true, to);
    if (d->hidden_written)
        *to++ = d->hidden;
    s->n_written = (uint16_t)(to - s->slot - s->n_read);
}

uint32_t *decode_slots(struct decoder *d, int n)
{
    uint32_t *slot = arena_alloc(d->arena, (size_t)n, sizeof *slot);
    if (!slot)
        abort();
    return slot;
}

/* Addresses and words ------------------------------------------------------ */

/* [base + offset] into a, imm, detail. */
bool decode_address(struct decoder *d, const struct ptx_operand *o)
{
    struct detail *t = decode_detail(d);
    if (o->kind != PTX_ADDRESS || o->n_elems < 1)
        return false;
    const struct ptx_operand *base = &o->elems[0];
    d->i->imm = o->bits;
    t->address64 = true;
    if (base->kind == PTX_REG) {
        int bytes = decode_register(d, base);
        t->address64 = bytes == 8;
        d->i->a = decode_source(d, base, bytes);
        return bytes >= 4 && o->n_elems == 1;
    }
    if (base->kind == PTX_VAR) {
        const struct ptx_var *v = &d->ptx->vars[base->index];
        t->op = v->space == PTX_SPACE_LOCAL; /* add the frame's base */
        d->i->a = decode_constant(d, d->address[base->index], 8);
        return o->n_elems == 1;
    }
    if (base->kind != PTX_INT)
        return false;
    d->i->a = decode_constant(d, (uint64_t)base->bits, 8);
    return o->n_elems == 1;
}

bool decode_type(const char *word, struct type_word *t)
{
    static const struct { const char *name; struct type_word t; } types[] = {
        {"u8", {PTX_UNSIGNED, 8, 1}}, {"u16", {PTX_UNSIGNED, 16, 1}},
        {"u32", {PTX_UNSIGNED, 32, 1}}, {"u64", {PTX_UNSIGNED, 64, 1}},
        {"s8", {PTX_SIGNED, 8, 1}}, {"s16", {PTX_SIGNED, 16, 1}},
        {"s32", {PTX_SIGNED, 32, 1}}, {"s64", {PTX_SIGNED, 64, 1}},
        {"b8", {PTX_BITS, 8, 1}}, {"b16", {PTX_BITS, 16, 1}},
        {"b32", {PTX_BITS, 32, 1}}, {"b64", {PTX_BITS, 64, 1}},
        {"b128", {PTX_BITS, 128, 1}},
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
