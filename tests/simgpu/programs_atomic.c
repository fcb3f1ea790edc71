// SPDX-License-Identifier: MIT
/*
 * programs_atomic.c: atom and red: every operation on a cell of the thread's
 * own (the old value and the new one must be right) and on one cell of all
 * threads (the sum of the effects must be right); locks.
 */
#include "conformance.h"

#include <stdio.h>
#include <string.h>

typedef uint64_t combine(uint64_t old, uint64_t x);

static uint64_t sum(uint64_t a, uint64_t x)
{
    return a + x;
}

static uint64_t both(uint64_t a, uint64_t x)
{
    return a & x;
}

static uint64_t either(uint64_t a, uint64_t x)
{
    return a | x;
}

static uint64_t differ(uint64_t a, uint64_t x)
{
    return a ^ x;
}

static uint64_t exchange(uint64_t a, uint64_t x)
{
    (void)a;
    return x;
}

static uint64_t least(uint64_t a, uint64_t x)
{
    return a < x ? a : x;
}

static uint64_t most(uint64_t a, uint64_t x)
{
    return a > x ? a : x;
}

static uint64_t least_s32(uint64_t a, uint64_t x)
{
    return (int32_t)a < (int32_t)x ? a : x;
}

static uint64_t most_s32(uint64_t a, uint64_t x)
{
    return (int32_t)a > (int32_t)x ? a : x;
}

static uint64_t least_s64(uint64_t a, uint64_t x)
{
    return (int64_t)a < (int64_t)x ? a : x;
}

static uint64_t most_s64(uint64_t a, uint64_t x)
{
    return (int64_t)a > (int64_t)x ? a : x;
}

static uint64_t wrap_up(uint64_t a, uint64_t x)
{
    return a >= x ? 0 : a + 1;
}

static uint64_t wrap_down(uint64_t a, uint64_t x)
{
    return a == 0 || a > x ? x : a - 1;
}

static uint64_t sum_f32(uint64_t a, uint64_t x)
{
    union value u = {.u64 = a}, v = {.u64 = x};
    u.f32 += v.f32;
    return u.u32;
}

static uint64_t sum_f64(uint64_t a, uint64_t x)
{
    union value u = {.u64 = a}, v = {.u64 = x};
    u.f64 += v.f64;
    return u.u64;
}

static const struct row_of_atom {
    const char *op;  /* after atom.SPACE */
    int width;
    combine *combine;
    uint64_t operand; /* xor'ed with x */
} atoms[] = {
    {"add.u32", 32, sum, 5},
    {"add.s32", 32, sum, 0xFFFFFF00},
    {"add.u64", 64, sum, UINT64_C(0x1FFFFFFFF)},
    {"add.f32", 32, sum_f32, 0x3F800000},
    {"add.f64", 64, sum_f64, UINT64_C(0x3FF0000000000000)},
    {"and.b32", 32, both, 0xF0F0F0F0},
    {"or.b32", 32, either, 0xF0F0F0F0},
    {"xor.b32", 32, differ, 0xF0F0F0F0},
    {"and.b64", 64, both, UINT64_C(0xF0F0F0F0F0F0F0F0)},
    {"or.b64", 64, either, UINT64_C(0xF0F0F0F0F0F0F0F0)},
    {"xor.b64", 64, differ, UINT64_C(0xF0F0F0F0F0F0F0F0)},
    {"exch.b32", 32, exchange, 77},
    {"exch.b64", 64, exchange, UINT64_C(0x7700000077)},
    {"min.u32", 32, least, 31},
    {"max.u32", 32, most, 31},
    {"min.s32", 32, least_s32, 0xFFFFFFFF},
    {"max.s32", 32, most_s32, 0xFFFFFFFF},
    {"min.u64", 64, least, 31},
    {"max.u64", 64, most, 31},
    {"min.s64", 64, least_s64, UINT64_MAX},
    {"max.s64", 64, most_s64, UINT64_MAX},
    {"inc.u32", 32, wrap_up, 20},
    {"dec.u32", 32, wrap_down, 20},
};

