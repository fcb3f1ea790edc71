// SPDX-License-Identifier: MIT
/*
 * alike_test.c: which atomics of a warp ptxas makes one (decode/alike.c). Each
 * kernel here was given to ptxas 13.0 for compute capability 9.0, and its
 */
#include "engine_kernel.h"
#include "simgpu/core/state/program.h"

/* %r5 differs between lanes; %r6 is loaded, one word for all. */
#define MINE "ld.global.u32 %r5, [%rd3];\n"
#define OURS "ld.global.u32 %r6, [%rd1];\n"
#define SIGN "setp.gt.s32 %p1, %r5, 3;\n"
/* To y[%r7], 1. */
#define AT "mul.wide.s32 %rd8, %r7, 4; add.s64 %rd9, %rd2, %rd8;\n"           \
           "red.global.add.u32 [%rd9], 1;\n"

static uint8_t joined_in(const char *body)
{
    struct sample s = sample_open(kernel(TILE, body), 0);
    uint8_t how = JOINED_NOT;
    for (size_t f = 0; f < s.module->n_functions; f++)
        for (size_t i = 0; i < s.module->functions[f].n_sources; i++)
            how |= s.module->functions[f].sources[i].joined;
    sample_close(&s);
    return how;
}

static void is(enum joined expected, const char *body)
{
    uint8_t how = joined_in(body);
    if (how != expected)
        fail_msg("%d, not %d: %s", how, (int)expected, body);
}

static void test_operations(void **state)
{
    (void)state;
    is(JOINED_BY_COUNT, "red.global.add.u32 [%rd2], 1;");
    is(JOINED_BY_COUNT, OURS "red.global.add.s32 [%rd2], %r6;");
    is(JOINED_BY_COUNT, "atom.global.add.u32 %r8, [%rd2], 1;");
    is(JOINED_BY_COUNT, "atom.global.add.u32 %r8, [%rd2], 1;"
                        "st.global.u32 [%rd4], %r8;");
    is(JOINED_BY_COUNT, "red.global.add.u64 [%rd2], 1;");
    is(JOINED_BY_COUNT, "red.release.sys.global.add.u32 [%rd2], 1;");
    is(JOINED_BY_COUNT, "red.shared.add.u64 [tile], 3;");
    is(JOINED_BY_VALUE, MINE "red.global.add.u32 [%rd2], %r5;");
    is(JOINED_BY_VALUE, MINE "red.global.max.s32 [%rd2], %r5;");
    is(JOINED_BY_VALUE, MINE "red.global.xor.b32 [%rd2], %r5;");
    is(JOINED_BY_VALUE, MINE "red.shared.or.b32 [tile], %r5;");
    is(JOINED_BY_VALUE, OURS "red.global.and.b32 [%rd2], %r6;");
    is(JOINED_IF_WHOLE, MINE "atom.global.add.u32 %r8, [%rd2], %r5;"
                             "st.global.u32 [%rd4], %r8;");
    is(JOINED_NOT, MINE "atom.global.max.s32 %r8, [%rd2], %r5;"
                        "st.global.u32 [%rd4], %r8;");
    is(JOINED_NOT, "mov.u64 %rd8, 5; atom.global.or.b64 %rd9, [%rd2], %rd8;");
    is(JOINED_NOT, "cvt.u64.u32 %rd8, %r2; red.global.add.u64 [%rd2], %rd8;");
    is(JOINED_NOT, "red.global.add.f32 [%rd2], 0f3f800000;");
    is(JOINED_NOT, "red.global.inc.u32 [%rd2], 9;");
    is(JOINED_NOT, "atom.global.exch.b32 %r8, [%rd2], 1;");
    is(JOINED_NOT, "atom.global.cas.b32 %r8, [%rd2], 0, 1;");
}

