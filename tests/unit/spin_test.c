// SPDX-License-Identifier: MIT
/*
 * spin_test.c: loops that wait for others are nothing that a launch has to do:
 * no loads, no instructions, no time of the model; all others are. And a
 * sampled launch whose blocks wait for blocks of other multiprocessors.
 */
#include "engine_sample.h"

enum { THREADS = 64, WARPS = THREADS / 32, TURNS = 20000, SETUP = 64 };

/* Set-up: %rd1, the array; %rd4, this thread's words behind its first 64
 * bytes; %r1, the block; %r2, the thread. */
static struct sample open_kernel(const char *body, unsigned checks)
{
    static char text[4096];
    snprintf(text, sizeof text,
             PTX_HEAD ".visible .entry k(.param .u64 k_x) {\n"
             ".reg .b32 %%r<16>; .reg .b64 %%rd<8>; .reg .pred %%p<8>;\n"
             "ld.param.u64 %%rd1, [k_x];\n"
             "mov.u32 %%r1, %%ctaid.x; mov.u32 %%r2, %%tid.x;\n"
             "mul.wide.u32 %%rd3, %%r2, 4; add.s64 %%rd4, %%rd1, %%rd3;\n"
             "setp.ne.u32 %%p1, %%r1, 0; setp.ne.u32 %%p2, %%r2, 0;\n"
             "mov.u32 %%r9, 0;\n%s\nret; }\n", body);
    return sample_open(text, checks);
}

static struct launch_report *launch(struct sample *s, uint32_t blocks,
                                    bool sample)
{
    static const uint32_t zeros[1024];
    uint64_t x = sample_array(s, zeros, sizeof zeros);
    struct launch l = {.grid = {blocks, 1, 1}, .block = {THREADS, 1, 1},
                       .params = &x, .sample = sample};
    engine_report_free(&s->report);
    engine_launch(s->engine, s->kernel, &l, &s->report);
    return &s->report;
}

/* Block 0 waits for block 1, which raises two flags at the end of a loop. */
#define WORKS                                                                  \
    "W: add.u32 %r9, %r9, 1; setp.lt.u32 %p4, %r9, 20000; @%p4 bra W;\n"       \
    "st.volatile.global.u32 [%rd1+4], %r9;\n"                                  \
    "st.volatile.global.u32 [%rd1], %r9; bra E;\n"

static const struct {
    const char *waits;
    unsigned loads; /* per warp */
} loops[] = {
    {"@%p1 bra W; L: ld.volatile.global.u32 %r4, [%rd1];\n"
     "setp.eq.u32 %p3, %r4, 0; @%p3 bra L; bra E;\n" WORKS "E:", 1},
    {"@%p1 bra W; L: ld.acquire.gpu.global.u32 %r4, [%rd1];\n"
     "setp.eq.u32 %p3, %r4, 0; @%p3 bra L; bra E;\n" WORKS "E:", 1},
    /* it sleeps, at first ever longer */
    {"@%p1 bra W; mov.u32 %r5, 1;\n"
     "L: ld.volatile.global.u32 %r4, [%rd1]; setp.ne.u32 %p3, %r4, 0;\n"
     "@%p3 bra E; nanosleep.u32 %r5; min.u32 %r5, %r5, 32;\n"
     "shl.b32 %r5, %r5, 1; bra L;\n" WORKS "E:", 1},
};

static void what_waits_does_nothing(void **state)
{
    (void)state;
    for (size_t n = 0; n < sizeof loops / sizeof *loops; n++) {
        struct sample s = open_kernel(loops[n].waits, CHECK_COUNTERS);
        const struct launch_report *r = launch(&s, 2, false);
        uint64_t work = 3 * TURNS * WARPS;
        assert_int_equal(r->fault, FAULT_NONE);
        assert_in_range(r->counters.warp_instructions, work,
                        work + 16 * SETUP);
        assert_in_range(r->busiest.warp_instructions, work, work + SETUP);
        assert_int_equal(r->counters.global_load_requests,
                         loops[n].loads * WARPS);
        assert_int_equal(r->counters.global_load_bytes,
                         loops[n].loads * 4 * THREADS);
        sample_close(&s);
    }
}

/* Flags asked for in turn: no loop of one load, so its loads count, but its
 * instructions do not. */
static void two_flags_in_turn(void **state)
{
    struct sample s = open_kernel(
        "@%p1 bra W; L: ld.volatile.global.u32 %r4, [%rd1];\n"
        "ld.volatile.global.u32 %r5, [%rd1+4]; min.u32 %r4, %r4, %r5;\n"
        "setp.eq.u32 %p3, %r4, 0; @%p3 bra L; bra E;\n" WORKS "E:",
        CHECK_COUNTERS);
    const struct launch_report *r = launch(&s, 2, false);
    (void)state;
    assert_int_equal(r->fault, FAULT_NONE);
    assert_in_range(r->counters.warp_instructions, 3 * TURNS * WARPS,
                    3 * TURNS * WARPS + 16 * SETUP);
    sample_close(&s);
}

