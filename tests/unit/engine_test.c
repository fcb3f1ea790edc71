// SPDX-License-Identifier: MIT
/*
 * engine_test.c: divergence, calls, barriers, races within a block. Opcodes
 * one by one are tests/simgpu's.
 */
#include "engine_kernel.h"

/* Divergence -------------------------------------------------------------- */

static uint32_t plain(uint32_t i)
{
    return 3 * i + 1 + i;
}

static void test_add(void **state)
{
    (void)state;
    computes("", "ld.global.u32 %r5, [%rd3]; add.s32 %r5, %r5, %r1;\n"
                 "st.global.u32 [%rd4], %r5;", plain);
}

static uint32_t branches(uint32_t i)
{
    uint32_t v = 0;
    for (uint32_t k = 0; k <= i % 7; k++) {
        if (k == 5 && i % 2)
            break;
        if (k % 2)
            continue;
        v += i % 3 == 0 ? 10 : k;
    }
    return v;
}

static void test_divergence(void **state)
{
    (void)state;
    computes("",
             "rem.u32 %r5, %r1, 7; and.b32 %r6, %r1, 1; rem.u32 %r7, %r1, 3;\n"
             "mov.u32 %r8, 0; mov.u32 %r9, 0; setp.ne.u32 %p3, %r6, 0;\n"
             "LOOP: setp.gt.u32 %p1, %r9, %r5; @%p1 bra DONE;\n"
             "setp.eq.and.u32 %p2, %r9, 5, %p3; @%p2 bra DONE;\n"
             "and.b32 %r10, %r9, 1; setp.ne.u32 %p4, %r10, 0; @%p4 bra NEXT;\n"
             "setp.ne.u32 %p5, %r7, 0; @%p5 bra ELSE;\n"
             "add.u32 %r8, %r8, 10; bra NEXT;\n"
             "ELSE: add.u32 %r8, %r8, %r9;\n"
             "NEXT: add.u32 %r9, %r9, 1; bra LOOP;\n"
             "DONE: st.global.u32 [%rd4], %r8;", branches);
}

static uint32_t switched(uint32_t i)
{
    static const uint32_t v[4] = {100, 7, 55, 100};
    return v[i % 4];
}

static void test_branch_index(void **state)
{
    (void)state;
    computes("",
             "and.b32 %r5, %r1, 3; mov.u32 %r6, 100;\n"
             "T: .branchtargets END, A, B, END;\n"
             "brx.idx %r5, T;\n"
             "A: mov.u32 %r6, 7; bra END;\n"
             "B: mov.u32 %r6, 55;\n"
             "END: st.global.u32 [%rd4], %r6;", switched);
}

/* All lanes meet again behind an if: one request, not two. */
static void test_reconvergence(void **state)
{
    struct buffers b;
    (void)state;
    prepare(&b, "",
            "mov.u32 %r5, 1; and.b32 %r6, %r1, 1; setp.eq.u32 %p1, %r6, 0;\n"
            "@%p1 bra EVEN; mov.u32 %r5, 2; bra MEET; EVEN: mov.u32 %r5, 3;\n"
            "MEET: st.global.u32 [%rd4], %r5;", 32);
    const struct launch_report *r = run(&b, 1, 32);
    clean(r);
    assert_int_equal(r->counters.global_store_requests, 1);
    assert_int_equal(r->counters.global_store_sectors, 4);
    assert_int_equal(r->counters.global_store_bytes, 128);
    assert_int_equal(r->counters.divergent_branches, 1);
    /* Nine instructions stand before the body. */
    assert_int_equal(r->counters.warp_instructions, 9 + 4 + 2 + 1 + 2);
    assert_int_equal(r->counters.lane_instructions,
                     32 * (9 + 4 + 2) + 16 * (2 + 1));
    assert_int_equal(b.y[6], 3);
    assert_int_equal(b.y[7], 2);
    sample_close(&b.s);
}

static uint32_t early(uint32_t i)
{
    return i % 4 == 1 ? 9 : i;
}

static void test_early_exit(void **state)
{
    (void)state;
    computes("",
             "and.b32 %r5, %r1, 3; setp.ne.u32 %p1, %r5, 1;\n"
             "st.global.u32 [%rd4], 9; @!%p1 exit;\n"
             "bar.sync 0; st.global.u32 [%rd4], %r1;", early);
}

