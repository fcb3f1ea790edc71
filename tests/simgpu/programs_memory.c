// SPDX-License-Identifier: MIT
/*
 * programs_memory.c: loads and stores: widths, widening, vectors, address
 * spaces, generic addresses, initialised variables, cache operators.
 */
#include "conformance.h"

/* Every width through one global cell: what was stored comes back. */
static uint32_t same(uint32_t i, uint32_t x, const uint32_t *all)
{
    (void)i, (void)all;
    return x;
}

static uint32_t bytes(uint32_t i, uint32_t x, const uint32_t *all)
{
    (void)i, (void)all;
    uint32_t word = x * 0x01020408u ^ 0x80f07f00u;
    uint32_t d = word & 255;                        /* u8 */
    d += (uint32_t)(int8_t)(word >> 8);             /* s8 */
    d += word >> 16;                                /* u16 */
    d += (uint32_t)(int16_t)word;                   /* s16 */
    return d;
}

static uint32_t wide(uint32_t i, uint32_t x, const uint32_t *all)
{
    (void)i, (void)all;
    uint64_t w = x ^ 0x80000000u;
    uint64_t sum = w + (uint64_t)(int64_t)(int32_t)w;
    return (uint32_t)(sum >> 32) ^ (uint32_t)sum;
}

static uint32_t narrow_store(uint32_t i, uint32_t x, const uint32_t *all)
{
    (void)i, (void)all;
    uint32_t low = (x + 300) & 255, high = (x + 70000) & 0xffff;
    return low | 0xEE00 | high << 16;
}

static uint32_t vector_sum(uint32_t i, uint32_t x, const uint32_t *all)
{
    (void)x;
    const uint32_t *four = &all[i / 4 * 4];
    return four[0] + 2 * four[1] + 3 * four[2] + 4 * four[3];
}

static uint32_t vector_store(uint32_t i, uint32_t x, const uint32_t *all)
{
    (void)x;
    return all[i / 4] * 10 + i % 4;
}

static uint32_t byte_vector(uint32_t i, uint32_t x, const uint32_t *all)
{
    (void)i, (void)all;
    return x * 1 + (x + 1) * 2 + (x + 2) * 3 + (x + 3) * 4;
}

static uint32_t reversed(uint32_t i, uint32_t x, const uint32_t *all)
{
    (void)x;
    return all[i / 128 * 128 + 127 - i % 128];
}

static uint32_t two_arrays(uint32_t i, uint32_t x, const uint32_t *all)
{
    (void)x;
    uint32_t first = i / 128 * 128, t = i % 128;
    return all[first + (t + 1) % 128] + 2 * all[first + (t + 5) % 128];
}

static uint32_t constants(uint32_t i, uint32_t x, const uint32_t *all)
{
    (void)i, (void)all;
    static const uint32_t table[] = {3, 1, 4, 1, 5, 9, 2, 6};
    return table[x & 7] + table[(x + 1) & 7] * 100;
}

static uint32_t pointers(uint32_t i, uint32_t x, const uint32_t *all)
{
    (void)i, (void)all;
    static const uint32_t table[] = {3, 1, 4, 1, 5, 9, 2, 6};
    return x & 1 ? table[2] : table[5];
}

static uint32_t local_index(uint32_t i, uint32_t x, const uint32_t *all)
{
    (void)i, (void)all;
    return (x & 7) * (x & 7) + 1;
}

static uint32_t spaces(uint32_t i, uint32_t x, const uint32_t *all)
{
    (void)i, (void)x, (void)all;
    return 1 + 2 + 4;
}

static uint32_t parameter(uint32_t i, uint32_t x, const uint32_t *all)
{
    (void)i, (void)x, (void)all;
    return 1;
}

#define SHARED ".shared .align 16 .b8 tile[4096];\n"
#define MY_TILE                                                                \
    "mov.u32 %r2, tile; shl.b32 %r3, %t, 2; add.s32 %r3, %r2, %r3;\n"

/* Stores x to the thread's own result with one form, loads with another. */
#define THROUGH(store, load)                                                   \
    {"st" store ", ld" load, 2, 128, "",                                       \
     "st" store " [%me], %x; ld" load " %d, [%me];", same, 0, 0}

