// SPDX-License-Identifier: MIT
/*
 * decode_group.c: wgmma.mma_async d, a, b, scale-d{, negate-a, negate-b{,
 * transpose-a}{, transpose-b}}.
 *
 * Source: the PTX ISA, "Asynchronous Warpgroup Level Matrix Instructions". a is
 * four registers or a descriptor. Only 16-bit types have transposes: one for b,
 * and before it one for a that has a descriptor.
 */
#include "decode.h"

#include <stdio.h>
#include <stdlib.h>

#include "simgpu/core/exec/group.h"
#include "simgpu/core/exec/tile.h"

enum { SCALE = 3, NEGATE = 4, TRANSPOSE = 6 }; /* operands */

static bool read_types_of(struct decoder *d, struct group *g)
{
    bool stops = strcmp(decode_last(d), "satfinite") == 0;
    const char *const *end = d->in->suffix + d->in->n_suffixes - stops;
    unsigned n, k;
    if (sscanf(end[-4], "m64n%uk%u", &n, &k) != 2)
        return false;
    g->n = (uint16_t)n;
    g->k = (uint8_t)k;
    g->saturates = stops;
    return decode_tensor_type(end[-3], &g->d_type) &&
           decode_tensor_type(end[-2], &g->a_type) &&
           decode_tensor_type(end[-1], &g->b_type);
}

static bool flag(struct decoder *d, int n)
{
    return n < d->in->n_operands && decode_operand(d, n)->bits == 1;
}

/* 1, or -1: the matrix is negated. */
static bool negated(struct decoder *d, int n)
{
    return n < d->in->n_operands && decode_operand(d, n)->bits == -1;
}

static bool read_a(struct decoder *d, struct group *g)
{
    const struct ptx_operand *a = decode_operand(d, 1);
    g->from_registers = a->kind == PTX_VECTOR;
    if (!g->from_registers) {
        g->a[0] = decode_source(d, a, 8);
        return true;
    }
    for (int r = 0; r < 4 && r < a->n_elems; r++)
        g->a[r] = decode_source(d, &a->elems[r], 4);
    return a->n_elems == 4;
}

static bool read_sums(struct decoder *d, struct group *g)
{
    const struct ptx_operand *o = decode_operand(d, 0);
    g->n_d = (uint16_t)(g->n / 2 / (g->d_type == TENSOR_F16 ? 2 : 1));
    if (o->kind != PTX_VECTOR || o->n_elems != g->n_d)
        return false;
    g->d = decode_slots(d, g->n_d);
    for (int r = 0; r < g->n_d; r++)
        g->d[r] = decode_dest(d, &o->elems[r], 4);
    return true;
}

static void read_scale(struct decoder *d, struct group *g)
{
    const struct ptx_operand *o = decode_operand(d, SCALE);
    g->adds_is_predicate = decode_register(d, o) == 1;
    g->adds = decode_source(d, o, g->adds_is_predicate ? 1 : 4);
}

bool decode_group_product(struct decoder *d)
{
    struct group *g = arena_alloc(d->arena, 1, sizeof *g);
    struct detail *t = decode_detail(d);
    if (!g)
        abort();
    if (!read_types_of(d, g) || !read_a(d, g) || !read_sums(d, g))
        return false;
    bool halves = g->a_type == TENSOR_F16 || g->a_type == TENSOR_BF16;
    bool whole = g->d_type == TENSOR_S32;
    int more = whole ? 0 : halves ? 3 + !g->from_registers : 2;
    if (d->in->n_operands != NEGATE + more)
        return false;
    read_scale(d, g);
    g->b = decode_source(d, decode_operand(d, 2), 8);
    g->a_negative = negated(d, NEGATE);
    g->b_negative = negated(d, NEGATE + 1);
    g->a_along_k = g->from_registers || !flag(d, TRANSPOSE) || !halves;
    g->b_along_k = !flag(d, TRANSPOSE + !g->from_registers) || !halves;
    g->ops = 2u * GROUP_ROWS * g->n * g->k;
    g->counter = decode_tensor_counter(g->a_type);
    t->group = g;
    t->whole = true;
    t->space = PTX_SPACE_SHARED;
    t->size = 16;
    t->n = 1;
    t->access.site = ++d->module->n_sites;
    t->access.kind = ACCESS_LOAD;
    t->access.proxy = PROXY_ASYNC;
    t->access.of_group = true;
    t->access.matrix = true;
    t->from = &t->access;
    d->i->fn = op_group_product;
    return true;
}

bool decode_product_fence(struct decoder *d)
{
    d->i->fn = op_group_fence;
    decode_detail(d)->whole = true;
    return true;
}

/* commit_group; wait_group n */
bool decode_product_group(struct decoder *d)
{
    bool waits = d->in->n_operands == 1;
    d->i->fn = waits ? op_group_wait : op_group_commit;
    d->i->imm = waits ? decode_operand(d, 0)->bits : 0;
    decode_detail(d)->whole = true;
    return d->i->imm >= 0;
}
