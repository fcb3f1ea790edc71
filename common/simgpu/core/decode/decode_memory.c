// SPDX-License-Identifier: MIT
/*
 * decode_memory.c: mov, loads, stores, address conversions. A 128-bit register
 * is two of 64 bits side by side, so that an access of one is a pair's.
 */
#include "decode.h"
#include "simgpu/core/exec/control.h"
#include "simgpu/core/exec/load_store.h"
#include "simgpu/core/exec/move.h"

/* mov ------------------------------------------------------------------- */

static bool mov_vector(struct decoder *d, const struct ptx_operand *many,
                       const struct ptx_operand *one, bool packs)
{
    struct type_word type;
    struct detail *t = decode_detail(d);
    if (!decode_type(decode_last(d), &type) || many->n_elems > MAX_VECTOR)
        return false;
    t->n = (uint8_t)many->n_elems;
    t->size = (uint8_t)(type.bits / 8 / many->n_elems);
    t->reg = type.bits == 64 ? 8 : 4;
    if (t->size == 0 || t->size > 4)
        return false;
    t->slot = decode_slots(d, t->n);
    for (int e = 0; e < t->n; e++) {
        const struct ptx_operand *o = &many->elems[e];
        t->slot[e] = packs ? decode_source(d, o, 4) : decode_dest(d, o, 4);
    }
    if (packs)
        d->i->d = decode_dest(d, one, t->reg);
    else
        d->i->a = decode_source(d, one, t->reg);
    d->i->fn = packs ? op_pack : op_unpack;
    if (t->n != 2 || t->size != 4)
        return true;
    if (packs) {
        d->i->a = t->slot[0];
        d->i->b = t->slot[1];
        d->i->fn = decode_lane(d, OP_pack_64);
    } else {
        d->i->d = t->slot[0];
        d->i->b = t->slot[1];
        d->i->fn = decode_lane(d, OP_unpack_64);
    }
    return true;
}

/* mov.b128, from or to two registers or another one. */
static bool mov_wide(struct decoder *d, const struct ptx_operand *to,
                     const struct ptx_operand *from)
{
    bool packs = from->kind == PTX_VECTOR, unpacks = to->kind == PTX_VECTOR;
    if ((packs && from->n_elems != 2) || (unpacks && to->n_elems != 2))
        return false;
    d->i->d =
        unpacks ? decode_dest(d, &to->elems[0], 8) : decode_dest(d, to, 16);
    d->i->c = unpacks ? decode_dest(d, &to->elems[1], 8) : d->i->d + WIDE_HALF;
    d->i->a = packs ? decode_source(d, &from->elems[0], 8)
                    : decode_source(d, from, 16);
    d->i->b =
        packs ? decode_source(d, &from->elems[1], 8) : d->i->a + WIDE_HALF;
    d->i->fn = op_mov_wide;
    return true;
}

bool decode_mov(struct decoder *d)
{
    const struct ptx_operand *to = decode_operand(d, 0),
                             *from = decode_operand(d, 1);
    struct type_word type;
    if (!decode_type(decode_last(d), &type) || d->in->n_suffixes != 1)
        return false;
    if (type.bits == 128)
        return mov_wide(d, to, from);
    if (from->kind == PTX_VECTOR)
        return mov_vector(d, from, to, true);
    if (to->kind == PTX_VECTOR)
        return mov_vector(d, to, from, false);
    int bytes = type.class == PTX_PRED ? 1 : type.bits == 64 ? 8 : 4;
    d->i->d = decode_dest(d, to, bytes);
    bool high, timer;
    if (from->kind == PTX_SPECIAL && decode_clock(from->name, &high, &timer)) {
        d->i->fn = op_clock;
        d->i->p0 = (uint8_t)bytes;
        d->i->p1 = high;
        d->i->imm = timer;
        return true;
    }
    if (from->kind == PTX_VAR &&
        d->ptx->vars[from->index].space == PTX_SPACE_LOCAL) {
        d->i->imm = (int64_t)d->address[from->index] + from->bits;
        d->i->p0 = (uint8_t)bytes;
        d->i->fn = op_local_address;
        return true;
    }
    d->i->a = decode_source(d, from, bytes);
    d->i->b = d->i->a;
    d->i->p0 = bytes == 1 && from->negated;
    d->i->fn = decode_lane(d, bytes == 1   ? OP_mov_pred
                       : bytes == 8 ? OP_mov_64 : OP_mov_32);
    return true;
}

