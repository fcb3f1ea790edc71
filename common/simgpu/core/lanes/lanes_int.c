// SPDX-License-Identifier: MIT
/*
 * lanes_int.c: integer, bitwise, select, move and predicate handlers.
 *
 * Each row: name, type of the result, types of the operands, meaning.
 * Arithmetic is unsigned where it may wrap; 16-bit registers live in the low
 * half of 32-bit lanes.
 */
#include "lanes.h"

typedef int32_t s32;
typedef uint32_t u32;
typedef int64_t s64;
typedef uint64_t u64;

UNARY(mov_32, u32, u32, a)
UNARY(mov_64, u64, u64, a)
BINARY(add_32, u32, u32, u32, a + b)
BINARY(add_64, u64, u64, u64, a + b)
BINARY(sub_32, u32, u32, u32, a - b)
BINARY(sub_64, u64, u64, u64, a - b)
BINARY(mul_lo_32, u32, u32, u32, a * b)
BINARY(mul_lo_64, u64, u64, u64, a * b)
BINARY(mul_hi_s32, u32, s32, s32, (u64)((s64)a * b) >> 32)
BINARY(mul_hi_u32, u32, u32, u32, (u64)a * b >> 32)
BINARY(mul_wide_s32, s64, s32, s32, (s64)a * b)
BINARY(mul_wide_u32, u64, u32, u32, (u64)a * b)
TERNARY(mad_wide_s32, u64, s32, s32, u64, (u64)((s64)a * b) + c)
TERNARY(mad_wide_u32, u64, u32, u32, u64, (u64)a * b + c)
TERNARY(mad_lo_32, u32, u32, u32, u32, a * b + c)
TERNARY(mad_lo_64, u64, u64, u64, u64, a * b + c)
BINARY(min_s32, s32, s32, s32, a < b ? a : b)
BINARY(min_u32, u32, u32, u32, a < b ? a : b)
BINARY(max_s32, s32, s32, s32, a > b ? a : b)
BINARY(max_u32, u32, u32, u32, a > b ? a : b)
BINARY(min_s64, s64, s64, s64, a < b ? a : b)
BINARY(min_u64, u64, u64, u64, a < b ? a : b)
BINARY(max_s64, s64, s64, s64, a > b ? a : b)
BINARY(max_u64, u64, u64, u64, a > b ? a : b)
UNARY(neg_32, u32, u32, -a)
UNARY(neg_64, u64, u64, -a)
UNARY(abs_32, u32, u32, (s32)a < 0 ? -a : a)
UNARY(abs_64, u64, u64, (s64)a < 0 ? -a : a)
BINARY(and_32, u32, u32, u32, a & b)
BINARY(or_32, u32, u32, u32, a | b)
BINARY(xor_32, u32, u32, u32, a ^ b)
UNARY(not_32, u32, u32, ~a)
BINARY(and_64, u64, u64, u64, a & b)
BINARY(or_64, u64, u64, u64, a | b)
BINARY(xor_64, u64, u64, u64, a ^ b)
UNARY(not_64, u64, u64, ~a)

/* Shifts by more than the width are clamped to it (PTX ISA, shl and shr). */
BINARY(shl_32, u32, u32, u32, b > 31 ? 0 : a << (b & 31))
BINARY(shr_u32, u32, u32, u32, b > 31 ? 0 : a >> (b & 31))
BINARY(shr_s32, s32, s32, u32, a >> (b > 31 ? 31 : b))
BINARY(shl_64, u64, u64, u32, b > 63 ? 0 : a << (b & 63))
BINARY(shr_u64, u64, u64, u32, b > 63 ? 0 : a >> (b & 63))
BINARY(shr_s64, s64, s64, u32, a >> (b > 63 ? 63 : b))

/* Funnel shifts of b:a; p0 says whether c is clamped to 32 or wraps. */
static inline u32 funnel(const struct inst *i, u32 c)
{
    return i->p0 ? (c > 32 ? 32 : c) : c & 31;
}

TERNARY(shf_l, u32, u32, u32, u32,
        (((u64)b << 32 | a) << funnel(i, c)) >> 32)
TERNARY(shf_r, u32, u32, u32, u32, ((u64)b << 32 | a) >> funnel(i, c))

/* Any function of three bits: imm holds its truth table. */
static inline u32 truth(u32 a, u32 b, u32 c, u32 table)
{
    u32 r = 0;
    r |= table & 0x01 ? ~a & ~b & ~c : 0;
    r |= table & 0x02 ? ~a & ~b & c : 0;
    r |= table & 0x04 ? ~a & b & ~c : 0;
    r |= table & 0x08 ? ~a & b & c : 0;
    r |= table & 0x10 ? a & ~b & ~c : 0;
    r |= table & 0x20 ? a & ~b & c : 0;
    r |= table & 0x40 ? a & b & ~c : 0;
    r |= table & 0x80 ? a & b & c : 0;
    return r;
}

TERNARY(lop3, u32, u32, u32, u32, truth(a, b, c, (u32)i->imm))

