// SPDX-License-Identifier: MIT
/*
 * turns_test.c: the clocks of a block whose warps stand still, or wait for each
 * other: against sums done by hand. Clocks of single instructions are those of
 * tests/hardware/rates-h200.csv (latency_shared 23, latency_l2 280) and of
 * issue classes (state/form.h).
 */
#include "engine_sample.h"

#include "simgpu/core/state/form.h"

enum { LANES_OF_ALL = 32, SHARED_CLOCKS = 23 };

static uint64_t waited; /* of the latest block, by polls */
static uint64_t slots;  /* instructions that it issued */
static uint64_t hits;   /* sectors that L1 had */

/* One block of so many warps; body between the set-up of %r1 (the thread), %r2
 * (its warp), %r4 (shared memory), %r5 (the thread's 8 bytes of it), %rd4 and
 * %rd5 (its words of two arrays) and the end. Returns its clocks alone. */
static uint64_t block_of(uint32_t warps, const char *body)
{
    static char text[8192];
    static float x[1 << 16];
    struct launch l = {.grid = {1, 1, 1}, .block = {32 * warps, 1, 1}};
    uint64_t params[2], clocks;
    snprintf(text, sizeof text,
             PTX_HEAD ".shared .align 16 .b8 tile[8192];\n"
             ".visible .entry k(.param .u64 k_x, .param .u64 k_y) {\n"
             ".reg .pred %%p<4>; .reg .b32 %%r<16>; .reg .f32 %%f<16>;\n"
             ".reg .b64 %%rd<16>; .reg .f64 %%d<4>;\n"
             "ld.param.u64 %%rd1, [k_x]; ld.param.u64 %%rd2, [k_y];\n"
             "mov.u32 %%r1, %%tid.x; mul.wide.u32 %%rd3, %%r1, 4;\n"
             "add.s64 %%rd4, %%rd1, %%rd3; add.s64 %%rd5, %%rd2, %%rd3;\n"
             "shr.u32 %%r2, %%r1, 5; mov.u32 %%r4, tile;\n"
             "shl.b32 %%r5, %%r1, 3; add.s32 %%r5, %%r5, %%r4;\n%s\n"
             "ret; }\n", body);
    struct sample s = sample_open(text, CHECK_TRAFFIC);
    l.params = params;
    params[0] = sample_array(&s, x, sizeof x);
    params[1] = sample_array(&s, x, sizeof x);
    engine_launch(s.engine, s.kernel, &l, &s.report);
    assert_int_equal(s.report.fault, FAULT_NONE);
    clocks = s.report.traffic->alone_clocks;
    waited = s.report.traffic->alone_waited;
    slots = s.report.traffic->issue_slots + s.report.traffic->fence_slots;
    hits = s.report.traffic->l1_hits;
    sample_close(&s);
    return clocks;
}

static void within(uint64_t got, double least, double most)
{
    if (!((double)got >= least && (double)got <= most))
        fail_msg("%llu, not %g to %g", (unsigned long long)got, least, most);
}

/* Adding 32-bit integers is one instruction, and lanes may meet; at an address
 * that is theirs all, one lane adds for all (vote, count, pick). Floats and 64
 * bits are a loop: load, operation, swap, comparison, branch; one lane comes
 * through per turn. */
