// SPDX-License-Identifier: MIT
/*
 * scalar_int.c: integer instructions, one lane at a time. Interface: eval.h.
 *
 * Meanings are the PTX ISA's, "Integer Arithmetic Instructions" and "Logic
 * and Shift Instructions". Division by zero is unspecified there; ours is
 * what the hardware's sequence gives for unsigned: all ones.
 */
#include "eval.h"
#include "wide.h"

typedef int16_t s16;
typedef uint16_t u16;
typedef int32_t s32;
typedef uint32_t u32;
typedef int64_t s64;
typedef uint64_t u64;

/* T: the operands' type; R: the result's. */
#define ONE(name, R, T, expression)                                            \
    uint64_t eval_##name(uint64_t pa, uint64_t pb, uint64_t pc,                \
                         const struct inst *i)                                 \
    {                                                                          \
        T a = (T)pa;                                                           \
        (void)pb, (void)pc, (void)i;                                           \
        return (uint64_t)(R)(expression);                                      \
    }
#define TWO(name, R, T, expression)                                            \
    uint64_t eval_##name(uint64_t pa, uint64_t pb, uint64_t pc,                \
                         const struct inst *i)                                 \
    {                                                                          \
        T a = (T)pa, b = (T)pb;                                                \
        (void)pc, (void)i;                                                     \
        return (uint64_t)(R)(expression);                                      \
    }
#define THREE(name, R, T, C, expression)                                       \
    uint64_t eval_##name(uint64_t pa, uint64_t pb, uint64_t pc,                \
                         const struct inst *i)                                 \
    {                                                                          \
        T a = (T)pa, b = (T)pb;                                                \
        C c = (C)pc;                                                           \
        (void)i;                                                               \
        return (uint64_t)(R)(expression);                                      \
    }

TWO(add_s16, u16, u16, a + b)
TWO(add_u16, u16, u16, a + b)
TWO(sub_s16, u16, u16, a - b)
TWO(sub_u16, u16, u16, a - b)
TWO(mul_s16, u16, u16, (u32)a * b)
TWO(mul_u16, u16, u16, (u32)a * b)
TWO(mul_hi_s16, u16, s16, (s32)a * b >> 16)
TWO(mul_hi_u16, u16, u16, (u32)a * b >> 16)
TWO(mul_wide_s16, u32, s16, (s32)a * b)
TWO(mul_wide_u16, u32, u16, (u32)a * b)
THREE(mad_s16, u16, u16, u16, (u32)a * b + c)
THREE(mad_u16, u16, u16, u16, (u32)a * b + c)
THREE(mad_wide_s16, u32, s16, u32, (u32)((s32)a * b) + c)
THREE(mad_wide_u16, u32, u16, u32, (u32)a * b + c)
TWO(min_s16, u16, s16, a < b ? a : b)
TWO(min_u16, u16, u16, a < b ? a : b)
TWO(max_s16, u16, s16, a > b ? a : b)
TWO(max_u16, u16, u16, a > b ? a : b)
ONE(neg_s16, u16, u16, -a)
ONE(abs_s16, u16, s16, a < 0 ? -a : a)
ONE(not_b16, u16, u16, ~a)
ONE(cnot_b16, u16, u16, a == 0)
ONE(cnot_b32, u32, u32, a == 0)
ONE(cnot_b64, u64, u64, a == 0)

static u16 shift_left(u16 a, u64 n)
{
    return n > 15 ? 0 : (u16)(a << n);
}

uint64_t eval_shl_b16(uint64_t a, uint64_t b, uint64_t c, const struct inst *i)
{
    (void)c, (void)i;
    return shift_left((u16)a, (u32)b);
}

uint64_t eval_shr_u16(uint64_t a, uint64_t b, uint64_t c, const struct inst *i)
{
    (void)c, (void)i;
    return (u32)b > 15 ? 0 : (u16)a >> (u32)b;
}

uint64_t eval_shr_s16(uint64_t a, uint64_t b, uint64_t c, const struct inst *i)
{
    (void)c, (void)i;
    return (u16)((s16)a >> ((u32)b > 15 ? 15 : (u32)b));
}

static s64 clamp32(s64 v)
{
    return v > INT32_MAX ? INT32_MAX : v < INT32_MIN ? INT32_MIN : v;
}

