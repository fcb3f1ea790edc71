// SPDX-License-Identifier: MIT
/*
 * race_polls_test.c: which volatile reads wait for another lane of the warp.
 * Each lane writes its word of a tile and reads that of lane 31 - l, in a loop
 * of some kind; who does not wait, races.
 */
#include "engine_kernel.h"

enum { LANES = 32 };

/* %r6, %r7: the addresses of the own and of the other word; the lane + 5 is
 * written; %r10 to %r13 are 0. */
#define BEGIN                                                                  \
    "shl.b32 %r5, %r2, 2; mov.u32 %r6, tile; sub.s32 %r7, 124, %r5;\n"         \
    "add.s32 %r7, %r7, %r6; add.s32 %r6, %r6, %r5; add.s32 %r14, %r2, 5;\n"    \
    "mov.u32 %r10, 0; mov.u32 %r11, 0; mov.u32 %r12, 0; mov.u32 %r13, 0;\n"    \
    "mov.u32 %r8, 0; mov.u32 %r9, 0; setp.ne.u32 %p3, %r10, 0;\n"
#define WRITE "st.volatile.shared.u32 [%r6], %r14;\n"
#define READ "ld.volatile.shared.u32 %r8, [%r7];\n"
#define COUNT "add.s32 %r10, %r10, 1; setp.lt.s32 %p2, %r10, 9;\n"
#define USE "st.global.u32 [%rd4], %r9; st.global.u32 [%rd4], %r11;\n"

static bool races(const char *body)
{
    struct buffers b;
    prepare(&b, TILE, body, LANES);
    const struct launch_report *r = sample_run(&b.s, 1, LANES, b.params);
    assert_int_equal(r->fault, FAULT_NONE);
    for (size_t k = 0; k < r->n_findings; k++)
        assert_int_equal(r->findings[k].kind, FIND_RACE);
    bool any = r->n_findings;
    sample_close(&b.s);
    return any;
}

static void is_race(const char *loop, bool race)
{
    char text[8192];
    snprintf(text, sizeof text, "%s%s\n%s", BEGIN WRITE, loop, USE);
    if (races(text) != race)
        fail_msg("%s: %s", race ? "missed" : "accused", loop);
}

/* Once; in a loop that a counter ends; in a loop that it follows. */
static void test_does_not_wait(void **state)
{
    (void)state;
    is_race(READ, true);
    is_race("TOP: " READ "add.s32 %r9, %r9, %r8;\n" COUNT "@%p2 bra TOP;",
            true);
    is_race("TOP: " READ "mad.lo.s32 %r9, %r8, %r12, %r13;\n" COUNT
            "@%p2 bra TOP;", true);
    is_race(READ "TOP: setp.eq.s32 %p1, %r8, 0; @%p1 bra TOP;", true);
}

static void test_waits(void **state)
{
    (void)state;
    is_race("TOP: " READ "setp.eq.s32 %p1, %r8, 0; @%p1 bra TOP;", false);
    is_race("TOP: " READ "add.s32 %r9, %r8, 1; mov.u32 %r11, %r9;\n"
            "setp.eq.s32 %p1, %r11, 1; @%p1 bra TOP;", false);
}

/* The second of two words. */
static void test_waits_for_a_pair(void **state)
{
    (void)state;
    is_race("and.b32 %r7, %r7, -8;\n"
            "TOP: ld.volatile.shared.v2.u32 {%r8, %r9}, [%r7];\n"
            "setp.eq.s32 %p1, %r9, 0; @%p1 bra TOP;", false);
}

/* A loop that stores is a computation. */
static void test_stores(void **state)
{
    (void)state;
    is_race("TOP: " READ "st.volatile.shared.u32 [%r6], %r14;\n"
            "setp.eq.s32 %p1, %r8, 0; @%p1 bra TOP;", true);
    is_race("TOP: " READ "ld.volatile.shared.u32 %r11, [%r6];\n"
            "setp.eq.s32 %p1, %r8, 0; @%p1 bra TOP;", false);
}