static void adds_of_floats_are_loops(void **state)
{
    double turn = 2 * SHARED_CLOCKS + 4 + 5 + 5, wide = turn + 4;
    uint64_t nothing = block_of(1, ""), before = slots;
    (void)state;
    within(block_of(1, "red.shared.add.u32 [%r5], 1;") - nothing, 0, 30);
    assert_int_equal(slots - before, 1);
    within(block_of(1, "red.shared.add.u32 [%r4], 1;") - nothing, 0, 40);
    assert_int_equal(slots - before, 4);
    within(block_of(1, "red.shared.add.f32 [%r5], 0f3f800000;") - nothing,
           turn - 10, turn + 10);
    assert_int_equal(slots - before, 5);
    within(block_of(1, "red.shared.add.f32 [%r4], 0f3f800000;") - nothing,
           32 * turn - 10, 32 * turn + 10);
    assert_int_equal(slots - before, 32 * 5);
    within(block_of(1, "red.shared.add.f64 [%r4], 0d3ff0000000000000;") -
               nothing, 32 * wide, 32 * (wide + 2)); /* 8 bytes: two passes */
    within(block_of(1, "red.shared.add.u64 [%r4], %rd3;") - nothing,
           32 * (turn + 6), 32 * (turn + 8));
    within(block_of(1, "red.shared.add.u64 [%r4], 1;") - nothing, turn,
           turn + 40);
    within(block_of(1, "atom.shared.exch.b64 %rd6, [%r4], 1;") - nothing, 0,
           40);
    /* Nothing moves across a loop. */
    within(block_of(1, "red.shared.add.f32 [%r5], 0f3f800000;"
                       "red.shared.add.f32 [%r5], 0f3f800000;") - nothing,
           2 * turn - 10, 2 * turn + 10);
}

/* All threads of a block at one word: from one's load to its swap nobody else
 * comes through. At words of their own the warps do not wait. */
static void warps_meet_at_a_word(void **state)
{
    double window = SHARED_CLOCKS + 4, turn = 2 * SHARED_CLOCKS + 4 + 5 + 5;
    (void)state;
    within(block_of(32, "red.shared.add.f32 [%r4], 0f3f800000;"),
           1024 * window, 1024 * window + 100);
    within(block_of(32, "red.shared.add.f32 [%r5], 0f3f800000;"), turn,
           turn + 100);
    /* Where all met, the count begins anew: at two words one after another it
     * takes as long as at one. */
    within(block_of(32, "red.shared.add.f32 [%r4], 0f3f800000; bar.sync 0;"
                        "red.shared.add.f32 [%r4+4], 0f3f800000;"),
           2 * 1024 * window, 2 * 1024 * window + 100);
    within(block_of(32, "red.shared.add.f32 [%r4], 0f3f800000;"
                        "red.shared.add.f32 [%r4+4], 0f3f800000;"),
           1024 * window, 1024 * window + 32 * turn + 100);
}

/* The warps work one after the other, between barriers: a chain of loads from
 * L2, each of which brings the next one's address. */
static void warps_in_turn_add_up(void **state)
{
    static const char all_at_once[] =
        "ld.volatile.global.u32 %r6, [%rd4]; st.shared.u32 [%r5], %r6;"
        "bar.sync 0;";
    static char in_turn[4096];
    size_t end = 0;
    uint64_t once;
    (void)state;
    for (int n = 0; n < 8; n++)
        end += (size_t)snprintf(
            in_turn + end, sizeof in_turn - end,
            "setp.ne.s32 %%p1, %%r2, %d; @%%p1 bra L%d;"
            "ld.volatile.global.u32 %%r6, [%%rd4]; setp.eq.s32 %%p2, %%r6, 7;"
            "@%%p2 bra M%d; st.shared.u32 [%%r5], %%r6; M%d: L%d: bar.sync 0;",
            n, n, n, n, n);
    once = block_of(8, all_at_once);
    within(once, 658, 800); /* device memory, once */
    within(block_of(8, in_turn), 8 * 658.0, 8 * 658 + 8 * 60);
}

/* A named barrier holds up the warps that wait there, by those that come. */
static void arrivals_are_waited_for(void **state)
{
    static const char two[] =
        "setp.ne.s32 %%p1, %%r2, 0; @%%p1 bra L;"
        "ld.volatile.global.u32 %%r6, [%%rd4]; setp.eq.s32 %%p2, %%r6, 7;"
        "@%%p2 bra M; st.shared.u32 [%%r5], %%r6; M: bar.arrive 1, 64; ret;"
        "L: %s ld.volatile.global.u32 %%r6, [%%rd4];"
        "st.shared.u32 [%%r5], %%r6;";
    char with[1024], without[1024];
    (void)state;
    snprintf(with, sizeof with, two, "bar.sync 1, 64;");
    snprintf(without, sizeof without, two, "");
    within(block_of(2, with) - block_of(2, without), 600, 750);
}