/* Loads and stores ------------------------------------------------------- */

bool decode_space(const char *word, uint8_t *space)
{
    static const struct { const char *word; uint8_t space; } spaces[] = {
        {"global", PTX_SPACE_GLOBAL}, {"shared", PTX_SPACE_SHARED},
        {"shared::cta", PTX_SPACE_SHARED},
        {"shared::cluster", PTX_SPACE_SHARED}, {"local", PTX_SPACE_LOCAL},
        {"const", PTX_SPACE_CONST}, {"param", PTX_SPACE_PARAM},
        {"param::entry", PTX_SPACE_PARAM}, {"param::func", PTX_SPACE_PARAM},
    };
    for (size_t k = 0; k < sizeof spaces / sizeof *spaces; k++)
        if (strcmp(spaces[k].word, word) == 0) {
            *space = spaces[k].space;
            return true;
        }
    return false;
}

static bool is_acquire(const char *word)
{
    static const char *const words[] = {"volatile", "acquire", "acq_rel",
                                        "relaxed", "release", "mmio"};
    return decode_word(word, words, 6) >= 0;
}

uint8_t decode_scope(const char *word, uint8_t otherwise)
{
    static const char *const words[] = {[SCOPE_SYSTEM] = "sys",
                                        [SCOPE_GPU] = "gpu",
                                        [SCOPE_CLUSTER] = "cluster",
                                        [SCOPE_BLOCK] = "cta"};
    int k = decode_word(word, words, 4);
    return k < 0 ? otherwise : (uint8_t)k;
}

/* What an access orders, and for whom. */
void decode_order(struct detail *t, const char *word)
{
    struct access_form *a = &t->access;
    a->strong |= is_acquire(word);
    a->is_volatile |= strcmp(word, "volatile") == 0;
    a->release |= strcmp(word, "release") == 0 || strcmp(word, "acq_rel") == 0;
    a->acquire |= strcmp(word, "acquire") == 0 || strcmp(word, "acq_rel") == 0;
    a->constant |= strcmp(word, "nc") == 0;
    a->cluster |= strcmp(word, "shared::cluster") == 0;
    a->scope = decode_scope(word, a->scope);
}

uint8_t decode_vector(const char *word)
{
    static const char *const words[] = {"v2", "v4", "v8"};
    int k = decode_word(word, words, 3);
    return k < 0 ? 0 : (uint8_t)(2 << k);
}

/* Fills detail from the suffixes: space, size, n, sign. */
static bool read_access(struct decoder *d)
{
    struct detail *t = decode_detail(d);
    struct type_word type;
    t->space = PTX_SPACE_GENERIC;
    t->n = 1;
    t->access.site = ++d->module->n_sites;
    if (!decode_type(decode_last(d), &type) || type.bits < 8)
        return false;
    for (int s = 0; s + 1 < d->in->n_suffixes; s++) {
        const char *word = d->in->suffix[s];
        uint8_t n = decode_vector(word);
        if (n)
            t->n = n;
        else
            decode_space(word, &t->space);
        decode_order(t, word);
    }
    t->size = (uint8_t)(type.bits / 8);
    t->is_signed = type.class == PTX_SIGNED;
    t->type_class = type.class;
    t->access.used = d->in->used_bytes;
    return type.bits < 128 || t->n == 1;
}

/* Of a 128-bit register: its halves. */
static bool read_wide(struct decoder *d, const struct ptx_operand *o,
                      bool writes_registers)
{
    struct detail *t = decode_detail(d);
    if (decode_register(d, o) != 16)
        return false;
    t->size = t->reg = 8;
    t->n = 2;
    t->slot = decode_slots(d, t->n);
    t->slot[0] =
        writes_registers ? decode_dest(d, o, 16) : decode_source(d, o, 16);
    t->slot[1] = t->slot[0] + WIDE_HALF;
    return true;
}