/* Bit fields: b is the position, c the length, both taken modulo 256. */
static inline u32 field_u(u32 a, u32 pos, u32 len)
{
    pos &= 255;
    len &= 255;
    u32 low = pos > 31 ? 0 : a >> (pos & 31);
    return len > 31 ? low : low & ((1u << (len & 31)) - 1);
}

/* Beyond bit 31 the field is filled with its sign (PTX ISA, bfe). */
static inline u32 field_s(u32 a, u32 pos, u32 len)
{
    pos &= 255;
    len &= 255;
    u32 low = (u32)((s32)a >> (pos > 31 ? 31 : pos));
    u32 up = len > 31 ? 0 : 32 - len;
    return len == 0 ? 0 : (u32)((s32)(low << (up & 31)) >> (up & 31));
}

TERNARY(bfe_u32, u32, u32, u32, u32, field_u(a, b, c))
TERNARY(bfe_s32, u32, u32, u32, u32, field_s(a, b, c))

/* c is a predicate: one mask for all lanes. */
#define SELECT(name, T)                                                        \
    HANDLER(name)                                                              \
    {                                                                          \
        T *d = slot(w, i->d);                                                  \
        const T *pa = slot(w, i->a), *pb = slot(w, i->b);                      \
        u32 p = *(u32 *)slot(w, i->c);                                         \
        STORE_LANES(T, (p >> l & 1 ? pa[l] : pb[l]))                           \
        return i + 1;                                                          \
    }
SELECT(selp_32, u32)
SELECT(selp_64, u64)

/* Predicates: a register is one word. p0, p1: invert a, b. */
#define PREDICATE(name, expression)                                            \
    HANDLER(name)                                                              \
    {                                                                          \
        u32 *d = slot(w, i->d);                                                \
        u32 a = *(u32 *)slot(w, i->a) ^ (i->p0 ? (u32)FULL : 0);               \
        u32 b = *(u32 *)slot(w, i->b) ^ (i->p1 ? (u32)FULL : 0);               \
        (void)b;                                                               \
        *d = (*d & ~mask) | ((expression) & mask);                             \
        return i + 1;                                                          \
    }
PREDICATE(and_pred, a & b)
PREDICATE(or_pred, a | b)
PREDICATE(xor_pred, a ^ b)
PREDICATE(not_pred, ~a)
PREDICATE(mov_pred, a)

/* A launch parameter: the same for every lane. */
#define BROADCAST(name, T)                                                     \
    HANDLER(name)                                                              \
    {                                                                          \
        T *d = slot(w, i->d);                                                  \
        T word;                                                                \
        __builtin_memcpy(&word, run_of(w)->params + i->imm, sizeof word);      \
        STORE_LANES(T, word)                                                   \
        return i + 1;                                                          \
    }
BROADCAST(broadcast_32, u32)
BROADCAST(broadcast_64, u64)

/* mov.b64 d, {a, b} and back: d and b are the halves, a the whole. */
BINARY(pack_64, u64, u32, u32, (u64)b << 32 | a)

HANDLER(unpack_64)
{
    u32 *low = slot(w, i->d), *high = slot(w, i->b);
    const u64 *whole = slot(w, i->a);
    EACH_LANE
    {
        u64 v = whole[l];
        bool on = mask >> l & 1;
        low[l] = on ? (u32)v : low[l];
        high[l] = on ? (u32)(v >> 32) : high[l];
    }
    return i + 1;
}

/* Rare instructions: a function of one lane. Widths in bytes in detail. */
static inline u64 get(const void *p, int lane, int width)
{
    return width == 8 ? ((const u64 *)p)[lane] : ((const u32 *)p)[lane];
}

static inline void each_scalar(struct warp *w, const struct inst *i,
                               u32 mask, bool three)
{
    const struct detail *t = i->detail;
    void *d = slot(w, i->d);
    const void *pa = slot(w, i->a), *pb = slot(w, i->b);
    const void *pc = three ? slot(w, i->c) : NULL;
    for (u32 rest = mask; rest; rest &= rest - 1) {
        int l = first_lane(rest);
        u64 c = three ? get(pc, l, t->width_c) : 0;
        u64 v = i->eval(get(pa, l, t->reg), get(pb, l, t->width_b), c, i);
        if (t->width_d == 8)
            ((u64 *)d)[l] = v;
        else
            ((u32 *)d)[l] = (u32)v;
    }
}

HANDLER(scalar_2)
{
    each_scalar(w, i, mask, false);
    return i + 1;
}

/* Of integers. What a GPU makes of a divisor of 0 is no number to count on, and
 * an index made of it leads anywhere: its finding names this line. */
HANDLER(divide)
{
    const void *pb = slot(w, i->b);
    u32 zero = 0;
    for (u32 rest = mask; rest; rest &= rest - 1) {
        int l = first_lane(rest);
        zero |= (u32)(get(pb, l, i->detail->width_b) == 0) << l;
    }
    if (zero)
        w->divided = (struct warp_divided){zero, w->leaf->frame->function, i};
    each_scalar(w, i, mask, false);
    return i + 1;
}

HANDLER(scalar_3)
{
    each_scalar(w, i, mask, true);
    return i + 1;
}