/* Out of the loop, or to another place within it. */
static void test_jumps_ahead(void **state)
{
    (void)state;
    is_race("TOP: " READ "setp.ne.s32 %p1, %r8, 0; @%p1 bra OUT;\n" COUNT
            "@%p2 bra TOP; OUT:", false);
    is_race("TOP: " READ "setp.ne.s32 %p1, %r8, 0; @%p1 bra OUT;\n" COUNT
            "bra TOP; OUT:", false);
    is_race("TOP: " READ "setp.gt.s32 %p1, %r8, 20; @%p1 bra ON;\n"
            "add.s32 %r11, %r11, 1;\n"
            "ON: " COUNT "@%p2 bra TOP;", true);
    is_race("TOP: " READ "setp.gt.s32 %p1, %r10, 20; @%p1 bra OUT;\n" COUNT
            "@%p2 bra TOP; OUT:", true);
}

/* What a jump passes over depends on the value, and nothing behind that. */
static void test_decides(void **state)
{
    (void)state;
    is_race("TOP: " READ "setp.eq.s32 %p1, %r8, 0; @%p1 bra ON;\n"
            "mov.u32 %r11, 1;\n"
            "ON: setp.eq.s32 %p2, %r11, 0; @%p2 bra TOP;", false);
    is_race("TOP: " READ "setp.eq.s32 %p1, %r8, 0; @%p1 bra ON;\n"
            "add.s32 %r12, %r12, 1;\n"
            "ON: mov.u32 %r11, %r10; " COUNT "setp.lt.s32 %p2, %r11, 3;\n"
            "@%p2 bra TOP;", true);
    is_race("TOP: " READ "setp.eq.s32 %p1, %r8, 0; @%p1 bra FAR;\n"
            "@%p3 bra NEAR; add.s32 %r12, %r12, 1; NEAR: mov.u32 %r11, 1;\n"
            "FAR: setp.eq.s32 %p2, %r11, 0; @%p2 bra TOP;", false);
}

/* A register that gets another value depends on nothing any more. */
static void test_overwritten(void **state)
{
    (void)state;
    is_race("TOP: " READ "add.s32 %r9, %r9, %r8; add.s32 %r10, %r10, 1;\n"
            "mov.u32 %r8, %r10; setp.lt.s32 %p1, %r8, 9; @%p1 bra TOP;", true);
    is_race("TOP: " READ "@%p3 mov.u32 %r8, %r10;\n"
            "setp.eq.s32 %p1, %r8, 0; @%p1 bra TOP;", false);
    is_race("TOP: " READ "@%p3 bra ON; add.s32 %r12, %r12, 1;\n"
            "ON: @%p3 mov.u32 %r8, %r10;\n" /* lanes meet before it */
            "setp.eq.s32 %p1, %r8, 0; @%p1 bra TOP;", false);
    is_race("TOP: " READ "mov.u32 %r9, %r8; mov.u32 %r11, %r8;\n"
            "mov.u32 %r9, %r10; mov.u32 %r8, %r10;\n"
            "setp.eq.s32 %p1, %r11, 0; @%p1 bra TOP;", false);
    is_race("TOP: " READ "mad.lo.s32 %r9, %r10, %r11, %r12;\n"
            "setp.eq.s32 %p1, %r8, 0; @%p1 bra TOP;", false);
    is_race("TOP: " READ "add.s32 %r9, %r9, %r8; mov.b64 %rd9, {%r10, %r10};\n"
            "mov.b64 {%r11, %r8}, %rd9; add.s32 %r10, %r10, 1;\n"
            "setp.lt.s32 %p1, %r8, 9; @%p1 bra TOP;", true);
}

#define TEN                                                                    \
    "add.s32 %r12, %r12, 1; add.s32 %r12, %r12, 1; add.s32 %r12, %r12, 1;\n"   \
    "add.s32 %r12, %r12, 1; add.s32 %r12, %r12, 1; add.s32 %r12, %r12, 1;\n"   \
    "add.s32 %r12, %r12, 1; add.s32 %r12, %r12, 1; add.s32 %r12, %r12, 1;\n"   \
    "add.s32 %r12, %r12, 1;\n"

