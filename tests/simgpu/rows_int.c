// SPDX-License-Identifier: MIT
/*
 * rows_int.c: integer arithmetic. Source: the PTX ISA, "Integer Arithmetic
 * Instructions"; 24-bit and packed-byte forms stand at the end.
 */
#include "conformance.h"

#include <stdlib.h>

static uint64_t high_u64(uint64_t a, uint64_t b)
{
    return (uint64_t)((unsigned __int128)a * b >> 64);
}

static int64_t high_s64(int64_t a, int64_t b)
{
    return (int64_t)((__int128)a * b >> 64);
}

/* Division by zero gives all ones; C leaves it and MIN / -1 undefined. */
static int32_t quotient(int32_t a, int32_t b)
{
    return b == -1 ? (int32_t)(0u - (uint32_t)a) : a / b;
}

static int32_t remainder_of(int32_t a, int32_t b)
{
    return b == -1 ? 0 : a % b;
}

static int32_t saturate(int64_t x)
{
    return x > INT32_MAX ? INT32_MAX : x < INT32_MIN ? INT32_MIN : (int32_t)x;
}

static int32_t signed24(uint32_t x)
{
    return (int32_t)(x << 8) >> 8;
}

static uint32_t distance(int64_t a, int64_t b)
{
    return (uint32_t)(a > b ? a - b : b - a);
}

static void add_and_multiply(void)
{
    ROW(u32, "ii", "add.s32 %d, %a, %b;", a.u32 + b.u32);
    ROW(u32, "ii", "add.u32 %d, %a, %b;", a.u32 + b.u32);
    ROW(u64, "ll", "add.s64 %d, %a, %b;", a.u64 + b.u64);
    ROW(u16, "jj", "add.s16 %d, %a, %b;", (uint16_t)(a.u16 + b.u16));
    ROW(s32, "ii", "add.sat.s32 %d, %a, %b;",
        saturate((int64_t)a.s32 + b.s32));
    ROW(u32, "ii", "sub.s32 %d, %a, %b;", a.u32 - b.u32);
    ROW(u64, "ll", "sub.s64 %d, %a, %b;", a.u64 - b.u64);
    ROW(u16, "jj", "sub.u16 %d, %a, %b;", (uint16_t)(a.u16 - b.u16));
    ROW(s32, "ii", "sub.sat.s32 %d, %a, %b;",
        saturate((int64_t)a.s32 - b.s32));
    ROW(u32, "i", "add.s32 %d, %a, -7;", a.u32 - 7);
    ROW(u64, "l", "add.s64 %d, %a, -7;", a.u64 - 7);
    ROW(u32, "ii", "mul.lo.s32 %d, %a, %b;", a.u32 * b.u32);
    ROW(u64, "ll", "mul.lo.s64 %d, %a, %b;", a.u64 * b.u64);
    ROW(u16, "jj", "mul.lo.s16 %d, %a, %b;",
        (uint16_t)((uint32_t)a.u16 * b.u16));
    ROW(u32, "ii", "mul.hi.s32 %d, %a, %b;",
        (uint32_t)((int64_t)a.s32 * b.s32 >> 32));
    ROW(u32, "ii", "mul.hi.u32 %d, %a, %b;",
        (uint32_t)((uint64_t)a.u32 * b.u32 >> 32));
    ROW(s64, "ll", "mul.hi.s64 %d, %a, %b;", high_s64(a.s64, b.s64));
    ROW(u64, "ll", "mul.hi.u64 %d, %a, %b;", high_u64(a.u64, b.u64));
    ROW(u16, "jj", "mul.hi.u16 %d, %a, %b;",
        (uint16_t)((uint32_t)a.u16 * b.u16 >> 16));
    ROW(s16, "jj", "mul.hi.s16 %d, %a, %b;",
        (int16_t)((int32_t)a.s16 * b.s16 >> 16));
    ROW(s64, "ii", "mul.wide.s32 %d, %a, %b;", (int64_t)a.s32 * b.s32);
    ROW(u64, "ii", "mul.wide.u32 %d, %a, %b;", (uint64_t)a.u32 * b.u32);
    ROW(s32, "jj", "mul.wide.s16 %d, %a, %b;", (int32_t)a.s16 * b.s16);
    ROW(u32, "jj", "mul.wide.u16 %d, %a, %b;", (uint32_t)a.u16 * b.u16);
    ROW(s32, "ii", "mul24.lo.s32 %d, %a, %b;",
        (int32_t)((int64_t)signed24(a.u32) * signed24(b.u32)));
    ROW(u32, "ii", "mul24.hi.u32 %d, %a, %b;",
        (uint32_t)((uint64_t)(a.u32 & 0xffffff) * (b.u32 & 0xffffff) >> 16));
    ROW(u32, "iii", "mad24.lo.u32 %d, %a, %b, %c;",
        (uint32_t)((uint64_t)(a.u32 & 0xffffff) * (b.u32 & 0xffffff)) +
            c.u32);
    ROW(u32, "ii", "mul24.lo.u32 %d, %a, %b;",
        (uint32_t)((uint64_t)(a.u32 & 0xffffff) * (b.u32 & 0xffffff)));
}

