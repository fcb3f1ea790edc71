// SPDX-License-Identifier: MIT
/*
 * programs_sync.c: barriers of a block and of a warp, with lanes and warps
 * that arrive late, arrive alone, or never arrive.
 */
#include "conformance.h"

static uint32_t block_sum(uint32_t i, uint32_t x, const uint32_t *all)
{
    (void)x;
    uint32_t n = 0;
    for (uint32_t k = i / 256 * 256; k < i / 256 * 256 + 256; k++)
        n += all[k];
    return n;
}

static uint32_t half_sums(uint32_t i, uint32_t x, const uint32_t *all)
{
    (void)x;
    uint32_t first = i / 64 * 64;
    return all[first + (i + 33) % 64];
}

static uint32_t produced(uint32_t i, uint32_t x, const uint32_t *all)
{
    return i < 64 ? x : all[i - 64] * 2;
}

static uint32_t after_exit(uint32_t i, uint32_t x, const uint32_t *all)
{
    (void)x;
    return i < 64 ? NOT_WRITTEN : all[64 + (i - 64 + 32) % 192];
}

static uint32_t below_32(const uint32_t *all)
{
    uint32_t n = 0;
    for (uint32_t k = 0; k < 256; k++)
        n += all[k] < 32;
    return n;
}

static uint32_t counted(uint32_t i, uint32_t x, const uint32_t *all)
{
    (void)i, (void)x;
    return below_32(all);
}

static uint32_t all_or_any(uint32_t i, uint32_t x, const uint32_t *all)
{
    (void)i, (void)x;
    uint32_t n = below_32(all);
    return (n == 256) + 2 * (n > 0) + 4;
}

static uint32_t neighbour(uint32_t i, uint32_t x, const uint32_t *all)
{
    (void)x;
    return all[i ^ 1];
}

static uint32_t two_groups(uint32_t i, uint32_t x, const uint32_t *all)
{
    (void)x;
    return i % 32 < 16 ? all[i ^ 1] : all[i ^ 2] + 100;
}

static uint32_t many_rounds(uint32_t i, uint32_t x, const uint32_t *all)
{
    (void)x;
    return all[i / 256 * 256 + (i + 10) % 256];
}

#define TILE ".shared .align 16 .b8 tile[1024];\n"
#define MINE                                                                   \
    "mov.u32 %r2, tile; shl.b32 %r3, %t, 2; add.s32 %r3, %r2, %r3;\n"

/* The other half of a tile of eight. */
static uint32_t across(uint32_t i, uint32_t x, const uint32_t *all)
{
    (void)x;
    return all[i ^ 4] + (i & 4 ? 1000 : 2000);
}

static uint32_t across_later(uint32_t i, uint32_t x, const uint32_t *all)
{
    (void)x;
    return all[i ^ 4] + 5;
}

#define HALVES                                                                 \
    "and.b32 %r2, %t, 24; mov.u32 %r3, 255; shl.b32 %r3, %r3, %r2;\n"          \
    "mov.u32 %r4, tile; shl.b32 %r5, %t, 2; add.s32 %r5, %r4, %r5;\n"          \
    "xor.b32 %r6, %t, 4; shl.b32 %r6, %r6, 2; add.s32 %r6, %r4, %r6;\n"        \
    "and.b32 %r7, %t, 4; setp.ne.s32 %p1, %r7, 0; st.shared.u32 [%r5], %x;\n"

