// SPDX-License-Identifier: MIT
/*
 * race_constant_test.c: which arrays a launch's stores may reach. Each kernel
 * reads a word of x that a thread of another block writes, by a pointer that
 * came in some way; the race must be found. And reads of what nothing can
 * write leave no records.
 */
#include "engine_kernel.h"
#include "simgpu/core/race/race.h"

enum { BLOCKS = 4, THREADS = 64, N = BLOCKS * THREADS };

/* The word of the next block's thread, or of the first block's. */
#define READ                                                                   \
    "add.u32 %r5, %r1, 64; and.b32 %r5, %r5, 255; mul.wide.u32 %rd6, %r5, 4;"  \
    "add.s64 %rd7, %rd1, %rd6;\n.loc 1 10 0\n ld.global.u32 %r6, [%rd7];\n"    \
    "st.global.u32 [%rd4], %r6;\n"
/* To x, whose address is in %rd8. */
#define WRITE                                                                  \
    "add.s64 %rd9, %rd8, %rd5;\n.loc 1 20 0\n st.global.u32 [%rd9], %r1;\n"

/* y_is_x: the kernel gets x twice. In y's first words is x's address. */
static size_t races(const char *before, const char *body, bool y_is_x)
{
    struct buffers b;
    prepare(&b, before, body, N);
    engine_write(b.s.engine, b.params[1], &b.params[0], sizeof b.params[0]);
    if (y_is_x)
        b.params[1] = b.params[0];
    const struct launch_report *r =
        sample_run(&b.s, BLOCKS, THREADS, b.params);
    assert_int_equal(r->fault, FAULT_NONE);
    size_t n = 0;
    for (size_t k = 0; k < r->n_findings; k++)
        n += r->findings[k].kind == FIND_RACE;
    sample_close(&b.s);
    return n;
}

static void test_none(void **state)
{
    (void)state;
    assert_int_equal(races("", READ, false), 0);
}

static void test_own_pointer(void **state)
{
    (void)state;
    assert_true(races("", READ "mov.u64 %rd8, %rd1;\n" WRITE, false));
}

static void test_two_names_of_one_array(void **state)
{
    (void)state;
    assert_true(races("", READ, true));
}

static void test_chosen(void **state)
{
    (void)state;
    assert_true(races("", READ "setp.ge.u32 %p1, %r1, 0;\n"
                               "selp.b64 %rd8, %rd1, %rd2, %p1;\n" WRITE,
                      false));
}

static void test_loaded(void **state)
{
    (void)state;
    assert_true(races("", "ld.global.u64 %rd8, [%rd2]; bar.sync 0;\n"
                          "add.s64 %rd4, %rd2, %rd5; add.s64 %rd4, %rd4, 64;\n"
                          "add.u32 %r5, %r1, 64; and.b32 %r5, %r5, 255;\n"
                          "mul.wide.u32 %rd6, %r5, 4;\n"
                          "add.s64 %rd7, %rd1, %rd6;\n"
                          "ld.global.u32 %r6, [%rd7];\n" WRITE,
                      false));
}

/* y's pointer, or one that was loaded. */
static void test_chosen_or_loaded(void **state)
{
    (void)state;
    assert_true(races("", "ld.global.u64 %rd10, [%rd2];\n"
                          "add.u32 %r5, %r1, 64; and.b32 %r5, %r5, 255;\n"
                          "mul.wide.u32 %rd6, %r5, 4;\n"
                          "add.s64 %rd7, %rd1, %rd6;\n"
                          "ld.global.u32 %r6, [%rd7];\n"
                          "setp.ge.u32 %p1, %r1, 0;\n"
                          "selp.b64 %rd8, %rd10, %rd2, %p1;\n" WRITE,
                      false));
}

/* 64 bits from two of 32. */
static void test_halves(void **state)
{
    (void)state;
    assert_true(races("", READ "mov.b64 {%r10, %r11}, %rd1;\n"
                               "mov.b64 %rd8, {%r10, %r11};\n" WRITE,
                      false));
    assert_true(races("", READ "shr.u64 %rd10, %rd1, 32;\n"
                               "cvt.u32.u64 %r10, %rd10;\n"
                               "cvt.u32.u64 %r11, %rd1;\n"
                               "cvt.u64.u32 %rd8, %r10;\n"
                               "shl.b64 %rd8, %rd8, 32;\n"
                               "cvt.u64.u32 %rd11, %r11;\n"
                               "or.b64 %rd8, %rd8, %rd11;\n" WRITE,
                      false));
}

/* Around a loop, against the order of the instructions. */
static void test_backwards(void **state)
{
    (void)state;
    assert_true(races("", READ "mov.u32 %r10, 0; mov.u64 %rd8, %rd2;\n"
                               "mov.u64 %rd10, %rd2;\n"
                               "AGAIN: mov.u64 %rd8, %rd10;\n"
                               "mov.u64 %rd10, %rd1; add.u32 %r10, %r10, 1;\n"
                               "setp.lt.u32 %p1, %r10, 2; @%p1 bra AGAIN;\n"
                               WRITE,
                      false));
}