/* Calls ------------------------------------------------------------------- */

static uint32_t factorial(uint32_t i)
{
    uint32_t v = 1;
    for (uint32_t k = 2; k <= i % 6; k++)
        v *= k;
    return v;
}

#define FACTORIAL                                                              \
    ".func (.param .b32 r) fac(.param .b32 n) {\n"                             \
    ".reg .b32 %a<5>; .reg .pred %q; ld.param.b32 %a1, [n];\n"                 \
    "setp.lt.s32 %q, %a1, 2; @%q bra ONE;\n"                                   \
    "add.s32 %a2, %a1, -1;\n"                                                  \
    "{ .param .b32 p0; st.param.b32 [p0+0], %a2; .param .b32 r0;\n"            \
    "call.uni (r0), fac, (p0); ld.param.b32 %a3, [r0+0]; }\n"                  \
    "mul.lo.s32 %a3, %a3, %a1; st.param.b32 [r+0], %a3; ret;\n"                \
    "ONE: st.param.b32 [r+0], 1; ret; }\n"

static void test_recursion(void **state)
{
    (void)state;
    computes(FACTORIAL,
             "rem.u32 %r5, %r1, 6;\n"
             "{ .param .b32 p0; st.param.b32 [p0+0], %r5; .param .b32 r0;\n"
             "call.uni (r0), fac, (p0); ld.param.b32 %r6, [r0+0]; }\n"
             "st.global.u32 [%rd4], %r6;", factorial);
}

static void test_endless_recursion(void **state)
{
    struct buffers b;
    (void)state;
    prepare(&b, ".func f() { call.uni f; ret; }\n", "call.uni f;", 32);
    assert_int_equal(run(&b, 1, 32)->fault, FAULT_STACK);
    sample_close(&b.s);
}

static uint32_t twice(uint32_t i)
{
    return i % 2 ? 2 * i : i + 100;
}

static void test_indirect_call(void **state)
{
    (void)state;
    computes(".func (.param .b32 r) f(.param .b32 n) { .reg .b32 %a<3>;\n"
             "ld.param.b32 %a1, [n]; add.s32 %a1, %a1, 100;\n"
             "st.param.b32 [r], %a1; ret; }\n"
             ".func (.param .b32 r) g(.param .b32 n) { .reg .b32 %a<3>;\n"
             "ld.param.b32 %a1, [n]; add.s32 %a1, %a1, %a1;\n"
             "st.param.b32 [r], %a1; ret; }\n",
             "and.b32 %r5, %r1, 1; setp.eq.u32 %p1, %r5, 0;\n"
             "mov.u64 %rd6, g; mov.u64 %rd7, f; @!%p1 bra CALL;\n"
             "mov.u64 %rd6, f;\n"
             "CALL: { .param .b32 p0; st.param.b32 [p0], %r1; .param .b32 r0;\n"
             "P: .callprototype (.param .b32 _) _ (.param .b32 _);\n"
             "call (r0), %rd6, (p0), P; ld.param.b32 %r6, [r0]; }\n"
             "st.global.u32 [%rd4], %r6;", twice);
}

/* Warps and barriers ------------------------------------------------------ */

static uint32_t rotated(uint32_t i)
{
    uint32_t block = i / 48, t = i % 48;
    return 3 * (block * 48 + (t + 1) % 48) + 1;
}

#define ROTATE(barrier)                                                        \
    "ld.global.u32 %r5, [%rd3]; mov.u32 %r6, tile; shl.b32 %r7, %r2, 2;\n"     \
    "add.s32 %r8, %r6, %r7; st.shared.u32 [%r8], %r5;\n"                       \
    barrier                                                                    \
    "add.s32 %r9, %r2, 1; rem.u32 %r9, %r9, 48; shl.b32 %r9, %r9, 2;\n"        \
    "add.s32 %r9, %r6, %r9; .loc 1 20 0\n"                                     \
    "ld.shared.u32 %r10, [%r9]; st.global.u32 [%rd4], %r10;"

static void test_barrier(void **state)
{
    (void)state;
    computes(TILE, ROTATE("bar.sync 0;\n"), rotated);
}

