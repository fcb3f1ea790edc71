// SPDX-License-Identifier: MIT
/*
 * programs_vector.c: atomics of vectors, of halves and of 128 bits; loads and
 * stores of 128 bits; what alloca takes; discarded lines.
 */
#include "conformance.h"

#include <stdio.h>
#include <string.h>

/* Halves that small integers become, and back: exact to 2048. */
static uint32_t half_bits(uint32_t x)
{
    union value v = {.f16 = (_Float16)(float)x};
    return v.u16;
}

static uint32_t bfloat_bits(uint32_t x)
{
    union value v = {.f32 = (float)x};
    return v.u32 >> 16;
}

static uint32_t single_bits(uint32_t x)
{
    union value v = {.f32 = (float)x};
    return v.u32;
}

/* A vector atomic: element k of a cell holds x + k, the operand is 2 k + 1. */
static const struct vector_row {
    const char *op;     /* after atom.global */
    int n;
    int bytes;          /* an element */
    uint32_t (*bits)(uint32_t x); /* of a number of the format */
    bool pairs;         /* an element is two of them, alike */
    char kind;          /* '+', '<', '>' */
} vectors[] = {
    {"add.v2.f32", 2, 4, single_bits, false, '+'},
    {"add.v4.f32", 4, 4, single_bits, false, '+'},
    {"add.noftz.v2.f16", 2, 2, half_bits, false, '+'},
    {"add.noftz.v4.f16", 4, 2, half_bits, false, '+'},
    {"add.noftz.v8.f16", 8, 2, half_bits, false, '+'},
    {"min.noftz.v2.f16", 2, 2, half_bits, false, '<'},
    {"min.noftz.v4.f16", 4, 2, half_bits, false, '<'},
    {"min.noftz.v8.f16", 8, 2, half_bits, false, '<'},
    {"max.noftz.v2.f16", 2, 2, half_bits, false, '>'},
    {"max.noftz.v4.f16", 4, 2, half_bits, false, '>'},
    {"max.noftz.v8.f16", 8, 2, half_bits, false, '>'},
    {"add.noftz.v2.bf16", 2, 2, bfloat_bits, false, '+'},
    {"add.noftz.v4.bf16", 4, 2, bfloat_bits, false, '+'},
    {"add.noftz.v8.bf16", 8, 2, bfloat_bits, false, '+'},
    {"min.noftz.v2.bf16", 2, 2, bfloat_bits, false, '<'},
    {"min.noftz.v4.bf16", 4, 2, bfloat_bits, false, '<'},
    {"min.noftz.v8.bf16", 8, 2, bfloat_bits, false, '<'},
    {"max.noftz.v2.bf16", 2, 2, bfloat_bits, false, '>'},
    {"max.noftz.v4.bf16", 4, 2, bfloat_bits, false, '>'},
    {"max.noftz.v8.bf16", 8, 2, bfloat_bits, false, '>'},
    {"add.noftz.v2.f16x2", 2, 4, half_bits, true, '+'},
    {"add.noftz.v4.f16x2", 4, 4, half_bits, true, '+'},
    {"min.noftz.v2.f16x2", 2, 4, half_bits, true, '<'},
    {"min.noftz.v4.f16x2", 4, 4, half_bits, true, '<'},
    {"max.noftz.v2.f16x2", 2, 4, half_bits, true, '>'},
    {"max.noftz.v4.f16x2", 4, 4, half_bits, true, '>'},
    {"add.noftz.v2.bf16x2", 2, 4, bfloat_bits, true, '+'},
    {"add.noftz.v4.bf16x2", 4, 4, bfloat_bits, true, '+'},
    {"min.noftz.v2.bf16x2", 2, 4, bfloat_bits, true, '<'},
    {"min.noftz.v4.bf16x2", 4, 4, bfloat_bits, true, '<'},
    {"max.noftz.v2.bf16x2", 2, 4, bfloat_bits, true, '>'},
    {"max.noftz.v4.bf16x2", 4, 4, bfloat_bits, true, '>'},
    {"add.noftz.f16", 1, 2, half_bits, false, '+'},
    {"add.noftz.f16x2", 1, 4, half_bits, true, '+'},
    {"add.noftz.bf16", 1, 2, bfloat_bits, false, '+'},
    {"add.noftz.bf16x2", 1, 4, bfloat_bits, true, '+'},
};

static const struct vector_row *now;
static bool returns; /* atom: the old value is folded in, too */

static uint32_t bits_of(uint32_t x)
{
    uint32_t one = now->bits(x);
    return now->pairs ? one << 16 | one : one;
}

