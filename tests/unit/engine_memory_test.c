// SPDX-License-Identifier: MIT
/*
 * engine_memory_test.c: findings in memory, device printf, and that a report
 * does not depend on the order of blocks.
 */
#include "engine_kernel.h"

enum { LANES_ALL = 32 };

/* Memory ------------------------------------------------------------------ */

static struct finding only(struct buffers *b, uint32_t blocks,
                           uint32_t threads, enum engine_fault fault)
{
    const struct launch_report *r = run(b, blocks, threads);
    assert_int_equal(r->fault, fault);
    assert_int_equal(r->n_findings, 1);
    return r->findings[0];
}

static void test_out_of_bounds(void **state)
{
    struct buffers b;
    (void)state;
    prepare(&b, "", ".loc 1 7 0\nld.global.u32 %r5, [%rd3];\n.loc 1 8 0\n"
                    "st.global.u32 [%rd4], %r5;", 40);
    struct finding f = only(&b, 2, 32, FAULT_ADDRESS);
    assert_int_equal(f.kind, FIND_OUT_OF_BOUNDS);
    assert_string_equal(f.at.file, "k.cu");
    assert_int_equal(f.at.line, 7);
    assert_int_equal(f.at.thread[0], 8);
    assert_int_equal(f.block[0], 1);
    assert_int_equal(f.allocation, 1);
    assert_int_equal(f.offset, 160);
    assert_int_equal(f.array_bytes, 160);
    assert_int_equal(f.bytes, 4);
    assert_false(f.at.write);
    sample_close(&b.s);
}

static void test_shared_bounds(void **state)
{
    struct buffers b;
    (void)state;
    prepare(&b, ".shared .align 4 .b8 one[64]; .shared .align 4 .b8 two[64];\n",
            "shl.b32 %r5, %r2, 2; mov.u32 %r6, one; add.s32 %r6, %r6, %r5;\n"
            "st.shared.u32 [%r6], %r5;", 32);
    struct finding f = only(&b, 1, 17, FAULT_ADDRESS);
    assert_int_equal(f.kind, FIND_OUT_OF_BOUNDS);
    assert_string_equal(f.array, "one");
    assert_int_equal(f.offset, 64);
    assert_int_equal(f.at.thread[0], 16);
    assert_true(f.at.write);
    sample_close(&b.s);
}

static void test_other_memory(void **state)
{
    struct buffers b;
    (void)state;
    prepare(&b, "", "ld.global.u32 %r5, [%rd3+2];", 40);
    assert_int_equal(only(&b, 1, 32, FAULT_MISALIGNED).kind, FIND_MISALIGNED);
    sample_close(&b.s);
    prepare(&b, "", "ld.global.u32 %r5, [%rd4]; st.global.u32 [%rd4], %r5;",
            40);
    struct finding f = only(&b, 1, 32, FAULT_NONE);
    assert_int_equal(f.kind, FIND_UNINITIALISED);
    assert_int_equal(f.count, 32);
    assert_int_equal(f.allocation, 2);
    sample_close(&b.s);
    prepare(&b, "", "ld.global.u32 %r5, [%rd3];", 40);
    assert_int_equal(engine_free(b.s.engine, b.params[0]), MEM_OK);
    assert_int_equal(engine_free(b.s.engine, b.params[0]), MEM_DOUBLE_FREE);
    f = only(&b, 1, 32, FAULT_ADDRESS);
    assert_int_equal(f.kind, FIND_USE_AFTER_FREE);
    assert_int_equal(f.allocation, 1);
    sample_close(&b.s);
    prepare(&b, "", "mov.u64 %rd6, 0; st.global.u32 [%rd6], 1;", 40);
    f = only(&b, 1, 1, FAULT_ADDRESS);
    assert_int_equal(f.allocation, 0);
    sample_close(&b.s);
}

/* Four of eight bytes are written; of the load nvcc says which it uses, or
 * what follows shows it. The others may be loaded, selected from and copied,
 * but not used; and a copy of them is as unwritten as they are. */
