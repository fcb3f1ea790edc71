// SPDX-License-Identifier: MIT
/*
 * programs_control.c: branches, loops, exits, jump tables, structured or not,
 * with lanes that diverge and reconverge.
 */
#include "conformance.h"

static uint32_t if_else(uint32_t i, uint32_t x, const uint32_t *all)
{
    (void)i, (void)all;
    return x & 1 ? x * 3 : x + 100;
}

static uint32_t nested_if(uint32_t i, uint32_t x, const uint32_t *all)
{
    (void)i, (void)all;
    uint32_t d = x;
    if (x & 1) {
        d += 10;
        if (x & 2)
            d = d * 2 + (x & 4 ? 5 : 7);
        d ^= 0x80;
    }
    return d + 1;
}

static uint32_t trip_counts(uint32_t i, uint32_t x, const uint32_t *all)
{
    (void)i, (void)all;
    return x * (x - 1) / 2;
}

static uint32_t break_continue(uint32_t i, uint32_t x, const uint32_t *all)
{
    (void)i, (void)all;
    uint32_t d = 0;
    for (uint32_t j = 0; j < x; j++) {
        if (j & 1)
            continue;
        d += j;
        if (d > 200)
            break;
    }
    return d;
}

static uint32_t early_exit(uint32_t i, uint32_t x, const uint32_t *all)
{
    (void)i, (void)all;
    return x < 8 ? NOT_WRITTEN : x + 5;
}

static uint32_t exit_in_loop(uint32_t i, uint32_t x, const uint32_t *all)
{
    (void)i, (void)all;
    return x < 40 ? NOT_WRITTEN : 40;
}

static uint32_t nested_loops(uint32_t i, uint32_t x, const uint32_t *all)
{
    (void)i, (void)all;
    uint32_t d = 0;
    for (uint32_t j = 0; j < x % 7; j++)
        for (uint32_t k = j; k < x % 5 + j; k++)
            d += j * k + 1;
    return d;
}

static uint32_t jump_table(uint32_t i, uint32_t x, const uint32_t *all)
{
    (void)i, (void)all;
    switch (x & 3) {
    case 0: return 11;
    case 1: return x + 22 + 33; /* falls through */
    case 2: return x + 33;
    default: return 44;
    }
}

static uint32_t table_in_loop(uint32_t i, uint32_t x, const uint32_t *all)
{
    (void)i, (void)all;
    uint32_t d = 0;
    for (uint32_t j = 0; j < x; j++)
        d = (x + j) % 3 == 0 ? d + 1 : (x + j) % 3 == 1 ? d * 3 : d ^ j;
    return d;
}

static uint32_t short_circuit(uint32_t i, uint32_t x, const uint32_t *all)
{
    (void)i, (void)all;
    return (x & 1 && x & 2) || x & 4 ? 7 : 9;
}

static uint32_t two_entries(uint32_t i, uint32_t x, const uint32_t *all)
{
    (void)i, (void)all;
    uint32_t d = 0, j = x;
    if (x & 1)
        goto middle;
    while (1) {
        d += 3;
middle:
        d = d * 2 + 1;
        if (j-- < 50)
            return d;
    }
}

static uint32_t collatz(uint32_t i, uint32_t x, const uint32_t *all)
{
    (void)i, (void)all;
    uint32_t steps = 0;
    for (uint32_t n = x + 1; n != 1; steps++)
        n = n & 1 ? 3 * n + 1 : n / 2;
    return steps;
}

static uint32_t one_side_exits(uint32_t i, uint32_t x, const uint32_t *all)
{
    (void)i, (void)all;
    return x & 1 ? NOT_WRITTEN : x & 2 ? 20 + x : 30 + x;
}

/* How many lanes of this warp have x below 20: a ballot's bits. */
static uint32_t meet_again(uint32_t i, uint32_t x, const uint32_t *all)
{
    uint32_t n = 0;
    for (uint32_t k = i / LANES * LANES; k < i / LANES * LANES + LANES; k++)
        n += all[k] < 20;
    return n + (x & 1 ? 100 : 200);
}