/* Elements, old and new, as digits of a number in base 3. */
static uint32_t folded(uint32_t i, uint32_t x, const uint32_t *all)
{
    uint32_t d = 0;
    (void)i, (void)all;
    for (uint32_t k = 0; k < (uint32_t)now->n; k++) {
        uint32_t was = x + k, by = 2 * k + 1;
        uint32_t is = now->kind == '+'   ? was + by
                      : now->kind == '<' ? (was < by ? was : by)
                                         : (was > by ? was : by);
        d = d * 3 + bits_of(is);
        if (returns)
            d = d * 3 + bits_of(was);
    }
    return d;
}

/* A list of registers: {%r1, %r2}, or the one. */
static size_t list(char *to, char letter, int first, int n)
{
    size_t at = 0;
    at += (size_t)sprintf(to + at, n > 1 ? "{" : "");
    for (int k = 0; k < n; k++)
        at += (size_t)sprintf(to + at, "%s%%%c%d", k ? ", " : "", letter,
                              first + k);
    at += (size_t)sprintf(to + at, n > 1 ? "}" : "");
    return at;
}

/* Into register at: the bits of x + k (or of k alone). */
static size_t put_number(char *to, int at, int k, bool plus_x)
{
    const char *format = now->bits == single_bits ? "f32"
                         : now->bits == half_bits ? "f16" : "bf16";
    size_t n = (size_t)sprintf(to, "mov.u32 %%r1, %d; %s", k,
                               plus_x ? "add.s32 %r1, %r1, %x; " : "");
    if (now->bits == single_bits)
        return n + (size_t)sprintf(to + n,
                                   "cvt.rn.f32.u32 %%f0, %%r1; "
                                   "mov.b32 %%r%d, %%f0;\n", at);
    n += (size_t)sprintf(to + n, "cvt.rn.f32.u32 %%f0, %%r1; "
                                 "cvt.rn.%s.f32 %%h0, %%f0; ", format);
    return n + (size_t)sprintf(to + n,
                               now->pairs
                                   ? "mov.b32 %%r%d, {%%h0, %%h0};\n"
                                   : "cvt.u32.u16 %%r%d, %%h0;\n", at);
}

/* Registers: %r8 for what moves; operands, and behind them old values, in %h
 * from 16 or in %r from 24. */
static void run_vector(const struct vector_row *row, bool is_red,
                       const char *before, const char *after)
{
    static char body[8192], name[96];
    bool narrow = row->bytes == 2;
    char letter = narrow ? 'h' : 'r', *to = body;
    int operand = narrow ? 16 : 24, old = narrow ? 32 : 40;
    now = row;
    returns = !is_red;
    to += sprintf(to, "mov.u64 %%l0, cells; mul.wide.u32 %%l1, %%t, 16;\n"
                      "add.s64 %%l0, %%l0, %%l1;\n");
    for (int k = 0; k < row->n; k++) {
        to += put_number(to, 8, k, true);
        to += sprintf(to, "st.global.u%d [%%l0+%d], %%r8;\n", 8 * row->bytes,
                      k * row->bytes);
        to += put_number(to, 8, 2 * k + 1, false);
        to += sprintf(to, narrow ? "cvt.u16.u32 %%h%d, %%r8;\n"
                                 : "mov.b32 %%r%d, %%r8;\n", operand + k);
    }
    snprintf(name, sizeof name, "%s%s.global%s.%s", is_red ? "red" : "atom",
             before, after, row->op);
    to += sprintf(to, "%s ", name);
    if (!is_red) {
        to += list(to, letter, old, row->n);
        to += sprintf(to, ", ");
    }
    to += sprintf(to, "[%%l0], ");
    to += list(to, letter, operand, row->n);
    to += sprintf(to, ";\n");
    for (int k = 0; k < row->n; k++) {
        to += sprintf(to, "ld.global.u%d %%r8, [%%l0+%d];\n"
                          "mad.lo.s32 %%d, %%d, 3, %%r8;\n",
                      8 * row->bytes, k * row->bytes);
        if (!is_red)
            to += sprintf(to, narrow ? "cvt.u32.u16 %%r8, %%h%d;\n"
                                     : "mov.b32 %%r8, %%r%d;\n", old + k);
        if (!is_red)
            to += sprintf(to, "mad.lo.s32 %%d, %%d, 3, %%r8;\n");
    }
    const struct program p = {name, 1, 128,
                              ".global .align 16 .b8 cells[2048];", body,
                              folded, 0, 0};
    program_run(&p);
}

static uint32_t of_all(uint32_t i, uint32_t x, const uint32_t *all)
{
    uint32_t sum = 0;
    (void)x;
    for (uint32_t k = 0; k < 512; k++)
        sum += all[k] + i;
    return single_bits(sum);
}