TWO(add_sat_s32, u32, s32, clamp32((s64)a + b))
TWO(sub_sat_s32, u32, s32, clamp32((s64)a - b))
TWO(mul_hi_s64, u64, s64, wide_high(wide_product_signed(a, b)))
TWO(mul_hi_u64, u64, u64, wide_high(wide_product(a, b)))
THREE(mad_hi_s32, u32, s32, u32, (u32)((s64)a * b >> 32) + c)
THREE(mad_hi_u32, u32, u32, u32, (u32)((u64)a * b >> 32) + c)
THREE(mad_hi_s64, u64, s64, u64, wide_high(wide_product_signed(a, b)) + c)
THREE(mad_hi_u64, u64, u64, u64, wide_high(wide_product(a, b)) + c)

static s64 low24(u64 v)
{
    return (s64)(v << 40) >> 40;
}

#define U24 0xffffffu
TWO(mul24_lo_s32, u32, u32, low24(a) * low24(b))
TWO(mul24_lo_u32, u32, u32, (u64)(a & U24) * (b & U24))
TWO(mul24_hi_s32, u32, u32, low24(a) * low24(b) >> 16)
TWO(mul24_hi_u32, u32, u32, (u64)(a & U24) * (b & U24) >> 16)
THREE(mad24_lo_s32, u32, u32, u32, (u32)(low24(a) * low24(b)) + c)
THREE(mad24_lo_u32, u32, u32, u32, (u32)((u64)(a & U24) * (b & U24)) + c)
THREE(mad24_hi_s32, u32, u32, u32, (u32)(low24(a) * low24(b) >> 16) + c)
THREE(mad24_hi_u32, u32, u32, u32,
      (u32)((u64)(a & U24) * (b & U24) >> 16) + c)

THREE(mad_hi_sat_s32, u32, s32, s32, clamp32(((s64)a * b >> 32) + c))
THREE(mad24_hi_sat_s32, u32, u32, s32,
      clamp32((s64)(s32)(low24(a) * low24(b) >> 16) + c))
THREE(mad_hi_s16, u16, s16, u16, ((s32)a * b >> 16) + c)
THREE(mad_hi_u16, u16, u16, u16, ((u32)a * b >> 16) + c)

TWO(div_u16, u16, u16, b ? a / b : -1)
TWO(rem_u16, u16, u16, b ? a % b : a)
TWO(div_s16, u16, s16, b ? a / b : -1)
TWO(rem_s16, u16, s16, b ? a % b : a)
TWO(div_u32, u32, u32, b ? a / b : UINT32_MAX)
TWO(rem_u32, u32, u32, b ? a % b : a)
TWO(div_s32, u32, s32, b ? (s64)a / b : -1)
TWO(rem_s32, u32, s32, b ? (s64)a % b : a)
TWO(div_u64, u64, u64, b ? a / b : UINT64_MAX)
TWO(rem_u64, u64, u64, b ? a % b : a)
TWO(div_s64, u64, s64, b == 0 ? -1 : b == -1 ? (s64)-(u64)a : a / b)
TWO(rem_s64, u64, s64, b == 0 ? a : b == -1 ? 0 : a % b)

ONE(popc, u32, u64, __builtin_popcountll(a))
ONE(clz_b32, u32, u32, a ? __builtin_clz(a) : 32)
ONE(clz_b64, u32, u64, a ? __builtin_clzll(a) : 64)

/* Position of the highest bit that is not the sign; -1 if there is none. */
static s32 find_bit(u64 a)
{
    return a ? 63 - __builtin_clzll(a) : -1;
}

#define SIGN_OFF(T, a) ((T)(a) < 0 ? ~(a) : (a))
#define SHIFT(bit, width) ((bit) < 0 ? -1 : (width) - 1 - (bit))
ONE(bfind_u32, u32, u32, find_bit(a))
ONE(bfind_s32, u32, u32, find_bit(SIGN_OFF(s32, a)))
ONE(bfind_u64, u32, u64, find_bit(a))
ONE(bfind_s64, u32, u64, find_bit(SIGN_OFF(s64, a)))
ONE(bfind_shift_u32, u32, u32, SHIFT(find_bit(a), 32))
ONE(bfind_shift_s32, u32, u32, SHIFT(find_bit(SIGN_OFF(s32, a)), 32))
ONE(bfind_shift_u64, u32, u64, SHIFT(find_bit(a), 64))
ONE(bfind_shift_s64, u32, u64, SHIFT(find_bit(SIGN_OFF(s64, a)), 64))

static u64 reversed(u64 a, int bits)
{
    u64 r = 0;
    for (int k = 0; k < bits; k++)
        r |= (a >> k & 1) << (bits - 1 - k);
    return r;
}