/* What the thread's cell holds before. */
static uint64_t before(const struct row_of_atom *a, uint32_t x)
{
    union value v = {.u64 = x};
    if (strstr(a->op, "f32"))
        v.f32 = (float)x;
    else if (strstr(a->op, "f64"))
        v.f64 = x;
    return v.u64;
}

static const struct row_of_atom *current;

/* Old and new value, folded into one word. */
static uint32_t own_cell(uint32_t i, uint32_t x, const uint32_t *all)
{
    (void)i, (void)all;
    uint64_t old = before(current, x);
    uint64_t new = current->combine(old, current->operand ^ x);
    if (current->width == 32)
        new &= UINT32_MAX;
    return (uint32_t)(old ^ old >> 32) * 3 + (uint32_t)(new ^ new >> 32);
}

static const char *initial(const struct row_of_atom *a)
{
    return strstr(a->op, "f32")   ? "cvt.rn.f32.u32 %f0, %x; mov.b32 %r9, %f0;"
           : strstr(a->op, "f64") ? "cvt.rn.f64.u32 %g0, %x; mov.b64 %l9, %g0;"
           : a->width == 64       ? "cvt.u64.u32 %l9, %x;"
                                  : "mov.b32 %r9, %x;";
}

/* The new value alone. */
static uint32_t own_cell_red(uint32_t i, uint32_t x, const uint32_t *all)
{
    (void)i, (void)all;
    uint64_t new = current->combine(before(current, x), current->operand ^ x);
    if (current->width == 32)
        new &= UINT32_MAX;
    return (uint32_t)(new ^ new >> 32);
}

/* words: the whole spelling. Registers: w9 the initial value, w8 the operand,
 * w7 the old value. */
static void own_cell_spelt(const struct row_of_atom *a, const char *space,
                           const char *words)
{
    char body[2048], old[16] = "";
    char w = a->width == 64 ? 'l' : 'r';
    bool is_red = words[0] == 'r';
    if (!is_red)
        snprintf(old, sizeof old, "%%%c7, ", w);
    snprintf(body, sizeof body,
             "mov.u64 %%l0, cells; %s mul.wide.u32 %%l1, %%t, 8;\n"
             "add.s64 %%l0, %%l0, %%l1; %s\n"
             "cvt.u64.u32 %%l8, %%x; mov.b64 %%l2, 0x%llx;\n"
             "xor.b64 %%l8, %%l8, %%l2; cvt.u32.u64 %%r8, %%l8;\n"
             "mov.u64 %%l7, 0; mov.u32 %%r7, 0;\n"
             "st%s.b%d [%%l0], %%%c9;\n"
             "%s %s[%%l0], %%%c8;\n"
             "ld%s.b%d %%%c9, [%%l0];\n",
             *space ? "" : "cvta.shared.u64 %l0, %l0;", initial(a),
             (unsigned long long)a->operand, space, a->width, w, words, old, w,
             space, a->width, w);
    strcat(body, a->width == 32
                     ? "mad.lo.s32 %d, %r7, 3, %r9;"
                     : "mov.b64 {%r2, %r3}, %l7; xor.b32 %r2, %r2, %r3;\n"
                       "mov.b64 {%r4, %r5}, %l9; xor.b32 %r4, %r4, %r5;\n"
                       "mad.lo.s32 %d, %r2, 3, %r4;");
    bool global = strcmp(space, ".global") == 0;
    const struct program p = {
        words, 1, 128,
        global ? ".global .align 8 .b8 cells[1024];"
               : ".shared .align 8 .b8 cells[1024];",
        body, is_red ? own_cell_red : own_cell, 0, 0};
    current = a;
    program_run(&p);
}

static void own_cell_program(const struct row_of_atom *a, const char *op,
                             const char *space, const char *qualifier)
{
    char words[96];
    snprintf(words, sizeof words, "%s%s%s.%s", op, qualifier, space, a->op);
    own_cell_spelt(a, space, words);
}

