// SPDX-License-Identifier: MIT
/*
 * scalar_single.c: fp32 in company: two in a register (.f32x2), with halves
 * (add.f32.f16), minima of three and with .xorsign.abs, tf32, integers packed
 * by cvt.pack. Interface: eval.h.
 *
 * Sources: the PTX ISA, "Floating Point Instructions", "Mixed Precision
 * Floating Point Instructions", "cvt", "cvt.pack".
 */
#include <math.h>

#include "eval.h"
#include "half.h"

static float f32(uint64_t bits)
{
    union { uint32_t u; float f; } v = {(uint32_t)bits};
    return v.f;
}

static uint32_t bits32(float x)
{
    union { float f; uint32_t u; } v = {x};
    return v.u;
}

/* Each half of 64 bits by itself. */
#define PAIR_OF(op)                                                            \
    uint64_t eval_##op##_f32x2(uint64_t a, uint64_t b, uint64_t c,             \
                               const struct inst *i)                           \
    {                                                                          \
        return (uint32_t)eval_##op##_f32(a, b, c, i) |                         \
               eval_##op##_f32(a >> 32, b >> 32, c >> 32, i) << 32;            \
    }
PAIR_OF(add)
PAIR_OF(sub)
PAIR_OF(mul)
PAIR_OF(fma)

/* The halves widen, which is exact; the rest is fp32's. */
#define MIXED(format, widen)                                                   \
    uint64_t eval_add_f32_##format(uint64_t a, uint64_t b, uint64_t c,         \
                                   const struct inst *i)                       \
    {                                                                          \
        return eval_add_f32(bits32((float)widen(a)), b, c, i);                 \
    }                                                                          \
    uint64_t eval_sub_f32_##format(uint64_t a, uint64_t b, uint64_t c,         \
                                   const struct inst *i)                       \
    {                                                                          \
        return eval_sub_f32(bits32((float)widen(a)), b, c, i);                 \
    }                                                                          \
    uint64_t eval_fma_f32_##format(uint64_t a, uint64_t b, uint64_t c,         \
                                   const struct inst *i)                       \
    {                                                                          \
        return eval_fma_f32(bits32((float)widen(a)), bits32((float)widen(b)),  \
                            c, i);                                             \
    }
MIXED(f16, half_to_double)
MIXED(bf16, bfloat_to_double)

/* Of three: .abs takes all as positive; NaN loses, unless .NaN. */
static uint64_t of_three(uint64_t a, uint64_t b, uint64_t c, scalar *two,
                         const struct inst *i)
{
    uint32_t keep = i->mods & MOD_ABS ? 0x7fffffff : UINT32_MAX;
    return two(two(a & keep, b & keep, 0, i), c & keep, 0, i);
}

uint64_t eval_min3_f32(uint64_t a, uint64_t b, uint64_t c,
                       const struct inst *i)
{
    return of_three(a, b, c, eval_min_f32, i);
}

uint64_t eval_max3_f32(uint64_t a, uint64_t b, uint64_t c,
                       const struct inst *i)
{
    return of_three(a, b, c, eval_max_f32, i);
}

/* .xorsign.abs: of the magnitudes, with the sign of a product. */
#define XORSIGN(name, two, sign, value)                                        \
    uint64_t eval_##name(uint64_t a, uint64_t b, uint64_t c,                   \
                         const struct inst *i)                                 \
    {                                                                          \
        uint64_t x = two(a & ((sign) - 1), b & ((sign) - 1), c, i);            \
        return isnan(value(x)) ? x : x | ((a ^ b) & (sign));                   \
    }
#define SIGN32 0x80000000u
#define SIGN16 0x8000u
XORSIGN(min_xorsign_f32, eval_min_f32, SIGN32, f32)
XORSIGN(max_xorsign_f32, eval_max_f32, SIGN32, f32)
XORSIGN(min_xorsign_f16, eval_min_f16, SIGN16, half_to_double)
XORSIGN(max_xorsign_f16, eval_max_f16, SIGN16, half_to_double)
XORSIGN(min_xorsign_bf16, eval_min_bf16, SIGN16, bfloat_to_double)
XORSIGN(max_xorsign_bf16, eval_max_bf16, SIGN16, bfloat_to_double)