static void test_addresses(void **state)
{
    (void)state;
    is(JOINED_BY_COUNT, "mov.u32 %r7, %ctaid.x;" AT);
    is(JOINED_BY_COUNT, "mov.u32 %r7, %clock;" AT);
    is(JOINED_BY_COUNT, "ld.global.u32 %r7, [%rd1];" AT);
    is(JOINED_BY_COUNT, "ld.shared.u32 %r7, [tile];" AT);
    is(JOINED_BY_COUNT, MINE "shfl.sync.idx.b32 %r7, %r5, 0, 31, -1;" AT);
    is(JOINED_BY_COUNT, MINE "redux.sync.max.s32 %r7, %r5, -1;" AT);
    is(JOINED_BY_COUNT, MINE SIGN "vote.sync.ballot.b32 %r7, %p1, -1;" AT);
    is(JOINED_NOT, "mov.u32 %r7, %r2;" AT);
    is(JOINED_NOT, "mov.u32 %r7, %tid.y;" AT);
    is(JOINED_NOT, "shr.u32 %r7, %r2, 5;" AT);
    is(JOINED_NOT, MINE "mov.u32 %r7, %r5;" AT);
    is(JOINED_NOT, MINE "shfl.sync.down.b32 %r7, %r5, 1, 31, -1;" AT);
    is(JOINED_NOT, MINE "shfl.sync.idx.b32 %r7, %r5, %r2, 31, -1;" AT);
    is(JOINED_NOT, MINE SIGN "bar.red.popc.u32 %r7, 0, %p1;" AT);
    is(JOINED_NOT, MINE SIGN "selp.u32 %r7, 1, 2, %p1;" AT);
    is(JOINED_NOT, "atom.global.inc.u32 %r7, [%rd1], 9;" AT);
}

static void test_branches(void **state)
{
    (void)state;
    is(JOINED_BY_COUNT, MINE SIGN "mov.u32 %r7, 1; @%p1 bra E;" AT "E:");
    is(JOINED_BY_COUNT, MINE SIGN "@%p1 red.global.add.u32 [%rd2], 1;");
    is(JOINED_NOT, MINE SIGN "mov.u32 %r7, 1; @%p1 mov.u32 %r7, 2;" AT);
    is(JOINED_NOT, MINE SIGN "mov.u32 %r7, 1; @%p1 bra E; mov.u32 %r7, 2; E:"
                   AT);
    is(JOINED_BY_COUNT, OURS "setp.gt.s32 %p1, %r6, 3; mov.u32 %r7, 1;"
                             "@%p1 bra E; mov.u32 %r7, 2; E:" AT);
}

#define RISE "add.s32 %r7, %r7, 1;\n"

static void test_loops(void **state)
{
    (void)state;
    is(JOINED_BY_COUNT, OURS "mov.u32 %r7, 0; L:" AT RISE
                        "setp.lt.s32 %p1, %r7, %r6; @%p1 bra L;");
    is(JOINED_NOT, MINE "mov.u32 %r7, 0; L:" AT RISE
                   "setp.lt.s32 %p1, %r7, %r5; @%p1 bra L;");
    /* Some lanes have left the loop: what they wrote there last differs. */
    is(JOINED_NOT, MINE "mov.u32 %r7, 0; L:" RISE
                   "setp.lt.s32 %p1, %r7, %r5; @%p1 bra L;" AT);
    /* Its address does not depend on the turn. */
    is(JOINED_BY_COUNT, MINE "mov.u32 %r7, 3; mov.u32 %r8, 0; L:" AT
                        "add.s32 %r8, %r8, 1; setp.lt.s32 %p1, %r8, %r5;"
                        "@%p1 bra L;");
    /* Lanes skip a part of the turn, or have left the kernel. */
    is(JOINED_BY_COUNT, MINE OURS SIGN "mov.u32 %r7, 0; L: @%p1 bra N;" AT
                        "N:" RISE "setp.lt.s32 %p2, %r7, %r6; @%p2 bra L;");
    is(JOINED_BY_COUNT, MINE OURS SIGN "@%p1 bra E; mov.u32 %r7, 0; L:" AT
                        RISE "setp.lt.s32 %p2, %r7, %r6; @%p2 bra L; E:");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_operations),
        cmocka_unit_test(test_addresses),
        cmocka_unit_test(test_branches),
        cmocka_unit_test(test_loops),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