static void multiply_add(void)
{
    ROW(u32, "iii", "mad.lo.s32 %d, %a, %b, %c;", a.u32 * b.u32 + c.u32);
    ROW(u64, "lll", "mad.lo.s64 %d, %a, %b, %c;", a.u64 * b.u64 + c.u64);
    ROW(u16, "jjj", "mad.lo.u16 %d, %a, %b, %c;",
        (uint16_t)((uint32_t)a.u16 * b.u16 + c.u16));
    ROW(u32, "iii", "mad.hi.s32 %d, %a, %b, %c;",
        (uint32_t)((int64_t)a.s32 * b.s32 >> 32) + c.u32);
    ROW(u32, "iii", "mad.hi.u32 %d, %a, %b, %c;",
        (uint32_t)((uint64_t)a.u32 * b.u32 >> 32) + c.u32);
    ROW(u64, "lll", "mad.hi.u64 %d, %a, %b, %c;",
        high_u64(a.u64, b.u64) + c.u64);
    ROW(u64, "iil", "mad.wide.s32 %d, %a, %b, %c;",
        (uint64_t)((int64_t)a.s32 * b.s32) + c.u64);
    ROW(u64, "iil", "mad.wide.u32 %d, %a, %b, %c;",
        (uint64_t)a.u32 * b.u32 + c.u64);
    ROW(u32, "jji", "mad.wide.u16 %d, %a, %b, %c;",
        (uint32_t)a.u16 * b.u16 + c.u32);
    ROW(u32, "jji", "mad.wide.s16 %d, %a, %b, %c;",
        (uint32_t)((int32_t)a.s16 * b.s16) + c.u32);
    ROW(u32, "iii", "sad.s32 %d, %a, %b, %c;",
        distance(a.s32, b.s32) + c.u32);
    ROW(u32, "iii", "sad.u32 %d, %a, %b, %c;",
        distance(a.u32, b.u32) + c.u32);
    ROW(u64, "lll", "sad.u64 %d, %a, %b, %c;",
        (a.u64 > b.u64 ? a.u64 - b.u64 : b.u64 - a.u64) + c.u64);
}

static void divide(void)
{
    ROW(s32, "in", "div.s32 %d, %a, %b;", quotient(a.s32, b.s32));
    ROW(u32, "in", "div.u32 %d, %a, %b;", a.u32 / b.u32);
    ROW(s32, "in", "rem.s32 %d, %a, %b;", remainder_of(a.s32, b.s32));
    ROW(u32, "in", "rem.u32 %d, %a, %b;", a.u32 % b.u32);
    ROW(u64, "ln", "cvt.u64.u32 %l1, %b; div.u64 %d, %a, %l1;",
        a.u64 / b.u32);
    ROW(s64, "ln", "cvt.u64.u32 %l1, %b; div.s64 %d, %a, %l1;",
        a.s64 / (int64_t)b.u32);
    ROW(u64, "ln", "cvt.u64.u32 %l1, %b; rem.u64 %d, %a, %l1;",
        a.u64 % b.u32);
    ROW(s64, "ln", "cvt.u64.u32 %l1, %b; rem.s64 %d, %a, %l1;",
        a.s64 % (int64_t)b.u32);
    ROW(s16, "jj", "or.b16 %h1, %b, 1; div.s16 %d, %a, %h1;",
        (int16_t)(a.s16 / (int16_t)(b.s16 | 1)));
    ROW(u16, "jj", "or.b16 %h1, %b, 1; rem.u16 %d, %a, %h1;",
        (uint16_t)(a.u16 % (b.u16 | 1)));
}