static void test_missing_barrier(void **state)
{
    struct buffers b;
    (void)state;
    prepare(&b, TILE, ROTATE(""), 96);
    const struct launch_report *r = run(&b, 2, 48);
    assert_int_equal(r->fault, FAULT_NONE);
    assert_true(r->races > 0);
    bool seen = false;
    for (size_t k = 0; k < r->n_findings; k++) {
        const struct finding *f = &r->findings[k];
        if (f->kind != FIND_RACE || f->at.line != 20)
            continue;
        seen = true;
        assert_string_equal(f->array, "tile");
        assert_true(f->other.write);
        assert_false(f->at.write);
    }
    assert_true(seen);
    sample_close(&b.s);
}

/* Threads 5 of both blocks write y[7], thread 7 of block 0 its own y[7]. */
static void test_watched(void **state)
{
    struct buffers b;
    struct engine_config config;
    (void)state;
    prepare(&b, "",
            ".loc 1 20 0\n setp.lt.u32 %p1, %r1, 48;\n"
            "@%p1 st.global.u32 [%rd4], %r1;\n"
            ".loc 1 21 0\n setp.eq.u32 %p1, %r2, 5;\n"
            "@%p1 atom.global.add.u32 %r5, [%rd2+28], 1;\n", 96);
    config = (struct engine_config){.gpu = gpu_find("h200"), .workers = 1,
                                    .checks = CHECK_COUNTERS,
                                    .watch = b.params[1] + 28};
    engine_configure(b.s.engine, &config);
    const struct launch_report *r = run(&b, 2, 48);
    assert_int_equal(r->fault, FAULT_NONE);
    assert_int_equal(r->memory_errors, 0);
    assert_int_equal(r->n_findings, 2);
    for (size_t k = 0; k < 2; k++) {
        const struct finding *f = &r->findings[k];
        bool atomic = f->at.line == 21;
        assert_int_equal(f->kind, FIND_WATCHED);
        assert_int_equal(f->at.thread[0], atomic ? 5 : 7);
        assert_int_equal(f->count, atomic ? 2 : 1);
    }
    sample_close(&b.s);
}

static uint32_t not_a_number(uint32_t i)
{
    (void)i;
    return 0x7fffffff;
}

/* An accumulator that nobody cleared: a finding, and the same NaN in every
 * block, not the sum of the block before. */
static void test_unset_register(void **state)
{
    struct buffers b;
    (void)state;
    prepare(&b, "", "mov.u32 %r5, 0;\n"
            "L: add.f32 %f1, %f1, 0f3f800000; add.s32 %r5, %r5, 1;\n"
            "setp.lt.u32 %p1, %r5, 3; @%p1 bra L;\n"
            "st.global.f32 [%rd4], %f1;", 96);
    const struct launch_report *r = run(&b, 2, 48);
    assert_int_equal(r->n_findings, 1);
    assert_int_equal(r->findings[0].kind, FIND_UNINITIALISED);
    assert_int_equal(r->findings[0].bytes, 0);
    for (uint32_t i = 0; i < 96; i++)
        assert_int_equal(b.y[i], not_a_number(i));
    sample_close(&b.s);
}

static uint32_t own_thread(uint32_t i)
{
    return i % 48;
}

/* What is chosen away, or set on one path: nobody is accused. */
static void test_unset_not_needed(void **state)
{
    (void)state;
    computes("", "setp.eq.u32 %p1, %r2, %r2;\n"
             "selp.b32 %r5, %r2, %r6, %p1; st.global.u32 [%rd4], %r5;",
             own_thread);
    computes("", "setp.ne.u32 %p1, %r2, %r2; @%p1 bra L;\n"
             "mov.u32 %r5, %r2;\n"
             "L: add.s32 %r6, %r5, 0; st.global.u32 [%rd4], %r6;",
             own_thread);
    computes("", "@%p1 mov.u32 %r5, %r6; mov.u32 %r5, %r2;\n"
             "add.s32 %r7, %r6, 1; st.global.u32 [%rd4], %r5;", own_thread);
}

static uint32_t summed(uint32_t i)
{
    uint32_t first = i / 48 * 48 + i % 48 / 32 * 32, v = 0;
    uint32_t n = i % 48 < 32 ? 32 : 16;
    for (uint32_t k = 0; k < n; k++)
        v += 3 * (first + k) + 1;
    return v;
}

