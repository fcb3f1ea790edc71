// SPDX-License-Identifier: MIT
/*
 * rows_warp.c: shuffles, votes, matches and reductions over a warp, with all
 * its lanes and with some. Source: the PTX ISA, "shfl.sync" and following. The
 * value read from an inactive lane is not defined.
 */
#include "conformance.h"

#include <math.h>

enum mode { UP, DOWN, BFLY, IDX };

struct source {
    int lane;
    bool in_range;
};

/* The lane that this one reads; c holds clamp and segment mask. */
static struct source source_of(enum mode mode, int lane, uint32_t b,
                               uint32_t c)
{
    int segment = (int)(c >> 8 & 31), clamp = (int)(c & 31);
    int delta = (int)(b & 31);
    int last = (lane & segment) | (clamp & ~segment);
    int j = mode == UP ? lane - delta : mode == DOWN ? lane + delta
            : mode == BFLY ? lane ^ delta
                           : (lane & segment) | (delta & ~segment);
    bool in_range = mode == UP ? j >= last : j <= last;
    return (struct source){in_range ? j : lane, in_range};
}

static uint32_t shuffled(struct row *row, int k, enum mode mode, uint32_t b,
                         uint32_t c)
{
    int lane = k % LANES, first = k - lane;
    struct source s = source_of(mode, lane, b, c);
    row->any[k] = !(row->active[k / LANES] >> s.lane & 1);
    return row->in[0][first + s.lane].u32;
}

#define SHUFFLE(name, mode, c_text, c_value)                                   \
    ROW_WARP(u32, "ii", "shfl.sync." name ".b32 %d, %a, %b, " c_text ", %m;",  \
             shuffled(row, k, mode, b[lane].u32, c_value));                    \
    ROW_WARP(pred, "ii",                                                       \
             "shfl.sync." name ".b32 %t1|%d, %a, %b, " c_text ", %m;",         \
             source_of(mode, lane, b[lane].u32, c_value).in_range)

static void shuffles(void)
{
    accept_shuffles(true); /* rows store all that they read */
    SHUFFLE("up", UP, "0", 0);
    SHUFFLE("up", UP, "0x1800", 0x1800);   /* segments of 8 */
    SHUFFLE("down", DOWN, "31", 31);
    SHUFFLE("down", DOWN, "0x181f", 0x181f);
    SHUFFLE("bfly", BFLY, "31", 31);
    SHUFFLE("bfly", BFLY, "0x1c1f", 0x1c1f); /* segments of 4 */
    SHUFFLE("idx", IDX, "31", 31);
    SHUFFLE("idx", IDX, "0x101f", 0x101f);   /* segments of 16 */
    ROW_WARP(u32, "i", "shfl.sync.bfly.b32 %d, %a, 1, 31, %m;",
             shuffled(row, k, BFLY, 1, 31));
    ROW_WARP(u32, "i", "shfl.sync.idx.b32 %d, %a, 0, 31, %m;",
             shuffled(row, k, IDX, 0, 31));
    accept_shuffles(false);
}

/* Which active lanes have this bit of a. */
static uint32_t ballot(const union value *a, uint32_t active, int bit)
{
    uint32_t yes = 0;
    for (int l = 0; l < LANES; l++)
        yes |= (a[l].u32 >> bit & 1) << l;
    return yes & active;
}