ONE(brev_b32, u32, u32, reversed(a, 32))
ONE(brev_b64, u64, u64, reversed(a, 64))

/* The PTX ISA's own loop for bfe, on 64 bits. */
static u64 field(u64 a, u32 pos, u32 len, bool is_signed)
{
    pos &= 255;
    len &= 255;
    u32 end = pos + len - 1;
    u64 sign = !is_signed || len == 0 ? 0 : a >> (end < 63 ? end : 63) & 1;
    u64 d = 0;
    for (u32 k = 0; k < 64; k++)
        d |= (k < len && pos + k <= 63 ? a >> (pos + k) & 1 : sign) << k;
    return d;
}

uint64_t eval_bfe_u64(uint64_t a, uint64_t b, uint64_t c, const struct inst *i)
{
    (void)i;
    return field(a, (u32)b, (u32)c, false);
}

uint64_t eval_bfe_s64(uint64_t a, uint64_t b, uint64_t c, const struct inst *i)
{
    (void)i;
    return field(a, (u32)b, (u32)c, true);
}

/* bfi d, a, b, c, len: a's low bits into b at c. */
static u64 insert(u64 a, u64 b, u32 pos, u32 len, u32 bits)
{
    pos &= 255;
    len &= 255;
    for (u32 k = 0; k < len && pos + k < bits; k++) {
        u64 bit = 1ull << (pos + k);
        b = (b & ~bit) | (k < 64 && (a >> k & 1) ? bit : 0);
    }
    return b;
}

const struct inst *op_bfi(struct warp *w, const struct inst *i, uint32_t mask)
{
    const struct detail *t = i->detail;
    const u32 *pos = slot(w, i->c), *len = slot(w, t->extra);
    for (u32 rest = mask; rest; rest &= rest - 1) {
        int l = first_lane(rest);
        if (t->reg == 8)
            ((u64 *)slot(w, i->d))[l] =
                insert(((u64 *)slot(w, i->a))[l], ((u64 *)slot(w, i->b))[l],
                       pos[l], len[l], 64);
        else
            ((u32 *)slot(w, i->d))[l] = (u32)insert(
                ((u32 *)slot(w, i->a))[l], ((u32 *)slot(w, i->b))[l], pos[l],
                len[l], 32);
    }
    return i + 1;
}

static u32 bit_mask(u32 pos, u32 len)
{
    u64 ones = len >= 32 ? UINT32_MAX : (1ull << len) - 1;
    return pos >= 32 ? 0 : (u32)(ones << pos);
}

TWO(bmsk_clamp, u32, u32, bit_mask(a, b))
TWO(bmsk_wrap, u32, u32, bit_mask(a & 31, b & 31))

/* The c-th set bit of a at or above b (below it, if c is negative). */
static u32 find_nth(u32 a, u32 base, s32 offset)
{
    if (offset == 0)
        return a >> (base & 31) & 1 ? base : UINT32_MAX;
    s32 step = offset > 0 ? 1 : -1, left = offset * step;
    for (s32 k = (s32)base; k >= 0 && k < 32; k += step)
        if ((a >> k & 1) && --left == 0)
            return (u32)k;
    return UINT32_MAX;
}

THREE(fns, u32, u32, s32, find_nth(a, b, c))

static u32 extend(u32 a, u32 n, bool is_signed)
{
    if (n >= 32)
        return a;
    if (n == 0)
        return 0;
    u32 up = a << (32 - n);
    return is_signed ? (u32)((s32)up >> (32 - n)) : up >> (32 - n);
}

TWO(szext_wrap_u32, u32, u32, extend(a, b & 31, false))
TWO(szext_wrap_s32, u32, u32, extend(a, b & 31, true))
TWO(szext_clamp_u32, u32, u32, extend(a, b, false))
TWO(szext_clamp_s32, u32, u32, extend(a, b, true))

/* prmt: bytes 0-3 are a's, 4-7 are b's; bit 3 of a selector repeats the
 * byte's sign. */
static u32 pick(u64 both, u32 selectors)
{
    u32 d = 0;
    for (int k = 0; k < 4; k++) {
        u32 s = selectors >> 4 * k & 15;
        u32 byte = both >> 8 * (s & 7) & 0xff;
        if (s & 8)
            byte = byte & 0x80 ? 0xff : 0;
        d |= byte << 8 * k;
    }
    return d;
}

THREE(prmt, u32, u32, u32, pick((u64)b << 32 | a, c))

/* Selectors of the named modes, by the low two bits of c. */
static u32 pick_mode(u32 a, u32 b, u32 c, const u16 table[4])
{
    return pick((u64)b << 32 | a, table[c & 3]);
}

