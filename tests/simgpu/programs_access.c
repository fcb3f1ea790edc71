// SPDX-License-Identifier: MIT
/*
 * programs_access.c: every spelling of a load and of a store: all types and
 * vectors, orders and scopes, hints and spaces. A load must return what was
 * stored, widened as its type requires.
 */
#include "conformance.h"

#include <stdio.h>
#include <string.h>

/* A type; letter: of the registers that hold it. */
static const struct type {
    const char *name;
    int bytes;
    char letter;
} types[] = {
    {"b8", 1, 'h'}, {"u8", 1, 'h'}, {"s8", 1, 'h'}, {"b16", 2, 'h'},
    {"u16", 2, 'h'}, {"s16", 2, 'h'}, {"b32", 4, 'r'}, {"u32", 4, 'r'},
    {"s32", 4, 'r'}, {"f32", 4, 'f'}, {"b64", 8, 'l'}, {"u64", 8, 'l'},
    {"s64", 8, 'l'}, {"f64", 8, 'g'}, {"b128", 16, 'q'},
};

static const struct type *now;
static int elements;

/* Element k, before it is cut to the type's width. */
static uint32_t element(uint32_t x, int k)
{
    return x * (uint32_t)(2 * k + 3) + (uint32_t)k * 77 + 100;
}

static uint32_t folded(uint32_t i, uint32_t x, const uint32_t *all)
{
    uint32_t d = 0;
    (void)i, (void)all;
    for (int k = 0; k < elements; k++) {
        uint32_t v = element(x, k);
        if (now->bytes == 1)
            v = now->name[0] == 's' ? (uint16_t)(int8_t)v : (uint8_t)v;
        else if (now->bytes == 2)
            v = (uint16_t)v;
        d = d * 3 + v;
        if (now->bytes >= 8)
            d = d * 3 + (v ^ 0x5555);
    }
    return d;
}

static size_t list(char *to, int first)
{
    size_t at = (size_t)sprintf(to, elements > 1 ? "{" : "");
    for (int k = 0; k < elements; k++)
        at += (size_t)sprintf(to + at, "%s%%%c%d", k ? ", " : "", now->letter,
                              first + k);
    return at + (size_t)sprintf(to + at, elements > 1 ? "}" : "");
}

/* %r1 into register k of the type; 64 bits: also %r1 ^ 0x5555, above. */
static size_t put_element(char *to, int k)
{
    static const struct { char letter; const char *text; } moves[] = {
        {'h', "cvt.u16.u32 %%h%d, %%r1;\n"},
        {'r', "mov.b32 %%r%d, %%r1;\n"}, {'f', "mov.b32 %%f%d, %%r1;\n"},
        {'l', "mov.b64 %%l%d, {%%r1, %%r2};\n"},
        {'g', "mov.b64 %%g%d, {%%r1, %%r2};\n"},
        {'q', "mov.b64 %%l1, {%%r1, %%r2}; mov.u64 %%l2, 9;\n"
              "mov.b128 %%q%d, {%%l1, %%l2};\n"},
    };
    size_t m = 0;
    while (moves[m].letter != now->letter)
        m++;
    size_t at = (size_t)sprintf(to, "mad.lo.s32 %%r1, %%x, %d, %d;\n"
                                    "xor.b32 %%r2, %%r1, 0x5555;\n",
                                2 * k + 3, k * 77 + 100);
    return at + (size_t)sprintf(to + at, moves[m].text, k + 8);
}

static size_t fold_element(char *to, int k)
{
    static const struct { char letter; const char *text; } moves[] = {
        {'h', "cvt.u32.u16 %%r1, %%h%d;\n"},
        {'r', "mov.b32 %%r1, %%r%d;\n"}, {'f', "mov.b32 %%r1, %%f%d;\n"},
        {'l', "mov.b64 {%%r1, %%r2}, %%l%d;\n"},
        {'g', "mov.b64 {%%r1, %%r2}, %%g%d;\n"},
        {'q', "mov.b128 {%%l1, %%l2}, %%q%d; mov.b64 {%%r1, %%r2}, %%l1;\n"},
    };
    size_t m = 0;
    while (moves[m].letter != now->letter)
        m++;
    size_t at = (size_t)sprintf(to, moves[m].text, k + 16);
    at += (size_t)sprintf(to + at, "mad.lo.s32 %%d, %%d, 3, %%r1;\n");
    if (now->bytes >= 8)
        at += (size_t)sprintf(to + at, "mad.lo.s32 %%d, %%d, 3, %%r2;\n");
    return at;
}