static uint32_t wide(uint32_t i, uint32_t x, const uint32_t *all)
{
    (void)i, (void)all;
    return x * 7 + 3;
}

static uint32_t swapped(uint32_t i, uint32_t x, const uint32_t *all)
{
    (void)i, (void)all;
    return x & 1 ? 1000 + x : 77;
}

static uint32_t exchanged(uint32_t i, uint32_t x, const uint32_t *all)
{
    (void)i, (void)all;
    return x * 100 + 5;
}

static uint32_t counted(uint32_t i, uint32_t x, const uint32_t *all)
{
    uint32_t n = NOT_WRITTEN;
    (void)i, (void)x;
    for (uint32_t k = 0; k < 256; k++)
        n += all[k];
    return n;
}

static uint32_t triangle(uint32_t i, uint32_t x, const uint32_t *all)
{
    (void)i, (void)all;
    uint32_t n = (x & 7) + 1;
    return n * (n + 1) / 2 + n;
}

static uint32_t same(uint32_t i, uint32_t x, const uint32_t *all)
{
    (void)i, (void)all;
    return x;
}

#define CELLS ".global .align 16 .b8 cells[4096];"
#define MY_CELL                                                                \
    "mov.u64 %l0, cells; mul.wide.u32 %l1, %t, 16; add.s64 %l0, %l0, %l1;\n"   \
    ".reg .b128 %q<4>; cvt.u64.u32 %l2, %x; mov.u64 %l3, 77;\n"
/* %l4 copies of what lies at %l5, taken and read; sums into %d. */
#define FILL_AND_SUM                                                           \
    "mov.u32 %r5, 0; LOOP: add.s32 %r6, %r5, 1; mul.wide.u32 %l6, %r5, 4;\n"   \
    "add.s64 %l6, %l5, %l6; st.local.u32 [%l6], %r6; mov.u32 %r5, %r6;\n"      \
    "setp.lt.u32 %p1, %r5, %r4; @%p1 bra LOOP; mov.u32 %r5, 0;\n"              \
    "AGAIN: mul.wide.u32 %l6, %r5, 4; add.s64 %l6, %l5, %l6;\n"                \
    "ld.local.u32 %r6, [%l6]; add.s32 %d, %d, %r6; add.s32 %r5, %r5, 1;\n"     \
    "setp.lt.u32 %p1, %r5, %r4; @%p1 bra AGAIN;\n"

