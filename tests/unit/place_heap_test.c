// SPDX-License-Identifier: MIT
/*
 * place_heap_test.c: an access beside a piece of the device heap is said, and
 * ends the launch; free in another block than that which uses the piece is a
 * race, whatever value was there.
 */
#include "engine_sample.h"

static const char text[] = PTX_HEAD
    ".extern .func (.param .b64 func_retval0) malloc\n"
    "(.param .b64 malloc_param_0);\n"
    ".visible .entry k(.param .u64 k_y) {\n"
    ".reg .b32 %r<8>; .reg .b64 %rd<8>;\n"
    "ld.param.u64 %rd1, [k_y]; mov.u64 %rd3, 64; mov.u32 %r1, 77;\n"
    "{ .param .b64 param0; st.param.b64 [param0+0], %rd3;\n"
    ".param .b64 retval0;\n"
    "call.uni (retval0), malloc, (param0);\n"
    "ld.param.b64 %rd4, [retval0+0]; }\n"
    "st.u32 [%rd4+60], %r1; ld.u32 %r2, [%rd4+60];\n"
    "st.global.u32 [%rd1], %r2;\n"
    "st.u32 [%rd4+64], %r1; ld.u32 %r3, [%rd4+64];\n"
    "st.global.u32 [%rd1+4], %r3;\n"
    "ret; }\n";

static void test_beside_a_piece(void **state)
{
    struct sample s = sample_open(text, CHECK_ALL);
    uint32_t y[2] = {5, 5};
    uint64_t at = sample_array(&s, y, sizeof y);
    (void)state;
    const struct launch_report *r = sample_run(&s, 1, 1, &at);
    assert_int_equal(r->fault, FAULT_ADDRESS);
    assert_int_equal(r->memory_errors, 1);
    assert_int_equal(r->findings[0].kind, FIND_OUT_OF_BOUNDS);
    engine_read(s.engine, y, at, sizeof y);
    assert_int_equal(y[0], 77);
    assert_int_equal(y[1], 5);
    sample_close(&s);
}

/* Block 0 makes a piece and stores a zero to it, block 1 frees it. */
#define TWO_BLOCKS(fence) PTX_HEAD                                             \
    ".extern .func (.param .b64 func_retval0) malloc\n"                        \
    "(.param .b64 malloc_param_0);\n"                                          \
    ".extern .func free (.param .b64 free_param_0);\n"                         \
    ".visible .entry k(.param .u64 k_y) {\n"                                   \
    ".reg .b32 %r<8>; .reg .b64 %rd<8>; .reg .pred %p<2>;\n"                   \
    "ld.param.u64 %rd1, [k_y]; mov.u64 %rd3, 64; mov.u32 %r1, 0;\n"            \
    "mov.u32 %r2, %ctaid.x; setp.ne.u32 %p1, %r2, 0;\n"                        \
    "@%p1 bra OTHER;\n"                                                        \
    "{ .param .b64 param0; st.param.b64 [param0+0], %rd3;\n"                   \
    ".param .b64 retval0;\n"                                                   \
    "call.uni (retval0), malloc, (param0);\n"                                  \
    "ld.param.b64 %rd4, [retval0+0]; }\n"                                      \
    "st.u32 [%rd4+8], %r1;" fence "st.volatile.global.u64 [%rd1], %rd4;\n"     \
    "ret;\n"                                                                   \
    "OTHER: ld.volatile.global.u64 %rd5, [%rd1];\n"                            \
    "{ .param .b64 param0; st.param.b64 [param0+0], %rd5;\n"                   \
    "call.uni free, (param0); }\n"                                             \
    "ret; }\n"

static void test_freed_by_another_block(void **state)
{
    static const char *const texts[] = {TWO_BLOCKS(""),
                                        TWO_BLOCKS("membar.cta;")};
    (void)state;
    for (int n = 0; n < 2; n++) {
        struct sample s = sample_open(texts[n], CHECK_ALL);
        uint64_t at = sample_array(&s, NULL, 8);
        engine_fill(s.engine, at, 0, 4, 2);
        const struct launch_report *r = sample_run(&s, 2, 1, &at);
        assert_int_equal(r->fault, FAULT_NONE);
        assert_int_equal(r->races, 1);
        assert_int_equal(r->equal_writes, 0);
        const struct finding *f = r->findings;
        assert_true(f->at.frees && f->at.write);
        assert_int_equal(f->bytes, 64);
        assert_int_equal(f->offset, 8);
        assert_string_equal(f->array, "memory of malloc in a kernel");
        assert_true(f->other.write && !f->other.frees);
        assert_int_equal(f->other.bytes, 4);
        assert_int_equal(f->block[0], 1);
        sample_close(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_beside_a_piece),
        cmocka_unit_test(test_freed_by_another_block)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