/* Polling loops are short: 23 instructions before the read, or behind it. */
static void test_long(void **state)
{
    (void)state;
    const char *again = "setp.eq.s32 %p1, %r8, 0; @%p1 bra TOP;";
    const char *three = "add.s32 %r13, %r13, 1; add.s32 %r13, %r13, 1;\n"
                        "add.s32 %r13, %r13, 1;\n";
    const char *one = "add.s32 %r13, %r13, 1;\n";
    char text[4096];
    for (int longer = 0; longer < 2; longer++) {
        snprintf(text, sizeof text, "%s%s%s%s%s", "TOP: " TEN TEN, three,
                 longer ? one : "", READ, again);
        is_race(text, longer);
        snprintf(text, sizeof text, "%s%s%s%s", "TOP: " READ TEN TEN, one,
                 longer ? one : "", again);
        is_race(text, longer);
    }
}

#define FOUR "ld.global.v4.u32 {%r16, %r17, %r18, %r19}, [%rd9];\n"

/* More depends on the value than is kept in mind: what came first counts. */
static void test_much_depends(void **state)
{
    (void)state;
    is_race("TOP: " READ "setp.eq.s32 %p1, %r8, 0; and.b32 %r15, %r8, 0;\n"
            "cvt.u64.u32 %rd9, %r15; add.s64 %rd9, %rd9, %rd1;\n"
            FOUR FOUR FOUR FOUR FOUR FOUR FOUR FOUR "@%p1 bra TOP;", false);
}

/* The word is written behind the read: by a lane that has waited for it, or by
 * one that has not. */
static void test_write_comes_later(void **state)
{
    (void)state;
    const char *loop[] = {"TOP: " READ "setp.eq.s32 %p1, %r8, 0;\n"
                          "@%p1 bra TOP;\n",
                          "TOP: " READ COUNT "@%p2 bra TOP;\n"};
    for (int n = 0; n < 2; n++) {
        char text[4096];
        snprintf(text, sizeof text,
                 "%sst.shared.u32 [%%r6], %%r14; bar.warp.sync -1;\n%s%s%s",
                 BEGIN, loop[n], WRITE "mov.u32 %r9, %r8;\n", USE);
        if (races(text) != (n == 1))
            fail_msg("%s", loop[n]);
    }
}

/* Relaxed accesses say that they are not ordered; two warps take each other's
 * volatile ones for relaxed. */
static void test_relaxed(void **state)
{
    (void)state;
    assert_false(races(BEGIN "st.relaxed.cta.shared.u32 [%r6], %r14;\n"
                       READ "mov.u32 %r9, %r8;\n" USE));
    assert_false(races(BEGIN WRITE "ld.relaxed.cta.shared.u32 %r9, [%r7];\n"
                       USE));
    assert_true(races(BEGIN WRITE "mov.u32 %r8, 0;\n" READ
                      "mov.u32 %r9, %r8;\n" USE));
}

/* A lane's own read of its word hides its write from nobody. */
static void test_own_read_first(void **state)
{
    (void)state;
    assert_true(races(BEGIN WRITE "ld.volatile.shared.u32 %r9, [%r6];\n" READ
                      USE));
    assert_true(races(BEGIN "membar.cta; st.volatile.global.u32 [%rd3], %r14;\n"
                      "ld.volatile.global.u32 %r9, [%rd3];\n"
                      "xor.b32 %r15, %r2, 3; mul.wide.u32 %rd9, %r15, 4;\n"
                      "add.s64 %rd9, %rd9, %rd1;\n"
                      "ld.volatile.global.u32 %r8, [%rd9];\n" USE));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_does_not_wait),
        cmocka_unit_test(test_waits),
        cmocka_unit_test(test_waits_for_a_pair),
        cmocka_unit_test(test_stores),
        cmocka_unit_test(test_jumps_ahead),
        cmocka_unit_test(test_decides),
        cmocka_unit_test(test_overwritten),
        cmocka_unit_test(test_long),
        cmocka_unit_test(test_much_depends),
        cmocka_unit_test(test_write_comes_later),
        cmocka_unit_test(test_relaxed),
        cmocka_unit_test(test_own_read_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
