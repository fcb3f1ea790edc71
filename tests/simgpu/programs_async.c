// SPDX-License-Identifier: MIT
/*
 * programs_async.c: cp.async, its sizes, its zeros, its groups and waits.
 */
#include "conformance.h"

static uint32_t mine(uint32_t i, uint32_t x, const uint32_t *all)
{
    (void)i, (void)all;
    return x;
}

static uint32_t next(uint32_t i, uint32_t x, const uint32_t *all)
{
    (void)x;
    return all[i / 64 * 64 + (i + 1) % 64];
}

/* The first x % 17 bytes of a quad of words, then zeros. */
static uint32_t cut(uint32_t i, uint32_t x, const uint32_t *all)
{
    (void)x;
    const uint32_t *quad = &all[i / 4 * 4];
    uint32_t left = quad[0] % 17, at = i % 4 * 4;
    uint32_t keep = left <= at ? 0 : left - at >= 4 ? 4 : left - at;
    return keep == 4 ? all[i] : all[i] & ((1u << 8 * keep) - 1);
}

static uint32_t odd_only(uint32_t i, uint32_t x, const uint32_t *all)
{
    (void)i, (void)all;
    return x & 1 ? x : 0;
}

static uint32_t sum_of_four(uint32_t i, uint32_t x, const uint32_t *all)
{
    (void)x;
    uint32_t n = 0;
    for (uint32_t k = 0; k < 4; k++)
        n += (k + 1) * all[i / 64 * 64 + (i + k) % 64];
    return n;
}

#define TILE ".shared .align 16 .b8 tile[1024];\n"
/* %r3: this thread's word of tile; %l3: its word of the input. */
#define MINE                                                                   \
    "mov.u32 %r2, tile; shl.b32 %r3, %t, 2; add.s32 %r3, %r2, %r3;\n"          \
    "add.s64 %l3, %in, %at;\n"
#define WAIT "cp.async.commit_group; cp.async.wait_group 0;\n"
#define EVERY(n)                                                               \
    "and.b32 %r4, %t, " #n " - 1; setp.eq.u32 %p1, %r4, 0;\n"
/* Stage k of a ring of two: the input, k words on, turned within 64. */
#define STAGE(k)                                                               \
    "add.s32 %r5, %t, " #k "; and.b32 %r5, %r5, 63; sub.s32 %r6, %i, %t;\n"    \
    "add.s32 %r5, %r5, %r6; mul.wide.u32 %l4, %r5, 4;\n"                       \
    "add.s64 %l4, %in, %l4;\n"                                                 \
    "cp.async.ca.shared.global [%r3+256*(" #k "&1)], [%l4], 4;\n"

static uint32_t next_and_mine(uint32_t i, uint32_t x, const uint32_t *all)
{
    return next(i, x, all) + x;
}

static uint32_t three_more(uint32_t i, uint32_t x, const uint32_t *all)
{
    (void)i, (void)all;
    return x + 3;
}

#define OBJECT TILE ".shared .align 8 .b64 object;\n"
/* %p4: the first thread; %p5: the first warp. */
#define SHARED_OBJECT                                                          \
    "mov.u32 %r8, object; setp.eq.u32 %p4, %t, 0; setp.lt.u32 %p5, %t, 32;\n"
#define GENERIC_OBJECT                                                         \
    SHARED_OBJECT "cvt.u64.u32 %l7, %r8; cvta.shared.u64 %l8, %l7;\n"
#define UNTIL(label, wait) label ": " wait "\n@!%p3 bra " label ";\n"
/* Five phases: arrivals; one of them that cannot be the last; bytes; half of
 * the threads leave; copies. */
#define PHASES(SPACE, A)                                                       \
    "@%p4 mbarrier.init" SPACE ".b64 " A ", 64; bar.sync 0;\n"                 \
    "st.shared.u32 [%r3], %x;\n"                                              \
    "mbarrier.arrive.release.cta" SPACE ".b64 %l5, " A ";\n"                  \
    UNTIL("FIRST", "mbarrier.test_wait" SPACE ".b64 %p3, " A ", %l5;")         \
    "add.s32 %r4, %t, 1; and.b32 %r4, %r4, 63; shl.b32 %r4, %r4, 2;\n"        \
    "add.s32 %r4, %r2, %r4; ld.shared.u32 %d, [%r4];\n"                       \
    "@%p4 mbarrier.arrive.noComplete" SPACE ".b64 %l5, " A ", 1;\n"           \
    "bar.sync 0; @!%p4 mbarrier.arrive" SPACE ".b64 _, " A ";\n"              \
    UNTIL("SECOND", "mbarrier.try_wait.parity.acquire.cta" SPACE               \
                    ".b64 %p3, " A ", 1;")                                     \
    "mbarrier.expect_tx.relaxed.cta" SPACE ".b64 " A ", 4;\n"                 \
    "mbarrier.complete_tx" SPACE ".b64 " A ", 8;\n"                           \
    "mbarrier.arrive.expect_tx" SPACE ".b64 %l5, " A ", 4;\n"                 \
    UNTIL("THIRD", "mbarrier.try_wait" SPACE ".b64 %p3, " A ", %l5;")          \
    "@%p5 mbarrier.arrive" SPACE ".b64 _, " A ", 1;\n"                        \
    "@!%p5 mbarrier.arrive_drop" SPACE ".b64 _, " A ";\n"                     \
    UNTIL("FOURTH", "mbarrier.test_wait.parity.acquire.cta" SPACE              \
                    ".b64 %p3, " A ", 1;")                                     \
    "bar.sync 0; cp.async.ca.shared.global [%r3+512], [%l3], 4;\n"            \
    "cp.async.mbarrier.arrive" SPACE ".b64 " A "; bar.sync 0;\n"              \
    "@%p5 cp.async.mbarrier.arrive.noinc" SPACE ".b64 " A ";\n"               \
    UNTIL("FIFTH", "mbarrier.test_wait.parity" SPACE ".b64 %p3, " A ", 0;")    \
    "ld.shared.u32 %r7, [%r3+512]; add.u32 %d, %d, %r7; bar.sync 0;\n"        \
    "@%p4 mbarrier.inval" SPACE ".b64 " A ";"

