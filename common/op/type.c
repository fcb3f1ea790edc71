// SPDX-License-Identifier: MIT
/*
 * type.c: see type.h.
 *
 * The small floating-point types are converted here bit by bit, so that check
 * needs no header of a CUDA release and no support by the host's compiler. A
 * value is rounded by dividing it by the quantum of its binade, which is exact
 * in double precision, and rounding the quotient to an integer.
 *
 * Formats: IEEE 754 (fp64, fp32, fp16), bf16 and tf32 (fp32 with a shorter
 * mantissa), and the two of fp8 (Micikevicius et al., "FP8 Formats for Deep
 * Learning", arXiv 2209.05433): e5m2 follows IEEE's rules; e4m3 has no
 * infinity, and only the mantissa of all ones in its highest binade is NaN.
 */
#include "op/type.h"

#include <math.h>

#define FLOATING(name_, bytes_, mantissa_, exponent_, digits_, largest_)      \
    {.name = name_, .bytes = bytes_, .floating = true, .infinite = true,      \
     .mantissa = mantissa_, .exponent = exponent_, .digits = digits_,         \
     .largest = largest_, .poison = 0xff

const struct type_row type_row[TYPES] = {
    [TYPE_FP32] = FLOATING("fp32", 4, 23, 8, 9, 0x1.fffffep127),
                  .u = 0x1p-24, .exact = 0x1p24, .smallest = 0x1p-149},
    [TYPE_FP64] = FLOATING("fp64", 8, 52, 11, 17, 0x1.fffffffffffffp1023),
                  .u = 0x1p-53, .exact = 0x1p53, .smallest = 0x1p-1074},
    [TYPE_FP16] = FLOATING("fp16", 2, 10, 5, 5, 65504),
                  .u = 0x1p-11, .exact = 0x1p11, .smallest = 0x1p-24},
    [TYPE_BF16] = FLOATING("bf16", 2, 7, 8, 4, 0x1.fep127),
                  .u = 0x1p-8, .exact = 0x1p8, .smallest = 0x1p-133},
    [TYPE_TF32] = FLOATING("tf32", 4, 10, 8, 5, 0x1.ffcp127),
                  .u = 0x1p-11, .exact = 0x1p11, .smallest = 0x1p-136},
    [TYPE_FP8_E4M3] = {.name = "fp8_e4m3", .bytes = 1, .floating = true,
                       .saturates = true, .mantissa = 3, .exponent = 4,
                       .digits = 3, .largest = 448, .poison = 0xff,
                       .u = 0x1p-4, .exact = 16, .smallest = 0x1p-9},
    [TYPE_FP8_E5M2] = FLOATING("fp8_e5m2", 1, 2, 5, 3, 57344),
                      .saturates = true, .u = 0x1p-3, .exact = 8,
                      .smallest = 0x1p-16},
    [TYPE_INT32] = {.name = "int32", .bytes = 4, .digits = 10,
                    .exact = 2147483647, .largest = 2147483647,
                    .smallest = 1, .poison = 0x80},
    [TYPE_INT8] = {.name = "int8", .bytes = 1, .digits = 3, .exact = 127,
                   .largest = 127, .smallest = 1, .poison = 0x80},
};

static int bias_of(const struct type_row *t)
{
    return (1 << (t->exponent - 1)) - 1;
}

/* A type that its fp32 or fp64 pattern alone describes. */
static double from_float(uint64_t bits)
{
    uint32_t low = (uint32_t)bits;
    float value;

    memcpy(&value, &low, sizeof value);
    return value;
}

static uint64_t to_float(float value)
{
    uint32_t bits;

    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static double decode_small(const struct type_row *t, uint64_t bits)
{
    uint64_t top = ((uint64_t)1 << t->exponent) - 1;
    uint64_t fraction = bits & (((uint64_t)1 << t->mantissa) - 1);
    uint64_t exponent = bits >> t->mantissa & top;
    double sign = bits >> (t->mantissa + t->exponent) & 1 ? -1.0 : 1.0;
    uint64_t last = ((uint64_t)1 << t->mantissa) - 1;

    if (exponent == top && t->infinite)
        return fraction ? NAN : sign * INFINITY;
    if (exponent == top && fraction == last)
        return NAN; /* e4m3 */
    if (exponent == 0)
        return sign * ldexp((double)fraction, 1 - bias_of(t) - t->mantissa);
    return sign * ldexp((double)(fraction + last + 1),
                        (int)exponent - bias_of(t) - t->mantissa);
}

/* Half-way cases to the even integer, whatever the host's rounding mode. */
static double round_even(double value)
{
    double below = floor(value), rest = value - below;

    if (rest > 0.5 || (rest == 0.5 && fmod(below, 2.0) != 0.0))
        return below + 1.0;
    return below;
}

static uint64_t encode_small(const struct type_row *t, double value)
{
    uint64_t sign = (uint64_t)(signbit(value) != 0)
                    << (t->mantissa + t->exponent);
    uint64_t all = ((uint64_t)1 << (t->mantissa + t->exponent)) - 1;
    uint64_t infinity = all - (((uint64_t)1 << t->mantissa) - 1);
    uint64_t overflow = t->infinite ? sign | infinity : all;
    double one = ldexp(1.0, t->mantissa);
    int binade;

    if (isnan(value)) /* with a sign, that a kernel's NaN lacks; no poison */
        return sign && t->infinite
                   ? sign | infinity | (uint64_t)1 << (t->mantissa - 1)
                   : all;
    if (isinf(value))
        return overflow;
    value = fabs(value);
    binade = value > 0.0 ? ilogb(value) : 1 - bias_of(t);
    if (binade < 1 - bias_of(t))
        binade = 1 - bias_of(t);
    value = round_even(ldexp(value, t->mantissa - binade));
    if (ldexp(value, binade - t->mantissa) > t->largest)
        return overflow;
    if (value < one)
        return sign | (uint64_t)value; /* a subnormal, or zero */
    /* A carry into the next binade also carries in the bits. */
    return sign | (((uint64_t)(binade + bias_of(t)) << t->mantissa) +
                   (uint64_t)(value - one));
}

static uint64_t encode_integer(const struct type_row *t, double value)
{
    if (isnan(value))
        return 0;
    value = round_even(value);
    value = fmax(-t->largest - 1.0, fmin(t->largest, value));
    return (uint64_t)(int64_t)value & (~(uint64_t)0 >> (64 - 8 * t->bytes));
}

double type_decode(enum type type, uint64_t bits)
{
    double value;

    switch (type) {
    case TYPE_FP32:
    case TYPE_TF32:
        return from_float(bits);
    case TYPE_FP64:
        memcpy(&value, &bits, sizeof value);
        return value;
    case TYPE_BF16:
        return type_wide_bf16((uint16_t)bits);
    case TYPE_INT32:
        return (int32_t)(uint32_t)bits;
    case TYPE_INT8:
        return (int8_t)(uint8_t)bits;
    default:
        return decode_small(&type_row[type], bits);
    }
}

uint64_t type_encode(enum type type, double value)
{
    const struct type_row *t = &type_row[type];
    uint64_t bits;

    switch (type) {
    case TYPE_FP32:
        return to_float((float)value);
    case TYPE_FP64:
        memcpy(&bits, &value, sizeof bits);
        return bits;
    case TYPE_TF32: /* the bits below its mantissa are zero */
        return encode_small(t, value) << (23 - t->mantissa);
    default:
        return t->floating ? encode_small(t, value) : encode_integer(t, value);
    }
}