static void votes(void)
{
    ROW_WARP(u32, "p", "vote.sync.ballot.b32 %d, %a, %m;",
             ballot(a, active, 0));
    ROW_WARP(u32, "p", "vote.ballot.sync.b32 %d, !%a, %m;",
             active & ~ballot(a, active, 0));
    ROW_WARP(u32, "p", "vote.sync.ballot.b32 %d, !%a, %m;",
             active & ~ballot(a, active, 0));
    ROW_WARP(pred, "p", "vote.sync.any.pred %d, %a, %m;",
             ballot(a, active, 0) != 0);
    ROW_WARP(pred, "p", "vote.sync.all.pred %d, %a, %m;",
             ballot(a, active, 0) == active);
    ROW_WARP(pred, "p", "vote.sync.uni.pred %d, %a, %m;",
             ballot(a, active, 0) == active || !ballot(a, active, 0));
    ROW_WARP(pred, "i",
             "setp.ge.u32 %p0, %i, 0; vote.sync.all.pred %d, %p0, %m;", 1);
    ROW_WARP(pred, "i",
             "setp.lt.u32 %p0, %i, 0; vote.sync.any.pred %d, %p0, %m;", 0);
    ROW_WARP(u32, "", "activemask.b32 %d;", active);
    ROW_WARP(u32, "i", "bar.warp.sync %m; mov.b32 %d, %a;", a[lane].u32);
}

static uint32_t same(const union value *a, uint32_t active, int lane)
{
    uint32_t mask = 0;
    for (int l = 0; l < LANES; l++)
        mask |= (uint32_t)(a[l].u64 == a[lane].u64) << l;
    return mask & active;
}

static void matches(void)
{
    ROW_WARP(u32, "m", "match.any.sync.b32 %d, %a, %m;",
             same(a, active, lane));
    ROW_WARP(u32, "m",
             "cvt.u64.u32 %l1, %a; shl.b64 %l1, %l1, 40; "
             "match.any.sync.b64 %d, %l1, %m;",
             same(a, active, lane));
    ROW_WARP(u32, "m", "match.all.sync.b32 %d|%p0, %a, %m;",
             same(a, active, lane) == active ? active : 0);
    ROW_WARP(pred, "m", "match.all.sync.b32 %t1|%d, %a, %m;",
             same(a, active, lane) == active);
    ROW_WARP(u32, "", "mov.b32 %t1, 5; match.all.sync.b32 %d|%p0, %t1, %m;",
             active);
}

typedef uint32_t combine(uint32_t x, uint32_t y);

static uint32_t reduced(const union value *a, uint32_t active, combine *op)
{
    uint32_t result = 0;
    bool any = false;
    for (int l = 0; l < LANES; l++) {
        if (!(active >> l & 1))
            continue;
        result = any ? op(result, a[l].u32) : a[l].u32;
        any = true;
    }
    return result;
}

static uint32_t sum(uint32_t x, uint32_t y)
{
    return x + y;
}

static uint32_t least(uint32_t x, uint32_t y)
{
    return x < y ? x : y;
}

static uint32_t most(uint32_t x, uint32_t y)
{
    return x > y ? x : y;
}

static uint32_t least_signed(uint32_t x, uint32_t y)
{
    return (int32_t)x < (int32_t)y ? x : y;
}

static uint32_t most_signed(uint32_t x, uint32_t y)
{
    return (int32_t)x > (int32_t)y ? x : y;
}

static uint32_t bits_and(uint32_t x, uint32_t y)
{
    return x & y;
}

static uint32_t bits_or(uint32_t x, uint32_t y)
{
    return x | y;
}

static uint32_t bits_xor(uint32_t x, uint32_t y)
{
    return x ^ y;
}

