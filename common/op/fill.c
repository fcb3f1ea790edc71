// SPDX-License-Identifier: MIT
/*
 * fill.c: see fill.h. A value is a hash of (seed, index): no state runs along
 * the array, and neighbouring seeds share nothing.
 */
#include "op/fill.h"

#include <stdlib.h>
#include <string.h>

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
static float unit(uint64_t bits)
{
    return (float)(bits >> 40) * 0x1p-24f;
}

static void fill_uniform(uint64_t seed, float *values, size_t n, float low)
{
    for (size_t i = 0; i < n; i++)
        values[i] = unit(draw(seed, i)) * (1.0f - low) + low;
}

/* low to low + range - 1: small enough that sums of a million products are
 * still exact in fp32, in whatever order. */
static void fill_integers(uint64_t seed, float *values, size_t n, int low,
                          int range)
{
    for (size_t i = 0; i < n; i++)
        values[i] = (float)((int)(draw(seed, i) % (uint64_t)range) + low);
}

void fill_dense(uint64_t seed, float *values, size_t n)
{
    fill_integers(seed, values, n, 1, 7);
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

void fill_impulses(uint64_t seed, float *row, size_t n)
{
    const uint64_t impulses = 3; /* few: responses seldom overlap */

    memset(row, 0, n * sizeof *row);
    for (uint64_t i = 0; i < impulses; i++)
        row[edge(draw(seed, i), n)] = 1.0f;
}

void fill_values(enum op_family family, uint64_t seed, float *values, size_t n)
{
    switch (family) {
    case OP_SIGNED:
        fill_uniform(seed, values, n, -1.0f);
        break;
    case OP_POSITIVE:
        fill_uniform(seed, values, n, 0.0f);
        break;
    case OP_INTEGER:
        fill_integers(seed, values, n, -3, 7);
        break;
    case OP_IMPULSE:
        fill_impulses(seed, values, n);
        break;
    case OP_FAMILIES:
        abort(); /* a count, not a family */
    }
}
