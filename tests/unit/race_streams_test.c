// SPDX-License-Identifier: MIT
/*
 * race_streams_test.c: kernels, copies and memsets of streams that nothing
 * orders (race/race_streams.c), with kernels that have a fence and without.
 */
#include "engine_kernel.h"

enum { A = 3, B = 4, BLOCKS = 4, THREADS = 64, N = BLOCKS * THREADS };

/* What a thread does to its word of x, i; the second parameter says which. */
enum verb { READ, WRITE, ADD, WRITE_EVEN, WRITE_ODD, WRITE_BYTES, READ_FLAG,
            FLAG, READ_OTHERS, STRAY, VERBS };

/* %r9: the verb; %r8: a value; %rd8: bytes 2 i of x, %rd9: byte i; %rd11: the
 * word of the next block's thread. */
#define CASE(verb, line, what)                                                 \
    "setp.eq.u32 %p1, %r9, " #verb "; .loc 1 " #line " 0\n@%p1 " what ";\n"
#define BODY(fence)                                                            \
    "cvt.u32.u64 %r8, %rd2; and.b32 %r9, %r8, 15; shr.u32 %r8, %r8, 4;\n"      \
    "add.u32 %r8, %r8, %r1; cvt.u16.u32 %rs1, %r8; cvt.u64.u32 %rd9, %r1;\n"   \
    "shl.b64 %rd8, %rd9, 1; add.s64 %rd8, %rd8, %rd1;\n"                       \
    "add.s64 %rd9, %rd9, %rd1; add.u32 %r10, %r1, 64;\n"                       \
    "and.b32 %r10, %r10, 255; mul.wide.u32 %rd11, %r10, 4;\n"                  \
    "add.s64 %rd11, %rd11, %rd1;\n" fence                                      \
    CASE(0, 10, "ld.global.u32 %r5, [%rd3]")                                   \
    CASE(1, 20, "st.global.u32 [%rd3], %r8")                                   \
    CASE(2, 30, "red.global.add.u32 [%rd3], 1")                                \
    CASE(3, 40, "st.global.u8 [%rd8], %rs1")                                   \
    CASE(4, 50, "st.global.u8 [%rd8+1], %rs1")                                 \
    CASE(5, 60, "st.global.u8 [%rd9], %rs1")                                   \
    CASE(6, 70, "ld.volatile.global.u32 %r5, [%rd1+2048]")                     \
    CASE(6, 71, "ld.global.u32 %r5, [%rd3]")                                   \
    CASE(7, 80, "st.global.u32 [%rd3], %r8") fence                             \
    CASE(7, 81, "red.global.add.u32 [%rd1+2048], 1")                           \
    CASE(8, 90, "ld.global.u32 %r5, [%rd11]")                                  \
    CASE(8, 91, "st.global.u32 [%rd3+8192], %r5")                              \
    CASE(9, 100, "st.global.u32 [%rd3], %r8")                                  \
    CASE(9, 101, "st.global.u32 [4], %r8")

static struct sample s;
static uint64_t x; /* three pages */

static void open_sample(bool fences)
{
    s = sample_open(kernel("", fences ? BODY("membar.gl;\n") : BODY("")),
                    CHECK_ALL);
    x = sample_array(&s, NULL, 3 * 4096);
    engine_fill(s.engine, x, 0, 4, 3 * 1024);
    engine_streams_apart(s.engine);
    engine_stream(s.engine, A, false);
    engine_stream(s.engine, B, false);
}

static uint64_t launch_at(uint64_t stream, enum verb verb, uint32_t value,
                          uint64_t array)
{
    uint64_t params[2] = {array, value << 4 | verb};
    engine_work(s.engine, stream, "k", false);
    return sample_run(&s, BLOCKS, THREADS, params)->races;
}

/* What a kernel of that stream does; the number of races. */
static uint64_t launch(uint64_t stream, enum verb verb, uint32_t value)
{
    return launch_at(stream, verb, value, x);
}

static void close_sample(void)
{
    sample_close(&s);
}

/* One kernel on stream A, then one on stream B. */
static void test_pairs(void **state)
{
    static const struct { enum verb first, second; uint64_t races; } pairs[] = {
        {READ, READ, 0}, {READ, WRITE, N}, {WRITE, READ, N},
        {WRITE, WRITE, N}, {ADD, ADD, 0}, {ADD, READ, N}, {WRITE, ADD, N},
        {READ, ADD, N}, {WRITE_EVEN, WRITE_ODD, 0}, {WRITE_EVEN, WRITE_EVEN, N},
        {WRITE_EVEN, WRITE_BYTES, N / 2}, {WRITE_BYTES, READ, N},
        {READ, WRITE_BYTES, N}, {WRITE_ODD, WRITE_EVEN, 0},
    };
    (void)state;
    for (int fences = 0; fences < 2; fences++)
        for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++) {
            open_sample(fences);
            assert_int_equal(launch(A, pairs[k].first, 1), 0);
            uint64_t n = launch(B, pairs[k].second, 2);
            if (n != pairs[k].races)
                fail_msg("%d and %d, fences %d: %d races", pairs[k].first,
                         pairs[k].second, fences, (int)n);
            close_sample();
        }
}