/* What it means and for whom, behind the operation as headers write it. */
static void late_program(const struct row_of_atom *a, const char *op,
                         const char *space, const char *qualifier)
{
    char words[96];
    int n = (int)strcspn(a->op, ".");
    snprintf(words, sizeof words, "%s%s.%.*s%s%s", op, space, n, a->op,
             qualifier, a->op + n);
    own_cell_spelt(a, space, words);
}

static const char *const spaces[] = {".global", ".shared", "", ".shared::cta"};
static const char *const named[] = {".global", ".shared", ".shared::cta"};
static const char *const meanings[] = {".relaxed", ".acquire", ".release",
                                       ".acq_rel", ""};
static const char *const scopes[] = {".cta", ".gpu", ".sys", ".cluster", ""};

/* Each operation in each space; each meaning and scope once. */
static void spellings(const char *op)
{
    char words[96], how[32];
    for (size_t i = 0; i < sizeof atoms / sizeof *atoms; i++) {
        bool swaps = strncmp(atoms[i].op, "exch", 4) == 0;
        bool wraps = atoms[i].combine == wrap_up ||
                     atoms[i].combine == wrap_down;
        if (swaps && op[0] == 'r')
            continue;
        for (size_t s = 0; s < 4; s++)
            own_cell_program(&atoms[i], op, spaces[s], "");
        for (size_t k = 0; k < 5 && swaps; k++) {
            snprintf(how, sizeof how, "%s%s", meanings[k], scopes[k]);
            own_cell_program(&atoms[i], op, spaces[k % 4], how);
            if (!*scopes[k])
                continue;
            snprintf(words, sizeof words, "%s%s%s.%s", op, named[k % 3],
                     scopes[k], atoms[i].op);
            own_cell_spelt(&atoms[i], named[k % 3], words);
        }
        for (size_t k = 0; k < 5 && !wraps; k++) {
            snprintf(how, sizeof how, "%s%s", meanings[(k + i) % 5],
                     scopes[k]);
            late_program(&atoms[i], op, spaces[(k + i) % 4], how);
        }
    }
    for (size_t k = 0; k < 25; k++) {
        snprintf(how, sizeof how, "%s%s", meanings[k / 5], scopes[k % 5]);
        own_cell_program(&atoms[k % 3], op, spaces[k % 4], how);
        if (k >= 20 && k % 5 < 4) {
            snprintf(words, sizeof words, "%s%s%s.%s", op, named[k % 3],
                     scopes[k % 5], atoms[0].op);
            own_cell_spelt(&atoms[0], named[k % 3], words);
        }
    }
}

static uint32_t swapped(uint32_t i, uint32_t x, const uint32_t *all)
{
    (void)i, (void)all;
    return x == 5 ? 5 * 1000 + 99 : x * 1000 + x;
}