static void test_padding(void **state)
{
    static const struct {
        const char *pragma;
        uint64_t found;
        const char *use;
    } rows[] = {
        {"", 0, ""},
        {".pragma \"used_bytes_mask 15\";", 0, ""},
        {".pragma \"nounroll\", \"used_bytes_mask 0x0f\";", 0, ""},
        {".pragma \"used_bytes_mask 31\";", 0, ""},
        {".pragma \"used_bytes_mask 31\";", 1,
         "st.global.u32 [%rd4], %r6;"},
        {".pragma \"used_bytes_mask 240\";", 1, ""},
        {".pragma \"used_bytes_mask 15\"; mov.u32 %r7, 1;", 1,
         "st.global.u32 [%rd4], %r6;"},
        {"", 0, "st.global.u32 [%rd4], %r5;"},
        {"", 0, "add.u32 %r6, %r5, %r5; st.global.u32 [%rd4], %r5;"},
        {"", 1, "st.global.u32 [%rd4], %r6;"},
        {"", 0, "add.u32 %r5, %r5, %r6;"},
        {"", 1, "add.u32 %r5, %r5, %r6; st.global.u32 [%rd4], %r5;"},
        {"", 1, "setp.eq.u32 %p1, %r6, 0; @%p1 bra L; L:"},
        {"", 0, "selp.u32 %r7, %r6, %r5, %p1; st.global.u32 [%rd4], %r7;"},
        {"", 1, "selp.u32 %r7, %r5, %r6, %p1; st.global.u32 [%rd4], %r7;"},
        {"@!%p1", 0, "mov.u32 %r7, %r5;"},
        {"", 0, "st.global.v2.u32 [%rd3], {%r5, %r6};"},
        {"", 0, "st.global.v2.u32 [%rd3], {%r5, %r6};\n"
                "ld.global.u32 %r7, [%rd3];"},
        {"", 1, "st.global.v2.u32 [%rd3], {%r5, %r6};\n"
                "ld.global.u32 %r7, [%rd3+4];"},
        {"", 1, "mov.u32 %r5, %r6; st.global.v2.u32 [%rd3], {%r5, %r6};"},
        {".pragma \"used_bytes_mask 15\";", 0, "mov.u32 %r7, %r6;"},
    };
    struct buffers b;
    char body[512];
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        snprintf(body, sizeof body, "st.global.u32 [%%rd4], %%r2;\n"
                 "setp.ne.u32 %%p1, %%r2, 0; mov.u32 %%r5, 0; %s "
                 "ld.global.v2.u32 {%%r5, %%r6}, [%%rd4];\n%s",
                 rows[i].pragma, rows[i].use);
        prepare(&b, "", body, 40);
        const struct launch_report *r = run(&b, 1, 1);
        if (r->n_findings != rows[i].found)
            fail_msg("%s %s: %zu findings", rows[i].pragma,
                     rows[i].use, (size_t)r->n_findings);
        sample_close(&b.s);
    }
}

static uint32_t local_sum(uint32_t i)
{
    return 3 * i + 1 + i;
}

/* Local arrays, by generic addresses too. */
static void test_local(void **state)
{
    (void)state;
    computes("",
             ".local .align 8 .b8 depot[16];\n"
             "mov.u64 %rd6, depot; cvta.local.u64 %rd7, %rd6;\n"
             "ld.global.u32 %r5, [%rd3]; st.local.u32 [%rd6+4], %r5;\n"
             "st.u32 [%rd7+8], %r1; ld.u32 %r6, [%rd7+4];\n"
             "ld.local.u32 %r7, [%rd6+8]; add.u32 %r6, %r6, %r7;\n"
             "st.global.u32 [%rd4], %r6;", local_sum);
}

/* Output and asserts ------------------------------------------------------ */

static void test_printf(void **state)
{
    struct buffers b;
    char *got = NULL;
    size_t n = 0;
    (void)state;
    prepare(&b,
            ".extern .func (.param .b32 r) vprintf(.param .b64 f, .param "
            ".b64 a);\n.global .align 1 .b8 fmt[16] = {37, 100, 32, 37, 46, "
            "50, 102, 32, 37, 108, 108, 117, 59, 0};\n", /* %d %.2f %llu; */
            ".local .align 8 .b8 depot[24];\n"
            "mov.u64 %rd6, depot; cvta.local.u64 %rd7, %rd6;\n"
            "st.local.u32 [%rd6], %r2; mov.b64 %rd8, 0d3FF8000000000000;\n"
            "st.local.u64 [%rd6+8], %rd8; st.local.u64 [%rd6+16], -1;\n"
            "mov.u64 %rd9, fmt; cvta.global.u64 %rd9, %rd9;\n"
            "{ .param .b64 p0; st.param.b64 [p0], %rd9; .param .b64 p1;\n"
            "st.param.b64 [p1], %rd7; .param .b32 r0;\n"
            "call.uni (r0), vprintf, (p0, p1); }", 32);
    b.s.out = open_memstream(&got, &n);
    clean(run(&b, 1, 2));
    fclose(b.s.out);
    assert_string_equal(got, "0 1.50 18446744073709551615;"
                             "1 1.50 18446744073709551615;");
    free(got);
    sample_close(&b.s);
}

/* The same on any number of workers and in any order ---------------------- */

/* Blocks 3 to 7 fault; whoever is first in time, block 3 is reported. */
static void test_first_fault(void **state)
{
    static const int workers[] = {1, 2, 4, 8};
    struct buffers b;
    (void)state;
    prepare(&b, "", "setp.lt.u32 %p1, %r4, 3; @%p1 bra OK;\n"
                    "ld.global.u32 %r5, [%rd3+4096]; OK:", 512);
    for (size_t k = 0; k < sizeof workers / sizeof *workers; k++) {
        sample_set(&b.s, workers[k], 0);
        struct finding f = only(&b, 8, 64, FAULT_ADDRESS);
        assert_int_equal(f.block[0], 3);
        assert_int_equal(f.at.thread[0], 0);
        assert_int_equal(f.count, 1);
        assert_int_equal(b.s.report.memory_errors, 1);
    }
    sample_close(&b.s);
}

