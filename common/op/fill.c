// SPDX-License-Identifier: MIT
/*
 * fill.c: see fill.h. A value is a hash of (seed, index): no state runs along
 * the array, and neighbouring seeds share nothing.
 */
#include "op/fill.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Three rounds of fold and multiply; the odd factors are the fractions of the
 * square roots of 2, 3 and 5, which hide nothing. */
static uint64_t mix(uint64_t z)
{
    z += 0x6a09e667f3bcc909u;
    z = (z ^ (z >> 32)) * 0x6a09e667f3bcc909u;
    z = (z ^ (z >> 29)) * 0xbb67ae8584caa73bu;
    z = (z ^ (z >> 32)) * 0x3c6ef372fe94f82bu;
    return z ^ (z >> 31);
}

static uint64_t draw(uint64_t seed, uint64_t index)
{
    return mix(seed + mix(index));
}

uint64_t fill_seed(uint64_t seed, int buffer)
{
    return mix(seed ^ mix((uint64_t)buffer + 1));
}

/* 24 random bits: every value is exact in fp32, none is denormal. */
static double unit(uint64_t bits)
{
    return (double)(bits >> 40) * 0x1p-24;
}

static double whole(uint64_t bits, int low, int range)
{
    return (int)(bits % (uint64_t)range) + low;
}

/* Factors are powers of two up to this one, and their inverses: products still
 * fit, and so do sums of thousands of them. */
static int wide_span(enum type type)
{
    switch (type) {
    case TYPE_FP16:
    case TYPE_FP8_E5M2:
        return 5;
    case TYPE_FP8_E4M3:
        return 4;
    default:
        return 20;
    }
}

static double wide(enum type type, uint64_t bits)
{
    int span = wide_span(type);
    double value = ldexp(1.0 + unit(bits), (int)whole(bits, -span,
                                                      2 * span + 1));

    return bits >> 39 & 1 ? -value : value;
}

/* One in 512 each: a matrix of 100 rows has some, and few rows have two. */
static double special(enum type type, uint64_t bits)
{
    switch (bits % 512) {
    case 0:
        return NAN;
    case 1:
        return type_row[type].infinite ? INFINITY : 1.0;
    case 2:
        return type_row[type].infinite ? -INFINITY : -1.0;
    default:
        return unit(bits) * 2.0 - 1.0;
    }
}

/* Integers take the whole range that symmetric quantisation uses. */
static double integer_value(enum op_family family, uint64_t bits)
{
    if (family == OP_INTEGER)
        return whole(bits, -3, 7);
    return family == OP_POSITIVE ? whole(bits, 0, 128)
                                 : whole(bits, -127, 255);
}

double fill_value(enum op_family family, enum type type, uint64_t seed,
                  size_t index)
{
    uint64_t bits = draw(seed, index);

    if (!type_row[type].floating)
        return integer_value(family, bits);
    switch (family) {
    case OP_SIGNED:
        return unit(bits) * 2.0 - 1.0;
    case OP_POSITIVE:
        return unit(bits);
    case OP_INTEGER: /* small: sums of a million products are exact in fp32 */
        return whole(bits, -3, 7);
    case OP_WIDE:
        return wide(type, bits);
    case OP_SPECIAL:
        return special(type, bits);
    default: /* a count is no family */
        fprintf(stderr, "fill_value makes no impulses: the operator's .value "
                        "has to place them, or its .families leave out "
                        "OP_IMPULSE (common/op/fill.h)\n");
        abort();
    }
}

static bool picks(uint64_t seed, size_t index, size_t one_in)
{
    return draw(seed, index) % one_in == 0;
}

/* Every second line of positive ones is thin. Of signed ones few are: these are
 * timed, and zeros take less power. */
static bool is_thin_line(enum op_family family, uint64_t seed, size_t line)
{
    if (family == OP_POSITIVE)
        return (line + seed) % 2 == 0;
    return family == OP_SIGNED && picks(seed, line, 64);
}

/* Two terms of a thin line are, or one. */
static bool is_left(uint64_t seed, size_t line, size_t k, size_t depth)
{
    return draw(mix(seed), 2 * line) % depth == k ||
           draw(mix(seed), 2 * line + 1) % depth == k;
}

double fill_factor(enum op_family family, enum type type, uint64_t seed,
                   size_t line, size_t k, size_t depth)
{
    size_t index = line * depth + k;

    if (is_thin_line(family, seed, line) && !is_left(seed, line, k, depth))
        return 0.0;
    if (family == OP_SPECIAL && k == depth - 1 && picks(seed, line, 8))
        return type_row[type].infinite ? INFINITY : 1.0;
    if (family == OP_SPECIAL && picks(mix(seed), index, 16))
        return 0.0;
    return fill_value(family, type, seed, index);
}

double fill_dense(uint64_t seed, size_t index)
{
    return whole(draw(seed, index), 1, 7);
}

/* An end of the row, or a cell beside or at a tile's edge. */
static size_t edge(uint64_t bits, size_t n)
{
    static const size_t tiles[] = {32, 64, 128};
    size_t tile = tiles[(bits >> 8) % 3];

    if (n <= tile || (bits & 3) == 0)
        return (bits & 4) ? 0 : n - 1;
    size_t at = (1 + (bits >> 16) % (n / tile)) * tile; /* tile .. n */
    size_t before = (bits >> 4) % 3;                    /* 0, 1, 2 */
    at -= before;
    return at < n ? at : n - 1;
}

double fill_impulse(uint64_t seed, size_t at, size_t n)
{
    const uint64_t impulses = 3; /* few: responses seldom overlap */

    for (uint64_t i = 0; i < impulses; i++)
        if (edge(draw(seed, i), n) == at)
            return 1.0;
    return 0.0;
}

static bool holds(const struct op_scalar *s, double value)
{
    return value >= s->low && value < s->high;
}

/* Of OP_POSITIVE, where sums are exact enough to show it: far below what else
 * is drawn, and no reason to leave anything out. */
static double small(double value, uint64_t bits)
{
    static const double scales[] = {0x1p-11, 0x1p-14}; /* 2 becomes 1e-3 */

    return value * scales[bits % 2];
}

double fill_scalar(const struct op_scalar *s, enum op_family family,
                   uint64_t seed)
{
    uint64_t bits = mix(seed);
    double value = s->low + unit(bits) * (s->high - s->low);

    if (bits % 4 == 0 && holds(s, 0.0) && family != OP_SPECIAL)
        return 0.0;
    if (bits % 4 == 1 && holds(s, 1.0))
        return 1.0;
    if (family == OP_POSITIVE && type_row[s->type].floating &&
        holds(s, 0.0) && bits % 4 >= 2)
        value = small(value, bits);
    if (op_family_row[family].exact)
        value = rint(value);
    if (value == 0.0 && family == OP_SPECIAL)
        value = s->high / 2;
    return type_decode(s->type, type_encode(s->type, value));
}
