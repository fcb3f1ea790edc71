// SPDX-License-Identifier: MIT
/*
 * rows_compare.c: setp and set: every comparison on every type, combined with
 * a predicate, negated, and with both results. Source: the PTX ISA,
 * "Comparison and Select Instructions".
 */
#include "conformance.h"

#include <math.h>

#define ORDER(type, letter, field)                                             \
    ROW(pred, letter letter, "setp.eq." type " %d, %a, %b;",                   \
        a.field == b.field);                                                   \
    ROW(pred, letter letter, "setp.lt." type " %d, %a, %b;",                   \
        a.field < b.field);                                                    \
    ROW(pred, letter letter, "setp.le." type " %d, %a, %b;",                   \
        a.field <= b.field);                                                   \
    ROW(pred, letter letter, "setp.gt." type " %d, %a, %b;",                   \
        a.field > b.field);                                                    \
    ROW(pred, letter letter, "setp.ge." type " %d, %a, %b;",                   \
        a.field >= b.field)

#define INTEGER_ORDER(type, letter, field)                                     \
    ORDER(type, letter, field);                                                \
    ROW(pred, letter letter, "setp.ne." type " %d, %a, %b;",                   \
        a.field != b.field)

/* With a NaN the plain comparisons are false, those with u true. */
#define FLOAT_ORDER(type, letter, field)                                       \
    ORDER(type, letter, field);                                                \
    ROW(pred, letter letter, "setp.ne." type " %d, %a, %b;",                   \
        a.field < b.field || a.field > b.field);                               \
    ROW(pred, letter letter, "setp.equ." type " %d, %a, %b;",                  \
        isunordered(a.field, b.field) || a.field == b.field);                  \
    ROW(pred, letter letter, "setp.neu." type " %d, %a, %b;",                  \
        isunordered(a.field, b.field) || a.field != b.field);                  \
    ROW(pred, letter letter, "setp.ltu." type " %d, %a, %b;",                  \
        isunordered(a.field, b.field) || a.field < b.field);                   \
    ROW(pred, letter letter, "setp.leu." type " %d, %a, %b;",                  \
        isunordered(a.field, b.field) || a.field <= b.field);                  \
    ROW(pred, letter letter, "setp.gtu." type " %d, %a, %b;",                  \
        isunordered(a.field, b.field) || a.field > b.field);                   \
    ROW(pred, letter letter, "setp.geu." type " %d, %a, %b;",                  \
        isunordered(a.field, b.field) || a.field >= b.field);                  \
    ROW(pred, letter letter, "setp.num." type " %d, %a, %b;",                  \
        !isunordered(a.field, b.field));                                       \
    ROW(pred, letter letter, "setp.nan." type " %d, %a, %b;",                  \
        isunordered(a.field, b.field))

#define BITS_EQUAL(type, letter, field)                                        \
    ROW(pred, letter letter, "setp.eq." type " %d, %a, %b;",                   \
        a.field == b.field);                                                   \
    ROW(pred, letter letter, "setp.ne." type " %d, %a, %b;",                   \
        a.field != b.field)

#define UNSIGNED_NAMES(type, letter, field)                                    \
    ROW(pred, letter letter, "setp.lo." type " %d, %a, %b;",                   \
        a.field < b.field);                                                    \
    ROW(pred, letter letter, "setp.ls." type " %d, %a, %b;",                   \
        a.field <= b.field);                                                   \
    ROW(pred, letter letter, "setp.hi." type " %d, %a, %b;",                   \
        a.field > b.field);                                                    \
    ROW(pred, letter letter, "setp.hs." type " %d, %a, %b;",                   \
        a.field >= b.field)

static void combined(void)
{
    ROW(pred, "iip", "setp.lt.and.s32 %d, %a, %b, %c;",
        a.s32 < b.s32 && c.pred);
    ROW(pred, "iip", "setp.lt.or.s32 %d, %a, %b, %c;",
        a.s32 < b.s32 || c.pred);
    ROW(pred, "iip", "setp.lt.xor.s32 %d, %a, %b, %c;",
        (a.s32 < b.s32) != (int)c.pred);
    ROW(pred, "iip", "setp.lt.and.s32 %d, %a, %b, !%c;",
        a.s32 < b.s32 && !c.pred);
    ROW(pred, "ii", "setp.gt.u32 %d|%p0, %a, %b;", a.u32 > b.u32);
    ROW(pred, "ii", "setp.gt.u32 %p0|%d, %a, %b;", a.u32 <= b.u32);
    ROW(pred, "iip", "setp.gt.and.u32 %p0|%d, %a, %b, %c;",
        a.u32 <= b.u32 && c.pred);
    ROW(pred, "ffp", "setp.gtu.or.f32 %d, %a, %b, %c;",
        !(a.f32 <= b.f32) || c.pred);
    ROW(pred, "f", "setp.eq.ftz.f32 %d, %a, 0f00000000;",
        fabsf(a.f32) < 0x1p-126f);
    ROW(pred, "i", "setp.eq.s32 %d, %a, -1;", a.s32 == -1);
    ROW(pred, "l", "setp.lt.s64 %d, %a, 0;", a.s64 < 0);
}

static void set(void)
{
    ROW(u32, "ii", "set.lt.u32.s32 %d, %a, %b;",
        a.s32 < b.s32 ? UINT32_MAX : 0);
    ROW(f32, "ff", "set.gt.f32.f32 %d, %a, %b;",
        a.f32 > b.f32 ? 1.0f : 0.0f);
    ROW(u32, "ddp", "set.le.and.u32.f64 %d, %a, %b, %c;",
        a.f64 <= b.f64 && c.pred ? UINT32_MAX : 0);
}

void rows_compare(void)
{
    INTEGER_ORDER("s32", "i", s32);
    INTEGER_ORDER("u32", "i", u32);
    INTEGER_ORDER("s64", "l", s64);
    INTEGER_ORDER("u64", "l", u64);
    INTEGER_ORDER("s16", "j", s16);
    INTEGER_ORDER("u16", "j", u16);
    UNSIGNED_NAMES("u32", "i", u32);
    UNSIGNED_NAMES("u64", "l", u64);
    BITS_EQUAL("b32", "i", u32);
    BITS_EQUAL("b64", "l", u64);
    BITS_EQUAL("b16", "j", u16);
    FLOAT_ORDER("f32", "f", f32);
    FLOAT_ORDER("f64", "d", f64);
    combined();
    set();
}