/* cas of 5 by 99, in the width's registers; wide: two of 64 bits. */
static void cas_program(int width, const char *space, const char *words)
{
    static const struct { int width; const char *move, *operands, *back; }
    by_width[] = {
        {16, "cvt.u16.u32 %h1, %x; st.b16 [%l0], %h1; mov.b16 %h2, 5;\n"
             "mov.b16 %h3, 99;\n", "%h4, [%l0], %h2, %h3",
         "cvt.u32.u16 %r2, %h4; ld.u16 %r3, [%l0];\n"},
        {32, "st.b32 [%l0], %x;\n", "%r2, [%l0], 5, 99",
         "ld.u32 %r3, [%l0];\n"},
        {64, "cvt.u64.u32 %l2, %x; st.b64 [%l0], %l2;\n",
         "%l3, [%l0], 5, 99", "cvt.u32.u64 %r2, %l3; ld.u32 %r3, [%l0];\n"},
        {128, ".reg .b128 %q<4>; cvt.u64.u32 %l2, %x; mov.u64 %l3, 7;\n"
              "st.v2.b64 [%l0], {%l2, %l3}; mov.u64 %l4, 5; mov.u64 %l5, 99;\n"
              "mov.b128 %q0, {%l4, %l3}; mov.b128 %q1, {%l5, %l3};\n",
         "%q2, [%l0], %q0, %q1", "mov.b128 {%l6, %l7}, %q2;\n"
         "cvt.u32.u64 %r2, %l6; ld.u32 %r3, [%l0];\n"},
    };
    char body[1024];
    size_t k = 0;
    while (by_width[k].width != width)
        k++;
    bool is_shared = strncmp(space, ".shared", 7) == 0;
    snprintf(body, sizeof body,
             "mov.u64 %%l0, cells; mul.wide.u32 %%l1, %%t, 16;\n"
             "add.s64 %%l0, %%l0, %%l1; mov.u64 %%l9, %%l0;\n"
             "%s\n%s%s%s %s;\n%s%s"
             "mad.lo.s32 %%d, %%r2, 1000, %%r3;",
             is_shared ? "cvta.shared.u64 %l0, %l0;" : "", by_width[k].move,
             is_shared ? "cvta.to.shared.u64 %l0, %l0;\n" : "", words,
             by_width[k].operands,
             is_shared ? "cvta.shared.u64 %l0, %l0;\n" : "",
             by_width[k].back);
    const struct program p = {
        words, 1, 128,
        is_shared ? ".shared .align 16 .b8 cells[2048];"
                  : ".global .align 16 .b8 cells[2048];",
        body, swapped, 0, 0};
    program_run(&p);
}

static void cas_spellings(void)
{
    char words[96];
    for (int width = 16; width <= 128; width *= 2)
        for (size_t k = 0; k < 5; k++) {
            const char *space = spaces[(k + (size_t)width / 32) % 4];
            const char *meaning = meanings[(k + (size_t)width) % 5];
            snprintf(words, sizeof words, "atom%s%s%s.cas.b%d", meaning,
                     scopes[k], space, width);
            cas_program(width, space, words);
            snprintf(words, sizeof words, "atom%s.cas%s%s.b%d", space,
                     meaning, scopes[k], width);
            cas_program(width, space, words);
            if (!*scopes[k])
                continue;
            space = named[k % 3];
            snprintf(words, sizeof words, "atom%s%s.cas.b%d", space,
                     scopes[k], width);
            cas_program(width, space, words);
        }
}

static uint32_t total(uint32_t i, uint32_t x, const uint32_t *all)
{
    (void)i, (void)x;
    uint32_t n = NOT_WRITTEN;
    for (uint32_t k = 0; k < 512; k++)
        n += all[k];
    return n;
}

static uint32_t histogram(uint32_t i, uint32_t x, const uint32_t *all)
{
    (void)x;
    uint32_t n = NOT_WRITTEN;
    for (uint32_t k = 0; k < 512; k++)
        n += (all[k] & 7) == i;
    return n;
}

static uint32_t maximum(uint32_t i, uint32_t x, const uint32_t *all)
{
    (void)i, (void)x;
    uint32_t n = 0;
    for (uint32_t k = 0; k < 128; k++)
        n = all[k] > n ? all[k] : n;
    return n;
}

static uint32_t counted(uint32_t i, uint32_t x, const uint32_t *all)
{
    (void)i, (void)x, (void)all;
    return 64;
}