static void test_through_parameters_address(void **state)
{
    (void)state;
    assert_true(races("", READ "mov.b64 %rd10, k_x;\n"
                               "ld.param.u64 %rd8, [%rd10];\n" WRITE,
                      false));
}

static void test_called(void **state)
{
    (void)state;
    assert_true(races(
        ".func put(.param .b64 to, .param .b32 what) {\n"
        ".reg .b64 %q; .reg .b32 %v;\n"
        "ld.param.u64 %q, [to]; ld.param.u32 %v, [what];\n"
        "st.global.u32 [%q], %v; ret; }\n",
        READ "add.s64 %rd9, %rd1, %rd5;\n"
             "{ .param .b64 to; .param .b32 what; st.param.b64 [to], %rd9;\n"
             "st.param.b32 [what], %r1; call.uni put, (to, what); }\n",
        false));
}

/* Another parameter points nowhere; a generic store goes to shared memory. */
static void test_stores_elsewhere(void **state)
{
    (void)state;
    assert_int_equal(races(TILE, READ "mov.u64 %rd10, tile;\n"
                                      "cvta.shared.u64 %rd10, %rd10;\n"
                                      "st.u32 [%rd10], 1;\n",
                           false), 0);
}

static void test_variable(void **state)
{
    static const char before[] = ".visible .global .align 8 .b8 g[1024];\n";
    (void)state;
    assert_true(races(before,
                      "mov.u64 %rd1, g; cvta.global.u64 %rd1, %rd1;\n"
                      READ "mov.u64 %rd8, g;\n" WRITE, false));
}

static bool any_reader(const struct sample *s, uint64_t array)
{
    const struct shadow *g = &s->engine->races->global[0];
    for (size_t k = 0; k < N; k++)
        if (g->read[0][(array - DEVICE_BASE) / RACE_WORD + k])
            return true;
    return false;
}

/* y + (x - y), with the difference in 32 bits: the address leads to y. */
static void test_strays(void **state)
{
    (void)state;
    assert_true(races("", READ "sub.s64 %rd10, %rd1, %rd2;\n"
                               "cvt.u32.u64 %r10, %rd10;\n"
                               "cvt.s64.s32 %rd10, %r10;\n"
                               "add.s64 %rd8, %rd2, %rd10;\n" WRITE,
                      false));
}

/* One past y, and back: beside all arrays, it may lead to any. */
static void test_beside(void **state)
{
    struct buffers b;
    (void)state;
    prepare(&b, "", READ, N);
    b.params[1] += N * 4;
    sample_run(&b.s, 1, 32, b.params);
    assert_true(any_reader(&b.s, b.params[0]));
    sample_close(&b.s);
}

/* Does a kernel that reads x and writes n other arrays leave records of it? */
static bool records(uint32_t n, bool other_streams)
{
    static char before[1024], body[2048];
    struct buffers b;
    *before = '\0';
    strcpy(body, READ); /* writes y, the first of them */
    for (uint32_t k = 1; k < n; k++) {
        sprintf(before + strlen(before), ".global .b32 g%u;\n", k);
        sprintf(body + strlen(body), "st.global.u32 [g%u], 1;\n", k);
    }
    prepare(&b, before, body, N);
    if (other_streams) {
        engine_streams_apart(b.s.engine);
        engine_work(b.s.engine, 5, "k", false);
    }
    const struct launch_report *r = sample_run(&b.s, 1, 32, b.params);
    assert_int_equal(r->fault, FAULT_NONE);
    bool any = any_reader(&b.s, b.params[0]);
    sample_close(&b.s);
    return any;
}

static void test_many_arrays(void **state)
{
    (void)state;
    assert_false(records(1, false));
    assert_false(records(REACHED_MOST, false));
    assert_true(records(REACHED_MOST + 1, false));
}

/* What other streams write, this launch does not know. */
static void test_other_streams(void **state)
{
    (void)state;
    assert_true(records(1, true));
}

/* Are there records of reads of x, or of y, by a kernel of this body? The
 * second pointer is moved by so many bytes. */
static bool leaves(const char *before, const char *body, int array,
                   uint64_t moved)
{
    struct buffers b;
    prepare(&b, before, body, N);
    uint64_t read = b.params[array];
    b.params[1] += moved;
    sample_run(&b.s, 1, 32, b.params);
    bool any = any_reader(&b.s, read);
    sample_close(&b.s);
    return any;
}

/* The place beside all arrays, or a variable: which of both, nobody knows. */
static void test_beside_or_array(void **state)
{
    (void)state;
    assert_true(leaves(".global .b32 g[64];\n",
                       "ld.global.u32 %r6, [%rd3]; mov.u64 %rd8, g;\n"
                       "setp.ge.u32 %p1, %r1, 0;\n"
                       "selp.b64 %rd8, %rd8, %rd2, %p1;\n" WRITE,
                       0, N * 4));
}

