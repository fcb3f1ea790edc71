// SPDX-License-Identifier: MIT
/*
 * rows_bits.c: logic, shifts, bit fields, moves and selections. Source: the
 * PTX ISA, "Logic and Shift" and "Data Movement and Conversion".
 */
#include "conformance.h"

static uint32_t truth_table(uint32_t a, uint32_t b, uint32_t c, unsigned t)
{
    uint32_t r = 0;
    for (int bit = 0; bit < 32; bit++) {
        unsigned row = (a >> bit & 1) << 2 | (b >> bit & 1) << 1 |
                       (c >> bit & 1);
        r |= (t >> row & 1) << bit;
    }
    return r;
}

static uint32_t reverse(uint64_t x, int width)
{
    uint64_t r = 0;
    for (int i = 0; i < width; i++)
        r |= (x >> i & 1) << (width - 1 - i);
    return (uint32_t)r;
}

static uint64_t reverse64(uint64_t x)
{
    return (uint64_t)reverse(x & UINT32_MAX, 32) << 32 | reverse(x >> 32, 32);
}

/* One bit at a time, as the PTX ISA's own description has it. */
static uint64_t extract(uint64_t a, uint32_t b, uint32_t c, int width,
                        bool is_signed)
{
    unsigned pos = b & 255, len = c & 255;
    unsigned last = pos + len - 1 < (unsigned)width - 1 ? pos + len - 1
                                                        : (unsigned)width - 1;
    uint64_t sign = is_signed && len ? a >> last & 1 : 0, d = 0;
    for (unsigned i = 0; i < (unsigned)width; i++) {
        bool inside = i < len && pos + i < (unsigned)width;
        d |= (inside ? a >> (pos + i) & 1 : sign) << i;
    }
    return d;
}

static uint64_t insert(uint64_t a, uint64_t into, unsigned pos, unsigned len,
                       unsigned width)
{
    for (unsigned i = 0; i < len && pos + i < width; i++) {
        into &= ~(UINT64_C(1) << (pos + i));
        into |= (a >> i & 1) << (pos + i);
    }
    return into;
}

/* Byte k of the result: selector nibble k; its top bit spreads the sign. */
static uint32_t permute(uint32_t a, uint32_t b, uint32_t c)
{
    uint64_t all = (uint64_t)b << 32 | a;
    uint32_t d = 0;
    for (int k = 0; k < 4; k++) {
        unsigned s = c >> 4 * k & 15;
        uint32_t byte = (uint32_t)(all >> 8 * (s & 7)) & 255;
        if (s & 8)
            byte = byte & 128 ? 255 : 0;
        d |= byte << 8 * k;
    }
    return d;
}

static uint32_t top_bit(uint64_t x)
{
    uint32_t found = UINT32_MAX;
    for (uint32_t i = 0; i < 64; i++)
        if (x >> i & 1)
            found = i;
    return found;
}

static uint32_t clamped(uint32_t n)
{
    return n > 32 ? 32 : n;
}

static uint32_t shift(uint64_t x, uint32_t n)
{
    return n > 63 ? 0 : (uint32_t)(x >> n);
}