static const struct program programs[] = {
    {"red.global.add.u32 of 512 threads on one cell", 4, 128, "",
     "red.global.add.u32 [%out], %x; ret;", total, 0, 1},
    {"atom.global.add.u32 of a guarded few", 4, 128, "",
     "setp.ne.s32 %p1, %x, 0; @%p1 atom.global.add.u32 %r2, [%out], %x;\n"
     "ret;", total, 0, 1},
    {"a histogram", 4, 128, "",
     "and.b32 %r2, %x, 7; mul.wide.u32 %l0, %r2, 4; add.s64 %l0, %out, %l0;\n"
     "red.global.add.u32 [%l0], 1; ret;", histogram, 0, 8},
    {"red.relaxed.gpu.add.s32 by generic address", 4, 128, "",
     "red.relaxed.gpu.add.s32 [%out], %x; ret;", total, 0, 1},
    {"atom.shared.max.u32 of a block", 1, 128,
     ".shared .align 4 .u32 top;",
     "mov.u32 %r2, top; setp.ne.s32 %p1, %t, 0;\n"
     "@!%p1 st.shared.u32 [%r2], 0; bar.sync 0;\n"
     "red.shared.max.u32 [%r2], %x; bar.sync 0; ld.shared.u32 %d, [%r2];",
     maximum, 0, 0},
    {"atom.global.cas.b32", 1, 128, "",
     "st.global.u32 [%me], %x; atom.global.cas.b32 %r2, [%me], 5, 99;\n"
     "ld.global.u32 %d, [%me]; mad.lo.s32 %d, %r2, 1000, %d;", swapped, 0, 0},
    {"atom.global.cas.b64", 1, 128,
     ".global .align 8 .b8 cells[1024];",
     "mov.u64 %l0, cells; mul.wide.u32 %l1, %t, 8; add.s64 %l0, %l0, %l1;\n"
     "cvt.u64.u32 %l2, %x; st.global.u64 [%l0], %l2;\n"
     "mov.b64 %l5, 5; mov.b64 %l6, 99;\n"
     "atom.acquire.gpu.global.cas.b64 %l3, [%l0], %l5, %l6;\n"
     "ld.global.u32 %d, [%l0]; cvt.u32.u64 %r2, %l3;\n"
     "mad.lo.s32 %d, %r2, 1000, %d;", swapped, 0, 0},
    {"a lock taken inside a loop", 1, 64,
     ".shared .align 4 .u32 lock; .shared .align 4 .u32 count;",
     "setp.ne.s32 %p1, %t, 0; @%p1 bra GO; st.shared.u32 [lock], 0;\n"
     "st.shared.u32 [count], 0;\n"
     "GO: bar.sync 0; mov.u32 %r5, 0;\n"
     "TRY: atom.shared.cas.b32 %r2, [lock], 0, 1; setp.ne.s32 %p2, %r2, 0;\n"
     "@%p2 bra AGAIN; membar.cta; ld.volatile.shared.u32 %r3, [count];\n"
     "add.s32 %r3, %r3, 1; st.volatile.shared.u32 [count], %r3;\n"
     "membar.cta; mov.u32 %r5, 1; atom.shared.exch.b32 %r4, [lock], 0;\n"
     "AGAIN: setp.eq.s32 %p3, %r5, 0; @%p3 bra TRY;\n"
     "bar.sync 0; ld.volatile.shared.u32 %d, [count];", counted, 0, 0},
    {"a lock released after the loop that takes it", 1, 64,
     ".shared .align 4 .u32 lock; .shared .align 4 .u32 count;",
     "setp.ne.s32 %p1, %t, 0; @%p1 bra GO; st.shared.u32 [lock], 0;\n"
     "st.shared.u32 [count], 0;\n"
     "GO: bar.sync 0;\n"
     "TRY: atom.shared.cas.b32 %r2, [lock], 0, 1; setp.ne.s32 %p2, %r2, 0;\n"
     "@%p2 bra TRY; membar.cta; ld.volatile.shared.u32 %r3, [count];\n"
     "add.s32 %r3, %r3, 1; st.volatile.shared.u32 [count], %r3;\n"
     "membar.cta; atom.shared.exch.b32 %r4, [lock], 0;\n"
     "bar.sync 0; ld.volatile.shared.u32 %d, [count];", counted, 0, 0},
};

void programs_atomic(void)
{
    spellings("atom");
    spellings("red");
    cas_spellings();
    programs_run(programs, sizeof programs / sizeof *programs);
}