/* Butterfly sums; in the last warp 16 lanes are alone. */
static void test_shuffle(void **state)
{
    (void)state;
    computes("",
             "ld.global.u32 %r5, [%rd3]; mov.u32 %r6, 16;\n"
             "setp.ge.u32 %p2, %r2, 32; @!%p2 bra LOOP; mov.u32 %r6, 8;\n"
             "LOOP: shfl.sync.bfly.b32 %r7|%p1, %r5, %r6, 31, -1;\n"
             "add.s32 %r5, %r5, %r7; shr.u32 %r6, %r6, 1;\n"
             "setp.ne.u32 %p1, %r6, 0; @%p1 bra LOOP;\n"
             "st.global.u32 [%rd4], %r5;", summed);
}

static uint32_t met(uint32_t i)
{
    return i % 48 < 32 ? 0xffffffffu : 0xffffu;
}

/* Both sides of a branch come to the same bar.warp.sync and ballot. */
static void test_sync_apart(void **state)
{
    (void)state;
    computes("",
             "mov.u32 %r9, -1; setp.lt.u32 %p2, %r2, 32; @%p2 bra ON;\n"
             "mov.u32 %r9, 65535; ON: and.b32 %r5, %r1, 1;\n"
             "setp.eq.u32 %p1, %r5, 0; setp.eq.u32 %p3, 1, 1; @%p1 bra EVEN;\n"
             "bar.warp.sync %r9; vote.sync.ballot.b32 %r6, %p3, %r9;\n"
             "bra MEET;\n"
             "EVEN: bar.warp.sync %r9; vote.sync.ballot.b32 %r6, %p3, %r9;\n"
             "MEET: st.global.u32 [%rd4], %r6;", met);
}

static void faults(const char *before, const char *body,
                   enum engine_fault fault, enum finding_kind kind)
{
    struct buffers b;
    prepare(&b, before, body, 64);
    const struct launch_report *r = run(&b, 1, 64);
    assert_int_equal(r->fault, fault);
    assert_true(r->n_findings > 0);
    assert_int_equal(r->findings[0].kind, kind);
    sample_close(&b.s);
}

static void test_deadlocks(void **state)
{
    (void)state;
    faults("", "setp.lt.u32 %p1, %r2, 16; @!%p1 bra ON; bar.sync 0;\n"
               "ON: bar.sync 1; st.global.u32 [%rd4], 1;",
           FAULT_DEADLOCK, FIND_DEADLOCK);
    faults("", "setp.lt.u32 %p1, %r2, 16; @!%p1 bra ON;\n"
               "bar.warp.sync -1; bar.warp.sync -1;\n"
               "ON: bar.warp.sync -1; bar.sync 0;",
           FAULT_DEADLOCK, FIND_DEADLOCK);
    faults("", "bar.sync 0, 96;", FAULT_DEADLOCK, FIND_DEADLOCK);
}

static void test_other_faults(void **state)
{
    (void)state;
    faults("", "trap;", FAULT_TRAP, FIND_TRAP);
    faults("", "L: bra L;", FAULT_BUDGET, FIND_BUDGET);
    faults("", "vadd.s32.s32.s32.sat %r5, %r5, %r5;", FAULT_UNSUPPORTED,
           FIND_UNSUPPORTED);
    faults(".extern .func g();\n", "call.uni g;", FAULT_UNSUPPORTED,
           FIND_UNSUPPORTED);
}

/* Each lane takes the lock in turn; the waiting ones spin. */
static void test_spin_lock(void **state)
{
    struct buffers b;
    (void)state;
    prepare(&b, ".global .align 4 .u32 lock; .global .align 4 .u32 count;\n",
            "mov.u64 %rd6, lock; mov.u64 %rd7, count;\n"
            "SPIN: atom.global.cas.b32 %r5, [%rd6], 0, 1;\n"
            "setp.ne.u32 %p1, %r5, 0; @%p1 bra SPIN; membar.gl;\n"
            "ld.volatile.global.u32 %r6, [%rd7]; add.u32 %r6, %r6, 1;\n"
            "st.volatile.global.u32 [%rd7], %r6; membar.gl;\n"
            "atom.global.exch.b32 %r5, [%rd6], 0;\n"
            "bar.sync 0; ld.volatile.global.u32 %r6, [%rd7];\n"
            "st.global.u32 [%rd4], %r6;", 64);
    clean(run(&b, 1, 64));
    assert_int_equal(b.y[0], 64);
    sample_close(&b.s);
}