static bool read_elements(struct decoder *d, const struct ptx_operand *o,
                          bool writes_registers)
{
    struct detail *t = decode_detail(d);
    const struct ptx_operand *e = t->n > 1 ? o->elems : o;
    if (t->size == 16)
        return read_wide(d, o, writes_registers);
    if (t->n > 1 && (o->kind != PTX_VECTOR || o->n_elems != t->n))
        return false;
    t->reg = t->size == 8 ? 8 : 4;
    t->slot = decode_slots(d, t->n);
    for (int k = 0; k < t->n; k++)
        if (decode_register(d, &e[k]) == 8)
            t->reg = 8; /* widening, or a narrow store */
    for (int k = 0; k < t->n; k++) {
        bool sink = e[k].kind == PTX_SINK;
        if (sink && !writes_registers)
            return false;
        t->slot[k] = sink ? NO_SLOT
                     : writes_registers ? decode_dest(d, &e[k], t->reg)
                                        : decode_source(d, &e[k], t->reg);
    }
    return true;
}

/* nvcc may say which bytes of a vector it needs; else those of registers that
 * somebody reads. Of words of 8 bytes each half may be padding: values.c. */
static void note_used(struct decoder *d, const struct ptx_operand *o)
{
    struct detail *t = decode_detail(d);
    uint32_t used = 0;
    bool all = true;
    if (t->n == 1 || t->size == 8 || t->access.used)
        return;
    for (int k = 0; k < t->n; k++) {
        bool read = o->elems[k].kind == PTX_REG && d->read[o->elems[k].index];
        all &= read;
        used |= read ? ((1u << t->size) - 1) << k * t->size : 0;
    }
    t->access.used = all ? 0 : used;
}

/* A handler of vector code, where there is one for this shape. */
static handler *fast_handler(const struct decoder *d, bool write)
{
    static const enum lane_op ops[2][2][4] = {
        {{OP_ld_global_32, OP_ld_global_64, OP_ld_global_v2, OP_ld_global_v4},
         {OP_ld_shared_32, OP_ld_shared_64, OP_ld_shared_v2,
          OP_ld_shared_v4}},
        {{OP_st_global_32, OP_st_global_64, OP_st_global_v2, OP_st_global_v4},
         {OP_st_shared_32, OP_st_shared_64, OP_st_shared_v2,
          OP_st_shared_v4}},
    };
    const struct detail *t = d->i->detail;
    bool shared = t->space == PTX_SPACE_SHARED;
    bool sinks = false;
    for (int k = 0; k < t->n; k++)
        sinks |= t->slot[k] == NO_SLOT;
    int shape = t->size == 4 && t->n == 1   ? 0
                : t->size == 8 && t->n == 1 ? 1
                : t->size == 4 && t->n == 2 ? 2
                : t->size == 4 && t->n == 4 ? 3 : -1;
    bool plain = t->space == PTX_SPACE_GLOBAL ||
                 t->space == PTX_SPACE_GENERIC ||
                 t->space == PTX_SPACE_CONST || shared;
    if (shape < 0 || !plain || sinks || t->access.strong ||
        t->access.cluster || t->size != t->reg ||
        (!shared && !t->address64))
        return NULL;
    return decode_lane(d, ops[write][shared][shape]);
}

/* A parameter of the kernel itself: the same for all lanes. */
static bool is_launch_param(const struct decoder *d,
                            const struct ptx_operand *base)
{
    if (!d->f->is_entry || base->kind != PTX_VAR)
        return false;
    for (size_t p = 0; p < d->f->n_params; p++)
        if (d->f->params[p] == base->index)
            return true;
    return false;
}