static void logic(void)
{
    ROW(u32, "ii", "and.b32 %d, %a, %b;", a.u32 & b.u32);
    ROW(u32, "ii", "or.b32 %d, %a, %b;", a.u32 | b.u32);
    ROW(u32, "ii", "xor.b32 %d, %a, %b;", a.u32 ^ b.u32);
    ROW(u32, "i", "not.b32 %d, %a;", ~a.u32);
    ROW(u32, "i", "cnot.b32 %d, %a;", a.u32 == 0);
    ROW(u64, "ll", "and.b64 %d, %a, %b;", a.u64 & b.u64);
    ROW(u64, "ll", "or.b64 %d, %a, %b;", a.u64 | b.u64);
    ROW(u64, "ll", "xor.b64 %d, %a, %b;", a.u64 ^ b.u64);
    ROW(u64, "l", "not.b64 %d, %a;", ~a.u64);
    ROW(u16, "jj", "and.b16 %d, %a, %b;", a.u16 & b.u16);
    ROW(u16, "jj", "or.b16 %d, %a, %b;", a.u16 | b.u16);
    ROW(u16, "jj", "xor.b16 %d, %a, %b;", a.u16 ^ b.u16);
    ROW(u16, "j", "not.b16 %d, %a;", (uint16_t)~a.u16);
    ROW(pred, "pp", "and.pred %d, %a, %b;", a.pred & b.pred);
    ROW(pred, "pp", "or.pred %d, %a, %b;", a.pred | b.pred);
    ROW(pred, "pp", "xor.pred %d, %a, %b;", a.pred ^ b.pred);
    ROW(pred, "p", "not.pred %d, %a;", !a.pred);
    ROW(pred, "pp", "and.pred %d, %a, !%b;", a.pred & !b.pred);
    ROW(pred, "p", "mov.pred %d, %a;", a.pred);
    ROW(u32, "iii", "lop3.b32 %d, %a, %b, %c, 0x96;",
        a.u32 ^ b.u32 ^ c.u32);
    ROW(u32, "iii", "lop3.b32 %d, %a, %b, %c, 0xE8;",
        truth_table(a.u32, b.u32, c.u32, 0xE8));
    ROW(u32, "iii", "lop3.b32 %d, %a, %b, %c, 0x1B;",
        truth_table(a.u32, b.u32, c.u32, 0x1B));
}

static void shifts(void)
{
    ROW(u32, "is", "shl.b32 %d, %a, %b;", b.u32 > 31 ? 0 : a.u32 << b.u32);
    ROW(u32, "is", "shr.u32 %d, %a, %b;", b.u32 > 31 ? 0 : a.u32 >> b.u32);
    ROW(u32, "is", "shr.b32 %d, %a, %b;", b.u32 > 31 ? 0 : a.u32 >> b.u32);
    ROW(s32, "is", "shr.s32 %d, %a, %b;",
        a.s32 >> (b.u32 > 31 ? 31 : b.u32));
    ROW(u64, "ls", "shl.b64 %d, %a, %b;", b.u32 > 63 ? 0 : a.u64 << b.u32);
    ROW(u64, "ls", "shr.u64 %d, %a, %b;", b.u32 > 63 ? 0 : a.u64 >> b.u32);
    ROW(s64, "ls", "shr.s64 %d, %a, %b;",
        a.s64 >> (b.u32 > 63 ? 63 : b.u32));
    ROW(u16, "js", "shl.b16 %d, %a, %b;",
        (uint16_t)(b.u32 > 15 ? 0 : a.u16 << b.u32));
    ROW(u16, "js", "shr.u16 %d, %a, %b;",
        (uint16_t)(b.u32 > 15 ? 0 : a.u16 >> b.u32));
    ROW(s16, "js", "shr.s16 %d, %a, %b;",
        (int16_t)(a.s16 >> (b.u32 > 15 ? 15 : b.u32)));
    ROW(u32, "i", "shl.b32 %d, %a, 5;", a.u32 << 5);
    ROW(u32, "iis", "shf.l.wrap.b32 %d, %a, %b, %c;",
        shift((uint64_t)b.u32 << 32 | a.u32, 32 - (c.u32 & 31)));
    ROW(u32, "iis", "shf.r.wrap.b32 %d, %a, %b, %c;",
        shift((uint64_t)b.u32 << 32 | a.u32, c.u32 & 31));
    ROW(u32, "iis", "shf.l.clamp.b32 %d, %a, %b, %c;",
        shift((uint64_t)b.u32 << 32 | a.u32,
              32 - (c.u32 > 32 ? 32 : c.u32)));
    ROW(u32, "iis", "shf.r.clamp.b32 %d, %a, %b, %c;",
        shift((uint64_t)b.u32 << 32 | a.u32, c.u32 > 32 ? 32 : c.u32));
}