/* Where bytes were written once, words that race still count once. */
static void test_a_pair_counts_once(void **state)
{
    (void)state;
    for (int fences = 0; fences < 2; fences++) {
        open_sample(fences);
        launch(A, WRITE_BYTES, 1);
        engine_record(s.engine, A, 0);
        engine_wait(s.engine, B, 0);
        assert_int_equal(launch(B, WRITE, 2), 0);
        assert_int_equal(launch(A, READ, 0), N);
        close_sample();
    }
}

/* The same values are no race; nor is what one stream does in a row. */
static void test_no_races(void **state)
{
    (void)state;
    for (int fences = 0; fences < 2; fences++) {
        open_sample(fences);
        assert_int_equal(launch(A, WRITE, 1), 0);
        assert_int_equal(launch(B, WRITE, 1), 0);
        close_sample();
        open_sample(fences);
        launch(A, WRITE, 1);
        engine_record(s.engine, A, 0);
        engine_wait(s.engine, B, 0);
        assert_int_equal(launch(B, READ, 0), 0);
        assert_int_equal(launch(B, WRITE, 2), 0);
        assert_int_equal(launch(A, READ, 0), N);
        close_sample();
    }
}

static void test_report(void **state)
{
    (void)state;
    for (int fences = 0; fences < 2; fences++) {
        open_sample(fences);
        launch(A, WRITE, 1);
        assert_int_equal(launch(B, READ, 0), N);
        assert_int_equal(s.report.n_findings, 1);
        const struct finding *f = s.report.findings;
        assert_int_equal(f->kind, FIND_RACE);
        assert_int_equal(f->at.line, 10);
        assert_false(f->at.write);
        assert_string_equal(f->other.file, "k.cu");
        assert_int_equal(f->other.line, 20);
        assert_true(f->other.write);
        assert_string_equal(f->other_kernel, "k");
        assert_int_equal(f->stream, B);
        assert_int_equal(f->other_stream, A);
        assert_int_equal(f->allocation, 1);
        assert_int_equal(f->offset, 0);
        assert_int_equal(f->bytes, 4);
        assert_int_equal(f->block[0], 0);
        close_sample();
    }
}

/* Where a kernel's words race, the block that is named is theirs. */
static void test_block(void **state)
{
    (void)state;
    for (int fences = 0; fences < 2; fences++) {
        open_sample(fences);
        engine_work(s.engine, A, "memset", false);
        engine_touch(s.engine, x + 4 * (2 * THREADS + 3), 4, true, NULL);
        assert_int_equal(launch(B, WRITE, 1), 1);
        assert_int_equal(s.report.findings[0].block[0], 2);
        assert_int_equal(s.report.findings[0].offset, 4 * (2 * THREADS + 3));
        assert_string_equal(s.report.findings[0].other_kernel, "memset");
        assert_null(s.report.findings[0].other.file);
        assert_int_equal(s.report.findings[0].other.line, 0);
        close_sample();
    }
}

static size_t found(const struct finding **f)
{
    return engine_findings(s.engine, f);
}

/* Copies, memsets and frees, beside a kernel. */
static void test_other_work(void **state)
{
    const struct finding *f;
    static const uint32_t zero;
    (void)state;
    for (int fences = 0; fences < 2; fences++) {
        open_sample(fences);
        assert_int_equal(found(&f), 0);
        assert_null(f);
        launch(A, WRITE, 1);
        engine_work(s.engine, A, "copy", false);
        engine_touch(s.engine, x, N * 4, false, NULL);
        assert_int_equal(found(&f), 0);
        engine_work(s.engine, B, "copy", false);
        engine_touch(s.engine, x, 0, true, NULL);
        engine_touch(s.engine, x + N * 4, 4096, true, NULL);
        assert_int_equal(found(&f), 0);
        engine_touch(s.engine, x + 8, 64, false, NULL);
        assert_int_equal(found(&f), 1);
        assert_int_equal(f->kind, FIND_RACE);
        assert_string_equal(f->kernel, "copy");
        assert_false(f->at.write);
        assert_int_equal(f->bytes, 64);
        assert_int_equal(f->offset, 8);
        assert_int_equal(f->other.line, 20);
        assert_int_equal(f->stream, B);
        assert_int_equal(f->other_stream, A);
        engine_forget_findings(s.engine);
        assert_int_equal(found(&f), 0);
        engine_work(s.engine, B, "memset", false);
        engine_touch(s.engine, x, 4, true, &zero);
        assert_int_equal(found(&f), 2); /* A's kernel, and A's copy */
        assert_true(f[0].at.write && f[1].at.write);
        close_sample();
    }
}

