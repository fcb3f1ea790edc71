// SPDX-License-Identifier: MIT
/*
 * rows_spelt.c: the spellings of computing instructions that no other row
 * has: comparisons of all kinds into all types, moves and choices of all
 * types, carries, bf16 conversions; what changes nothing that can be seen.
 */
#include "conformance.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static float bfloat(uint32_t x)
{
    union value v = {.u32 = x << 16};
    return v.f32;
}

static uint16_t bfloat_bits(float x)
{
    union value v = {.f32 = x};
    uint32_t rest = v.u32 & 0xffff, up = v.u32 >> 16 & 1;
    if (isnan(x))
        return 0x7fff;
    return (uint16_t)((v.u32 >> 16) +
                      (rest > 0x8000 || (rest == 0x8000 && up)));
}

/* Comparisons: the names, and what each is of an order. */
enum { LESS = 1, EQUAL = 2, GREATER = 4, UNORDERED = 8 };
static const struct { const char *name; int of; bool floats, unsigned_only; }
compares[] = {
    {"eq", EQUAL, true, false}, {"ne", LESS | GREATER, true, false},
    {"lt", LESS, true, false}, {"le", LESS | EQUAL, true, false},
    {"gt", GREATER, true, false}, {"ge", GREATER | EQUAL, true, false},
    {"lo", LESS, false, true}, {"ls", LESS | EQUAL, false, true},
    {"hi", GREATER, false, true}, {"hs", GREATER | EQUAL, false, true},
    {"equ", EQUAL | UNORDERED, true, false},
    {"neu", LESS | GREATER | UNORDERED, true, false},
    {"ltu", LESS | UNORDERED, true, false},
    {"leu", LESS | EQUAL | UNORDERED, true, false},
    {"gtu", GREATER | UNORDERED, true, false},
    {"geu", GREATER | EQUAL | UNORDERED, true, false},
    {"num", LESS | EQUAL | GREATER, true, false},
    {"nan", UNORDERED, true, false},
};

static int order(double a, double b)
{
    return isnan(a) || isnan(b) ? UNORDERED
           : a < b ? LESS : a > b ? GREATER : EQUAL;
}

static int order_s64(int64_t a, int64_t b)
{
    return a < b ? LESS : a > b ? GREATER : EQUAL;
}

static int order_u64(uint64_t a, uint64_t b)
{
    return a < b ? LESS : a > b ? GREATER : EQUAL;
}

/* The order of two inputs of a type by its name. */
static int order_of(const char *type, union value a, union value b)
{
    int bits = atoi(type + strcspn(type, "0123456789"));
    if (type[0] == 'f')
        return bits == 16   ? order((double)a.f16, (double)b.f16)
               : bits == 32 ? order((double)a.f32, (double)b.f32)
                            : order(a.f64, b.f64);
    if (strcmp(type, "bf16") == 0)
        return order((double)bfloat(a.u16), (double)bfloat(b.u16));
    int up = 64 - bits;
    if (type[0] == 's')
        return order_s64((int64_t)(a.u64 << up) >> up,
                         (int64_t)(b.u64 << up) >> up);
    return order_u64(a.u64 << up, b.u64 << up);
}

static bool combined(int how, bool x, bool p)
{
    return how == 1 ? x && p : how == 2 ? x || p : how == 3 ? x != p : x;
}

/* set.CMP.BOOL.to.type of the k-th comparison; c is the predicate. */
static void set_row(size_t cmp, int how, const char *to, const char *type,
                    char input, uint32_t value)
{
    static const char *const bools[] = {"", ".and", ".or", ".xor"};
    char ptx[128], inputs[4] = {input, input, 'p', 0};
    bool narrow = strstr(to, "16") != NULL;
    snprintf(ptx, sizeof ptx,
             narrow ? "set.%s%s.%s.%s %%h1, %%a, %%b%s; cvt.u32.u16 %%d, %%h1;"
                    : "set.%s%s.%s.%s %%d, %%a, %%b%s;",
             compares[cmp].name, bools[how], to, type, how ? ", %c" : "");
    ROW(u32, inputs, ptx,
        combined(how, order_of(type, a, b) & compares[cmp].of, c.pred) ? value
                                                                       : 0);
}