static uint32_t countdown(uint32_t i, uint32_t x, const uint32_t *all)
{
    (void)i, (void)all;
    return x + 1;
}

static uint32_t guards_only(uint32_t i, uint32_t x, const uint32_t *all)
{
    (void)i, (void)all;
    return x < 32 ? x * 2 : x - 32;
}

static uint32_t uneven_block(uint32_t i, uint32_t x, const uint32_t *all)
{
    (void)all;
    return i * 64 + x;
}

static uint32_t inner_scopes(uint32_t i, uint32_t x, const uint32_t *all)
{
    (void)i, (void)all;
    return (x & 1 ? x + 1 : x) + 5;
}

/* Digits: tid.x + 10 tid.y + 100 tid.z, and so on for the block. */
static uint32_t places(uint32_t i, uint32_t x, const uint32_t *all)
{
    (void)x, (void)all;
    uint32_t thread = i % 30, block = i / 30;
    uint32_t t = thread % 5 + thread / 5 % 3 * 10 + thread / 15 * 100;
    uint32_t b = block % 4 + block / 4 % 3 * 10 + block / 12 * 100;
    return b * 1000 + t;
}

static const struct program programs[] = {
    {"if/else", 2, 128, "",
     "and.b32 %r2, %x, 1; setp.eq.s32 %p1, %r2, 0; @%p1 bra EVEN;\n"
     "mul.lo.s32 %d, %x, 3; bra.uni END;\n"
     "EVEN: add.s32 %d, %x, 100;\n"
     "END:", if_else, 0, 0},
    {"nested ifs", 2, 128, "",
     "mov.u32 %d, %x; and.b32 %r2, %x, 1; setp.eq.s32 %p1, %r2, 0;\n"
     "@%p1 bra OUT; add.s32 %d, %d, 10;\n"
     "and.b32 %r2, %x, 2; setp.eq.s32 %p1, %r2, 0; @%p1 bra IN;\n"
     "shl.b32 %d, %d, 1; and.b32 %r2, %x, 4; setp.eq.s32 %p2, %r2, 0;\n"
     "@%p2 bra SEVEN; add.s32 %d, %d, 5; bra.uni IN;\n"
     "SEVEN: add.s32 %d, %d, 7;\n"
     "IN: xor.b32 %d, %d, 0x80;\n"
     "OUT: add.s32 %d, %d, 1;", nested_if, 0, 0},
    {"a loop with a trip count a lane, often none", 2, 128, "",
     "mov.u32 %r2, 0;\n"
     "LOOP: setp.ge.u32 %p1, %r2, %x; @%p1 bra END;\n"
     "add.s32 %d, %d, %r2; add.s32 %r2, %r2, 1; bra.uni LOOP;\n"
     "END:", trip_counts, 0, 0},
    {"break and continue", 2, 128, "",
     "mov.u32 %r2, 0;\n"
     "HEAD: setp.ge.u32 %p1, %r2, %x; @%p1 bra END;\n"
     "and.b32 %r3, %r2, 1; setp.ne.s32 %p2, %r3, 0; @%p2 bra NEXT;\n"
     "add.s32 %d, %d, %r2; setp.gt.u32 %p3, %d, 200; @%p3 bra END;\n"
     "NEXT: add.s32 %r2, %r2, 1; bra HEAD;\n"
     "END:", break_continue, 0, 0},
    {"early exit", 2, 128, "",
     "setp.lt.u32 %p1, %x, 8; @%p1 ret; add.s32 %d, %x, 5;", early_exit, 0,
     0},
    {"exit inside a loop", 2, 128, "",
     "LOOP: setp.eq.s32 %p1, %d, %x; @%p1 exit;\n"
     "add.s32 %d, %d, 1; setp.lt.u32 %p2, %d, 40; @%p2 bra LOOP;",
     exit_in_loop, 0, 0},
    {"nested loops", 2, 128, "",
     "rem.u32 %r2, %x, 7; rem.u32 %r3, %x, 5; mov.u32 %r4, 0;\n"
     "OUTER: setp.ge.u32 %p1, %r4, %r2; @%p1 bra END;\n"
     "mov.u32 %r5, %r4; add.s32 %r6, %r3, %r4;\n"
     "INNER: setp.ge.u32 %p2, %r5, %r6; @%p2 bra NEXT;\n"
     "mad.lo.s32 %d, %r4, %r5, %d; add.s32 %d, %d, 1;\n"
     "add.s32 %r5, %r5, 1; bra INNER;\n"
     "NEXT: add.s32 %r4, %r4, 1; bra OUTER;\n"
     "END:", nested_loops, 0, 0},
    {"brx.idx", 2, 128, "",
     "and.b32 %r2, %x, 3;\n"
     "TABLE: .branchtargets A, B, C, D; brx.idx %r2, TABLE;\n"
     "A: mov.u32 %d, 11; bra END;\n"
     "B: add.s32 %d, %d, 22;\n"
     "C: add.s32 %d, %d, %x; add.s32 %d, %d, 33; bra END;\n"
     "D: mov.u32 %d, 44;\n"
     "END:", jump_table, 0, 0},
    {"brx.idx in a loop", 2, 128, "",
     "mov.u32 %r2, 0;\n"
     "HEAD: setp.ge.u32 %p1, %r2, %x; @%p1 bra END;\n"
     "add.s32 %r3, %x, %r2; rem.u32 %r3, %r3, 3;\n"
     "TABLE: .branchtargets A, B, C; brx.idx.uni %r3, TABLE;\n"
     "A: add.s32 %d, %d, 1; bra NEXT;\n"
     "B: mul.lo.s32 %d, %d, 3; bra NEXT;\n"
     "C: xor.b32 %d, %d, %r2;\n"
     "NEXT: add.s32 %r2, %r2, 1; bra HEAD;\n"
     "END:", table_in_loop, 0, 0},
    {"short-circuit conditions", 2, 128, "",
     "and.b32 %r2, %x, 1; setp.eq.s32 %p1, %r2, 0; @%p1 bra OTHER;\n"
     "and.b32 %r2, %x, 2; setp.ne.s32 %p2, %r2, 0; @%p2 bra YES;\n"
     "OTHER: and.b32 %r2, %x, 4; setp.eq.s32 %p3, %r2, 0; @%p3 bra NO;\n"
     "YES: mov.u32 %d, 7; bra END;\n"
     "NO: mov.u32 %d, 9;\n"
     "END:", short_circuit, 0, 0},
    {"a loop with two entries", 2, 128, "",
     "mov.u32 %r2, %x; and.b32 %r3, %x, 1; setp.ne.s32 %p1, %r3, 0;\n"
     "@%p1 bra MIDDLE;\n"
     "TOP: add.s32 %d, %d, 3;\n"
     "MIDDLE: shl.b32 %d, %d, 1; add.s32 %d, %d, 1;\n"
     "setp.lt.u32 %p2, %r2, 50; sub.s32 %r2, %r2, 1;\n"
     "@!%p2 bra TOP;", two_entries, 0, 0},
    {"a different number of steps in every lane", 4, 256, "",
     "add.s32 %r2, %x, 1;\n"
     "HEAD: setp.eq.s32 %p1, %r2, 1; @%p1 bra END;\n"
     "and.b32 %r3, %r2, 1; setp.eq.s32 %p2, %r3, 0; @%p2 bra EVEN;\n"
     "mad.lo.s32 %r2, %r2, 3, 1; bra NEXT;\n"
     "EVEN: shr.u32 %r2, %r2, 1;\n"
     "NEXT: add.s32 %d, %d, 1; bra HEAD;\n"
     "END:", collatz, 0, 0},
    {"one side of a branch exits", 2, 128, "",
     "and.b32 %r2, %x, 1; setp.eq.s32 %p1, %r2, 0; @%p1 bra STAY; exit;\n"
     "STAY: and.b32 %r2, %x, 2; setp.eq.s32 %p2, %r2, 0; @%p2 bra NO;\n"
     "add.s32 %d, %x, 20; bra END;\n"
     "NO: add.s32 %d, %x, 30;\n"
     "END:", one_side_exits, 0, 0},
    {"lanes meet again after a branch", 2, 128, "",
     "and.b32 %r2, %x, 1; setp.eq.s32 %p1, %r2, 0; @%p1 bra EVEN;\n"
     "mov.u32 %d, 100; bra MEET;\n"
     "EVEN: mov.u32 %d, 200;\n"
     "MEET: activemask.b32 %r4; setp.lt.u32 %p2, %x, 20;\n"
     "vote.sync.ballot.b32 %r3, %p2, %r4; popc.b32 %r3, %r3;\n"
     "add.s32 %d, %d, %r3;", meet_again, 0, 0},
    {"a loop that tests at its end", 2, 128, "",
     "mov.u32 %r2, %x;\n"
     "LOOP: add.s32 %d, %d, 1; sub.s32 %r2, %r2, 1;\n"
     "setp.ge.s32 %p1, %r2, 0; @%p1 bra LOOP;", countdown, 0, 0},
    {"guards without branches", 2, 128, "",
     "setp.lt.u32 %p1, %x, 32; @%p1 shl.b32 %d, %x, 1;\n"
     "@!%p1 sub.s32 %d, %x, 32;", guards_only, 0, 0},
    {"a block that does not fill its last warp", 3, 77, "",
     "mad.lo.s32 %d, %i, 64, %x;", uneven_block, 0, 0},
    {"labels and registers of inner scopes", 2, 128, "",
     "mov.u32 %d, %x; and.b32 %r2, %x, 1;\n"
     "{ .reg .pred q; setp.eq.s32 q, %r2, 0; @q bra DONE;\n"
     "add.s32 %d, %d, 1; DONE: }\n"
     "{ .reg .b32 q; mov.b32 q, 5; bra DONE; add.s32 %d, %d, 9;\n"
     "DONE: add.s32 %d, %d, q; }", inner_scopes, 0, 0},
};