/* y, or what was put together from halves. */
static void test_halves_or_array(void **state)
{
    (void)state;
    assert_true(leaves("", "ld.global.u32 %r6, [%rd3];\n"
                           "mov.b64 {%r10, %r11}, %rd2;\n"
                           "mov.b64 %rd8, {%r10, %r11};\n"
                           "setp.ge.u32 %p1, %r1, 0;\n"
                           "selp.b64 %rd8, %rd2, %rd8, %p1;\n" WRITE,
                       0, 0));
}

/* A parameter far from the device's memory is a number. An address made of it
 * alone may be any. */
static void test_number(void **state)
{
    (void)state;
    assert_true(leaves("", "ld.global.u32 %r6, [%rd3];\n"
                           "add.s64 %rd8, %rd2, 0x7000000000000000;\n"
                           "add.s64 %rd8, %rd8, 0x1000000000000000;\n" WRITE,
                       0, 0x8000000000000000));
}

/* Two stores to one array are as one; so are those to the first parameter's. */
static void test_again(void **state)
{
    static const char twice[] =
        "ld.global.u32 %r6, [%rd3]; st.global.u32 [%rd4], %r6;\n"
        "st.global.u32 [%rd4+4], %r6;\n";
    (void)state;
    assert_false(leaves("", twice, 0, 0));
    assert_false(leaves("", "ld.global.u32 %r6, [%rd4];\n"
                            "st.global.u32 [%rd3], %r6;\n", 1, 0));
}

/* The kernel gets one array twice, and stores by both names: that leads to one
 * array, and to no other. */
static void test_one_array_by_two_names(void **state)
{
    struct buffers b;
    (void)state;
    prepare(&b, "", "ld.global.u64 %rd10, [%rd1]; ld.global.u32 %r6, [%rd10];\n"
                    "st.global.u32 [%rd3+256], %r6;\n"
                    "st.global.u32 [%rd4+512], %r6;\n", N);
    uint64_t other = sample_array(&b.s, b.x, N * 4);
    engine_write(b.s.engine, b.params[0], &other, sizeof other);
    b.params[1] = b.params[0];
    sample_run(&b.s, 1, 32, b.params);
    assert_false(any_reader(&b.s, other));
    sample_close(&b.s);
}

/* Copies read it as loads do; a strong load is there to meet a store. */
static void test_kinds_of_reads(void **state)
{
    (void)state;
    assert_false(leaves(TILE, "mul.wide.u32 %rd10, %r2, 4;\n"
                              "mov.u64 %rd11, tile;\n"
                              "add.s64 %rd10, %rd11, %rd10;\n"
                              "cp.async.ca.shared.global [%rd10], [%rd3], 4;\n"
                              "cp.async.wait_all;\n"
                              "st.global.u32 [%rd4], %r1;\n", 0, 0));
    assert_true(leaves("", "ld.relaxed.gpu.global.u32 %r6, [%rd3];\n"
                           "st.global.u32 [%rd4], %r6;\n", 0, 0));
}

static void test_atomic(void **state)
{
    (void)state;
    assert_true(races("", READ "add.s64 %rd9, %rd1, %rd5;\n"
                               "red.global.add.u32 [%rd9], 1;\n", false));
}

static void test_records(void **state)
{
    struct buffers b;
    (void)state;
    prepare(&b, "", READ, N);
    clean(run(&b, BLOCKS, THREADS));
    assert_false(any_reader(&b.s, b.params[0]));
    sample_close(&b.s);
    prepare(&b, "", "ld.global.u32 %r6, [%rd3]; st.global.u32 [%rd3], %r6;\n"
                    "st.global.u32 [%rd4], %r6;\n", N);
    clean(run(&b, BLOCKS, THREADS));
    assert_true(any_reader(&b.s, b.params[0]));
    sample_close(&b.s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_none),
        cmocka_unit_test(test_own_pointer),
        cmocka_unit_test(test_two_names_of_one_array),
        cmocka_unit_test(test_chosen),
        cmocka_unit_test(test_loaded),
        cmocka_unit_test(test_chosen_or_loaded),
        cmocka_unit_test(test_halves),
        cmocka_unit_test(test_backwards),
        cmocka_unit_test(test_through_parameters_address),
        cmocka_unit_test(test_called),
        cmocka_unit_test(test_stores_elsewhere),
        cmocka_unit_test(test_variable),
        cmocka_unit_test(test_strays),
        cmocka_unit_test(test_beside),
        cmocka_unit_test(test_beside_or_array),
        cmocka_unit_test(test_halves_or_array),
        cmocka_unit_test(test_number),
        cmocka_unit_test(test_again),
        cmocka_unit_test(test_one_array_by_two_names),
        cmocka_unit_test(test_kinds_of_reads),
        cmocka_unit_test(test_atomic),
        cmocka_unit_test(test_many_arrays),
        cmocka_unit_test(test_other_streams),
        cmocka_unit_test(test_records),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
