// SPDX-License-Identifier: MIT
/*
 * rows_twins.c: forms of an instruction that differ from one in another file
 * by type or mode alone. Every form has a row: main.c counts.
 */
#include "conformance.h"

#include <math.h>

static int64_t apart(int64_t a, int64_t b)
{
    return a > b ? a - b : b - a;
}

static void integers(void)
{
    ROW(u32, "ii", "sub.u32 %d, %a, %b;", a.u32 - b.u32);
    ROW(u64, "ll", "sub.u64 %d, %a, %b;", a.u64 - b.u64);
    ROW(u16, "jj", "add.u16 %d, %a, %b;", (uint16_t)(a.u16 + b.u16));
    ROW(u16, "jj", "sub.s16 %d, %a, %b;", (uint16_t)(a.u16 - b.u16));
    ROW(u32, "ii", "mul.lo.u32 %d, %a, %b;", a.u32 * b.u32);
    ROW(u64, "ll", "mul.lo.u64 %d, %a, %b;", a.u64 * b.u64);
    ROW(u16, "jj", "mul.lo.u16 %d, %a, %b;",
        (uint16_t)((uint32_t)a.u16 * b.u16));
    ROW(u64, "lll", "mad.lo.u64 %d, %a, %b, %c;", a.u64 * b.u64 + c.u64);
    ROW(u16, "jjj", "mad.lo.s16 %d, %a, %b, %c;",
        (uint16_t)((uint32_t)a.u16 * b.u16 + c.u16));
    ROW(u64, "lll", "mad.hi.s64 %d, %a, %b, %c;",
        (uint64_t)((__int128)a.s64 * b.s64 >> 64) + c.u64);
    ROW(s32, "ii", "mul24.hi.s32 %d, %a, %b;",
        (int32_t)((int64_t)(a.s32 << 8 >> 8) * (b.s32 << 8 >> 8) >> 16));
    ROW(u32, "iii", "mad24.lo.s32 %d, %a, %b, %c;",
        (uint32_t)((int64_t)(a.s32 << 8 >> 8) * (b.s32 << 8 >> 8)) + c.u32);
    ROW(u16, "jj", "or.b16 %h1, %b, 1; div.u16 %d, %a, %h1;",
        a.u16 / (b.u16 | 1));
    ROW(s16, "jj", "or.b16 %h1, %b, 1; rem.s16 %d, %a, %h1;",
        (int16_t)(a.s16 % (b.s16 | 1)));
    ROW(u16, "jj", "min.u16 %d, %a, %b;", a.u16 < b.u16 ? a.u16 : b.u16);
    ROW(s16, "jj", "max.s16 %d, %a, %b;", a.s16 > b.s16 ? a.s16 : b.s16);
    ROW(u16, "j", "cnot.b16 %d, %a;", a.u16 == 0);
    ROW(u64, "l", "cnot.b64 %d, %a;", a.u64 == 0);
    ROW(u64, "ls", "shr.b64 %d, %a, %b;", b.u32 > 63 ? 0 : a.u64 >> b.u32);
    ROW(u16, "js", "shr.b16 %d, %a, %b;",
        b.u32 > 15 ? 0 : (uint16_t)(a.u16 >> b.u32));
    ROW(u32, "jjj", "sad.s16 %h1, %a, %b, %c; cvt.u32.u16 %d, %h1;",
        (uint16_t)(c.u16 + apart(a.s16, b.s16)));
    ROW(u32, "jjj", "sad.u16 %h1, %a, %b, %c; cvt.u32.u16 %d, %h1;",
        (uint16_t)(c.u16 + apart(a.u16, b.u16)));
    ROW(u64, "lll", "sad.s64 %d, %a, %b, %c;",
        c.u64 + (a.s64 > b.s64 ? a.u64 - b.u64 : b.u64 - a.u64));
}

/* Of four bytes each: x of a, y of b, times and added. */
static uint32_t dot(uint32_t a, uint32_t b, uint32_t sum, bool s_a, bool s_b)
{
    for (int k = 0; k < 32; k += 8) {
        int32_t x = (uint8_t)(a >> k), y = (uint8_t)(b >> k);
        x -= s_a && x > 127 ? 256 : 0;
        y -= s_b && y > 127 ? 256 : 0;
        sum += (uint32_t)(x * y);
    }
    return sum;
}

/* The n-th one bit from base, upwards or (n < 0) downwards. */
static uint32_t nth_set(uint32_t mask, uint32_t base, int32_t n)
{
    if (n == 0)
        return mask >> base & 1 ? base : UINT32_MAX;
    int step = n > 0 ? 1 : -1;
    for (int at = (int)base; at >= 0 && at < 32; at += step)
        if (mask >> at & 1 && (n -= step) == 0)
            return (uint32_t)at;
    return UINT32_MAX;
}