static bool decode_param(struct decoder *d, const struct ptx_operand *memory)
{
    const struct ptx_operand *base = &memory->elems[0];
    struct detail *t = decode_detail(d);
    if (base->kind != PTX_VAR)
        return decode_address(d, memory); /* op_load, by address */
    d->i->imm = (int64_t)d->address[base->index] + memory->bits;
    if (!is_launch_param(d, base)) {
        const struct ptx_var *v = &d->ptx->vars[base->index];
        uint64_t end = (uint64_t)memory->bits + (uint64_t)t->size * t->n;
        d->i->fn = op_load_param;
        return decode_is_param(d, base) && memory->bits >= 0 &&
               end <= v->bytes;
    }
    d->i->imm -= (int64_t)PARAM_WINDOW;
    if (t->n == 1 && t->size == t->reg && !t->access.write &&
        (uint64_t)d->i->imm + t->size <= d->f->param_bytes) {
        d->i->d = t->slot[0];
        d->i->fn =
            decode_lane(d, t->size == 8 ? OP_broadcast_64 : OP_broadcast_32);
        return t->slot[0] != NO_SLOT;
    }
    if (!t->access.write && d->i->imm >= 0 &&
        (uint64_t)d->i->imm + (uint64_t)t->size * t->n <= d->f->param_bytes) {
        d->i->fn = op_load_launch_param;
        return true;
    }
    d->i->a = decode_constant(d, 0, 8);
    t->address64 = true;
    return true;
}

static bool decode_access(struct decoder *d, int memory, int registers,
                          bool write)
{
    const struct ptx_operand *m = decode_operand(d, memory);
    if (!read_access(d) || m->kind != PTX_ADDRESS || m->n_elems != 1)
        return false;
    struct detail *t = decode_detail(d);
    t->access.write = write;
    t->access.kind = write ? ACCESS_STORE : ACCESS_LOAD;
    d->i->fn = write ? op_store : op_load;
    if (t->size == 16)
        d->i->fn = write ? op_store_wide : op_load_wide;
    if (!read_elements(d, decode_operand(d, registers), !write))
        return false;
    if (!write)
        note_used(d, decode_operand(d, registers));
    if (t->space == PTX_SPACE_PARAM)
        return decode_param(d, m);
    if (!decode_address(d, m))
        return false;
    handler *fast = fast_handler(d, write);
    t->slow = d->i->fn;
    if (fast)
        d->i->fn = fast;
    return !(write && t->space == PTX_SPACE_CONST);
}

bool decode_load(struct decoder *d)
{
    return decode_access(d, 1, 0, false);
}

bool decode_store(struct decoder *d)
{
    return decode_access(d, 0, 1, true);
}

/* Addresses -------------------------------------------------------------- */

static bool window_of(const char *word, uint64_t *base)
{
    uint8_t space;
    if (!decode_space(word, &space))
        return false;
    *base = space == PTX_SPACE_SHARED  ? SHARED_WINDOW
            : space == PTX_SPACE_LOCAL ? LOCAL_WINDOW : 0;
    return true;
}

bool decode_cvta(struct decoder *d)
{
    bool to = decode_has(d, "to");
    uint64_t base;
    if (!window_of(d->in->suffix[d->in->n_suffixes - 2], &base))
        return false;
    d->i->d = d->at[0];
    d->i->a = d->at[1];
    d->i->b = decode_constant(d, base, 8);
    d->i->fn =
        decode_lane(d, base == 0 ? OP_mov_64 : to ? OP_sub_64 : OP_add_64);
    return true;
}

bool decode_isspacep(struct decoder *d)
{
    uint8_t space;
    if (!decode_space(decode_last(d), &space))
        return false;
    d->i->d = d->at[0];
    d->i->a = d->at[1];
    d->i->p0 = space;
    d->i->p1 = decode_has(d, "shared::cluster");
    d->i->fn = op_isspacep;
    return true;
}

/* discard.{global.}L2 [a], 128: what was there is not defined any more. */
bool decode_discard(struct decoder *d)
{
    struct detail *t = decode_detail(d);
    t->space = decode_has(d, "global") ? PTX_SPACE_GLOBAL : PTX_SPACE_GENERIC;
    t->size = 128;
    t->n = 1;
    t->access.write = true;
    d->i->fn = op_discard;
    return decode_operand(d, 1)->bits == t->size &&
           decode_address(d, decode_operand(d, 0));
}

/* createpolicy: a program cannot see what caches do, so any value will do. */
bool decode_policy(struct decoder *d)
{
    d->i->d = d->at[0];
    d->i->a = d->i->b = decode_constant(d, 0, 8);
    d->i->fn = decode_lane(d, OP_mov_64);
    return true;
}