/* A memset to the value that a kernel writes agrees with it. */
static void test_values(void **state)
{
    static const uint32_t five = 5;
    const struct finding *f;
    (void)state;
    open_sample(false);
    launch(A, WRITE, 5);
    engine_work(s.engine, B, "memset", false);
    engine_touch(s.engine, x, 4, true, &five); /* thread 0's */
    assert_int_equal(found(&f), 0);
    engine_touch(s.engine, x + 4, 4, true, &five);
    assert_int_equal(found(&f), 1);
    close_sample();
}

/* One value of three streams is no race, whoever asks whom; a fourth stream's
 * other value is one with each of them. */
static void test_one_value_of_many(void **state)
{
    (void)state;
    for (int fences = 0; fences < 2; fences++) {
        open_sample(fences);
        for (uint64_t n = 0; n < 3; n++)
            assert_int_equal(launch(A + n, WRITE, 1), 0);
        assert_int_equal(launch(A + 3, WRITE, 2), 3 * N);
        close_sample();
    }
}

/* Of bytes, the byte is named, and how many each side accesses. */
static void test_bytes_are_named(void **state)
{
    (void)state;
    for (int fences = 0; fences < 2; fences++) {
        open_sample(fences);
        launch(A, WRITE_ODD, 1);
        assert_int_equal(launch(B, WRITE_BYTES, 2), N / 2);
        const struct finding *f = s.report.findings;
        assert_int_equal(f->offset, 1);
        assert_int_equal(f->bytes, 1);
        assert_int_equal(f->other.bytes, 1);
        launch(A, READ, 1);
        assert_int_equal(s.report.findings[0].bytes, 4);
        assert_int_equal(s.report.findings[0].other.bytes, 1);
        close_sample();
    }
}

/* Kernels with fences pass messages on, those without do not. */
static void test_message(void **state)
{
    (void)state;
    for (int fences = 0; fences < 2; fences++) {
        open_sample(fences);
        launch(A, FLAG, 1);
        assert_int_equal(launch(B, READ_FLAG, 0), fences ? 0 : N);
        close_sample();
        open_sample(fences);
        launch(A, WRITE, 1); /* no flag is raised */
        assert_int_equal(launch(B, READ_FLAG, 0), N);
        close_sample();
    }
}

/* To the host, in memory that it reads without a copy. */
static void test_message_to_the_host(void **state)
{
    const struct finding *f;
    (void)state;
    for (int fences = 0; fences < 2; fences++)
        for (int kind = ALLOCATION_PLAIN; kind <= ALLOCATION_PINNED; kind++) {
            open_sample(fences);
            uint64_t host = kind == ALLOCATION_PLAIN
                ? engine_alloc(s.engine, 8192)
                : engine_alloc_mapped(s.engine, 8192,
                                      (enum allocation_kind)kind);
            engine_fill(s.engine, host, 0, 4, 2048);
            launch_at(A, WRITE, 1, host); /* no message */
            engine_work(s.engine, B, "copy", false);
            engine_touch(s.engine, host, 64, false, NULL);
            assert_int_equal(found(&f), 1);
            engine_forget_findings(s.engine);
            engine_sync(s.engine, STREAM_HOST);
            launch_at(A, FLAG, 1, host);
            engine_work(s.engine, B, "copy", false);
            engine_touch(s.engine, host, 64, false, NULL);
            assert_int_equal(found(&f), kind == ALLOCATION_PLAIN);
            close_sample();
        }
}

/* Several pages, and what lies in none of the program's arrays. */
static void test_pages(void **state)
{
    (void)state;
    for (int fences = 0; fences < 2; fences++) {
        open_sample(fences);
        launch_at(A, WRITE, 1, x + 8192);
        launch(A, WRITE, 1);
        assert_int_equal(launch_at(B, READ, 0, x + 8192), N);
        assert_int_equal(s.report.findings[0].offset, 8192);
        assert_int_equal(launch_at(B, READ, 0, x + 4096), 0);
        close_sample();
    }
}