static void fields(void)
{
    ROW(u32, "iss", "bfe.u32 %d, %a, %b, %c;",
        (uint32_t)extract(a.u32, b.u32, c.u32, 32, false));
    ROW(u32, "iss", "bfe.s32 %d, %a, %b, %c;",
        (uint32_t)extract(a.u32, b.u32, c.u32, 32, true));
    ROW(u64, "lss", "bfe.u64 %d, %a, %b, %c;",
        extract(a.u64, b.u32, c.u32, 64, false));
    ROW(u64, "lss", "bfe.s64 %d, %a, %b, %c;",
        extract(a.u64, b.u32, c.u32, 64, true));
    ROW(u32, "iis", "bfi.b32 %d, %a, %b, %c, 7;",
        (uint32_t)insert(a.u32, b.u32, c.u32 & 255, 7, 32));
    ROW(u32, "iis", "bfi.b32 %d, %a, %b, 3, %c;",
        (uint32_t)insert(a.u32, b.u32, 3, c.u32 & 255, 32));
    ROW(u64, "lls", "bfi.b64 %d, %a, %b, %c, 32;",
        insert(a.u64, b.u64, c.u32 & 255, 32, 64));
    ROW(u32, "iii", "prmt.b32 %d, %a, %b, %c;",
        permute(a.u32, b.u32, c.u32));
    ROW(u32, "ii", "prmt.b32 %d, %a, %b, 0x5410;",
        (a.u32 & 0xffff) | b.u32 << 16);
    ROW(u32, "i", "popc.b32 %d, %a;",
        (uint32_t)__builtin_popcount(a.u32));
    ROW(u32, "l", "popc.b64 %d, %a;",
        (uint32_t)__builtin_popcountll(a.u64));
    ROW(u32, "i", "clz.b32 %d, %a;", 31 - top_bit(a.u32));
    ROW(u32, "l", "clz.b64 %d, %a;", 63 - top_bit(a.u64));
    ROW(u32, "i", "brev.b32 %d, %a;", reverse(a.u32, 32));
    ROW(u64, "l", "brev.b64 %d, %a;", reverse64(a.u64));
    ROW(u32, "i", "bfind.u32 %d, %a;", top_bit(a.u32));
    ROW(u32, "i", "bfind.s32 %d, %a;",
        top_bit(a.s32 < 0 ? ~a.u32 : a.u32));
    ROW(u32, "i", "bfind.shiftamt.u32 %d, %a;",
        a.u32 ? 31 - top_bit(a.u32) : UINT32_MAX);
    ROW(u32, "l", "bfind.s64 %d, %a;",
        top_bit(a.s64 < 0 ? ~a.u64 : a.u64));
    ROW(u32, "l", "bfind.shiftamt.u64 %d, %a;",
        a.u64 ? 63 - top_bit(a.u64) : UINT32_MAX);
    ROW(u32, "ii", "bmsk.clamp.b32 %d, %a, %b;",
        (uint32_t)insert(UINT64_MAX, 0, clamped(a.u32), clamped(b.u32), 32));
    ROW(u32, "ii", "bmsk.wrap.b32 %d, %a, %b;",
        (uint32_t)insert(UINT64_MAX, 0, a.u32 & 31, b.u32 & 31, 32));
    ROW(u32, "is", "szext.wrap.u32 %d, %a, %b;",
        (uint32_t)extract(a.u32, 0, b.u32 & 31, 32, false));
    ROW(u32, "is", "szext.wrap.s32 %d, %a, %b;",
        (uint32_t)extract(a.u32, 0, b.u32 & 31, 32, true));
    ROW(u32, "is", "szext.clamp.u32 %d, %a, %b;",
        (uint32_t)extract(a.u32, 0, clamped(b.u32), 32, false));
    ROW(u32, "iii", "prmt.b32.f4e %d, %a, %b, %c;",
        (uint32_t)(((uint64_t)b.u32 << 32 | a.u32) >> 8 * (c.u32 & 3)));
    ROW(u32, "iii", "prmt.b32.rc8 %d, %a, %b, %c;",
        (a.u32 >> 8 * (c.u32 & 3) & 255) * 0x01010101u);
    ROW(u32, "iii", "prmt.b32.rc16 %d, %a, %b, %c;",
        (a.u32 >> 16 * (c.u32 & 1) & 0xffff) * 0x00010001u);
    ROW(u32, "i", "cnot.b32 %t1, %a; cnot.b32 %d, %t1;", a.u32 != 0);
    ROW(u32, "l", "bfind.u64 %d, %a;", top_bit(a.u64));
}