/* What one warp polls for, others wait for at the barrier; none of it is the
 * block's own work. */
static void polls_before_a_barrier_are_no_work(void **state)
{
    static const char spin[] =
        "setp.ne.s32 %p2, %r2, 0; @%p2 bra D; mov.u32 %r6, 0; L:\n"
        "ld.volatile.global.u32 %r7, [%rd1]; add.u32 %r6, %r6, 1;"
        "add.u32 %r8, %r6, %r7; setp.lt.u32 %p1, %r8, 9; @%p1 bra L;"
        "D: bar.sync 0; add.u32 %r9, %r6, 1;";
    uint64_t all;
    (void)state;
    all = block_of(4, spin);
    assert_true(waited > 8 * 250 && waited < 8 * 350);
    assert_true(all - waited < 1000);
}

/* 1.98 clocks per nanosecond; the lane that sleeps longest; a millisecond at
 * most (PTX ISA, "nanosleep"). */
static void sleep_takes_its_time(void **state)
{
    uint64_t nothing = block_of(1, "");
    (void)state;
    within(block_of(1, "nanosleep.u32 1000;") - nothing, 1970, 1990);
    within(block_of(1, "nanosleep.u32 %r1;") - nothing, 31 * 1.98 - 2,
           31 * 1.98 + 10);
    within(block_of(1, "nanosleep.u32 5000000;") - nothing, 1.97e6, 1.99e6);
}

/* A warp that polls, and sleeps in between, has waited all the while. */
static void sleep_between_polls_is_waiting(void **state)
{
    uint64_t all = block_of(
        1, "mov.u32 %r6, 0; L: ld.volatile.global.u32 %r7, [%rd1];"
           "nanosleep.u32 1000; add.u32 %r6, %r6, 1; add.u32 %r8, %r6, %r7;"
           "setp.lt.u32 %p1, %r8, 9; @%p1 bra L;");
    (void)state;
    assert_true(all > 9 * 1980);
    within(waited, 8 * 1980, 8 * 2300);
    within(all - waited, 1980, 2 * 1980 + 1000);
}

/* A thread that watches the clock goes on when it shows so much. */
static void clocks_can_be_watched(void **state)
{
    static const char watch[] =
        "mov.u64 %%rd6, %%%s; L: mov.u64 %%rd7, %%%s;"
        "sub.s64 %%rd8, %%rd7, %%rd6; setp.lt.s64 %%p1, %%rd8, 20000;"
        "@%%p1 bra L;";
    char text[512];
    (void)state;
    snprintf(text, sizeof text, watch, "clock64", "clock64");
    within(block_of(1, text), 20000, 20100);
    within(block_of(4, text), 20000, 20100);
    snprintf(text, sizeof text, watch, "globaltimer", "globaltimer");
    within(block_of(1, text), 39600, 39700);
}

/* A fence waits for the answer to what was stored, and at the least as long as
 * it takes without a store. One of the block's scope does not leave the
 * multiprocessor. */
static void fences_wait_for_stores(void **state)
{
    static const struct {
        const char *fence;
        uint64_t least, most, slots;
    } rows[] = {{"membar.gl;", 280, 340, 37},
                {"fence.acq_rel.sys;", 983, 1040, 104}};
    static const char four[] =
        "st.global.f32 [%%rd5], %%f1; %s st.global.f32 [%%rd5], %%f1; %s"
        "st.global.f32 [%%rd5], %%f1; %s st.global.f32 [%%rd5], %%f1; %s";
    char text[512];
    uint64_t plain, before;
    (void)state;
    snprintf(text, sizeof text, four, "", "", "", "");
    plain = block_of(1, text);
    before = slots;
    for (int k = 0; k < 2; k++) {
        const char *fence = rows[k].fence;

        snprintf(text, sizeof text, four, fence, fence, fence, fence);
        within(block_of(1, text) - plain, 4 * rows[k].least,
               4 * rows[k].most);
        assert_int_equal(slots - before, 4 * rows[k].slots);
    }
    within(block_of(1, "membar.gl; membar.gl;"), 530, 800);
    snprintf(text, sizeof text, four, "membar.cta;", "membar.cta;",
             "membar.cta;", "membar.cta;");
    within(block_of(1, text) - plain, 0, 4 * 30);
    assert_int_equal(slots - before, 4);
    snprintf(text, sizeof text, four, "st.release.gpu.global.f32 [%rd4], %f1;",
             "", "", "");
    within(block_of(1, text) - plain, 200, 340);
}