static const struct program programs[] = {
    {"tiles of eight whose halves meet from two branches", 2, 128,
     ".shared .align 4 .b8 tile[512];",
     HALVES "@%p1 bra HIGH; bar.warp.sync %r3; ld.shared.u32 %d, [%r6];\n"
     "add.s32 %d, %d, 2000; bra END;\n"
     "HIGH: bar.warp.sync %r3; ld.shared.u32 %d, [%r6];\n"
     "add.s32 %d, %d, 1000; END:", across, 0, 0},
    {"shuffles of tiles whose halves come from two branches", 2, 128, "",
     "and.b32 %r2, %t, 24; mov.u32 %r3, 255; shl.b32 %r3, %r3, %r2;\n"
     "and.b32 %r7, %t, 4; setp.ne.s32 %p1, %r7, 0; @%p1 bra HIGH;\n"
     "shfl.sync.bfly.b32 %d, %x, 4, 31, %r3; add.s32 %d, %d, 2000; bra END;\n"
     "HIGH: shfl.sync.bfly.b32 %d, %x, 4, 31, %r3; add.s32 %d, %d, 1000;\n"
     "END:", across, 0, 0},
    {"the same inside a function", 2, 128,
     ".shared .align 4 .b8 tile[512];\n"
     ".func (.param .b32 r) swap(.param .b32 a, .param .b32 m)\n{\n"
     ".reg .b32 %r<8>; .reg .pred %p<2>; ld.param.b32 %r0, [a];\n"
     "ld.param.b32 %r1, [m]; mov.u32 %r2, %tid.x; and.b32 %r2, %r2, 4;\n"
     "setp.ne.s32 %p1, %r2, 0;\n"
     "@%p1 bra HIGH; shfl.sync.bfly.b32 %r3, %r0, 4, 31, %r1; bra OUT;\n"
     "HIGH: shfl.sync.bfly.b32 %r3, %r0, 4, 31, %r1;\n"
     "OUT: add.s32 %r3, %r3, 5; st.param.b32 [r], %r3; ret; }\n",
     HALVES "{ .param .b32 p; .param .b32 o; st.param.b32 [p], %x;\n"
     "st.param.b32 [o], %r3; .param .b32 q; call.uni (q), swap, (p, o);\n"
     "ld.param.b32 %d, [q]; }", across_later, 0, 0},
    {"a callee whose first instruction waits in tiles", 2, 128,
     ".func (.param .b32 r) meet(.param .b32 a, .param .b32 m)\n{\n"
     ".reg .b32 %r<8>; ld.param.b32 %r0, [a]; ld.param.b32 %r1, [m];\n"
     "shfl.sync.bfly.b32 %r3, %r0, 4, 31, %r1;\n"
     "add.s32 %r3, %r3, 5; st.param.b32 [r], %r3; ret; }\n",
     "and.b32 %r2, %t, 24; mov.u32 %r3, 255; shl.b32 %r3, %r3, %r2;\n"
     "and.b32 %r7, %t, 4; setp.ne.s32 %p1, %r7, 0;\n"
     "{ .param .b32 p; .param .b32 o; st.param.b32 [p], %x;\n"
     "st.param.b32 [o], %r3; .param .b32 q; @%p1 bra HIGH;\n"
     "call (q), meet, (p, o); ld.param.b32 %d, [q]; bra END;\n"
     "HIGH: call (q), meet, (p, o); ld.param.b32 %d, [q]; }\nEND:",
     across_later, 0, 0},
    {"a tree of sums through shared memory", 3, 256, TILE,
     MINE "st.shared.u32 [%r3], %x; mov.u32 %r4, 128;\n"
     "LOOP: bar.sync 0; setp.ge.u32 %p1, %t, %r4; @%p1 bra SKIP;\n"
     "shl.b32 %r5, %r4, 2; add.s32 %r5, %r3, %r5; ld.shared.u32 %r6, [%r5];\n"
     "ld.shared.u32 %r7, [%r3]; add.s32 %r7, %r7, %r6;\n"
     "st.shared.u32 [%r3], %r7;\n"
     "SKIP: shr.u32 %r4, %r4, 1; setp.ne.s32 %p2, %r4, 0; @%p2 bra LOOP;\n"
     "bar.sync 0; ld.shared.u32 %d, [%r2];", block_sum, 0, 0},
    {"bar.sync with a barrier and a count of threads", 1, 256, TILE,
     MINE "st.shared.u32 [%r3], %x; shr.u32 %r4, %t, 6; add.s32 %r4, %r4, 1;\n"
     "bar.sync %r4, 64; add.s32 %r5, %t, 33; and.b32 %r5, %r5, 63;\n"
     "and.b32 %r6, %t, -64; add.s32 %r5, %r5, %r6; shl.b32 %r5, %r5, 2;\n"
     "add.s32 %r5, %r2, %r5; ld.shared.u32 %d, [%r5];", half_sums, 0, 0},
    {"bar.arrive by producers, bar.sync by consumers", 1, 128, TILE,
     MINE "mov.u32 %d, %x; setp.ge.u32 %p1, %t, 64; @%p1 bra CONSUME;\n"
     "shl.b32 %r4, %x, 1; st.shared.u32 [%r3], %r4; bar.arrive 1, 128;\n"
     "bra END;\n"
     "CONSUME: bar.sync 1, 128; ld.shared.u32 %d, [%r3+-256];\n"
     "END:", produced, 0, 0},
    {"a barrier after some warps have exited", 1, 256, TILE,
     "setp.lt.u32 %p1, %t, 64; @%p1 exit;\n"
     MINE "st.shared.u32 [%r3], %x; bar.sync 0; sub.s32 %r4, %t, 32;\n"
     "rem.u32 %r4, %r4, 192; add.s32 %r4, %r4, 64; shl.b32 %r4, %r4, 2;\n"
     "add.s32 %r4, %r2, %r4; ld.shared.u32 %d, [%r4];", after_exit, 0, 0},
    {"bar.red.popc.u32", 1, 256, "",
     "setp.lt.u32 %p1, %x, 32; bar.red.popc.u32 %d, 0, %p1;", counted, 0, 0},
    {"bar.red.and.pred and bar.red.or.pred", 1, 256, "",
     "setp.lt.u32 %p1, %x, 32; bar.red.and.pred %p2, 0, %p1;\n"
     "bar.red.or.pred %p3, 0, %p1; setp.lt.u32 %p4, %x, 64;\n"
     "bar.red.and.pred %p5, 0, %p4; selp.u32 %d, 1, 0, %p2;\n"
     "selp.u32 %r2, 2, 0, %p3; add.s32 %d, %d, %r2;\n"
     "selp.u32 %r2, 4, 0, %p5; add.s32 %d, %d, %r2;", all_or_any, 0, 0},
    {"barrier.sync in a loop, with a lag between warps", 2, 256, TILE,
     MINE "mov.u32 %d, %x; mov.u32 %r4, 0; add.s32 %r5, %t, 1;\n"
     "and.b32 %r5, %r5, 255; shl.b32 %r5, %r5, 2; add.s32 %r5, %r2, %r5;\n"
     "ROUND: st.shared.u32 [%r3], %d; mov.u32 %r6, %t;\n"
     "LAG: sub.s32 %r6, %r6, 32; setp.gt.s32 %p1, %r6, 0; @%p1 bra LAG;\n"
     "barrier.sync 0; ld.shared.u32 %d, [%r5]; barrier.sync 0;\n"
     "add.s32 %r4, %r4, 1; setp.lt.u32 %p2, %r4, 10; @%p2 bra ROUND;",
     many_rounds, 0, 0},
    {"bar.warp.sync orders shared memory", 2, 256, TILE,
     MINE "st.shared.u32 [%r3], %x; bar.warp.sync 0xffffffff;\n"
     "xor.b32 %r4, %r3, 4; ld.shared.u32 %d, [%r4];", neighbour, 0, 0},
    {"a shuffle right after a divergent branch", 2, 256, "",
     "and.b32 %r2, %x, 1; setp.eq.s32 %p1, %r2, 0; @%p1 bra MEET;\n"
     "add.s32 %r3, %x, 1;\n"
     "MEET: bar.warp.sync 0xffffffff;\n"
     "shfl.sync.bfly.b32 %d, %x, 1, 31, 0xffffffff;", neighbour, 0, 0},
    {"two halves of a warp shuffle in two places", 2, 256, "",
     "mov.u32 %r2, %laneid; setp.ge.u32 %p1, %r2, 16; @%p1 bra HIGH;\n"
     "shfl.sync.bfly.b32 %d, %x, 1, 31, 0x0000ffff; bra END;\n"
     "HIGH: shfl.sync.bfly.b32 %d, %x, 2, 31, 0xffff0000;\n"
     "add.s32 %d, %d, 100;\n"
     "END:", two_groups, 0, 0},
};

void programs_sync(void)
{
    programs_run(programs, sizeof programs / sizeof *programs);
}
