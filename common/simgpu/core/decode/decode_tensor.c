// SPDX-License-Identifier: MIT
/*
 * decode_tensor.c: copies of boxes of tensors, and their prefetch. The operand
 * [map, {x, y, ...}] names a tensor map and the box's coordinates, innermost
 * first. A cache policy is a hint.
 */
#include <stdlib.h>

#include "decode.h"
#include "simgpu/core/exec/mbarrier_object.h"
#include "simgpu/core/exec/tensor_copy.h"
#include "simgpu/tensor_map.h"

enum { TILE_ALIGN = 128 }; /* of a box in shared memory */

static struct bulk_info *new_info(struct decoder *d)
{
    struct detail *t = decode_detail(d);
    t->bulk = arena_alloc(d->arena, 1, sizeof *t->bulk);
    if (!t->bulk)
        abort();
    return t->bulk;
}

static struct access_form form(struct decoder *d, uint8_t space, uint8_t align,
                               bool write)
{
    return (struct access_form){.kind = ACCESS_BULK, .space = space, .size = 1,
                                .n = 1, .align = align, .write = write,
                                .of_box = true, .proxy = PROXY_ASYNC,
                                .scope = SCOPE_CLUSTER,
                                .site = ++d->module->n_sites};
}

static bool address(struct decoder *d, const struct ptx_operand *o,
                    struct bulk_address *to)
{
    struct ptx_operand base = *o;
    base.n_elems = 1;
    if (o->kind != PTX_ADDRESS || !decode_address(d, &base))
        return false;
    *to = (struct bulk_address){d->i->a, decode_detail(d)->address64,
                                d->i->imm};
    return true;
}

static const struct access_form of_map = {
    .kind = ACCESS_LOAD, .space = PTX_SPACE_GENERIC, .size = TENSOR_MAP_BYTES,
    .n = 1, .align = TENSOR_MAP_ALIGN};

/* [map, {coordinates}]: operand k. */
static bool box(struct decoder *d, struct bulk_info *info, int k)
{
    const struct ptx_operand *o = decode_operand(d, k);
    static const char *const ranks[] = {"1d", "2d", "3d", "4d", "5d"};
    for (int r = 0; r < TENSOR_RANKS; r++)
        if (decode_has(d, ranks[r]))
            info->rank = (uint8_t)(r + 1);
    info->at_map = of_map;
    if (o->n_elems != 2 || o->elems[1].kind != PTX_VECTOR ||
        o->elems[1].n_elems != info->rank || !address(d, o, &info->map))
        return false;
    for (int r = 0; r < info->rank; r++)
        info->at[r] = decode_source(d, &o->elems[1].elems[r], 4);
    return true;
}

/* [to], [map, {at}], [object] {, blocks} {, policy} */
bool decode_tensor_load(struct decoder *d)
{
    struct detail *t = decode_detail(d);
    struct bulk_info *info = new_info(d);
    int operands = 3;
    info->counts = true;
    info->multicast = decode_has(d, "multicast::cluster");
    t->access = form(d, PTX_SPACE_SHARED, TILE_ALIGN, true);
    t->access.cluster = decode_has(d, "shared::cluster");
    info->source = form(d, PTX_SPACE_GLOBAL, 1, false);
    t->from = &info->source;
    info->signal = form(d, PTX_SPACE_SHARED, MBARRIER_BYTES, true);
    info->signal.kind = ACCESS_OBJECT;
    info->signal.strong = info->signal.cluster = true;
    if (info->multicast)
        info->mask = decode_source(d, decode_operand(d, operands), 4);
    operands += info->multicast + decode_has(d, "L2::cache_hint");
    d->i->fn = op_tensor_load;
    if (d->in->n_operands != operands ||
        !address(d, decode_operand(d, 2), &info->object) || !box(d, info, 1) ||
        !address(d, decode_operand(d, 0), &info->to))
        return false;
    t->space = PTX_SPACE_SHARED;
    return true;
}

/* [map, {at}], [from] {, policy} */
static bool store(struct decoder *d)
{
    struct detail *t = decode_detail(d);
    struct bulk_info *info = new_info(d);
    int operands = 2 + decode_has(d, "L2::cache_hint");
    t->access = form(d, PTX_SPACE_GLOBAL, 1, true);
    info->source = form(d, PTX_SPACE_SHARED, TILE_ALIGN, false);
    t->from = &info->source;
    d->i->fn = op_tensor_store;
    if (d->in->n_operands != operands ||
        !address(d, decode_operand(d, 1), &info->from) || !box(d, info, 0))
        return false;
    t->space = PTX_SPACE_GLOBAL;
    return true;
}

bool decode_tensor_store(struct decoder *d)
{
    return store(d);
}

/* Which reductions there are of an element type: those that an H200 does. */
static bool combines(uint8_t op, uint8_t type)
{
    bool half = type == MAP_F16 || type == MAP_BF16;
    bool single = type == MAP_F32 || type == MAP_F32_FTZ;
    bool word = type == MAP_U32 || type == MAP_S32, u64 = type == MAP_U64;
    switch (op) {
    case ATOM_ADD: return word || u64 || half || single;
    case ATOM_MIN:
    case ATOM_MAX: return word || u64 || type == MAP_S64 || half;
    case ATOM_INC:
    case ATOM_DEC: return type == MAP_U32;
    default: return word || u64;
    }
}

bool decode_tensor_reduce(struct decoder *d)
{
    static const char *const ops[] = {"add", "min", "max", "and", "or",
                                      "xor", "exch", "cas", "inc", "dec"};
    struct detail *by_type = arena_alloc(d->arena, MAP_TYPES, sizeof *by_type);
    int op = -1;
    if (!by_type)
        abort();
    for (int s = 0; s < d->in->n_suffixes && op < 0; s++)
        op = decode_word(d->in->suffix[s], ops, 10);
    if (op < 0 || !store(d))
        return false;
    struct detail *t = decode_detail(d);
    t->access.strong = true; /* PTX ISA: relaxed.gpu */
    t->access.scope = SCOPE_GPU;
    for (uint8_t type = 0; type < MAP_TYPES; type++) {
        uint32_t size = tensor_map_bytes(type);
        bool is_float = type >= MAP_F16;
        by_type[type].op = (uint8_t)op;
        by_type[type].n = 1;
        by_type[type].size = combines((uint8_t)op, type) ? (uint8_t)size : 0;
        by_type[type].type_bits = (uint8_t)(8 * size);
        by_type[type].type_class =
            type == MAP_BF16                       ? PTX_BFLOAT
            : is_float                             ? PTX_FLOAT
            : type == MAP_S32 || type == MAP_S64   ? PTX_SIGNED
                                                   : PTX_UNSIGNED;
    }
    t->bulk->combines = by_type;
    t->bulk->reduces = true;
    return true;
}

/* [map, {at}] {, policy} */
bool decode_tensor_prefetch(struct decoder *d)
{
    struct bulk_info *info = new_info(d);
    d->i->fn = op_tensor_prefetch;
    return box(d, info, 0);
}

/* {[map] {, bytes}}: a prefetch of the map itself, or a fence for it. It moves
 * no byte that a program can see. */
bool decode_tensor_map(struct decoder *d)
{
    struct bulk_info *info = new_info(d);
    info->at_map = of_map;
    d->i->fn = op_tensor_map;
    return address(d, decode_operand(d, 0), &info->map);
}