static bool fits(size_t cmp, const char *type)
{
    bool is_float = type[0] == 'f' || strcmp(type, "bf16") == 0;
    if (is_float)
        return compares[cmp].floats;
    if (type[0] == 'b')
        return cmp < 2;
    return cmp < 6 || (compares[cmp].unsigned_only && type[0] == 'u');
}

/* Each comparison, each type, and each word between, at least once. */
static void sets(void)
{
    static const struct { const char *name; char input; } types[] = {
        {"b16", 'j'}, {"b32", 'i'}, {"b64", 'l'}, {"u16", 'j'}, {"u32", 'i'},
        {"u64", 'l'}, {"s16", 'j'}, {"s32", 'i'}, {"s64", 'l'}, {"f32", 'f'},
        {"f64", 'd'}, {"f16", 'h'}, {"bf16", 'j'},
    };
    static const struct { const char *name; uint32_t value; bool half; }
    results[] = {
        {"u32", UINT32_MAX, false}, {"s32", UINT32_MAX, false},
        {"f32", 0x3f800000, false}, {"f16", 0x3c00, true},
        {"bf16", 0x3f80, true}, {"u16", 0xffff, true}, {"s16", 0xffff, true},
    };
    size_t n = 0;
    for (size_t cmp = 0; cmp < sizeof compares / sizeof *compares; cmp++)
        for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
            bool half = t >= 11;
            size_t r = half ? (size_t[]){3, 4, 5, 6, 0, 1}[n % 6] : n % 3;
            if (half && r == 3 + (t == 11))
                r = 3 + (t == 12);
            if (!fits(cmp, types[t].name))
                continue;
            set_row(cmp, (int)(n / 3 % 4), results[r].name, types[t].name,
                    types[t].input, results[r].value);
            n++;
        }
}

/* Both halves of a register; each where it holds. */
static uint32_t set_halves(bool bf, int of, int how, uint32_t value,
                           union value a, union value b, bool p)
{
    const char *type = bf ? "bf16" : "f16";
    union value a2 = {.u64 = a.u32 >> 16}, b2 = {.u64 = b.u32 >> 16};
    bool low = combined(how, order_of(type, a, b) & of, p);
    bool high = combined(how, order_of(type, a2, b2) & of, p);
    return (low ? value & 0xffff : 0) | (high ? value & 0xffff0000u : 0);
}

static double without_tiny(uint32_t x)
{
    union value v = {.u16 = (uint16_t)x};
    return fabs((double)v.f16) < 0x1p-14 ? 0 : (double)v.f16;
}

static uint32_t equal_halves(uint32_t a, uint32_t b)
{
    bool low = order(without_tiny(a), without_tiny(b)) == EQUAL;
    bool high = order(without_tiny(a >> 16), without_tiny(b >> 16)) == EQUAL;
    return (low ? 0x3c00 : 0) | (high ? 0x3c000000u : 0);
}