/* Where the cells lie, and how their address is written. */
static const struct space {
    const char *word, *before, *address, *base;
} spaces[] = {
    {".global", ".global .align 32 .b8 cells[4096];",
     "mov.u64 %l0, cells; mul.wide.u32 %l1, %t, 32; add.s64 %l0, %l0, %l1;\n",
     "%l0"},
    {"", ".shared .align 32 .b8 cells[4096];",
     "mov.u64 %l0, cells; mul.wide.u32 %l1, %t, 32; add.s64 %l0, %l0, %l1;\n"
     "cvta.shared.u64 %l0, %l0;\n", "%l0"},
    {".shared", ".shared .align 32 .b8 cells[4096];",
     "mov.u32 %r3, cells; mad.lo.s32 %r3, %t, 32, %r3;\n", "%r3"},
    {".shared::cta", ".shared .align 32 .b8 cells[4096];",
     "mov.u32 %r3, cells; mad.lo.s32 %r3, %t, 32, %r3;\n", "%r3"},
    {".local", "", ".local .align 32 .b8 mine[32]; mov.u64 %l0, mine;\n",
     "%l0"},
};

/* after: what follows "st" and "ld" up to the vector and the type, with its
 * space; policy: the last operand that a cache hint asks for. */
static void through(const struct space *s, const char *stores,
                    const char *loads, bool policy)
{
    static char body[4096], name[192];
    char vector[16] = "", *to = body;
    if (elements > 1)
        snprintf(vector, sizeof vector, ".v%d", elements);
    to += sprintf(to, ".reg .b128 %%q<32>; %s", s->address);
    if (policy)
        to += sprintf(to, "createpolicy.fractional.L2::evict_last.b64 %%l7, "
                          "1.0;\n");
    for (int k = 0; k < elements; k++)
        to += put_element(to, k);
    to += sprintf(to, "st%s%s.%s [%s], ", stores, vector, now->name, s->base);
    to += list(to, 8);
    to += sprintf(to, policy ? ", %%l7;\nld%s%s.%s " : ";\nld%s%s.%s ", loads,
                  vector, now->name);
    to += list(to, 16);
    to += sprintf(to, policy ? ", [%s], %%l7;\n" : ", [%s];\n", s->base);
    for (int k = 0; k < elements; k++)
        to += fold_element(to, k);
    snprintf(name, sizeof name, "st%s%s.%s, ld%s", stores, vector, now->name,
             loads);
    const struct program p = {name, 1, 128, s->before, body, folded, 0, 0};
    program_run(&p);
}

static void with_space(const struct space *s, const char *store,
                       const char *load, const char *hint, bool policy)
{
    char stores[128], loads[128];
    snprintf(stores, sizeof stores, "%s%s%s", store, s->word, hint);
    snprintf(loads, sizeof loads, "%s%s%s", load, s->word, hint);
    through(s, stores, loads, policy);
}

/* All types in all vectors that the ISA has: up to 32 bytes. */
static void all_types(void)
{
    for (size_t t = 0; t < sizeof types / sizeof *types; t++)
        for (elements = 1; elements <= 8; elements *= 2) {
            now = &types[t];
            bool fits = elements == 1 ||
                        (now->bytes < 16 && now->bytes * elements <= 32);
            if (!fits)
                continue;
            for (size_t s = 0; s < 5; s++)
                with_space(&spaces[s], "", "", "", false);
            with_space(&spaces[0], ".volatile", ".volatile", "", false);
            with_space(&spaces[t % 2], ".release.gpu", ".acquire.gpu", "",
                       false);
            if (elements == 1)
                through(&spaces[t % 2],
                        t % 2 ? ".mmio.relaxed.sys"
                              : ".mmio.relaxed.sys.global",
                        t % 2 ? ".mmio.relaxed.sys"
                              : ".mmio.relaxed.sys.global", false);
        }
}

static const char *const hints[] = {
    ".L1::evict_normal", ".L1::evict_unchanged", ".L1::evict_first",
    ".L1::evict_last", ".L1::no_allocate", ".L2::evict_normal",
    ".L2::evict_first", ".L2::evict_last",
    ".L1::evict_last.L2::evict_first",
};
static const char *const fetched[] = {".L2::64B", ".L2::128B", ".L2::256B"};