static const struct program programs[] = {
    {"red.global.add.v2.f32 of 512 threads", 4, 128, CELLS,
     "cvt.rn.f32.u32 %f0, %x; add.s32 %r2, %x, 1; cvt.rn.f32.u32 %f1, %r2;\n"
     "mov.u64 %l0, cells; red.global.add.v2.f32 [%l0], {%f0, %f1};\n"
     "membar.gl; atom.global.inc.u32 %r3, [cells+8], 9999; membar.gl;\n"
     "setp.ne.s32 %p1, %r3, 511; @%p1 ret;\n"
     "ld.global.v2.u32 {%r4, %r5}, [%l0];\n"
     "st.global.v2.u32 [%out], {%r4, %r5}; ret;", of_all, 0, 2},
    {"mov.b128, st.b128 and ld.b128", 1, 128, CELLS,
     MY_CELL "mov.b128 %q0, {%l2, %l3}; mov.b128 %q1, %q0;\n"
     "st.global.b128 [%l0], %q1; ld.global.b128 %q2, [%l0];\n"
     "mov.b128 {%l4, %l5}, %q2; mad.lo.s64 %l4, %l4, 7, %l5;\n"
     "sub.s64 %l4, %l4, 74; cvt.u32.u64 %d, %l4;", wide, 0, 0},
    {"atom.cas.b128 swaps where all bits are equal", 1, 128, CELLS,
     MY_CELL "and.b64 %l4, %l2, 1; mov.b128 %q0, {%l2, %l4};\n"
     "st.global.v2.u64 [%l0], {%l2, %l3}; st.global.u64 [%l0+8], 1;\n"
     "add.s64 %l5, %l2, 1000; mov.b128 %q1, {%l5, %l3};\n"
     "atom.global.cas.b128 %q2, [%l0], %q0, %q1;\n"
     "mov.b128 {%l6, %l7}, %q2; ld.global.u32 %d, [%l0];\n"
     "setp.ne.s64 %p1, %l6, %l2; @%p1 mov.u32 %d, 1;\n"
     "setp.eq.u64 %p1, %l4, 0; @%p1 mov.u32 %d, 77;", swapped, 0, 0},
    {"atom.exch.b128", 1, 128, CELLS,
     MY_CELL "st.global.v2.u64 [%l0], {%l2, %l3}; mov.u64 %l4, 5;\n"
     "mov.b128 %q0, {%l4, %l4}; atom.global.exch.b128 %q1, [%l0], %q0;\n"
     "mov.b128 {%l5, %l6}, %q1; ld.global.u32 %d, [%l0+8];\n"
     "cvt.u32.u64 %r3, %l5; mad.lo.s32 %d, %r3, 100, %d;", exchanged, 0, 0},
    {"atom.cas.b128 of all threads on one cell", 2, 128, CELLS,
     ".reg .b128 %q<4>; mov.u64 %l0, cells; cvt.u64.u32 %l2, %x;\n"
     "ld.relaxed.gpu.global.b128 %q0, [%l0];\n"
     "TRY: mov.b128 {%l3, %l4}, %q0; add.s64 %l5, %l3, %l2;\n"
     "sub.s64 %l6, %l4, %l2; mov.b128 %q1, {%l5, %l6};\n"
     "atom.relaxed.gpu.global.cas.b128 %q2, [%l0], %q0, %q1;\n"
     "mov.b128 {%l7, %l8}, %q2; mov.b128 %q0, %q2;\n"
     "setp.ne.s64 %p1, %l7, %l3; @%p1 bra TRY;\n"
     "red.global.add.u32 [%out], %x; ret;", counted, 0, 1},
    {"alloca of a size a lane", 2, 128, "",
     "and.b32 %r4, %x, 7; add.s32 %r4, %r4, 1; mul.wide.u32 %l4, %r4, 4;\n"
     "alloca.u64 %l5, %l4; " FILL_AND_SUM "add.s32 %d, %d, %r4;", triangle,
     0, 0},
    {"stacksave, alloca, stackrestore, over and over", 2, 128, "",
     "and.b32 %r4, %x, 7; add.s32 %r4, %r4, 1; mov.u64 %l4, 8192;\n"
     "stacksave.u64 %l7; mov.u32 %r7, 0;\n"
     "ROUND: alloca.u64 %l5, %l4, 64; and.b64 %l8, %l5, 63;\n"
     "cvt.u32.u64 %d, %l8; " FILL_AND_SUM
     "stackrestore.u64 %l7; add.s32 %r7, %r7, 1;\n"
     "setp.lt.u32 %p1, %r7, 100; @%p1 bra ROUND;\n"
     "stacksave.u64 %l8; setp.ne.s64 %p1, %l7, %l8; @%p1 mov.u32 %d, 1;\n"
     "add.s32 %d, %d, %r4;", triangle, 0, 0},
    {"a callee's variables lie behind the caller's alloca", 2, 128,
     ".func (.param .b32 r) noted(.param .b32 a)\n{\n"
     ".reg .b32 %r<4>; .local .align 4 .b8 mine[64];\n"
     "ld.param.b32 %r0, [a]; st.local.u32 [mine], 9;\n"
     "st.param.b32 [r], %r0; ret; }\n",
     "mov.u64 %l4, 64; alloca.u64 %l5, %l4; st.local.u32 [%l5], %x;\n"
     "{ .param .b32 p; st.param.b32 [p], %x; .param .b32 q;\n"
     "call.uni (q), noted, (p); ld.param.b32 %d, [q]; }\n"
     "ld.local.u32 %r2, [%l5]; setp.ne.s32 %p1, %r2, %d;\n"
     "@%p1 mov.u32 %d, 12345;", same, 0, 0},
    {"a discarded line may be written and read again", 1, 128,
     ".global .align 128 .b8 lines[16384];",
     "mov.u64 %l0, lines; mul.wide.u32 %l1, %t, 128; add.s64 %l0, %l0, %l1;\n"
     "st.global.u32 [%l0], 1; discard.global.L2 [%l0], 128;\n"
     "st.global.u32 [%l0], %x; discard.L2 [%l0], 128;\n"
     "st.global.u32 [%l0], %x; ld.global.u32 %d, [%l0];", same, 0, 0},
};

void programs_vector(void)
{
    static const char *const orders[] = {".relaxed.cta", ".acquire.gpu",
                                         ".release.sys", ".acq_rel.cluster"};
    static const char *const scopes[] = {".cta", ".gpu", ".sys", ".cluster"};
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++) {
        run_vector(&vectors[k], false, "", "");
        run_vector(&vectors[k], true, "", "");
    }
    for (size_t k = 0; k < 8; k++) {
        run_vector(&vectors[k % 2], k / 4, orders[k % 4], "");
        run_vector(&vectors[k % 2], k / 4, "", scopes[k % 4]);
    }
    programs_run(programs, sizeof programs / sizeof *programs);
}