/* Bytes at a page's end, and a page that begins before the array. */
static void test_ends_of_pages(void **state)
{
    (void)state;
    for (int fences = 0; fences < 2; fences++) {
        open_sample(fences);
        uint64_t end = (x + 4096) / 4096 * 4096 - N / 2;
        launch_at(A, WRITE_EVEN, 1, end);
        assert_int_equal(launch_at(B, WRITE_ODD, 2, end), 0);
        uint64_t array = x;
        for (int k = 0; k < 64 && array % 4096 < 1024; k++)
            array = sample_array(&s, NULL, 1024);
        assert_true(array % 4096 >= 1024);
        engine_fill(s.engine, array, 0, 4, 256);
        engine_sync(s.engine, STREAM_HOST);
        launch_at(A, WRITE, 1, array);
        assert_int_equal(launch_at(B, READ, 2, array), N);
        close_sample();
    }
}

/* Bytes within a page that is not the first. */
static void test_bytes_of_a_page(void **state)
{
    (void)state;
    for (int fences = 0; fences < 2; fences++)
        for (uint64_t part = 0; part < 4096; part += 1024) {
            uint64_t at;
            open_sample(fences);
            at = (x + 4096) / 4096 * 4096 + part;
            launch_at(A, WRITE_EVEN, 1, at);
            assert_int_equal(launch_at(B, WRITE_ODD, 2, at), 0);
            close_sample();
        }
}

static void test_read_before_write(void **state)
{
    (void)state;
    for (int fences = 0; fences < 2; fences++) {
        open_sample(fences);
        launch(A, READ, 1);
        launch(B, WRITE, 1);
        assert_false(s.report.findings[0].other.write);
        assert_true(s.report.findings[0].at.write);
        close_sample();
    }
}

/* A launch that may begin before the one before it has ended. */
static void test_beside_the_launch_before(void **state)
{
    (void)state;
    for (int dependent = 0; dependent < 2; dependent++) {
        uint64_t params[2];
        open_sample(false);
        launch(A, WRITE, 1);
        params[0] = x;
        params[1] = READ;
        struct launch l = {.grid = {BLOCKS, 1, 1}, .block = {THREADS, 1, 1},
                           .params = params, .dependent = dependent};
        engine_work(s.engine, A, "k", false);
        engine_report_free(&s.report);
        engine_launch(s.engine, s.kernel, &l, &s.report);
        assert_int_equal(s.report.races, dependent ? N : 0);
        if (dependent)
            assert_non_null(strstr(s.report.findings[0].detail,
                                   "that kernel may still run"));
        close_sample();
    }
}

/* In one launch: a race of its own, and one with another stream. */
static void test_both(void **state)
{
    (void)state;
    open_sample(false);
    launch_at(A, READ, 1, x + 8192);
    assert_int_equal(launch(B, READ_OTHERS, 1), N);
    close_sample();
}

/* A launch that fails leaves nothing to be held against others. */
static void test_fault(void **state)
{
    (void)state;
    for (int fences = 0; fences < 2; fences++) {
        open_sample(fences);
        launch(A, READ, 1);
        assert_int_equal(launch(B, STRAY, 1), 0);
        assert_int_not_equal(s.report.fault, FAULT_NONE);
        close_sample();
    }
}

/* Who does not look for races between streams finds none. */
static void test_not_looked_for(void **state)
{
    (void)state;
    for (int fences = 0; fences < 2; fences++) {
        struct engine_config c = {.workers = 1, .checks = CHECK_STREAMS,
                                  .instruction_budget = 1000000};
        open_sample(fences);
        engine_configure(s.engine, &c);
        launch(A, WRITE, 1);
        assert_int_equal(launch(B, READ, 0), 0);
        close_sample();
    }
}

/* A launch's end is the end of its work: what comes then is nobody's, until
 * some is announced. */
static void test_end_of_the_work(void **state)
{
    const struct finding *f;
    (void)state;
    open_sample(false);
    launch(A, WRITE, 1);
    launch_at(B, WRITE, 1, x + 4096);
    engine_touch(s.engine, x, 4, true, NULL);
    assert_int_equal(found(&f), 0);
    engine_work(s.engine, B, "memset", false);
    engine_touch(s.engine, x, 4, true, NULL);
    assert_int_equal(found(&f), 1);
    close_sample();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pairs),
        cmocka_unit_test(test_a_pair_counts_once),
        cmocka_unit_test(test_no_races),
        cmocka_unit_test(test_report),
        cmocka_unit_test(test_block),
        cmocka_unit_test(test_other_work),
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_one_value_of_many),
        cmocka_unit_test(test_bytes_are_named),
        cmocka_unit_test(test_message),
        cmocka_unit_test(test_message_to_the_host),
        cmocka_unit_test(test_pages),
        cmocka_unit_test(test_ends_of_pages),
        cmocka_unit_test(test_bytes_of_a_page),
        cmocka_unit_test(test_read_before_write),
        cmocka_unit_test(test_beside_the_launch_before),
        cmocka_unit_test(test_both),
        cmocka_unit_test(test_fault),
        cmocka_unit_test(test_not_looked_for),
        cmocka_unit_test(test_end_of_the_work),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
