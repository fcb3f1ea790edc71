// SPDX-License-Identifier: MIT
/*
 * carry.c: add.cc and kin, and what setp does beyond one comparison.
 *
 * The carry flag is a predicate of the frame that has no PTX name. A
 * subtraction adds the complement of b, and one: its flag is the carry of that
 * sum, so it is set if nothing was borrowed. subc reads it so, and so does an
 * addc behind a subc.cc, as in the 128-bit division that nvcc expands.
 */
#include "carry.h"

#include "scalar.h"
#include "wide.h"

static wide product(uint64_t a, uint64_t b, bool is_signed, int bits)
{
    if (is_signed && bits == 32)
        return wide_product_signed((int32_t)a, (int32_t)b);
    if (is_signed)
        return wide_product_signed((int64_t)a, (int64_t)b);
    return wide_product(a, b);
}

static uint64_t one_lane(const struct detail *t, uint64_t a, uint64_t b,
                         uint64_t c, unsigned carry_in, unsigned *carry_out)
{
    int bits = 8 * t->reg;
    uint64_t all = bits == 64 ? UINT64_MAX : UINT32_MAX;
    uint64_t first = a, second = b;
    switch (t->op) {
    case CARRY_SUB:
        second = ~b & all;
        break;
    case CARRY_MAD_LO:
        first = wide_low(product(a, b, t->is_signed, bits)) & all;
        second = c;
        break;
    case CARRY_MAD_HI:
        first = wide_low(wide_down(product(a, b, t->is_signed, bits), bits)) &
                all;
        second = c;
        break;
    }
    wide sum = wide_add(wide_add(wide_of(first), wide_of(second)),
                        wide_of(carry_in));
    *carry_out = (unsigned)wide_low(wide_down(sum, bits)) & 1;
    return wide_low(sum) & all;
}

static uint64_t get(const struct warp *w, uint32_t at, int l, int bytes)
{
    return bytes == 8 ? ((uint64_t *)slot(w, at))[l]
                      : ((uint32_t *)slot(w, at))[l];
}

const struct inst *op_carry(struct warp *w, const struct inst *i,
                            uint32_t mask)
{
    const struct detail *t = i->detail;
    uint32_t *flags = slot(w, t->extra);
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        int l = first_lane(rest);
        unsigned in = i->p0 ? *flags >> l & 1 : t->op == CARRY_SUB, out;
        uint64_t v = one_lane(t, get(w, i->a, l, t->reg),
                              get(w, i->b, l, t->reg),
                              get(w, i->c, l, t->reg), in, &out);
        if (t->reg == 8)
            ((uint64_t *)slot(w, i->d))[l] = v;
        else
            ((uint32_t *)slot(w, i->d))[l] = (uint32_t)v;
        if (i->p1)
            *flags = (*flags & ~(1u << l)) | out << l;
    }
    return i + 1;
}

static uint32_t combine(uint8_t op, uint32_t x, uint32_t c)
{
    return op == BOOL_AND ? x & c : op == BOOL_OR ? x | c
           : op == BOOL_XOR ? x ^ c : x;
}

/* p = result op c, q = !result op c. */
const struct inst *setp_combine(struct warp *w, const struct inst *i,
                                uint32_t mask, uint32_t result)
{
    const struct detail *t = i->detail;
    uint32_t c = 0;
    if (t->op)
        c = *(uint32_t *)slot(w, i->c) ^ (i->p1 ? (uint32_t)FULL : 0);
    uint32_t *p = slot(w, i->d);
    uint32_t p_bits = combine(t->op, result, c);
    uint32_t q_bits = combine(t->op, ~result, c);
    *p = (*p & ~mask) | (p_bits & mask);
    if (t->pair != NO_SLOT) {
        uint32_t *q = slot(w, t->pair);
        *q = (*q & ~mask) | (q_bits & mask);
    }
    return i + 1;
}

const struct inst *op_set(struct warp *w, const struct inst *i, uint32_t mask)
{
    const struct detail *t = i->detail;
    uint32_t c = 0, *d = slot(w, i->d);
    if (t->op)
        c = *(uint32_t *)slot(w, i->c) ^ (i->p1 ? (uint32_t)FULL : 0);
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        int l = first_lane(rest);
        uint32_t is = scalar_compare(i, get(w, i->a, l, t->reg),
                                     get(w, i->b, l, t->reg));
        d[l] = combine(t->op, is, c >> l & 1) ? (uint32_t)i->imm : 0;
    }
    return i + 1;
}

/* set on two halves: the halves of imm are what each may become. */
const struct inst *op_set_pair(struct warp *w, const struct inst *i,
                               uint32_t mask)
{
    const struct detail *t = i->detail;
    uint32_t c = 0, *d = slot(w, i->d);
    if (t->op)
        c = *(uint32_t *)slot(w, i->c) ^ (i->p1 ? (uint32_t)FULL : 0);
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        int l = first_lane(rest);
        uint64_t a = get(w, i->a, l, 4), b = get(w, i->b, l, 4);
        bool low = combine(t->op, scalar_compare(i, a & 0xffff, b & 0xffff),
                           c >> l & 1);
        bool high = combine(t->op, scalar_compare(i, a >> 16, b >> 16),
                            c >> l & 1);
        d[l] = (uint32_t)i->imm & ((low ? 0xffffu : 0) |
                                   (high ? 0xffff0000u : 0));
    }
    return i + 1;
}