static void all_words(void)
{
    static const char *const scopes[] = {".cta", ".gpu", ".sys", ".cluster"};
    static const char *const cached[][2] = {
        {".wb", ".ca"}, {".cg", ".cg"}, {".cs", ".cs"}, {".wt", ".cv"},
        {".wb", ".lu"},
    };
    char store[96], load[96];
    now = &types[7];
    elements = 1;
    for (size_t s = 0; s < 5; s++) {
        with_space(&spaces[s], ".weak", ".weak", "", false);
        with_space(&spaces[s], ".volatile", ".volatile", "", false);
    }
    for (size_t k = 0; k < 4; k++) {
        snprintf(store, sizeof store, ".relaxed%s", scopes[k]);
        with_space(&spaces[0], store, store, "", false);
        snprintf(store, sizeof store, ".release%s", scopes[k]);
        snprintf(load, sizeof load, ".acquire%s", scopes[k]);
        with_space(&spaces[k], store, load, "", false);
    }
    for (size_t k = 0; k < sizeof hints / sizeof *hints; k++) {
        with_space(&spaces[0], "", "", hints[k], false);
        with_space(&spaces[0], ".relaxed.gpu", ".relaxed.gpu", hints[k],
                   false);
    }
    with_space(&spaces[0], "", "", ".L2::cache_hint", true);
    with_space(&spaces[0], ".relaxed.gpu", ".relaxed.gpu", ".L2::cache_hint",
               true);
    for (size_t k = 0; k < 3; k++) {
        snprintf(load, sizeof load, ".global%s", fetched[k]);
        through(&spaces[0], ".global", load, false);
        snprintf(load, sizeof load, ".relaxed.sys.global%s", fetched[k]);
        through(&spaces[0], ".global", load, false);
    }
    for (size_t k = 0; k < 5; k++) {
        snprintf(store, sizeof store, ".global%s", cached[k][0]);
        snprintf(load, sizeof load, ".global%s", cached[k][1]);
        through(&spaces[0], store, load, false);
    }
}

/* Read-only data: by ld.nc, from constant memory, and by ldu. */
static uint32_t of_constant(uint32_t i, uint32_t x, const uint32_t *all)
{
    uint32_t d = 0;
    (void)i, (void)x, (void)all;
    for (uint32_t k = 0; k < (uint32_t)elements; k++) {
        uint32_t low = 16 + k * (uint32_t)now->bytes;
        for (int half = 0; half < (now->bytes >= 8 ? 2 : 1); half++) {
            uint32_t v = 0;
            for (uint32_t b = 0; b < 4 && b < (uint32_t)now->bytes; b++)
                v |= (low + (uint32_t)(4 * half) + b) << 8 * b;
            d = d * 3 + v;
        }
    }
    return d;
}

static void read_only(const char *loads, bool policy)
{
    static char body[2048], name[96];
    char vector[16] = "", *to = body;
    if (elements > 1)
        snprintf(vector, sizeof vector, ".v%d", elements);
    to += sprintf(to, ".reg .b128 %%q<32>; mov.u64 %%l0, table;\n"
                      "createpolicy.cvt.L2.b64 %%l7, 0x10f0;\n");
    snprintf(name, sizeof name, "%s%s.%s", loads, vector, now->name);
    to += sprintf(to, "%s ", name);
    to += list(to, 16);
    to += sprintf(to, policy ? ", [%%l0], %%l7;\n" : ", [%%l0];\n");
    for (int k = 0; k < elements; k++)
        to += fold_element(to, k);
    const struct program p = {
        name, 1, 128, strstr(loads, "const")
            ? ".const .align 32 .b8 table[32] = {16, 17, 18, 19, 20, 21, 22, "
              "23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, "
              "38, 39, 40, 41, 42, 43, 44, 45, 46, 47};"
            : ".global .align 32 .b8 table[32] = {16, 17, 18, 19, 20, 21, 22, "
              "23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, "
              "38, 39, 40, 41, 42, 43, 44, 45, 46, 47};",
        body, of_constant, 0, 0};
    program_run(&p);
}

static void read_only_words(void)
{
    char words[96];
    now = &types[7];
    elements = 1;
    for (size_t k = 0; k < sizeof hints / sizeof *hints; k++) {
        snprintf(words, sizeof words, "ld.global.nc%s", hints[k]);
        read_only(words, false);
    }
    for (size_t k = 0; k < 3; k++) {
        static const char *const cached[] = {".ca", ".cg", ".cs"};
        snprintf(words, sizeof words, "ld.global.nc%s", fetched[k]);
        read_only(words, false);
        snprintf(words, sizeof words, "ld.global%s.nc", cached[k]);
        read_only(words, false);
    }
    read_only("ld.global.nc.L2::cache_hint", true);
}

static uint32_t same(uint32_t i, uint32_t x, const uint32_t *all)
{
    (void)i, (void)all;
    return x;
}

/* Which windows hold an address: 1 global, 2 shared, 4 local, 8 const,
 * 16 param; each asked under all its names. */
static uint32_t windows(uint32_t i, uint32_t x, const uint32_t *all)
{
    (void)i, (void)x, (void)all;
    return 1 + 2 * 100 + 4 * 10000 + 8 * 1000000 + 16 * 100000000u;
}

