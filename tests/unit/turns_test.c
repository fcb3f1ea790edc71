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
    slots = s.report.traffic->issue_slots;
    sample_close(&s);
    return clocks;
}

static void within(uint64_t got, double least, double most)
{
    if (!((double)got >= least && (double)got <= most))
        fail_msg("%llu, not %g to %g", (unsigned long long)got, least, most);
}

/* Adding 32-bit integers is one instruction, and lanes may meet. Floats and 64
 * bits are a loop: load, operation, swap, comparison, branch; one lane comes
 * through per turn. */
static void adds_of_floats_are_loops(void **state)
{
    double turn = 2 * SHARED_CLOCKS + 4 + 5 + 5, wide = turn + 4;
    uint64_t nothing = block_of(1, ""), before = slots;
    (void)state;
    within(block_of(1, "red.shared.add.u32 [%r4], 1;") - nothing, 0, 30);
    assert_int_equal(slots - before, 1);
    within(block_of(1, "red.shared.add.f32 [%r5], 0f3f800000;") - nothing,
           turn - 10, turn + 10);
    assert_int_equal(slots - before, 5);
    within(block_of(1, "red.shared.add.f32 [%r4], 0f3f800000;") - nothing,
           32 * turn - 10, 32 * turn + 10);
    assert_int_equal(slots - before, 32 * 5);
    within(block_of(1, "red.shared.add.f64 [%r4], 0d3ff0000000000000;") -
               nothing, 32 * wide, 32 * (wide + 2)); /* 8 bytes: two passes */
    within(block_of(1, "red.shared.add.u64 [%r4], 1;") - nothing,
           32 * (turn + 6), 32 * (turn + 8));
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(adds_of_floats_are_loops),
        cmocka_unit_test(warps_meet_at_a_word),
        cmocka_unit_test(warps_in_turn_add_up),
        cmocka_unit_test(arrivals_are_waited_for),
        cmocka_unit_test(polls_before_a_barrier_are_no_work),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