static void pairs(void)
{
    static const char *const bools[] = {"", ".and", ".or", ".xor"};
    static const struct { const char *name; uint32_t value; } results[] = {
        {"f16x2", 0x3c003c00}, {"u32", UINT32_MAX}, {"s32", UINT32_MAX},
        {"bf16x2", 0x3f803f80}, {"u32", UINT32_MAX}, {"s32", UINT32_MAX},
    };
    size_t n = 0;
    for (size_t cmp = 0; cmp < sizeof compares / sizeof *compares; cmp++) {
        if (!compares[cmp].floats)
            continue;
        for (size_t bf = 0; bf < 2; bf++, n++) {
            char ptx[128];
            int how = (int)(n / 3 % 4);
            size_t r = n % 3 + 3 * bf;
            snprintf(ptx, sizeof ptx, "set.%s%s.%s.%s %%d, %%a, %%b%s;",
                     compares[cmp].name, bools[how], results[r].name,
                     bf ? "bf16x2" : "f16x2", how ? ", %c" : "");
            ROW(u32, "iip", ptx,
                set_halves(bf, compares[cmp].of, how, results[r].value, a, b,
                           c.pred));
        }
    }
    ROW(u32, "ff", "set.lt.ftz.u32.f32 %d, %a, %b;",
        order(fabsf(a.f32) < 0x1p-126f ? 0 : (double)a.f32,
              fabsf(b.f32) < 0x1p-126f ? 0 : (double)b.f32) == LESS
            ? UINT32_MAX : 0);
    ROW(u32, "hh", "set.gt.ftz.u32.f16 %d, %a, %b;",
        order(without_tiny(a.u16), without_tiny(b.u16)) == GREATER
            ? UINT32_MAX : 0);
    ROW(u32, "HH", "set.eq.ftz.f16x2.f16x2 %d, %a, %b;",
        equal_halves(a.u32, b.u32));
    ROW(pred, "jj", "setp.lt.bf16 %d, %a, %b;",
        order_of("bf16", a, b) == LESS);
    ROW(pred, "jj", "setp.nan.bf16 %d, %a, %b;",
        order_of("bf16", a, b) == UNORDERED);
}

static void moves(void)
{
#define MOVE(field, input, type)                                               \
    ROW(field, input, "mov." type " %d, %a;", a.field);                        \
    ROW(field, input input "p", "selp." type " %d, %a, %b, %c;",               \
        c.pred ? a.field : b.field)
    MOVE(u16, "j", "b16");
    MOVE(u16, "j", "u16");
    MOVE(s16, "j", "s16");
    MOVE(u32, "i", "u32");
    MOVE(s32, "i", "s32");
    MOVE(u64, "l", "u64");
    MOVE(s64, "l", "s64");
    MOVE(u64, "l", "b64");
    MOVE(f32, "f", "f32");
    MOVE(f64, "d", "f64");
}

typedef unsigned __int128 wide;

/* All of a times b, as a number of twice the bits. */
static wide product(int bits, bool is_signed, uint64_t a, uint64_t b)
{
    if (!is_signed)
        return (wide)a * b;
    return bits == 64 ? (wide)((__int128)(int64_t)a * (int64_t)b)
                      : (wide)((__int128)(int32_t)a * (int32_t)b);
}

static uint64_t low_bits(int bits, wide x)
{
    return bits == 64 ? (uint64_t)x : (uint32_t)x;
}

/* hi + the carry of lo + c. */
static uint64_t mad_wide(int bits, bool is_signed, uint64_t a, uint64_t b,
                         uint64_t c)
{
    wide p = product(bits, is_signed, a, b);
    wide carry = ((wide)low_bits(bits, p) + c) >> bits;
    return low_bits(bits, (p >> bits) + carry);
}

/* The carry of hi + c goes into lo + c, and that one's into hi. */
static uint64_t mad_twice(int bits, bool is_signed, uint64_t a, uint64_t b,
                          uint64_t c)
{
    wide p = product(bits, is_signed, a, b);
    wide high = low_bits(bits, p >> bits);
    wide carry = (high + c) >> bits;
    carry = ((wide)low_bits(bits, p) + c + carry) >> bits;
    return low_bits(bits, high + carry);
}