/* Threads that write one value: a note, no race. */
static void test_equal_writes(void **state)
{
    struct buffers b;
    (void)state;
    prepare(&b, ".shared .align 4 .b8 tile[256];\n",
            "mov.u32 %r6, tile; st.shared.u32 [%r6], 7;", 64);
    const struct launch_report *r = run(&b, 2, 64);
    assert_int_equal(r->n_findings, 1);
    assert_int_equal(r->findings[0].kind, FIND_EQUAL_WRITES);
    assert_int_equal(r->races, 0);
    assert_true(r->equal_writes > 0);
    sample_close(&b.s);
}

/* Bytes of one word, and a value that goes round a warp between two
 * bar.warp.sync: no races. */
static void test_no_race(void **state)
{
    static const char *const bodies[] = {
        "mov.u32 %r6, tile; add.s32 %r6, %r6, %r2; st.shared.u8 [%r6], %r2;\n"
        "ld.shared.u8 %r7, [%r6];",
        "mov.u32 %r6, tile; shl.b32 %r7, %r2, 2; add.s32 %r7, %r6, %r7;\n"
        "st.shared.u32 [%r7], %r2; bar.warp.sync -1; xor.b32 %r8, %r2, 1;\n"
        "shl.b32 %r8, %r8, 2; add.s32 %r8, %r6, %r8;\n"
        "ld.shared.u32 %r9, [%r8]; bar.warp.sync -1;\n"
        "st.shared.u32 [%r7], %r9;",
        "mov.u32 %r6, tile; mov.u32 %r9, %tid.x; setp.eq.u32 %p1, %r9, 0;\n"
        "@%p1 st.shared.u32 [%r6], 0; bar.sync 0;\n"
        "red.shared.add.u32 [%r6], 1; bar.sync 0; ld.shared.u32 %r7, [%r6];",
    };
    (void)state;
    for (size_t k = 0; k < sizeof bodies / sizeof *bodies; k++) {
        struct buffers b;
        prepare(&b, ".shared .align 4 .b8 tile[256];\n", bodies[k], 64);
        clean(run(&b, 2, 64));
        sample_close(&b.s);
    }
}

/* All lanes of one store to a word, each of which races with the one before it;
 * two lanes per word; and a value taken from a neighbour too early. */
static void test_race_in_warp(void **state)
{
    static const char *const bodies[] = {
        "mov.u32 %r6, tile; st.shared.u32 [%r6], %r2;",
        "mov.u32 %r6, tile; shr.u32 %r7, %r2, 1; shl.b32 %r7, %r7, 2;\n"
        "add.s32 %r7, %r6, %r7; st.shared.u32 [%r7], %r2;",
        "mov.u32 %r6, tile; shl.b32 %r7, %r2, 2; add.s32 %r7, %r6, %r7;\n"
        "st.shared.u32 [%r7], %r2; ld.shared.u32 %r9, [%r7+4];",
        "mov.u32 %r6, tile; st.shared.u32 [%r6], 0; bar.sync 0;\n"
        "red.shared.add.u32 [%r6], 1; ld.shared.u32 %r7, [%r6];",
    };
    (void)state;
    for (size_t k = 0; k < sizeof bodies / sizeof *bodies; k++) {
        struct buffers b;
        prepare(&b, ".shared .align 4 .b8 tile[256];\n", bodies[k], 32);
        uint64_t races = run(&b, 1, 32)->races;
        assert_true(k == 0 ? races == 31 : races > 0);
        sample_close(&b.s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_add),
        cmocka_unit_test(test_divergence),
        cmocka_unit_test(test_branch_index),
        cmocka_unit_test(test_reconvergence),
        cmocka_unit_test(test_early_exit),
        cmocka_unit_test(test_recursion),
        cmocka_unit_test(test_endless_recursion),
        cmocka_unit_test(test_indirect_call),
        cmocka_unit_test(test_barrier),
        cmocka_unit_test(test_missing_barrier),
        cmocka_unit_test(test_watched),
        cmocka_unit_test(test_unset_register),
        cmocka_unit_test(test_unset_not_needed),
        cmocka_unit_test(test_equal_writes),
        cmocka_unit_test(test_no_race),
        cmocka_unit_test(test_race_in_warp),
        cmocka_unit_test(test_shuffle),
        cmocka_unit_test(test_sync_apart),
        cmocka_unit_test(test_deadlocks),
        cmocka_unit_test(test_other_faults),
        cmocka_unit_test(test_spin_lock),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