static void test_determinism(void **state)
{
    static const struct { int workers; uint64_t seed; } ways[] = {
        {1, 0}, {3, 0}, {1, 77}, {2, 12345}, {4, 1}};
    struct buffers b;
    struct finding first = {0};
    struct engine_counters counters;
    (void)state;
    prepare(&b, TILE,
            ".loc 1 5 0\n ld.global.u32 %r5, [%rd4];\n" /* not written */
            ".loc 1 6 0\n mov.u32 %r6, tile; st.shared.u32 [%r6], %r2;\n"
            "st.global.u32 [%rd4], %r1;", MANY);
    for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
        sample_set(&b.s, ways[k].workers, ways[k].seed);
        engine_undefine(b.s.engine, b.params[1], MANY * 4);
        const struct launch_report *r = run(&b, 16, 64);
        assert_int_equal(r->fault, FAULT_NONE);
        assert_int_equal(r->memory_errors, MANY);
        assert_true(r->races > 0);
        for (uint32_t i = 0; i < MANY; i++)
            assert_int_equal(b.y[i], i);
        const struct finding *f = &r->findings[0];
        if (k == 0) {
            first = *f;
            counters = r->counters;
        }
        assert_int_equal(f->kind, first.kind);
        assert_int_equal(f->count, first.count);
        assert_int_equal(f->at.line, first.at.line);
        assert_memory_equal(f->block, first.block, sizeof f->block);
        assert_memory_equal(f->at.thread, first.at.thread,
                            sizeof f->at.thread);
        assert_memory_equal(&r->counters, &counters, sizeof counters);
    }
    sample_close(&b.s);
}

/* Several parameters at once, of whole warps and of some lanes, of several
 * sizes and widened; one that goes past the end is out of bounds. */
static void test_vectors_of_parameters(void **state)
{
    static const char text[] =
        PTX_HEAD ".visible .entry k(.param .u64 k_x, .param .align 16 .b8 "
        "k_s[16]) {\n.reg .pred %p1; .reg .b32 %r<10>; .reg .b64 %rd<6>;\n"
        ".reg .b16 %h<3>; ld.param.u64 %rd1, [k_x]; mov.u32 %r1, %tid.x;\n"
        "mul.wide.u32 %rd2, %r1, 4; add.s64 %rd2, %rd1, %rd2;\n"
        "ld.param.v4.u32 {%r2, %r3, %r4, %r5}, [k_s]; add.u32 %r6, %r2, %r5;\n"
        "setp.gt.u32 %p1, %r1, 15;\n"
        "@%p1 ld.param.v2.s8 {%r7, %r8}, [k_s+14];\n"
        "@%p1 add.s32 %r6, %r7, %r8;\n"
        "@%p1 ld.param.v2.u64 {%rd3, %rd4}, [k_s];\n"
        "@%p1 cvt.u32.u64 %r9, %rd4;\n"
        "@%p1 add.u32 %r6, %r6, %r9; st.global.u32 [%rd2], %r6; ret; }\n";
    static const char past[] =
        PTX_HEAD ".visible .entry k(.param .u64 k_x, .param .align 16 .b8 "
        "k_s[16]) {\n.reg .b32 %r<6>;\n"
        "ld.param.v4.u32 {%r2, %r3, %r4, %r5}, [k_s+16]; ret; }\n";
    struct { uint64_t x, none; uint32_t s[4]; } params = {
        .s = {100, 200, 300, 0xfdff0004}}; /* its last bytes are -1 and -3 */
    uint32_t got[LANES_ALL];
    struct sample s = sample_open(text, CHECK_ALL);
    (void)state;
    params.x = sample_array(&s, NULL, sizeof got);
    assert_int_equal(sample_run(&s, 1, LANES_ALL, &params)->n_findings, 0);
    assert_int_equal(engine_read(s.engine, got, params.x, sizeof got), MEM_OK);
    for (uint32_t l = 0; l < LANES_ALL; l++)
        assert_int_equal(got[l], l > 15 ? 300u - 4 : 100 + 0xfdff0004);
    sample_close(&s);
    s = sample_open(past, CHECK_ALL);
    assert_int_equal(sample_run(&s, 1, LANES_ALL, &params)->fault,
                     FAULT_ADDRESS);
    sample_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_vectors_of_parameters),
        cmocka_unit_test(test_out_of_bounds),
        cmocka_unit_test(test_shared_bounds),
        cmocka_unit_test(test_other_memory),
        cmocka_unit_test(test_padding), cmocka_unit_test(test_local),
        cmocka_unit_test(test_printf),
        cmocka_unit_test(test_first_fault),
        cmocka_unit_test(test_determinism),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