static void carries(void)
{
#define CARRY(field, bits, type, inputs, is_signed, spare)                     \
    ROW(field, inputs, "add.cc." type " %d, %a, %b; addc." type                \
        " %d, %a, %c;",                                                        \
        low_bits(bits, (wide)a.field + c.field +                               \
                           (((wide)a.field + b.field) >> bits)));              \
    ROW(field, inputs, "add.cc." type " %d, %a, %b; addc.cc." type             \
        " %d, %a, %c; addc." type " %d, 0, 0;",                                \
        (uint64_t)(((wide)a.field + c.field +                                  \
                    (((wide)a.field + b.field) >> bits)) >> bits));            \
    ROW(field, inputs, "sub.cc." type " %d, %a, %b; subc.cc." type             \
        " %d, %a, %c; subc." type " %d, %b, 0;",                               \
        low_bits(bits, (wide)b.field - (a.field < (wide)c.field +              \
                                                      (a.field < b.field))));  \
    ROW(field, inputs, "mad.lo.cc." type " %d, %a, %b, %c; madc.hi." type      \
        " %d, %a, %b, 0;",                                                     \
        mad_wide(bits, is_signed, a.field, b.field, c.field));                 \
    ROW(field, inputs, "mad.hi.cc." type " " spare ", %a, %b, %c; madc.lo.cc." \
        type " " spare ", %a, %b, %c; madc.hi.cc." type " %d, %a, %b, 0;",     \
        mad_twice(bits, is_signed, a.field, b.field, c.field));                \
    ROW(field, inputs, "add.cc." type " " spare ", %a, %b; madc.lo." type      \
        " %d, %a, %c, %b;",                                                    \
        low_bits(bits, (uint64_t)a.field * c.field + b.field +                 \
                           (uint64_t)(((wide)a.field + b.field) >> bits)))
    CARRY(u32, 32, "u32", "iii", false, "%t7");
    CARRY(u32, 32, "s32", "iii", true, "%t7");
    CARRY(u64, 64, "u64", "lll", false, "%l7");
    CARRY(u64, 64, "s64", "lll", true, "%l7");
}

/* bf16 from integers, to integers, and saturated. */
static uint16_t from_whole(int32_t x)
{
    float nearest = (float)x; /* to odd, so that one rounding is left */
    union value v = {.f32 = nearest};
    if ((double)nearest != (double)x && !(v.u32 & 1))
        v.u32 += fabs((double)nearest) < fabs((double)x) ? 1 : UINT32_MAX;
    return bfloat_bits(v.f32);
}

static int32_t to_whole(float x)
{
    return isnan(x) ? 0 : x >= 0x1p31f ? INT32_MAX
                      : x <= -0x1p31f ? INT32_MIN : (int32_t)x;
}

static int16_t to_byte(float x)
{
    return (int16_t)(isnan(x) ? 0 : x >= 127 ? 127 : x <= -128 ? -128 : (int)x);
}

static void conversions(void)
{
    ROW(u16, "i", "cvt.rn.bf16.s32 %d, %a;", from_whole(a.s32));
    ROW(s32, "j", "cvt.rzi.s32.bf16 %d, %a;", to_whole(bfloat(a.u16)));
    ROW(s32, "f", "cvt.rni.sat.s32.f32 %d, %a;", to_whole(rintf(a.f32)));
    ROW(f32, "i", "cvt.rn.sat.f32.s32 %d, %a;", a.s32 > 0 ? 1.0f : 0.0f);
    ROW(f64, "i", "cvt.f64.s32 %d, %a;", (double)a.s32);
    ROW(s16, "f", "cvt.rzi.s8.f32 %d, %a;", to_byte(a.f32));
}

static uint32_t same(uint32_t i, uint32_t x, const uint32_t *all)
{
    (void)i, (void)all;
    return x;
}

/* Threads of a block that all come here. */
static void hint(const char *words)
{
    char body[512];
    snprintf(body, sizeof body, "mov.u64 %%l1, lines; mov.u64 %%l2, 0;\n"
                                "mov.u32 %%d, %%x; %s;", words);
    const struct program p = {words, 2, 256,
                              ".global .align 128 .b8 lines[256];", body, same,
                              0, 0};
    program_run(&p);
}