/* Behind a fence of the GPU's scope, or a load that acquires, L1 is empty. */
static void fences_empty_l1(void **state)
{
    static const char *const between[] = {
        "", "membar.cta;", "membar.gl;", "fence.acq_rel.gpu;",
        "ld.acquire.gpu.global.u32 %r6, [%rd5];",
        "ld.relaxed.gpu.global.u32 %r6, [%rd5];"};
    char text[512];
    (void)state;
    for (size_t k = 0; k < sizeof between / sizeof *between; k++) {
        bool keeps = k == 0 || k == 1 || k == 5;
        snprintf(text, sizeof text, "ld.global.f32 %%f1, [%%rd4]; %s"
                 "ld.global.f32 %%f2, [%%rd4];", between[k]);
        block_of(1, text);
        assert_int_equal(hits, keeps ? 4 : 0);
    }
}

/* A division is seventeen instructions: a warp alone issues one by one. */
static void what_is_many_instructions_issues_as_many(void **state)
{
    static const char divide[] = "div.rn.f32 %f1, %f2, %f3;"
                                 "div.rn.f32 %f4, %f5, %f6;"
                                 "div.rn.f32 %f7, %f8, %f9;"
                                 "div.rn.f32 %f10, %f11, %f12;";
    uint64_t nothing = block_of(1, "");
    (void)state;
    within(block_of(1, divide) - nothing, 3 * 17 + 1, 4 * 17 + 5);
}

/* What nvcc 13.0 makes of expf(x), and ptxas: FFMA.SAT, FFMA.RM, FADD, two
 * FFMA, SHL, MUFU.EX2, FMUL. Constants are part of the instructions (but for
 * two that it loads before), so are signs and the saturation, which the model
 * counts. */
static void constants_and_signs_cost_nothing(void **state)
{
    static const char exp[] =
        "ld.global.f32 %f1, [%rd4]; mov.f32 %f2, 0f3F000000;"
        "mov.f32 %f3, 0f3BBB989D; fma.rn.f32 %f4, %f1, %f3, %f2;"
        "cvt.sat.f32.f32 %f5, %f4; mov.f32 %f6, 0f4B400001;"
        "mov.f32 %f7, 0f437C0000; fma.rm.f32 %f8, %f5, %f7, %f6;"
        "add.f32 %f9, %f8, 0fCB40007F; neg.f32 %f10, %f9;"
        "mov.f32 %f11, 0f3FB8AA3B; fma.rn.f32 %f12, %f1, %f11, %f10;"
        "mov.f32 %f13, 0f32A57060; fma.rn.f32 %f14, %f1, %f13, %f12;"
        "mov.b32 %r6, %f8; shl.b32 %r3, %r6, 23; mov.b32 %f15, %r3;"
        "ex2.approx.ftz.f32 %f14, %f14; mul.f32 %f14, %f14, %f15;";
    uint64_t before;
    (void)state;
    block_of(1, "ld.global.f32 %f1, [%rd4];");
    before = slots;
    block_of(1, exp);
    within(slots - before, 8, 9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(adds_of_floats_are_loops),
        cmocka_unit_test(warps_meet_at_a_word),
        cmocka_unit_test(warps_in_turn_add_up),
        cmocka_unit_test(arrivals_are_waited_for),
        cmocka_unit_test(polls_before_a_barrier_are_no_work),
        cmocka_unit_test(sleep_takes_its_time),
        cmocka_unit_test(sleep_between_polls_is_waiting),
        cmocka_unit_test(clocks_can_be_watched),
        cmocka_unit_test(fences_wait_for_stores),
        cmocka_unit_test(fences_empty_l1),
        cmocka_unit_test(what_is_many_instructions_issues_as_many),
        cmocka_unit_test(constants_and_signs_cost_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