static const struct program programs[] = {
    THROUGH(".global.u32", ".global.u32"),
    THROUGH(".global.b32", ".global.s32"),
    THROUGH(".global.f32", ".global.f32"),
    THROUGH(".u32", ".u32"),
    THROUGH(".volatile.global.u32", ".volatile.global.u32"),
    THROUGH(".relaxed.gpu.global.u32", ".relaxed.gpu.global.u32"),
    THROUGH(".release.gpu.global.u32", ".acquire.gpu.global.u32"),
    THROUGH(".release.cta.u32", ".acquire.sys.u32"),
    THROUGH(".global.cg.u32", ".global.cg.u32"),
    THROUGH(".global.wt.u32", ".global.cv.u32"),
    THROUGH(".global.cs.u32", ".global.lu.u32"),
    THROUGH(".global.L1::no_allocate.u32", ".global.L1::evict_last.u32"),
    {"ld.global.nc", 2, 128, "",
     "add.s64 %l0, %in, %at; ld.global.nc.u32 %d, [%l0];", same, 0, 0},
    {"ld.global.ca, ld.global.L2::128B", 2, 128, "",
     "add.s64 %l0, %in, %at; ld.global.ca.u32 %r2, [%l0];\n"
     "ld.global.L2::128B.u32 %d, [%l0]; and.b32 %d, %d, %r2;", same, 0, 0},
    {"prefetch and discarded results", 2, 128, "",
     "add.s64 %l0, %in, %at; prefetch.global.L2 [%l0];\n"
     "prefetch.global.L1 [%l0]; mov.u32 %d, %x;", same, 0, 0},
    {"fences", 2, 128, "",
     "membar.gl; membar.cta; membar.sys; fence.acq_rel.gpu; fence.sc.cta;\n"
     "mov.u32 %d, %x;", same, 0, 0},
    {"loads of 8 and 16 bits, signed and not", 2, 128, "",
     "mul.lo.s32 %r2, %x, 0x01020408; xor.b32 %r2, %r2, 0x80f07f00;\n"
     "st.global.u32 [%me], %r2; ld.global.u8 %d, [%me];\n"
     "ld.global.s8 %r3, [%me+1]; add.s32 %d, %d, %r3;\n"
     "ld.global.u16 %r3, [%me+2]; add.s32 %d, %d, %r3;\n"
     "ld.global.s16 %r3, [%me]; add.s32 %d, %d, %r3;", bytes, 0, 0},
    {"the same into 16-bit registers", 2, 128, "",
     "mul.lo.s32 %r2, %x, 0x01020408; xor.b32 %r2, %r2, 0x80f07f00;\n"
     "st.global.u32 [%me], %r2; ld.global.u8 %h0, [%me];\n"
     "cvt.u32.u16 %d, %h0; ld.global.s8 %h0, [%me+1];\n"
     "cvt.s32.s16 %r3, %h0; add.s32 %d, %d, %r3;\n"
     "ld.global.u16 %h0, [%me+2]; cvt.u32.u16 %r3, %h0;\n"
     "add.s32 %d, %d, %r3; ld.global.s16 %h0, [%me];\n"
     "cvt.s32.s16 %r3, %h0; add.s32 %d, %d, %r3;", bytes, 0, 0},
    {"32-bit loads into 64-bit registers", 2, 128, "",
     "xor.b32 %r2, %x, 0x80000000; st.global.u32 [%me], %r2;\n"
     "ld.global.u32 %l0, [%me]; ld.global.s32 %l1, [%me];\n"
     "add.s64 %l0, %l0, %l1; cvt.u32.u64 %d, %l0; shr.u64 %l0, %l0, 32;\n"
     "cvt.u32.u64 %r2, %l0; xor.b32 %d, %d, %r2;", wide, 0, 0},
    {"stores of 8 and 16 bits from wide registers", 2, 128, "",
     "add.s32 %r2, %x, 300; st.global.u8 [%me], %r2;\n"
     "cvt.u64.u32 %l0, %x; add.s64 %l0, %l0, 70000;\n"
     "mov.u32 %r3, 0xEE; st.global.u8 [%me+1], %r3;\n"
     "st.global.u16 [%me+2], %l0; ld.global.u32 %d, [%me];", narrow_store, 0,
     0},
    {"64-bit values", 2, 128, SHARED,
     "cvt.u64.u32 %l0, %x; shl.b64 %l0, %l0, 33; mov.u32 %r2, tile;\n"
     "shl.b32 %r3, %t, 3; add.s32 %r2, %r2, %r3; st.shared.u64 [%r2], %l0;\n"
     "ld.shared.f64 %g0, [%r2]; st.shared.f64 [%r2], %g0;\n"
     "ld.shared.b64 %l1, [%r2]; shr.u64 %l1, %l1, 33;\n"
     "cvt.u32.u64 %d, %l1;", same, 0, 0},
    {"ld.global.v4.u32", 2, 128, "",
     "and.b32 %r2, %i, -4; mul.wide.u32 %l0, %r2, 4;\n"
     "add.s64 %l0, %in, %l0; ld.global.v4.u32 {%r3, %r4, %r5, %r6}, [%l0];\n"
     "mad.lo.s32 %d, %r4, 2, %r3; mad.lo.s32 %d, %r5, 3, %d;\n"
     "mad.lo.s32 %d, %r6, 4, %d;", vector_sum, 0, 0},
    {"ld.global.nc.v2.u32, twice", 2, 128, "",
     "and.b32 %r2, %i, -4; mul.wide.u32 %l0, %r2, 4;\n"
     "add.s64 %l0, %in, %l0; ld.global.nc.v2.u32 {%r3, %r4}, [%l0];\n"
     "ld.global.nc.v2.u32 {%r5, %r6}, [%l0+8];\n"
     "mad.lo.s32 %d, %r4, 2, %r3; mad.lo.s32 %d, %r5, 3, %d;\n"
     "mad.lo.s32 %d, %r6, 4, %d;", vector_sum, 0, 0},
    {"ld.global.v2.b64 and a sink", 2, 128, "",
     "and.b32 %r2, %i, -4; mul.wide.u32 %l0, %r2, 4;\n"
     "add.s64 %l0, %in, %l0; ld.global.v2.b64 {%l1, %l2}, [%l0];\n"
     "ld.global.v2.b64 {%l3, _}, [%l0];\n"
     "mov.b64 {%r3, %r4}, %l3; mov.b64 {%r5, %r6}, %l2;\n"
     "mad.lo.s32 %d, %r4, 2, %r3; mad.lo.s32 %d, %r5, 3, %d;\n"
     "mad.lo.s32 %d, %r6, 4, %d;", vector_sum, 0, 0},
    {"ld.shared.v4.f32 and st.shared.v2.b32", 2, 128, SHARED,
     "mov.u32 %r2, tile; shl.b32 %r3, %t, 4; add.s32 %r2, %r2, %r3;\n"
     "and.b32 %r3, %i, -4; mul.wide.u32 %l0, %r3, 4; add.s64 %l0, %in, %l0;\n"
     "ld.global.v4.u32 {%r3, %r4, %r5, %r6}, [%l0];\n"
     "st.shared.v2.b32 [%r2], {%r3, %r4};\n"
     "st.shared.v2.b32 [%r2+8], {%r5, %r6};\n"
     "ld.shared.v4.f32 {%f0, %f1, %f2, %f3}, [%r2];\n"
     "mov.b32 %r3, %f0; mov.b32 %r4, %f1; mov.b32 %r5, %f2;\n"
     "mov.b32 %r6, %f3; mad.lo.s32 %d, %r4, 2, %r3;\n"
     "mad.lo.s32 %d, %r5, 3, %d; mad.lo.s32 %d, %r6, 4, %d;", vector_sum, 0,
     0},
    {"st.global.v4.u32", 1, 64, "",
     "mul.lo.s32 %r3, %x, 10; add.s32 %r4, %r3, 1; add.s32 %r5, %r3, 2;\n"
     "add.s32 %r6, %r3, 3; mul.wide.u32 %l0, %i, 16; add.s64 %l0, %out, %l0;\n"
     "st.global.v4.u32 [%l0], {%r3, %r4, %r5, %r6}; ret;", vector_store, 0,
     256},
    {"ld.global.v4.u8", 2, 128, "",
     "mul.lo.s32 %r2, %x, 0x01010101; add.s32 %r2, %r2, 0x03020100;\n"
     "st.global.u32 [%me], %r2; ld.global.v4.u8 {%h0, %h1, %h2, %h3}, [%me];\n"
     "cvt.u32.u16 %r3, %h0; cvt.u32.u16 %r4, %h1; cvt.u32.u16 %r5, %h2;\n"
     "cvt.u32.u16 %r6, %h3; mad.lo.s32 %d, %r4, 2, %r3;\n"
     "mad.lo.s32 %d, %r5, 3, %d; mad.lo.s32 %d, %r6, 4, %d;", byte_vector, 0,
     0},
    {"shared memory across a barrier", 2, 128, SHARED,
     MY_TILE "st.shared.u32 [%r3], %x; bar.sync 0;\n"
     "sub.s32 %r4, 127, %t; shl.b32 %r4, %r4, 2; add.s32 %r4, %r2, %r4;\n"
     "ld.shared.u32 %d, [%r4];", reversed, 0, 0},
    {"dynamic shared memory", 2, 128,
     ".extern .shared .align 16 .b8 dynamic[];\n",
     "mov.u32 %r2, dynamic; shl.b32 %r3, %t, 2; add.s32 %r3, %r2, %r3;\n"
     "st.shared.u32 [%r3], %x; bar.sync 0;\n"
     "sub.s32 %r4, 127, %t; shl.b32 %r4, %r4, 2; add.s32 %r4, %r2, %r4;\n"
     "ld.shared.u32 %d, [%r4];", reversed, 512, 0},
    {"two shared arrays, one of them the kernel's own", 2, 128,
     ".shared .align 4 .b8 a[512];\n",
     ".shared .align 4 .b8 b[512]; mov.u32 %r2, a; mov.u32 %r3, b;\n"
     "shl.b32 %r4, %t, 2; add.s32 %r5, %r2, %r4; add.s32 %r6, %r3, %r4;\n"
     "shl.b32 %r7, %x, 1; st.shared.u32 [%r5], %x; st.shared.u32 [%r6], %r7;\n"
     "bar.sync 0; add.s32 %r4, %t, 1; and.b32 %r4, %r4, 127;\n"
     "shl.b32 %r4, %r4, 2; add.s32 %r5, %r2, %r4; ld.shared.u32 %d, [%r5];\n"
     "add.s32 %r4, %t, 5; and.b32 %r4, %r4, 127; shl.b32 %r4, %r4, 2;\n"
     "add.s32 %r6, %r3, %r4; ld.shared.u32 %r7, [%r6];\n"
     "add.s32 %d, %d, %r7;", two_arrays, 0, 0},
    {"a constant table", 2, 128,
     ".const .align 4 .u32 table[8] = {3, 1, 4, 1, 5, 9, 2, 6};\n",
     "and.b32 %r2, %x, 7; mul.wide.u32 %l0, %r2, 4; mov.u64 %l1, table;\n"
     "add.s64 %l1, %l1, %l0; ld.const.u32 %d, [%l1];\n"
     "add.s32 %r2, %r2, 1; and.b32 %r2, %r2, 7; mul.wide.u32 %l0, %r2, 4;\n"
     "mov.u64 %l1, table; add.s64 %l1, %l1, %l0; ld.const.u32 %r3, [%l1];\n"
     "mad.lo.s32 %d, %r3, 100, %d;", constants, 0, 0},
    {"a global table in bytes, by generic address", 2, 128,
     ".global .align 4 .b8 table[32] = {3, 0, 0, 0, 1, 0, 0, 0, 4, 0, 0, 0,"
     " 1, 0, 0, 0, 5, 0, 0, 0, 9, 0, 0, 0, 2, 0, 0, 0, 6};\n",
     "and.b32 %r2, %x, 7; mul.wide.u32 %l0, %r2, 4; mov.u64 %l1, table;\n"
     "cvta.global.u64 %l1, %l1; add.s64 %l2, %l1, %l0; ld.u32 %d, [%l2];\n"
     "add.s32 %r2, %r2, 1; and.b32 %r2, %r2, 7; mul.wide.u32 %l0, %r2, 4;\n"
     "add.s64 %l2, %l1, %l0; ld.u32 %r3, [%l2];\n"
     "mad.lo.s32 %d, %r3, 100, %d;", constants, 0, 0},
    {"pointers in an initialiser", 2, 128,
     ".const .u32 table[8] = {3, 1, 4, 1, 5, 9, 2, 6};\n"
     ".global .u32 other[8] = {3, 1, 4, 1, 5, 9, 2, 6};\n"
     ".global .u64 list[2] = {generic(table)+20, generic(other)+8};\n",
     "and.b32 %r2, %x, 1; mul.wide.u32 %l0, %r2, 8; mov.u64 %l1, list;\n"
     "add.s64 %l1, %l1, %l0; ld.global.u64 %l2, [%l1]; ld.u32 %d, [%l2];",
     pointers, 0, 0},
    {"a local array with an index", 2, 128, "",
     ".local .align 8 .b8 depot[32]; .reg .b64 %SP, %SPL;\n"
     "mov.u64 %SPL, depot; cvta.local.u64 %SP, %SPL; mov.u32 %r2, 0;\n"
     "FILL: mul.wide.u32 %l0, %r2, 4; add.s64 %l0, %SPL, %l0;\n"
     "mad.lo.s32 %r3, %r2, %r2, 1; st.local.u32 [%l0], %r3;\n"
     "add.s32 %r2, %r2, 1; setp.ne.s32 %p1, %r2, 8; @%p1 bra FILL;\n"
     "and.b32 %r2, %x, 7; mul.wide.u32 %l0, %r2, 4; add.s64 %l0, %SP, %l0;\n"
     "ld.u32 %d, [%l0];", local_index, 0, 0},
    {"shared memory by generic address", 2, 128, SHARED,
     "mov.u64 %l0, tile; cvta.shared.u64 %l0, %l0;\n"
     "mul.wide.u32 %l1, %t, 4; add.s64 %l1, %l0, %l1; st.u32 [%l1], %x;\n"
     "cvta.to.shared.u64 %l2, %l1; cvt.u32.u64 %r2, %l2;\n"
     "ld.shared.u32 %d, [%r2];", same, 0, 0},
    {"isspacep", 2, 128, SHARED,
     ".local .align 4 .b8 mine[4]; mov.u64 %l0, tile;\n"
     "cvta.shared.u64 %l0, %l0; isspacep.shared %p1, %l0;\n"
     "selp.u32 %d, 1, 0, %p1; mov.u64 %l0, mine; cvta.local.u64 %l0, %l0;\n"
     "isspacep.local %p1, %l0; selp.u32 %r2, 2, 0, %p1;\n"
     "add.s32 %d, %d, %r2; isspacep.global %p1, %out;\n"
     "selp.u32 %r2, 4, 0, %p1; add.s32 %d, %d, %r2;\n"
     "isspacep.shared %p1, %out; @%p1 mov.u32 %d, 99;", spaces, 0, 0},
    {"a parameter's address", 1, 64, "",
     "mov.b64 %l0, p_out; ld.param.u64 %l1, [%l0];\n"
     "setp.eq.s64 %p1, %l1, %out; ld.param.v2.u32 {%r2, %r3}, [p_out];\n"
     "mov.b64 %l2, {%r2, %r3}; setp.eq.and.s64 %p1, %l2, %out, %p1;\n"
     "ld.param.u16 %h0, [p_out+2]; shr.u64 %l3, %out, 16;\n"
     "cvt.u16.u64 %h1, %l3; setp.eq.and.b16 %p1, %h0, %h1, %p1;\n"
     "selp.u32 %d, 1, 0, %p1;", parameter, 0, 0},
};

void programs_memory(void)
{
    programs_run(programs, sizeof programs / sizeof *programs);
}