/* A loop that counts its turns reads what it reads. */
static void who_counts_works(void **state)
{
    struct sample s = open_kernel(
        "L: ld.volatile.global.u32 %r4, [%rd4+64]; add.u32 %r9, %r9, 1;\n"
        "setp.lt.u32 %p3, %r9, 1000; @%p3 bra L;\n", CHECK_COUNTERS);
    const struct launch_report *r = launch(&s, 1, false);
    (void)state;
    assert_int_equal(r->counters.global_load_requests, 1000 * WARPS);
    assert_int_equal(r->counters.global_load_sectors, 1000 * WARPS * 4);
    assert_int_equal(r->counters.global_load_bytes, 1000 * THREADS * 4);
    assert_true(r->counters.warp_instructions > 4000 * WARPS);
    sample_close(&s);
}

/* So does one that reads what it wrote itself. */
static void who_writes_works(void **state)
{
    struct sample s = open_kernel(
        "L: ld.volatile.global.u32 %r4, [%rd4+64]; add.u32 %r4, %r4, 1;\n"
        "st.volatile.global.u32 [%rd4+64], %r4;\n"
        "setp.lt.u32 %p3, %r4, 1000; @%p3 bra L;\n", CHECK_COUNTERS);
    const struct launch_report *r = launch(&s, 1, false);
    (void)state;
    assert_int_equal(r->counters.global_load_requests, 1000 * WARPS);
    assert_true(r->counters.warp_instructions > 4000 * WARPS);
    sample_close(&s);
}

/* One lane waits for the others of its warp, whose work counts. */
static void lanes_of_one_warp(void **state)
{
    struct sample s = open_kernel(
        "@%p2 bra W; L: ld.volatile.global.u32 %r4, [%rd1];\n"
        "setp.eq.u32 %p3, %r4, 0; @%p3 bra L; bra E;\n" WORKS "E:",
        CHECK_COUNTERS | CHECK_TRAFFIC);
    const struct launch_report *r = launch(&s, 1, false);
    (void)state;
    assert_int_equal(r->fault, FAULT_NONE);
    assert_in_range(r->counters.warp_instructions, 3 * TURNS * WARPS,
                    3 * TURNS * WARPS + 30000);
    assert_true(r->traffic->instructions >= 3 * TURNS * WARPS);
    sample_close(&s);
}

/* All blocks meet. */
#define MEET                                                                   \
    "bar.sync 0; @%p2 bra L; atom.global.add.u32 %r5, [%rd1], 1;\n"            \
    "L: ld.volatile.global.u32 %r4, [%rd1];\n"                                 \
    "setp.lt.u32 %p3, %r4, %r6; @%p3 bra L;\n"

/* One multiprocessor's blocks wait for those of all others, which join and are
 * not counted. */
static void strangers_join(void **state)
{
    static const char body[] = "mov.u32 %r6, %nctaid.x;\n" MEET
                               "st.global.u32 [%rd4+64], %r4;\n";
    (void)state;
    for (uint32_t blocks = 2; blocks < 1000; blocks *= 20) {
        struct sample s = open_kernel(body, CHECK_COUNTERS | CHECK_TRAFFIC);
        const struct launch_report *r = launch(&s, blocks, true);
        uint64_t mine = (blocks + 131) / 132;
        assert_int_equal(r->fault, FAULT_NONE);
        assert_int_equal(r->traffic->blocks, mine);
        assert_int_equal(r->counters.global_store_requests, mine * WARPS);
        assert_in_range(r->counters.warp_instructions, mine * WARPS,
                        mine * WARPS * 8 * SETUP);
        assert_in_range(r->traffic->instructions, mine * WARPS,
                        mine * WARPS * 8 * SETUP);
        assert_true(r->traffic->alone_clocks < mine * 10000);
        sample_close(&s);
    }
}

/* Nobody raises it: that is said soon. */
static void nobody_comes(void **state)
{
    struct sample s = open_kernel(
        "mov.u32 %r6, 1000000;\n" MEET, CHECK_COUNTERS | CHECK_TRAFFIC);
    (void)state;
    assert_int_equal(launch(&s, 40, true)->fault, FAULT_BUDGET);
    sample_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_waits_does_nothing),
        cmocka_unit_test(two_flags_in_turn),
        cmocka_unit_test(who_counts_works),
        cmocka_unit_test(who_writes_works),
        cmocka_unit_test(lanes_of_one_warp),
        cmocka_unit_test(strangers_join),
        cmocka_unit_test(nobody_comes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