static void reductions(void)
{
    static const struct {
        const char *ptx;
        combine *op;
    } rows[] = {
        {"redux.sync.add.s32 %d, %a, %m;", sum},
        {"redux.sync.add.u32 %d, %a, %m;", sum},
        {"redux.sync.min.u32 %d, %a, %m;", least},
        {"redux.sync.max.u32 %d, %a, %m;", most},
        {"redux.sync.min.s32 %d, %a, %m;", least_signed},
        {"redux.sync.max.s32 %d, %a, %m;", most_signed},
        {"redux.sync.and.b32 %d, %a, %m;", bits_and},
        {"redux.sync.or.b32 %d, %a, %m;", bits_or},
        {"redux.sync.xor.b32 %d, %a, %m;", bits_xor},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        ROW_WARP(u32, "i", rows[i].ptx, reduced(a, active, rows[i].op));
}

/* One instruction for two sets of lanes, the even and the odd. */
#define SET(lane) (0x55555555u << ((lane) & 1))
#define EVEN_OR_ODD                                                            \
    "and.b32 %t1, %i, 1; mov.b32 %t2, 0x55555555; "                            \
    "shl.b32 %t1, %t2, %t1; and.b32 %t1, %t1, %m; "

static int first_of(uint32_t mask)
{
    int l = 0;
    while (l < LANES && !(mask >> l & 1))
        l++;
    return l;
}

static void sets(void)
{
    ROW_WARP(u32, "i", EVEN_OR_ODD "redux.sync.add.u32 %d, %a, %t1;",
             reduced(a, active & SET(lane), sum));
    ROW_WARP(u32, "p", EVEN_OR_ODD "vote.sync.ballot.b32 %d, %a, %t1;",
             ballot(a, active & SET(lane), 0));
    ROW_WARP(u32, "m", EVEN_OR_ODD "match.any.sync.b32 %d, %a, %t1;",
             same(a, active & SET(lane), lane));
    ROW_WARP(pred, "m", EVEN_OR_ODD "match.all.sync.b32 %t2|%d, %a, %t1;",
             same(a, active & SET(lane), lane) == (active & SET(lane)));
    ROW_WARP(u32, "i", EVEN_OR_ODD "elect.sync %d|%p0, %t1;",
             (uint32_t)first_of(active & SET(lane)));
}

static void elections(void)
{
    ROW_WARP(u32, "i", "elect.sync %d|%p0, %m;", (uint32_t)first_of(active));
    ROW_WARP(pred, "i", "elect.sync %t1|%d, %m;", lane == first_of(active));
    ROW_WARP(pred, "i", "elect.sync _|%d, %m;", lane == first_of(active));
}

/* Reductions of floats, a NaN losing unless .NaN. */
static float reduced_f32(const union value *a, uint32_t active, bool greater,
                         bool magnitude, bool nan_wins)
{
    float result = NAN;
    bool any_nan = false;
    for (int l = 0; l < LANES; l++) {
        float x = magnitude ? fabsf(a[l].f32) : a[l].f32;
        if (!(active >> l & 1))
            continue;
        any_nan |= isnan(x);
        bool less = x < result || (x == result && signbit(x));
        if (!isnan(x) && (isnan(result) || less != greater))
            result = x;
    }
    return nan_wins && any_nan ? NAN : result;
}

static void float_reductions(void)
{
    ROW_WARP(f32, "f", "redux.sync.min.f32 %d, %a, %m;",
             reduced_f32(a, active, false, false, false));
    ROW_WARP(f32, "f", "redux.sync.max.f32 %d, %a, %m;",
             reduced_f32(a, active, true, false, false));
    ROW_WARP(f32, "f", "redux.sync.min.abs.f32 %d, %a, %m;",
             reduced_f32(a, active, false, true, false));
    ROW_WARP(f32, "f", "redux.sync.max.abs.f32 %d, %a, %m;",
             reduced_f32(a, active, true, true, false));
    ROW_WARP(f32, "f", "redux.sync.min.NaN.f32 %d, %a, %m;",
             reduced_f32(a, active, false, false, true));
    ROW_WARP(f32, "r", "redux.sync.max.NaN.f32 %d, %a, %m;",
             reduced_f32(a, active, true, false, true));
    ROW_WARP(f32, "f", "redux.sync.min.abs.NaN.f32 %d, %a, %m;",
             reduced_f32(a, active, false, true, true));
    ROW_WARP(f32, "r", "redux.sync.max.abs.NaN.f32 %d, %a, %m;",
             reduced_f32(a, active, true, true, true));
}

void rows_warp(void)
{
    shuffles();
    votes();
    matches();
    reductions();
    float_reductions();
    elections();
    sets();
}
