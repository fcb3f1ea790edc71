// SPDX-License-Identifier: MIT
/*
 * type.h: the element types of arrays.
 *
 *   type_row     name, bytes, precision and range of a type
 *   type_get     element i of an array, as a double
 *   type_set     the same element from a double, rounded to nearest even
 *   type_bits    its bits, zero-extended
 *   type_decode, type_encode   bits to double and back
 *   type_is_poison             whether an element still holds the poison
 *
 * A double holds every value of every type exactly, so everything outside the
 * kernels computes with doubles and reads and writes arrays through here.
 *
 * Poison is what an output holds before a launch: a value that no kernel
 * computes. Every byte of it is the same, so that cudaMemset can write it. For
 * floating-point types it is 0xff: a NaN with its sign and all mantissa bits
 * set, where the hardware's own NaN has no sign (in fp8 it is 0x7f). For
 * integers, whose every pattern is a number, it is 0x80: -128, and -2139062144
 * for int32. An operator with an integer output keeps its results clear of
 * these (an int8 result is within [-127, 127], as symmetric quantisation has
 * it; an int32 sum of int8 products stays above for up to 130000 terms).
 */
#ifndef WB_TYPE_H
#define WB_TYPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum type {
    TYPE_FP32,
    TYPE_FP64,
    TYPE_FP16,
    TYPE_BF16,
    TYPE_TF32, /* fp32 in memory; what tensor cores keep of it */
    TYPE_FP8_E4M3,
    TYPE_FP8_E5M2,
    TYPE_INT32,
    TYPE_INT8,
    TYPES,
};

struct type_row {
    const char *name;     /* "bf16" */
    size_t bytes;
    bool floating;
    bool infinite;        /* has infinities (e4m3 and integers have none) */
    bool saturates;       /* a GPU converts what is too large, infinities too,
                             to the largest value (fp8: PTX's .satfinite) */
    int mantissa;         /* explicit bits of it */
    int exponent;         /* bits of it */
    int digits;           /* that tell any two values apart, in decimal */
    double u;             /* unit roundoff: half an ulp of 1; 0 for integers */
    double exact;         /* integers up to here are all representable */
    double largest;       /* finite value */
    double smallest;      /* positive value, a subnormal */
    unsigned char poison; /* every byte of it */
};

extern const struct type_row type_row[TYPES];

double type_decode(enum type type, uint64_t bits);
/* Beyond the largest value: an infinity where the type has one, else NaN;
 * integers are clamped, and NaN becomes 0. Where a type has infinities, a NaN
 * keeps its sign, and is no poison then. */
uint64_t type_encode(enum type type, double value);

static inline uint64_t type_bits(enum type type, const void *array, size_t i)
{
    size_t bytes = type_row[type].bytes;
    uint64_t bits = 0;

    memcpy(&bits, (const char *)array + i * bytes, bytes); /* little-endian */
    return bits;
}

/* The upper half of an fp32. Inline, for sums over whole arrays. */
static inline double type_wide_bf16(uint16_t bits)
{
    uint32_t wide = (uint32_t)bits << 16;
    float value;

    memcpy(&value, &wide, sizeof value);
    return value;
}

static inline double type_get(enum type type, const void *array, size_t i)
{
    if (type == TYPE_FP32)
        return ((const float *)array)[i];
    if (type == TYPE_BF16)
        return type_wide_bf16(((const uint16_t *)array)[i]);
    return type_decode(type, type_bits(type, array, i));
}

static inline void type_set(enum type type, void *array, size_t i,
                            double value)
{
    size_t bytes = type_row[type].bytes;
    uint64_t bits;

    if (type == TYPE_FP32) {
        ((float *)array)[i] = (float)value;
        return;
    }
    bits = type_encode(type, value);
    memcpy((char *)array + i * bytes, &bits, bytes);
}

static inline bool type_is_poison(enum type type, uint64_t bits)
{
    uint64_t poison = type_row[type].poison * 0x0101010101010101u;

    return bits == poison >> (64 - 8 * type_row[type].bytes);
}

#endif