#define XORSIGN_X2(op, format)                                                 \
    uint64_t eval_##op##_xorsign_##format##x2(uint64_t a, uint64_t b,          \
                                              uint64_t c, const struct inst *i)\
    {                                                                          \
        uint64_t low = eval_##op##_xorsign_##format(a & 0xffff, b & 0xffff, c, \
                                                    i);                        \
        return (low & 0xffff) |                                                \
               (eval_##op##_xorsign_##format(a >> 16, b >> 16, c, i) & 0xffff) \
                   << 16;                                                      \
    }
XORSIGN_X2(min, f16)
XORSIGN_X2(max, f16)
XORSIGN_X2(min, bf16)
XORSIGN_X2(max, bf16)

/* tf32: fp32's exponent and the first 10 bits of its fraction. */
enum { TF32_LOST = 13 };

/* As an H200 did; with .relu and .satfinite as the PTX ISA says. */
static uint32_t tf32_nan(uint32_t bits, const struct inst *i, bool away)
{
    uint32_t cut = UINT32_MAX << TF32_LOST;
    if (i->p0 || i->p1)
        return 0x7fffffff;
    return away && isnan(f32(bits & cut)) ? bits & cut : 0x7fffffff & cut;
}

static uint32_t to_tf32(uint32_t bits, const struct inst *i, bool away)
{
    uint32_t half = 1u << (TF32_LOST - 1), infinity = 0x7f800000;
    uint32_t sign = bits & 0x80000000u, x = bits ^ sign;
    if (x > infinity)
        return tf32_nan(bits, i, away);
    if (i->p0 && sign)
        return 0; /* .relu */
    bool odd = x >> TF32_LOST & 1;
    if (away)
        x += half;
    else if ((i->mods & MOD_ROUND) >> 2 != ROUND_ZERO)
        x += half - !odd;
    x &= UINT32_MAX << TF32_LOST;
    if (i->p1 && x >= infinity) /* .satfinite */
        x = infinity - (1u << TF32_LOST);
    return sign | (x > infinity ? infinity : x);
}

uint64_t eval_tf32(uint64_t a, uint64_t b, uint64_t c, const struct inst *i)
{
    (void)b, (void)c;
    return to_tf32((uint32_t)a, i, false);
}

uint64_t eval_tf32_away(uint64_t a, uint64_t b, uint64_t c,
                        const struct inst *i)
{
    (void)b, (void)c;
    return to_tf32((uint32_t)a, i, true);
}

/* cvt.pack: two integers clamped to bits each, a above b, c above both. */
static uint64_t pack(uint64_t a, uint64_t b, uint64_t c, int bits,
                     bool is_signed)
{
    int32_t most = (int32_t)((1u << (bits - is_signed)) - 1);
    int32_t least = is_signed ? -most - 1 : 0, x = (int32_t)a, y = (int32_t)b;
    uint32_t mask = UINT32_MAX >> (32 - bits);
    x = x > most ? most : x < least ? least : x;
    y = y > most ? most : y < least ? least : y;
    uint64_t low = ((uint32_t)x & mask) << bits | ((uint32_t)y & mask);
    return (uint32_t)(c << 2 * bits | low);
}

#define PACK(name, bits, is_signed, above)                                     \
    uint64_t eval_pack_##name(uint64_t a, uint64_t b, uint64_t c,              \
                              const struct inst *i)                            \
    {                                                                          \
        (void)c, (void)i;                                                      \
        return pack(a, b, above, bits, is_signed);                             \
    }
PACK(s16, 16, true, 0)
PACK(u16, 16, false, 0)
PACK(s8, 8, true, c)
PACK(u8, 8, false, c)
PACK(s4, 4, true, c)
PACK(u4, 4, false, c)
PACK(s2, 2, true, c)
PACK(u2, 2, false, c)