static const struct program programs[] = {
    {"cp.async.ca, 4 bytes, commit_group and wait_group", 2, 64, TILE,
     MINE "cp.async.ca.shared.global [%r3], [%l3], 4;\n" WAIT
     "ld.shared.u32 %d, [%r3];", mine, 0, 0},
    {"cp.async.ca, 8 bytes, wait_all", 2, 64, TILE,
     MINE EVERY(2) "@%p1 cp.async.ca.shared.global [%r3], [%l3], 8;\n"
     "cp.async.wait_all; bar.sync 0; ld.shared.u32 %d, [%r3];", mine, 0, 0},
    {"cp.async.cg, 16 bytes, with hints", 2, 64, TILE,
     MINE EVERY(4)
     "@%p1 cp.async.cg.shared::cta.global.L2::128B [%r3], [%l3], 16;\n" WAIT
     "bar.sync 0; ld.shared.u32 %d, [%r3];", mine, 0, 0},
    {"cp.async is seen by other threads after wait and barrier", 2, 64, TILE,
     MINE "cp.async.ca.shared.global [%r3], [%l3], 4;\n"
     "cp.async.wait_all; bar.sync 0; add.s32 %r4, %t, 1;\n"
     "and.b32 %r4, %r4, 63; shl.b32 %r4, %r4, 2; add.s32 %r4, %r2, %r4;\n"
     "ld.shared.u32 %d, [%r4];", next, 0, 0},
    {"cp.async with a src-size: the rest is zeros", 2, 64, TILE,
     MINE EVERY(4) "rem.u32 %r5, %x, 17;\n"
     "@%p1 cp.async.cg.shared.global [%r3], [%l3], 16, %r5;\n" WAIT
     "bar.sync 0; ld.shared.u32 %d, [%r3];", cut, 0, 0},
    {"cp.async with a src-size of 0 reads nothing", 2, 64, TILE,
     MINE "mov.u64 %l3, 0; mov.u32 %r5, 0;\n"
     "cp.async.ca.shared.global [%r3], [%l3], 4, %r5;\n"
     "cp.async.wait_all; ld.shared.u32 %d, [%r3]; add.s32 %d, %d, %x;",
     mine, 0, 0},
    {"cp.async with ignore-src", 2, 64, TILE,
     MINE "and.b32 %r4, %x, 1; setp.eq.u32 %p1, %r4, 0;\n"
     "cp.async.ca.shared.global [%r3], [%l3], 4, %p1;\n" WAIT
     "ld.shared.u32 %d, [%r3];", odd_only, 0, 0},
    {"a pipeline of two stages with wait_group 1", 2, 64, TILE,
     MINE STAGE(0) "cp.async.commit_group;\n"
     STAGE(1) "cp.async.commit_group; cp.async.wait_group 1;\n"
     "ld.shared.u32 %d, [%r3];\n"
     STAGE(2) "cp.async.commit_group; cp.async.wait_group 1;\n"
     "ld.shared.u32 %r7, [%r3+256]; mad.lo.u32 %d, %r7, 2, %d;\n"
     STAGE(3) "cp.async.commit_group; cp.async.wait_group 1;\n"
     "ld.shared.u32 %r7, [%r3]; mad.lo.u32 %d, %r7, 3, %d;\n"
     "cp.async.wait_group 0;\n"
     "ld.shared.u32 %r7, [%r3+256]; mad.lo.u32 %d, %r7, 4, %d;",
     sum_of_four, 0, 0},
    {"cp.async by the lanes of a branch", 2, 64, TILE,
     MINE "and.b32 %r4, %x, 1; setp.eq.u32 %p1, %r4, 0; mov.u32 %d, 0;\n"
     "@%p1 bra END;\n"
     "cp.async.ca.shared.global [%r3], [%l3], 4; cp.async.wait_all;\n"
     "ld.shared.u32 %d, [%r3];\n"
     "END:", odd_only, 0, 0},
    {"mbarriers: five phases, .shared", 2, 64, OBJECT,
     MINE SHARED_OBJECT PHASES(".shared", "[%r8]"), next_and_mine, 0, 0},
    {"mbarriers: five phases, .shared::cta", 2, 64, OBJECT,
     MINE SHARED_OBJECT PHASES(".shared::cta", "[%r8]"), next_and_mine, 0, 0},
    {"mbarriers: five phases, generic addresses", 2, 64, OBJECT,
     MINE GENERIC_OBJECT PHASES("", "[%l8]"), next_and_mine, 0, 0},
    {"mbarrier.pending_count: what was pending before the arrival", 2, 64,
     OBJECT, SHARED_OBJECT
     "@%p4 mbarrier.init.shared.b64 [%r8], 66; bar.sync 0;\n"
     "mov.u32 %r9, 3; @%p4 mbarrier.arrive.shared.b64 %l5, [%r8], 63;\n"
     "@%p4 mbarrier.arrive.shared.b64 %l5, [%r8];\n"
     "@%p4 mbarrier.pending_count.b64 %r9, %l5; add.u32 %d, %x, %r9;",
     three_more, 0, 0},
};

void programs_async(void)
{
    programs_run(programs, sizeof programs / sizeof *programs);
}