static const u16 f4e[4] = {0x3210, 0x4321, 0x5432, 0x6543};
static const u16 b4e[4] = {0x5670, 0x6701, 0x7012, 0x0123};
static const u16 rc8[4] = {0x0000, 0x1111, 0x2222, 0x3333};
static const u16 ecl[4] = {0x3210, 0x3211, 0x3222, 0x3333};
static const u16 ecr[4] = {0x0000, 0x1110, 0x2210, 0x3210};
static const u16 rc16[4] = {0x1010, 0x3232, 0x1010, 0x3232};
THREE(prmt_f4e, u32, u32, u32, pick_mode(a, b, c, f4e))
THREE(prmt_b4e, u32, u32, u32, pick_mode(a, b, c, b4e))
THREE(prmt_rc8, u32, u32, u32, pick_mode(a, b, c, rc8))
THREE(prmt_ecl, u32, u32, u32, pick_mode(a, b, c, ecl))
THREE(prmt_ecr, u32, u32, u32, pick_mode(a, b, c, ecr))
THREE(prmt_rc16, u32, u32, u32, pick_mode(a, b, c, rc16))

#define DISTANCE(T, a, b) (a < b ? (T)b - (T)a : (T)a - (T)b)
THREE(sad_s16, u16, s16, u16, c + (u32)DISTANCE(s32, a, b))
THREE(sad_u16, u16, u16, u16, c + (u32)DISTANCE(s32, a, b))
THREE(sad_s32, u32, s32, u32, c + DISTANCE(u32, a, b))
THREE(sad_u32, u32, u32, u32, c + DISTANCE(u32, a, b))
THREE(sad_s64, u64, s64, u64, c + DISTANCE(u64, a, b))
THREE(sad_u64, u64, u64, u64, c + DISTANCE(u64, a, b))

static s32 byte_of(u32 v, int k, bool is_signed)
{
    u32 byte = v >> 8 * k & 0xff;
    return is_signed ? (int8_t)byte : (s32)byte;
}

static u32 dot4(u32 a, u32 b, u32 c, bool signed_a, bool signed_b)
{
    for (int k = 0; k < 4; k++)
        c += (u32)(byte_of(a, k, signed_a) * byte_of(b, k, signed_b));
    return c;
}

THREE(dp4a_ss, u32, u32, u32, dot4(a, b, c, true, true))
THREE(dp4a_uu, u32, u32, u32, dot4(a, b, c, false, false))
THREE(dp4a_su, u32, u32, u32, dot4(a, b, c, true, false))
THREE(dp4a_us, u32, u32, u32, dot4(a, b, c, false, true))

/* Two halves of a by two bytes of b, the low or the high ones. */
static u32 dot2(u32 a, u32 b, u32 c, bool signed_a, bool signed_b, int first)
{
    for (int k = 0; k < 2; k++) {
        u32 half = a >> 16 * k & 0xffff;
        s32 x = signed_a ? (s16)half : (s32)half;
        c += (u32)(x * byte_of(b, first + k, signed_b));
    }
    return c;
}

THREE(dp2a_lo_ss, u32, u32, u32, dot2(a, b, c, true, true, 0))
THREE(dp2a_lo_su, u32, u32, u32, dot2(a, b, c, true, false, 0))
THREE(dp2a_lo_us, u32, u32, u32, dot2(a, b, c, false, true, 0))
THREE(dp2a_lo_uu, u32, u32, u32, dot2(a, b, c, false, false, 0))
THREE(dp2a_hi_ss, u32, u32, u32, dot2(a, b, c, true, true, 2))
THREE(dp2a_hi_su, u32, u32, u32, dot2(a, b, c, true, false, 2))
THREE(dp2a_hi_us, u32, u32, u32, dot2(a, b, c, false, true, 2))
THREE(dp2a_hi_uu, u32, u32, u32, dot2(a, b, c, false, false, 2))

/* slct: c decides; -0 counts as positive, NaN as negative. */
THREE(slct_s32, u64, u64, s32, c >= 0 ? a : b)

uint64_t eval_slct_f32(uint64_t a, uint64_t b, uint64_t c,
                       const struct inst *i)
{
    float x;
    u32 bits = (u32)c;
    __builtin_memcpy(&x, &bits, sizeof x);
    if (i->mods & MOD_FTZ && x < 0 && x > -0x1p-126f)
        return a;
    return x >= 0 ? a : b; /* NaN: b */
}