/* What changes nothing that a result could show. */
static void hints(void)
{
    static const char *const words[] = {
        "pmevent 1", "pmevent.mask 3", "nanosleep.u32 20", "brkpt",
        "griddepcontrol.launch_dependents", "griddepcontrol.wait",
        "setmaxnreg.inc.sync.aligned.u32 64",
        "setmaxnreg.dec.sync.aligned.u32 32", "fence.cta", "fence.gpu",
        "fence.sys", "fence.cluster", "fence.sc.gpu", "fence.acq_rel.cluster",
        "fence.sc.sys", "bar.sync 0", "bar.cta.sync 0", "barrier.sync 1",
        "barrier.cta.sync.aligned 2", "barrier.sync.aligned 3",
        "bar.arrive 4, 256", "bar.cta.arrive 5, 256",
        "barrier.arrive 6, 256", "barrier.cta.arrive.aligned 7, 256",
        "prefetch.global.L1 [%l1]", "prefetch.global.L2 [%l1]",
        "prefetch.L1 [%l1]", "prefetch.L2 [%l1]", "prefetch.local.L1 [%l2]",
        "prefetchu.L1 [%l1]", "prefetch.global.L2::evict_last [%l1]",
        "prefetch.global.L2::evict_normal [%l1]",
        "applypriority.global.L2::evict_normal [%l1], 128",
        "applypriority.L2::evict_normal [%l1], 128",
        "setp.ne.u32 %p1, %x, %x; @%p1 trap",
    };
    static const char *const first[] = {"evict_last", "evict_normal",
                                        "evict_first", "evict_unchanged"};
    static const char *const second[] = {"", ".L2::evict_first",
                                         ".L2::evict_unchanged"};
    char ptx[256];
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        hint(words[k]);
    for (size_t k = 0; k < 4; k++) {
        snprintf(ptx, sizeof ptx,
                 "createpolicy.fractional.L2::%s%s.b64 %%l3, 0.5; "
                 "createpolicy.range%s.L2::%s%s.b64 %%l3, [%%l1], 64, 128",
                 first[k], second[k % 3], k % 2 ? ".global" : "", first[k],
                 second[k % 3]);
        hint(ptx);
    }
}

/* Counts and choices of a block of 256, all of whom see them. */
static uint32_t votes(uint32_t i, uint32_t x, const uint32_t *all)
{
    uint32_t n = 0, first = i / 256 * 256;
    (void)x;
    for (uint32_t k = 0; k < 256; k++)
        n += all[first + k] < 32;
    return n * 4 + (n == 256) * 2 + (n > 0);
}

#define BLOCK_VOTES(popc, and, or)                                             \
    {popc, 2, 256, "",                                                         \
     "setp.lt.u32 %p1, %x, 32;\n" popc " %r2, 0, %p1;\n"                       \
     and " %p2, 0, %p1; " or " %p3, 0, %p1; shl.b32 %d, %r2, 2;\n"             \
     "@%p2 add.s32 %d, %d, 2;\n"                                               \
     "@%p3 add.s32 %d, %d, 1;", votes, 0, 0}

static const struct program block_votes[] = {
    BLOCK_VOTES("bar.red.popc.u32", "bar.red.and.pred", "bar.red.or.pred"),
    BLOCK_VOTES("bar.cta.red.popc.u32", "bar.cta.red.and.pred",
                "bar.cta.red.or.pred"),
    BLOCK_VOTES("barrier.red.popc.u32", "barrier.red.and.pred",
                "barrier.red.or.pred"),
    BLOCK_VOTES("barrier.cta.red.popc.aligned.u32",
                "barrier.cta.red.and.aligned.pred",
                "barrier.cta.red.or.aligned.pred"),
};

void rows_spelt(void)
{
    sets();
    pairs();
    moves();
    carries();
    conversions();
    hints();
    programs_run(block_votes, sizeof block_votes / sizeof *block_votes);
}