#define ASK(space, name, bit)                                                  \
    "isspacep." space name " %p1, %l1; @%p1 or.b32 %r2, %r2, " bit ";\n"
#define ASK_ALL(address, scale)                                                \
    address " mov.u32 %r2, 0;\n" ASK("global", "", "1")                       \
    ASK("shared", "", "2") ASK("shared", "::cta", "2") ASK("local", "", "4")   \
    ASK("const", "", "8") ASK("param", "", "16") ASK("param", "::entry", "16") \
    "mad.lo.u32 %d, %r2, " scale ", %d;\n"

/* x, copied through shared memory. */
#define COPY(hint, policy)                                                     \
    {"cp.async.ca.shared.global" hint, 1, 128,                                 \
     ".shared .align 16 .b8 tile[512];",                                       \
     "add.s64 %l0, %in, %at; mov.u32 %r2, tile; shl.b32 %r3, %t, 2;\n"         \
     "add.s32 %r2, %r2, %r3; createpolicy.cvt.L2.b64 %l3, 0x10f0;\n"           \
     "cp.async.ca.shared.global" hint " [%r2], [%l0], 4" policy ";\n"          \
     "cp.async.wait_all; ld.shared.u32 %d, [%r2];", same, 0, 0}

static const struct program spaced[] = {
    {"ld.param::entry", 2, 128, "",
     "ld.param::entry.u64 %l1, [p_out]; setp.eq.u64 %p1, %l1, %out;\n"
     "@%p1 mov.u32 %d, %x;", same, 0, 0},
    {"st.param::func and ld.param::func", 2, 128,
     ".func (.param .b32 r) twice(.param .b32 a)\n{\n"
     ".reg .b32 %r<4>; ld.param::func.b32 %r0, [a];\n"
     "add.s32 %r0, %r0, %r0; st.param::func.b32 [r], %r0; ret; }\n",
     "{ .param .b32 p; st.param::func.b32 [p], %x; .param .b32 q;\n"
     "call.uni (q), twice, (p); ld.param::func.b32 %d, [q]; }\n"
     "sub.s32 %d, %d, %x;", same, 0, 0},
    {"isspacep", 1, 128,
     ".global .u32 far; .shared .u32 near; .const .u32 fixed = 7;",
     ".local .u32 own; .reg .b64 %own; mov.u64 %own, own;\n"
     ASK_ALL("mov.u64 %l1, far; cvta.global.u64 %l1, %l1;", "1")
     ASK_ALL("mov.u64 %l1, near; cvta.shared::cta.u64 %l1, %l1;", "100")
     ASK_ALL("cvta.local.u64 %l1, %own;", "10000")
     ASK_ALL("mov.u64 %l1, fixed; cvta.const.u64 %l1, %l1;", "1000000")
     ASK_ALL("mov.u64 %l1, p_in; cvta.param.u64 %l1, %l1;", "100000000"),
     windows, 0, 0},
    {"cvta there and back", 2, 128,
     ".shared .align 4 .b8 near[512]; .const .u32 fixed = 7;",
     "mov.u64 %l1, near; mul.wide.u32 %l2, %t, 4; add.s64 %l1, %l1, %l2;\n"
     "cvta.shared::cta.u64 %l3, %l1; st.u32 [%l3], %x;\n"
     "cvta.to.shared::cta.u64 %l4, %l3; ld.shared.u32 %d, [%l4];\n"
     "mov.u64 %l1, fixed; cvta.const.u64 %l3, %l1; cvta.to.const.u64 %l4, "
     "%l3;\nld.const.u32 %r2, [%l4]; ld.u32 %r3, [%l3];\n"
     "sub.s32 %r2, %r2, %r3; add.s32 %d, %d, %r2;", same, 0, 0},
    COPY("", ""), COPY(".L2::64B", ""), COPY(".L2::128B", ""),
    COPY(".L2::256B", ""), COPY(".L2::cache_hint", ", %l3"),
};

void programs_access(void)
{
    programs_run(spaced, sizeof spaced / sizeof *spaced);
    all_types();
    all_words();
    for (size_t t = 0; t < sizeof types / sizeof *types; t++)
        for (elements = 1; elements <= 8; elements *= 2) {
            now = &types[t];
            if (elements > 1 && (now->bytes == 16 ||
                                 now->bytes * elements > 32))
                continue;
            read_only("ld.global.nc", false);
            read_only("ld.const", false);
            if (elements <= 4)
                read_only(t % 2 ? "ldu" : "ldu.global", false);
        }
    read_only_words();
}
