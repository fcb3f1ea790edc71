// SPDX-License-Identifier: MIT
/*
 * spills_test.c: what registers cost that only ptxas spills.
 */
#include "engine_sample.h"

enum { TURNS = 100, WARPS = 32 };

/* A loop of so many turns over one load and some sums. */
static const char loop[] =
    PTX_HEAD ".visible .entry k(.param .u64 k_x) {\n"
    ".reg .pred %p<2>; .reg .b32 %r<4>; .reg .f32 %f<4>; .reg .b64 %rd<4>;\n"
    "ld.param.u64 %rd1, [k_x]; mov.u32 %r1, %tid.x;\n"
    "mul.wide.u32 %rd2, %r1, 4; add.s64 %rd3, %rd1, %rd2;\n"
    "mov.u32 %r2, 0; ld.global.f32 %f1, [%rd3];\n"
    "L: .pragma \"nounroll\";\n"
    "add.f32 %f1, %f1, %f1; add.f32 %f2, %f1, %f1; add.f32 %f3, %f1, %f1;\n"
    "add.s32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, 100; @%p1 bra L;\n"
    "st.global.f32 [%rd3], %f2; ret; }\n";

/* Twelve loads, none of which waits for another. */
static const char loads[] =
    PTX_HEAD ".visible .entry k(.param .u64 k_x) {\n"
    ".reg .b32 %r<4>; .reg .f32 %f<16>; .reg .b64 %rd<4>;\n"
    "ld.param.u64 %rd1, [k_x]; mov.u32 %r1, %tid.x;\n"
    "mul.wide.u32 %rd2, %r1, 4; add.s64 %rd3, %rd1, %rd2;\n"
#define LOAD(n, at) "ld.global.f32 %f" #n ", [%rd3+" #at "];\n"
    LOAD(1, 4096) LOAD(2, 8192) LOAD(3, 12288) LOAD(4, 16384)
    LOAD(5, 20480) LOAD(6, 24576) LOAD(7, 28672) LOAD(8, 32768)
    LOAD(9, 36864) LOAD(10, 40960) LOAD(11, 45056) LOAD(12, 49152)
    "st.global.f32 [%rd3], %f12; ret; }\n";

static struct traffic run(const char *text, uint32_t warps,
                          struct launch_spills spills)
{
    static float x[1 << 14];
    struct sample s = sample_open(text, CHECK_TRAFFIC);
    uint64_t params[1] = {sample_array(&s, x, sizeof x)};
    struct launch launch = {.grid = {1, 1, 1}, .block = {32 * warps, 1, 1},
                            .params = params, .spills = spills};
    engine_launch(s.engine, s.kernel, &launch, &s.report);
    assert_int_equal(s.report.fault, FAULT_NONE);
    struct traffic t = *s.report.traffic;
    sample_close(&s);
    return t;
}

static uint64_t all_of(struct traffic t)
{
    return t.instructions + t.issue_slots + t.unit_clocks + t.local_sectors +
           t.l2_read_sectors + t.alone_clocks;
}

static void none_cost_nothing(void **state)
{
    struct traffic t = run(loop, 1, (struct launch_spills){0});
    struct traffic framed =
        run(loop, 1, (struct launch_spills){.frame = 4096});
    (void)state;
    assert_int_equal(t.spilled, 0);
    assert_int_equal(framed.spilled, 0); /* an array of PTX's */
    assert_int_equal(all_of(t), all_of(framed));
}

/* 32 words are stored or loaded, and the kernel has 14 instructions and two
 * that mark its end. So each instruction that runs makes two. */
static void they_run_as_often_as_instructions_do(void **state)
{
    struct launch_spills s = {.frame = 16, .stores = 32, .loads = 96};
    struct traffic t = run(loop, 1, (struct launch_spills){0});
    struct traffic with = run(loop, 1, s);
    (void)state;
    assert_int_equal(t.instructions, 6 + 6 * TURNS + 2);
    assert_int_equal(with.instructions, t.instructions);
    assert_int_equal(with.spilled, 2 * t.instructions);
    assert_int_equal(with.issue_slots, t.issue_slots + with.spilled);
    assert_int_equal(with.unit_clocks, t.unit_clocks + with.spilled);
    assert_int_equal(with.local_sectors, 4 * with.spilled);
    assert_int_equal(with.l1_sectors - t.l1_sectors, 3 * with.spilled);
    /* The next sum of a chain waits for what is loaded: a hit in L1. */
    assert_true(with.alone_clocks > t.alone_clocks + 32 * TURNS);
}

/* L1 holds four words of 32 warps, and not 1000 of each. */
static void many_leave_l1(void **state)
{
    struct launch_spills few = {.frame = 16, .stores = 4000, .loads = 4000};
    struct launch_spills many = {.frame = 4000, .stores = 4000, .loads = 4000};
    struct traffic near = run(loop, WARPS, few);
    struct traffic far = run(loop, WARPS, many);
    (void)state;
    assert_int_equal(near.spilled, far.spilled);
    assert_true(near.l2_read_sectors < WARPS * 100);
    assert_true(near.l2_write_sectors < WARPS * 100);
    assert_true(far.l2_read_sectors > 100 * near.l2_read_sectors);
    assert_true(far.l2_write_sectors > 100 * near.l2_write_sectors);
}

/* Without a register to wait in, loads under way must be few. */
static void loads_wait_for_registers(void **state)
{
    struct launch_spills two = {.frame = 8, .stores = 8, .loads = 8};
    struct launch_spills more = {.frame = 32, .stores = 32, .loads = 32};
    uint64_t without = run(loads, 1, (struct launch_spills){0}).alone_clocks;
    (void)state;
    assert_true(without < 900);
    assert_true(run(loads, 1, two).alone_clocks < 1000);
    assert_true(run(loads, 1, more).alone_clocks > 2 * 600);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(none_cost_nothing),
        cmocka_unit_test(they_run_as_often_as_instructions_do),
        cmocka_unit_test(many_leave_l1),
        cmocka_unit_test(loads_wait_for_registers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