static uint32_t byte_modes(uint32_t a, uint32_t b, uint32_t c, char mode)
{
    uint64_t all = (uint64_t)b << 32 | a;
    uint32_t d = 0;
    int from = (int)(c & 3);
    for (int k = 0; k < 4; k++) {
        int at = mode == 'l'   ? (k > from ? k : from)
                 : mode == 'r' ? (k < from ? k : from)
                               : (from - k) & 7;
        d |= ((uint32_t)(all >> 8 * at) & 255) << 8 * k;
    }
    return d;
}

static uint32_t width_of(uint64_t x)
{
    uint32_t n = 0;
    for (; x; x >>= 1)
        n++;
    return n;
}

static void bits(void)
{
    ROW(u32, "i", "bfind.shiftamt.s32 %d, %a;",
        a.s32 == 0 || a.s32 == -1
            ? UINT32_MAX
            : 32 - width_of(a.s32 < 0 ? ~a.u32 : a.u32));
    ROW(u32, "l", "bfind.shiftamt.s64 %d, %a;",
        a.s64 == 0 || a.s64 == -1
            ? UINT32_MAX
            : 64 - width_of(a.s64 < 0 ? ~a.u64 : a.u64));
    ROW(u32, "iii", "and.b32 %t1, %b, 31; rem.s32 %t2, %c, 9; "
        "fns.b32 %d, %a, %t1, %t2;", nth_set(a.u32, b.u32 & 31, c.s32 % 9));
    ROW(u32, "i", "szext.clamp.s32 %d, %a, 9;", (uint32_t)(a.s32 << 23 >> 23));
    ROW(u32, "i", "szext.clamp.s32 %d, %a, 77;", a.u32);
    ROW(u32, "iii", "prmt.b32.b4e %d, %a, %b, %c;",
        byte_modes(a.u32, b.u32, c.u32, 'b'));
    ROW(u32, "iii", "prmt.b32.ecl %d, %a, %b, %c;",
        byte_modes(a.u32, b.u32, c.u32, 'l'));
    ROW(u32, "iii", "prmt.b32.ecr %d, %a, %b, %c;",
        byte_modes(a.u32, b.u32, c.u32, 'r'));
    ROW(u32, "iii", "dp4a.s32.u32 %d, %a, %b, %c;",
        dot(a.u32, b.u32, c.u32, true, false));
    ROW(u32, "iii", "dp4a.u32.s32 %d, %a, %b, %c;",
        dot(a.u32, b.u32, c.u32, false, true));
    ROW(u32, "iii", "dp2a.lo.s32.s32 %d, %a, %b, %c;",
        c.u32 + (uint32_t)(a.s16 * (int8_t)b.u32) +
            (uint32_t)((a.s32 >> 16) * (int8_t)(b.u32 >> 8)));
    ROW(u32, "iii", "dp2a.hi.u32.u32 %d, %a, %b, %c;",
        c.u32 + a.u16 * (b.u32 >> 16 & 255) + (a.u32 >> 16) * (b.u32 >> 24));
}

#define SELECT(type, letters, field)                                           \
    ROW(field, letters "i", "slct." #type ".s32 %d, %a, %b, %c;",              \
        c.s32 >= 0 ? a.field : b.field)
#define SELECT_F(type)                                                         \
    ROW(u32, "iif", "slct." #type ".f32 %d, %a, %b, %c;",                      \
        c.f32 >= 0 ? a.u32 : b.u32)

static void selections(void)
{
    SELECT(b32, "ii", u32);
    SELECT(u32, "ii", u32);
    ROW(u32, "ffi", "slct.f32.s32 %d, %a, %b, %c;",
        c.s32 >= 0 ? a.u32 : b.u32);
    SELECT(b64, "ll", u64);
    SELECT(u64, "ll", u64);
    SELECT(s64, "ll", u64);
    ROW(u64, "ddi", "slct.f64.s32 %d, %a, %b, %c;",
        c.s32 >= 0 ? a.u64 : b.u64);
    SELECT_F(b32);
    SELECT_F(s32);
    ROW(u32, "fff", "slct.f32.f32 %d, %a, %b, %c;",
        c.f32 >= 0 ? a.u32 : b.u32);
    ROW(f64, "ddd", "mad.rn.f64 %d, %a, %b, %c;",
        fma(a.f64, b.f64, c.f64));
    ROW_NEAR(f64, "g", "cvt.f64.f32 %l1, %a; rsqrt.approx.f64 %d, %l1;",
             0x1p-20, 1 / sqrt((double)a.f32));
}

void rows_twins(void)
{
    integers();
    bits();
    selections();
}
