// SPDX-License-Identifier: MIT
/*
 * rows_round.c: the rounding modes .rz, .rm and .rp. The host's own rounding
 * mode is the judge: IEEE 754 defines both.
 */
#include "conformance.h"

#include <fenv.h>
#include <math.h>

/* volatile: the operation must happen between the two calls. */
#define UNDER(mode, type, expression)                                          \
    volatile type result;                                                      \
    fesetround(mode);                                                          \
    result = (expression);                                                     \
    fesetround(FE_TONEAREST);                                                  \
    return result

#define OPERATIONS(suffix, type, fused, root)                                  \
    static type add_##suffix(int mode, volatile type a, volatile type b)       \
    {                                                                          \
        UNDER(mode, type, a + b);                                              \
    }                                                                          \
    static type sub_##suffix(int mode, volatile type a, volatile type b)       \
    {                                                                          \
        UNDER(mode, type, a - b);                                              \
    }                                                                          \
    static type mul_##suffix(int mode, volatile type a, volatile type b)       \
    {                                                                          \
        UNDER(mode, type, a * b);                                              \
    }                                                                          \
    static type div_##suffix(int mode, volatile type a, volatile type b)       \
    {                                                                          \
        UNDER(mode, type, a / b);                                              \
    }                                                                          \
    static type fma_##suffix(int mode, volatile type a, volatile type b,       \
                             volatile type c)                                  \
    {                                                                          \
        UNDER(mode, type, fused(a, b, c));                                     \
    }                                                                          \
    static type sqrt_##suffix(int mode, volatile type a)                       \
    {                                                                          \
        UNDER(mode, type, root(a));                                            \
    }

OPERATIONS(f32, float, fmaf, sqrtf)
OPERATIONS(f64, double, fma, sqrt)

#define MODE(r, mode, type, letter)                                            \
    ROW(type, letter letter, "add." r "." #type " %d, %a, %b;",                \
        add_##type(mode, a.type, b.type));                                     \
    ROW(type, letter letter, "sub." r "." #type " %d, %a, %b;",                \
        sub_##type(mode, a.type, b.type));                                     \
    ROW(type, letter letter, "mul." r "." #type " %d, %a, %b;",                \
        mul_##type(mode, a.type, b.type));                                     \
    ROW(type, letter letter, "div." r "." #type " %d, %a, %b;",                \
        div_##type(mode, a.type, b.type));                                     \
    ROW(type, letter letter letter, "fma." r "." #type " %d, %a, %b, %c;",     \
        fma_##type(mode, a.type, b.type, c.type));                             \
    ROW(type, letter letter letter, "mad." r "." #type " %d, %a, %b, %c;",     \
        fma_##type(mode, a.type, b.type, c.type));                             \
    ROW(type, letter, "rcp." r "." #type " %d, %a;",                           \
        div_##type(mode, 1, a.type));                                          \
    ROW(type, letter, "sqrt." r "." #type " %d, %a;",                          \
        sqrt_##type(mode, a.type))

void rows_round(void)
{
    MODE("rz", FE_TOWARDZERO, f32, "f");
    MODE("rm", FE_DOWNWARD, f32, "f");
    MODE("rp", FE_UPWARD, f32, "f");
    MODE("rz", FE_TOWARDZERO, f64, "d");
    MODE("rm", FE_DOWNWARD, f64, "d");
    MODE("rp", FE_UPWARD, f64, "d");
}