static void sign_and_order(void)
{
    ROW(s64, "ll", "or.b64 %l1, %b, 1; div.s64 %d, %a, %l1;",
        (b.s64 | 1) == -1 ? (int64_t)(0 - a.u64) : a.s64 / (b.s64 | 1));
    ROW(s64, "ll", "or.b64 %l1, %b, 1; rem.s64 %d, %a, %l1;",
        (b.s64 | 1) == -1 ? 0 : a.s64 % (b.s64 | 1));
    ROW(u32, "i", "neg.s32 %d, %a;", 0u - a.u32);
    ROW(u64, "l", "neg.s64 %d, %a;", 0u - a.u64);
    ROW(u16, "j", "neg.s16 %d, %a;", (uint16_t)(0 - a.u16));
    ROW(u32, "i", "abs.s32 %d, %a;", a.s32 < 0 ? 0u - a.u32 : a.u32);
    ROW(u64, "l", "abs.s64 %d, %a;", a.s64 < 0 ? 0u - a.u64 : a.u64);
    ROW(s16, "j", "abs.s16 %d, %a;", (int16_t)(a.s16 < 0 ? -a.s16 : a.s16));
    ROW(s32, "ii", "min.s32 %d, %a, %b;", a.s32 < b.s32 ? a.s32 : b.s32);
    ROW(u32, "ii", "min.u32 %d, %a, %b;", a.u32 < b.u32 ? a.u32 : b.u32);
    ROW(s32, "ii", "max.s32 %d, %a, %b;", a.s32 > b.s32 ? a.s32 : b.s32);
    ROW(u32, "ii", "max.u32 %d, %a, %b;", a.u32 > b.u32 ? a.u32 : b.u32);
    ROW(s64, "ll", "min.s64 %d, %a, %b;", a.s64 < b.s64 ? a.s64 : b.s64);
    ROW(u64, "ll", "min.u64 %d, %a, %b;", a.u64 < b.u64 ? a.u64 : b.u64);
    ROW(s64, "ll", "max.s64 %d, %a, %b;", a.s64 > b.s64 ? a.s64 : b.s64);
    ROW(u64, "ll", "max.u64 %d, %a, %b;", a.u64 > b.u64 ? a.u64 : b.u64);
    ROW(s16, "jj", "min.s16 %d, %a, %b;", a.s16 < b.s16 ? a.s16 : b.s16);
    ROW(u16, "jj", "max.u16 %d, %a, %b;", a.u16 > b.u16 ? a.u16 : b.u16);
}

/* The carry goes from one instruction to the next through CC. */
static void carries(void)
{
    ROW(u64, "ll",
        "mov.b64 {%t1, %t2}, %a; mov.b64 {%t3, %t4}, %b; "
        "add.cc.u32 %t1, %t1, %t3; addc.u32 %t2, %t2, %t4; "
        "mov.b64 %d, {%t1, %t2};",
        a.u64 + b.u64);
    ROW(u64, "ll",
        "mov.b64 {%t1, %t2}, %a; mov.b64 {%t3, %t4}, %b; "
        "sub.cc.u32 %t1, %t1, %t3; subc.u32 %t2, %t2, %t4; "
        "mov.b64 %d, {%t1, %t2};",
        a.u64 - b.u64);
    ROW(u64, "iil",
        "mov.b64 {%t1, %t2}, %c; mad.lo.cc.u32 %t1, %a, %b, %t1; "
        "madc.hi.u32 %t2, %a, %b, %t2; mov.b64 %d, {%t1, %t2};",
        (uint64_t)a.u32 * b.u32 + c.u64);
}

static uint32_t dot4(uint32_t a, uint32_t b, uint32_t sum, bool is_signed)
{
    for (int i = 0; i < 4; i++) {
        uint8_t x = (uint8_t)(a >> 8 * i), y = (uint8_t)(b >> 8 * i);
        sum += is_signed ? (uint32_t)((int8_t)x * (int8_t)y)
                         : (uint32_t)x * y;
    }
    return sum;
}

static void packed_bytes(void)
{
    ROW(u32, "iii", "dp4a.u32.u32 %d, %a, %b, %c;",
        dot4(a.u32, b.u32, c.u32, false));
    ROW(u32, "iii", "dp2a.lo.u32.u32 %d, %a, %b, %c;",
        c.u32 + a.u16 * (b.u32 & 255) + (a.u32 >> 16) * (b.u32 >> 8 & 255));
    ROW(u32, "iii", "dp2a.hi.s32.s32 %d, %a, %b, %c;",
        c.u32 + (uint32_t)(a.s16 * (int8_t)(b.u32 >> 16)) +
            (uint32_t)((int16_t)(a.u32 >> 16) * (int8_t)(b.u32 >> 24)));
    ROW(u32, "iii", "dp4a.s32.s32 %d, %a, %b, %c;",
        dot4(a.u32, b.u32, c.u32, true));
}

void rows_int(void)
{
    add_and_multiply();
    multiply_add();
    divide();
    sign_and_order();
    carries();
    packed_bytes();
}