static void moves(void)
{
    ROW(u32, "i", "mov.b32 %d, %a;", a.u32);
    ROW(u64, "l", "mov.b64 %d, %a;", a.u64);
    ROW(u16, "j", "mov.b16 %d, %a;", a.u16);
    ROW(u32, "", "mov.u32 %d, 0xFFFFFFFF;", UINT32_MAX);
    ROW(u64, "", "mov.u64 %d, -5;", (uint64_t)-5);
    ROW(f32, "", "mov.f32 %d, 0f40490FDB;", 3.14159274f);
    ROW(f64, "", "mov.f64 %d, 0d400921FB54442D18;", 3.141592653589793);
    ROW(u64, "ii", "mov.b64 %d, {%a, %b};", (uint64_t)b.u32 << 32 | a.u32);
    ROW(u32, "l", "mov.b64 {%d, %t1}, %a;", a.u32);
    ROW(u32, "l", "mov.b64 {%t1, %d}, %a;", (uint32_t)(a.u64 >> 32));
    ROW(u32, "l", "mov.b64 {_, %d}, %a;", (uint32_t)(a.u64 >> 32));
    ROW(u32, "jj", "mov.b32 %d, {%a, %b};", (uint32_t)b.u16 << 16 | a.u16);
    ROW(u16, "i", "mov.b32 {%h1, %d}, %a;", (uint16_t)(a.u32 >> 16));
    ROW(u16, "i", "mov.b32 {%d, %h1}, %a;", a.u16);
    ROW(u64, "jj", "mov.b64 %d, {%a, %b, %b, %a};",
        (uint64_t)a.u16 << 48 | (uint64_t)b.u16 << 32 |
            (uint64_t)b.u16 << 16 | a.u16);
    ROW(u16, "l", "mov.b64 {%h1, %h2, %d, %h3}, %a;",
        (uint16_t)(a.u64 >> 32));
    ROW(u32, "iip", "selp.b32 %d, %a, %b, %c;", c.pred ? a.u32 : b.u32);
    ROW(u64, "llp", "selp.b64 %d, %a, %b, %c;", c.pred ? a.u64 : b.u64);
    ROW(u16, "jjp", "selp.b16 %d, %a, %b, %c;", c.pred ? a.u16 : b.u16);
    ROW(f32, "ffp", "selp.f32 %d, %a, %b, %c;", c.pred ? a.f32 : b.f32);
    ROW(u32, "ip", "selp.b32 %d, %a, 7, %b;", b.pred ? a.u32 : 7);
    ROW(u32, "iii", "slct.s32.s32 %d, %a, %b, %c;",
        c.s32 >= 0 ? a.u32 : b.u32);
    ROW(u32, "iif", "slct.u32.f32 %d, %a, %b, %c;",
        c.f32 >= 0 ? a.u32 : b.u32);
    ROW(u32, "", "mov.u32 %d, %laneid;", (uint32_t)(k % LANES));
    ROW(u32, "", "mov.u32 %d, %tid.x;", (uint32_t)(k % 256));
    ROW(u32, "", "mov.u32 %d, %ctaid.x;", (uint32_t)(k / 256));
    ROW(u32, "", "mov.u32 %d, %ntid.x;", 256);
    ROW(u32, "", "mov.u32 %d, %nctaid.x;", THREADS / 256);
    ROW(u32, "", "mov.u32 %d, %tid.y;", 0);
    ROW(u32, "", "mov.u32 %d, %ntid.z;", 1);
    ROW(u32, "", "mov.u32 %d, %lanemask_lt;", (1u << k % LANES) - 1);
    ROW(u32, "", "mov.u32 %d, %lanemask_eq;", 1u << k % LANES);
    ROW(u32, "", "mov.u32 %d, %lanemask_le;", (2u << k % LANES) - 1);
    ROW(u32, "", "mov.u32 %d, %lanemask_ge;", UINT32_MAX << k % LANES);
    ROW(u32, "", "mov.u32 %d, %lanemask_gt;",
        UINT32_MAX << k % LANES << 1);
    ROW(u32, "", "mov.u32 %d, WARP_SZ;", 32);
}

void rows_bits(void)
{
    logic();
    shifts();
    fields();
    moves();
}