static const struct program three_dimensions = {
    "grids and blocks of three dimensions", 4, 5, "",
     "mov.u32 %r2, %tid.x; mov.u32 %r3, %tid.y; mov.u32 %r4, %tid.z;\n"
     "mov.u32 %r5, %ctaid.x; mov.u32 %r6, %ctaid.y; mov.u32 %r7, %ctaid.z;\n"
     "mov.u32 %r8, %ntid.x; mov.u32 %r9, %ntid.y; mov.u32 %r10, %ntid.z;\n"
     "mov.u32 %r11, %nctaid.x; mov.u32 %r12, %nctaid.y;\n"
     "mad.lo.s32 %r13, %r7, %r12, %r6; mad.lo.s32 %r13, %r13, %r11, %r5;\n"
     "mad.lo.s32 %r13, %r13, %r10, %r4; mad.lo.s32 %r13, %r13, %r9, %r3;\n"
     "mad.lo.s32 %r13, %r13, %r8, %r2; mul.wide.u32 %l0, %r13, 4;\n"
     "add.s64 %me, %out, %l0; mad.lo.s32 %d, %r3, 10, %r2;\n"
     "mad.lo.s32 %d, %r4, 100, %d; mad.lo.s32 %d, %r5, 1000, %d;\n"
     "mad.lo.s32 %d, %r6, 10000, %d; mad.lo.s32 %d, %r7, 100000, %d;",
     places, 0, 720};

void programs_control(void)
{
    programs_run(programs, sizeof programs / sizeof *programs);
    program_run_in(&three_dimensions, (const uint32_t[]){4, 3, 2},
                   (const uint32_t[]){5, 3, 2});
}
