// SPDX-License-Identifier: MIT
/*
 * async_test.c: what the engine says of asynchronous copies that a program
 * does not wait for, waits for too late, or aims wrong; and that it says
 * nothing of the same programs mended. What they compute: tests/simgpu.
 */
#include "engine_sample.h"

enum { THREADS = 64, WORDS = 256 };

/* %rd3: this thread's word of x; %rd4: of y; %r3: of tile; %r2: thread. */
#define HEAD                                                                   \
    PTX_HEAD ".shared .align 16 .b8 tile[1024];\n"                             \
             ".visible .entry k(.param .u64 k_x, .param .u64 k_y) {\n"         \
             ".reg .pred %p<4>; .reg .b32 %r<16>; .reg .b64 %rd<8>;\n"         \
             "ld.param.u64 %rd1, [k_x]; ld.param.u64 %rd2, [k_y];\n"           \
             "mov.u32 %r2, %tid.x; mul.wide.u32 %rd5, %r2, 4;\n"               \
             "add.s64 %rd3, %rd1, %rd5; add.s64 %rd4, %rd2, %rd5;\n"           \
             "mov.u32 %r4, tile; shl.b32 %r3, %r2, 2;\n"                       \
             "add.s32 %r3, %r3, %r4; xor.b32 %r5, %r3, 4;\n"
#define TAIL "\n ret; }\n.file 1 \"k.cu\"\n"
#define COPY ".loc 1 10 0\n cp.async.ca.shared.global [%r3], [%rd3], 4;\n"
#define WAIT ".loc 1 11 0\n cp.async.wait_all;\n"
#define READ ".loc 1 20 0\n ld.shared.u32 %r6, [%r3];\n"                       \
             "st.global.u32 [%rd4], %r6;\n"
#define READ_OTHER ".loc 1 20 0\n ld.shared.u32 %r6, [%r5];\n"                 \
                   "st.global.u32 [%rd4], %r6;\n"
#define COMMIT "cp.async.commit_group;\n"

struct bench {
    struct sample s;
    uint64_t params[2];
};

/* x has a word per thread, of which `written` hold something. */
static const struct launch_report *run(struct bench *b, const char *body,
                                       size_t words, size_t written)
{
    static char text[8192];
    uint32_t x[WORDS], y[WORDS];
    for (uint32_t i = 0; i < WORDS; i++)
        x[i] = i + 7;
    snprintf(text, sizeof text, "%s%s%s", HEAD, body, TAIL);
    b->s = sample_open(text, CHECK_ALL);
    b->params[0] = sample_array(&b->s, NULL, words * 4);
    b->params[1] = sample_array(&b->s, NULL, THREADS * 4);
    engine_write(b->s.engine, b->params[0], x, written * 4);
    const struct launch_report *r = sample_run(&b->s, 1, THREADS, b->params);
    engine_read(b->s.engine, y, b->params[1], THREADS * 4);
    return r;
}

static void clean(const char *body)
{
    struct bench b;
    const struct launch_report *r = run(&b, body, WORDS, WORDS);
    assert_int_equal(r->fault, FAULT_NONE);
    assert_int_equal(r->n_findings, 0);
    sample_close(&b.s);
}

/* One finding, of the access in line, against the copy in line 10. */
static void races(const char *body, int line, bool unwaited)
{
    struct bench b;
    const struct launch_report *r = run(&b, body, WORDS, WORDS);
    assert_int_equal(r->fault, FAULT_NONE);
    assert_int_equal(r->n_findings, 1);
    const struct finding *f = &r->findings[0];
    assert_int_equal(f->kind, FIND_RACE);
    assert_int_equal(f->at.line, line);
    assert_int_equal(f->other.line, 10);
    assert_true(f->other.write);
    assert_string_equal(f->array, "tile");
    assert_true(r->races > 0);
    assert_int_equal(r->memory_errors, 0);
    assert_int_equal(strstr(f->detail, "never waited for") != NULL, unwaited);
    sample_close(&b.s);
}

static void test_never_waited(void **state)
{
    (void)state;
    races(COPY READ, 20, true);
    races(COPY COMMIT READ, 20, true);
    races(COPY "bar.sync 0;\n" READ_OTHER, 20, true);
    clean(COPY WAIT READ);
    clean(COPY COMMIT "cp.async.wait_group 0;\n" READ);
    clean(COPY); /* nobody looks */
}

/* Old bytes there do not hide the copy. */
static void test_written_before(void **state)
{
    (void)state;
    races("st.shared.u32 [%r3], %r2;\n" COPY READ, 20, true);
    clean("st.shared.u32 [%r3], %r2;\n" COPY WAIT READ);
}

#define SECOND "cp.async.ca.shared.global [%r3+512], [%rd3], 4;\n"
static void test_wrong_group(void **state)
{
    (void)state;
    races(COPY COMMIT SECOND COMMIT "cp.async.wait_group 2;\n" READ, 20, true);
    clean(COPY COMMIT SECOND COMMIT "cp.async.wait_group 1;\n" READ);
    races(SECOND COMMIT COPY COMMIT "cp.async.wait_group 1;\n" READ, 20, true);
    races(COMMIT COPY "cp.async.wait_group 0;\n" READ, 20, true);
}

/* Of two words that are read at once, the second one is under way. */
static void test_second_word(void **state)
{
    (void)state;
    races("st.shared.u32 [%r3], %r2; bar.sync 0; setp.eq.u32 %p1, %r2, 3;\n"
          ".loc 1 10 0\n @%p1 cp.async.ca.shared.global [%r3], [%rd3], 4;\n"
          "bar.sync 0; setp.eq.u32 %p2, %r2, 2;\n"
          ".loc 1 20 0\n @%p2 ld.shared.v2.u32 {%r6, %r7}, [%r3];\n"
          "add.u32 %r6, %r6, %r7; @%p2 st.global.u32 [%rd4], %r6;\n",
          20, true);
}

/* Lanes of a warp may have committed differently. */
static void test_groups_of_lanes(void **state)
{
    struct bench b;
    (void)state;
    const struct launch_report *r =
        run(&b, COPY "setp.lt.u32 %p1, %r2, 16; @%p1 cp.async.commit_group;\n"
                SECOND COMMIT "cp.async.wait_group 1;\n" READ, WORDS, WORDS);
    assert_int_equal(r->n_findings, 1);
    assert_int_equal(r->findings[0].at.line, 20);
    assert_int_equal(r->findings[0].at.thread[0], 16);
    assert_int_equal(r->races, THREADS - 16);
    sample_close(&b.s);
}

/* An mbarrier waits for the copies before the arrival, not for later ones. */
#define OBJECT_OF(n)                                                           \
    "add.s32 %r8, %r4, 1016; setp.eq.u32 %p1, %r2, 0;\n"                       \
    "@%p1 mbarrier.init.shared.b64 [%r8], " #n "; bar.sync 0;\n"
#define OBJECT OBJECT_OF(64)
#define ARRIVE "cp.async.mbarrier.arrive.noinc.shared.b64 [%r8];\n"
#define WAIT_FOR_IT                                                            \
    "L: mbarrier.try_wait.parity.shared.b64 %p2, [%r8], 0; @!%p2 bra L;\n"
static void test_behind_an_arrival(void **state)
{
    (void)state;
    struct bench b;
    const struct launch_report *r =
        run(&b, OBJECT SECOND ARRIVE COPY WAIT_FOR_IT READ, WORDS, WORDS);
    assert_int_equal(r->n_findings, 1);
    assert_int_equal(r->findings[0].at.line, 20);
    assert_int_equal(r->races, THREADS);
    sample_close(&b.s);
    clean(OBJECT SECOND COPY ARRIVE WAIT_FOR_IT READ);
    clean(OBJECT COPY ARRIVE WAIT_FOR_IT READ_OTHER);
}

/* Nor for those of threads that do not arrive, though their lanes copied in
 * the same instruction. */
static void test_arrival_of_some_lanes(void **state)
{
    struct bench b;
    (void)state;
    const struct launch_report *r =
        run(&b, OBJECT_OF(32) COPY "and.b32 %r7, %r2, 1;\n"
                "setp.eq.u32 %p3, %r7, 0; @%p3 " ARRIVE WAIT_FOR_IT READ,
            WORDS, WORDS);
    assert_int_equal(r->n_findings, 1);
    assert_int_equal(r->findings[0].at.line, 20);
    assert_int_equal(r->findings[0].at.thread[0], 1);
    assert_int_equal(r->races, THREADS / 2);
    sample_close(&b.s);
}

/* Warp 1 waits for one object, at which the first copies arrive, and reads what
 * the second ones brought: for those warp 0 alone has waited. */
static void test_other_object(void **state)
{
    static const char text[] =
        "add.s32 %%r9, %%r4, 1008; setp.eq.u32 %%p3, %%r2, 0;\n"
        "@%%p3 mbarrier.init.shared.b64 [%%r9], 32;\n%s"
        "setp.gt.u32 %%p3, %%r2, 31; @%%p3 bra OTHER;\n%s"
        "M: mbarrier.try_wait.parity.shared.b64 %%p2, [%%r9], 0;\n"
        "@!%%p2 bra M; bra END;\nOTHER:\n%s.loc 1 20 0\n"
        "ld.shared.u32 %%r6, [%%r3+%d]; st.global.u32 [%%rd4], %%r6;\nEND:\n";
    char body[2048];
    (void)state;
    for (int other = 0; other < 2; other++) {
        snprintf(body, sizeof body, text, OBJECT_OF(32),
                 SECOND ARRIVE COPY
                 "cp.async.mbarrier.arrive.noinc.shared.b64 [%r9];\n",
                 WAIT_FOR_IT, other ? -128 : 512 - 128);
        if (other)
            races(body, 20, false);
        else
            clean(body);
    }
}

/* Who asks too early has not waited: another arrival is still missing. */
static void test_asked_too_early(void **state)
{
    (void)state;
    races(OBJECT_OF(65) COPY ARRIVE
          "mbarrier.test_wait.parity.shared.b64 %p2, [%r8], 0;\n" READ, 20,
          true);
}

/* Who waits goes on with the last arrival, and no later. */
static void test_woken_by_copies(void **state)
{
    static const char *const arrivals[] = {
        COPY ARRIVE, "mbarrier.arrive.shared.b64 %rd6, [%r8];\n"};
    (void)state;
    for (size_t k = 0; k < 2; k++) {
        struct bench b;
        char body[1024];
        uint32_t y[THREADS];
        snprintf(body, sizeof body, "%s%s%s",
                 OBJECT_OF(32) "setp.gt.u32 %p3, %r2, 31; @%p3 bra OTHER;\n",
                 arrivals[k], "bra END;\nOTHER:\n"
                 "mbarrier.try_wait.parity.shared.b64 %p2, [%r8], 0;\n"
                 "selp.u32 %r6, 1, 0, %p2; st.global.u32 [%rd4], %r6;\nEND:\n");
        assert_int_equal(run(&b, body, WORDS, WORDS)->n_findings, 0);
        engine_read(b.s.engine, y, b.params[1], sizeof y);
        for (int n = 32; n < THREADS; n++)
            assert_int_equal(y[n], 1);
        sample_close(&b.s);
    }
}

/* Each thread waits for its own: others need a barrier behind it. */
static void test_no_barrier(void **state)
{
    (void)state;
    races(COPY WAIT READ_OTHER, 20, false);
    races(COPY "bar.sync 0;\n" WAIT READ_OTHER, 20, false);
    clean(COPY WAIT "bar.sync 0;\n" READ_OTHER);
    clean(COPY WAIT "bar.warp.sync 0xffffffff;\n" READ_OTHER);
}

/* The next copy into a stage that another thread still reads. */
static void test_stage_overwritten(void **state)
{
    struct bench b;
    (void)state;
    const struct launch_report *r = run(
        &b, COPY WAIT "bar.sync 0;\n" READ_OTHER
            ".loc 1 30 0\n cp.async.ca.shared.global [%r3], [%rd3], 4;\n",
        WORDS, WORDS);
    assert_int_equal(r->n_findings, 1);
    assert_int_equal(r->findings[0].at.line, 30);
    assert_int_equal(r->findings[0].other.line, 20);
    sample_close(&b.s);
    clean(COPY WAIT "bar.sync 0;\n" READ_OTHER "bar.sync 0;\n" COPY WAIT);
}

static void test_written_over(void **state)
{
    (void)state;
    races(COPY ".loc 1 30 0\n st.shared.u32 [%r3], %r2;\n" WAIT, 30, true);
    clean(COPY WAIT ".loc 1 30 0\n st.shared.u32 [%r3], %r2;\n");
    races(COPY ".loc 1 30 0\n"
          "cp.async.ca.shared.global [%r3], [%rd3+256], 4;\n" WAIT, 30, true);
    clean(COPY COMMIT
          "cp.async.ca.shared.global [%r3], [%rd3+256], 4;\n" WAIT READ);
}

/* Two copies to one place are under way, and both have to land: in all of their
 * words. */
static void test_two_under_way(void **state)
{
    struct bench b;
    (void)state;
    const struct launch_report *r =
        run(&b, COPY ".loc 1 30 0\n"
                "cp.async.ca.shared.global [%r3], [%rd3+256], 4;\n" READ,
            WORDS, WORDS);
    assert_int_equal(r->n_findings, 2);
    assert_int_equal(r->findings[0].at.line + r->findings[1].at.line, 50);
    for (size_t k = 0; k < 2; k++)
        assert_int_equal(r->findings[k].kind, FIND_RACE);
    sample_close(&b.s);
    races("setp.eq.u32 %p1, %r2, 0;\n.loc 1 9 0\n"
          "@%p1 cp.async.cg.shared.global [%r3], [%rd3], 16;\n" COMMIT
          ".loc 1 10 0\n"
          "@%p1 cp.async.cg.shared.global [%r3], [%rd3+16], 16;\n" COMMIT
          "cp.async.wait_group 1;\n.loc 1 20 0\n"
          "@%p1 ld.shared.u32 %r6, [%r3+12]; @%p1 st.global.u32 [%rd4], %r6;\n",
          20, true);
}

/* What has landed is a write of its value, as a store would be. */
static void test_value_that_lands(void **state)
{
    struct bench b;
    (void)state;
    for (uint32_t more = 0; more < 2; more++) {
        char body[1024];
        snprintf(body, sizeof body, "%sadd.u32 %%r9, %%r9, %u;\n%s",
                 COPY WAIT "xor.b32 %r9, %r2, 1;\n", 7 + more,
                 ".loc 1 20 0\n st.shared.u32 [%r5], %r9;\n");
        const struct launch_report *r = run(&b, body, WORDS, WORDS);
        assert_int_equal(r->n_findings, 1);
        assert_int_equal(r->findings[0].kind,
                         more ? FIND_RACE : FIND_EQUAL_WRITES);
        assert_int_equal(r->findings[0].at.line, 20);
        assert_int_equal(r->findings[0].other.line, 10);
        sample_close(&b.s);
    }
}

/* Races alone are looked for: nobody counts, and nobody models traffic. */
static void test_races_alone(void **state)
{
    struct bench b;
    struct engine_config alone = {.workers = 1, .instruction_budget = 10000,
                                  .checks = CHECK_MEMORY | CHECK_RACES};
    (void)state;
    run(&b, COPY WAIT READ_OTHER, WORDS, WORDS);
    engine_configure(b.s.engine, &alone);
    const struct launch_report *r =
        sample_run(&b.s, 1, THREADS, b.params);
    assert_int_equal(r->n_findings, 1);
    assert_int_equal(r->findings[0].at.line, 20);
    sample_close(&b.s);
}

/* In a block of as many warps as there may be, too. */
static void test_whole_block(void **state)
{
    struct bench b;
    (void)state;
    run(&b, "setp.ne.u32 %p1, %r2, 0; @%p1 bra END;\n" COPY READ "END:\n",
        WORDS, WORDS);
    const struct launch_report *r = sample_run(&b.s, 1, 1024, b.params);
    assert_int_equal(r->fault, FAULT_NONE);
    assert_int_equal(r->races, 1);
    sample_close(&b.s);
}

static void test_source(void **state)
{
    struct bench b;
    (void)state;
    const struct launch_report *r = run(&b, COPY WAIT READ, THREADS - 1, 63);
    assert_int_equal(r->fault, FAULT_ADDRESS);
    assert_int_equal(r->findings[0].kind, FIND_OUT_OF_BOUNDS);
    assert_int_equal(r->findings[0].at.line, 10);
    assert_int_equal(r->findings[0].at.thread[0], 63);
    assert_false(r->findings[0].at.write);
    sample_close(&b.s);

    r = run(&b, COPY WAIT READ, THREADS, 60);
    assert_int_equal(r->findings[0].kind, FIND_UNINITIALISED);
    assert_int_equal(r->findings[0].at.line, 10);
    assert_int_equal(r->findings[0].count, 4);
    sample_close(&b.s);

    r = run(&b, ".loc 1 10 0\n cp.async.ca.shared.global [%r3], [%rd3], 8;\n",
            WORDS, WORDS);
    assert_int_equal(r->fault, FAULT_MISALIGNED);
    assert_int_equal(r->findings[0].at.line, 10);
    sample_close(&b.s);
}

/* Source addresses of 32 bits are what the register holds, of each lane. */
static void test_narrow_source(void **state)
{
    struct bench b;
    (void)state;
    const struct launch_report *r =
        run(&b, "shl.b32 %r9, %r2, 2; add.u32 %r9, %r9, 4096;\n"
                "setp.eq.u32 %p1, %r2, 5; .loc 1 10 0\n"
                "@%p1 cp.async.ca.shared.global [%r3], [%r9+64], 4;\n",
            WORDS, WORDS);
    assert_int_equal(r->fault, FAULT_ADDRESS);
    assert_int_equal(r->findings[0].at.line, 10);
    assert_int_equal(r->findings[0].address, 4096 + 5 * 4 + 64);
    sample_close(&b.s);
}

#define QUAD(bytes)                                                            \
    "setp.eq.u32 %p1, %r2, 0; mov.u32 %r7, " #bytes ";\n"                      \
    ".loc 1 10 0\n"                                                            \
    "@%p1 cp.async.cg.shared.global [%r3], [%rd3], 16, %r7;\n" WAIT

#define STORE ".loc 1 20 0\n st.global.u32 [%rd3], %r2;\n"
#define STORE_OTHER                                                            \
    "xor.b64 %rd6, %rd3, 4;\n.loc 1 20 0\n st.global.u32 [%rd6], %r2;\n"
#define READ_FIRST "ld.global.u32 %r7, [%rd1];\n"
#define READ_SAME "ld.global.u32 %r7, [%rd3];\n"
#define BARRIER "bar.sync 0;\n"

/* fence: another kind of record. */
static void source_races(const char *body, bool under_way)
{
    for (int fence = 0; fence < 2; fence++) {
        struct bench b;
        char text[2048];
        snprintf(text, sizeof text, "%s%s", fence ? "membar.gl;\n" : "", body);
        const struct launch_report *r = run(&b, text, WORDS, WORDS);
        assert_int_equal(r->n_findings, 1);
        const struct finding *f = &r->findings[0];
        assert_int_equal(f->kind, FIND_RACE);
        assert_int_equal(f->at.line, 20);
        assert_int_equal(f->other.line, 10);
        assert_false(f->other.write);
        assert_int_equal(strstr(f->detail, "may still read") != NULL,
                         under_way);
        sample_close(&b.s);
    }
}

static void source_is_free(const char *body)
{
    char text[2048];
    clean(body);
    snprintf(text, sizeof text, "membar.gl;\n%s", body);
    clean(text);
}

/* Until it is waited for, a copy reads its source: barriers are no wait. */
static void test_source_overwritten(void **state)
{
    (void)state;
    source_races(COPY STORE, true);
    source_races(COPY BARRIER STORE, true);
    source_races(COPY BARRIER STORE_OTHER, true);
    source_races(COPY WAIT STORE_OTHER, false);
    source_is_free(COPY WAIT STORE);
    source_is_free(COPY WAIT BARRIER STORE_OTHER);
    source_is_free(BARRIER STORE BARRIER COPY WAIT BARRIER STORE_OTHER);
}

/* Reads of the same words beside it, by both warps, or by the thread itself. */
static void test_source_is_read(void **state)
{
    (void)state;
    source_races(READ_FIRST COPY BARRIER STORE_OTHER, true);
    source_races(COPY READ_SAME STORE, true);
    source_races(READ_SAME COPY READ_SAME BARRIER STORE_OTHER, true);
    source_is_free(COPY READ_SAME WAIT STORE);
    source_is_free(COPY BARRIER READ_FIRST WAIT BARRIER STORE);
    source_is_free(READ_FIRST COPY BARRIER READ_FIRST WAIT BARRIER
                   STORE_OTHER);
}

/* Lanes that copy zeros read nothing. */
static void test_no_source(void **state)
{
    (void)state;
    source_is_free("mov.u32 %r7, 0;\n"
                   "cp.async.ca.shared.global [%r3], [%rd3], 4, %r7;\n"
                   BARRIER STORE_OTHER);
}

/* Of 16 bytes that are written, 4 are read. */
static void test_source_in_part(void **state)
{
    (void)state;
    source_is_free(QUAD(4) "setp.eq.u32 %p2, %r2, 33;\n"
                   "@%p2 st.global.u32 [%rd1+4], %r2;\n");
    source_races(QUAD(4) "setp.eq.u32 %p2, %r2, 33;\n"
                 ".loc 1 20 0\n @%p2 st.global.u32 [%rd1], %r2;\n", false);
}

/* What a block never waited for is over when the next one begins. */
static void test_source_of_the_last_block(void **state)
{
    (void)state;
    struct bench b;
    for (int again = 0; again < 2; again++) {
        const struct launch_report *r =
            again ? sample_run(&b.s, 1, THREADS, b.params)
                  : run(&b, STORE BARRIER COPY, WORDS, WORDS);
        assert_int_equal(r->n_findings, 0);
    }
    sample_close(&b.s);
}

/* The end of an array: what lies past it is not read. */
static void test_part_of_source(void **state)
{
    struct bench b;
    (void)state;
    assert_int_equal(run(&b, QUAD(12), 3, 3)->n_findings, 0);
    sample_close(&b.s);
    assert_int_equal(run(&b, QUAD(13), 3, 3)->findings[0].kind,
                     FIND_OUT_OF_BOUNDS);
    sample_close(&b.s);
    assert_int_equal(run(&b, QUAD(17), WORDS, WORDS)->fault,
                     FAULT_UNSUPPORTED);
    sample_close(&b.s);
}

static void test_counters(void **state)
{
    struct bench b;
    (void)state;
    const struct engine_counters *c =
        &run(&b, COPY QUAD(8), WORDS, WORDS)->counters;
    assert_int_equal(c->async_copy_requests, 3);
    assert_int_equal(c->async_copy_sectors, 2 * 4 + 1);
    assert_int_equal(c->async_copy_bytes, THREADS * 4 + 8);
    assert_int_equal(c->global_load_requests, 0);
    assert_int_equal(c->shared_store_requests, 0);
    assert_int_equal(c->async_waits, 2);
    assert_int_equal(c->async_waits_ahead, 0);
    sample_close(&b.s);
}

/* Of two waits per warp, the first leaves the only group under way: it brings
 * nothing, so it is none. */
static void test_waits_ahead(void **state)
{
    struct bench b;
    (void)state;
    const struct engine_counters *c =
        &run(&b, COPY COMMIT "cp.async.wait_group 1;\n" WAIT, WORDS, WORDS)
             ->counters;
    assert_int_equal(c->async_waits, 2);
    assert_int_equal(c->async_waits_ahead, 0);
    struct engine_config plain = {.workers = 1, .checks = CHECK_MEMORY,
                                  .instruction_budget = 10000};
    engine_configure(b.s.engine, &plain); /* nobody counts */
    sample_run(&b.s, 1, THREADS, b.params);
    assert_int_equal(b.s.report.counters.async_waits, 0);
    sample_close(&b.s);
}

/* Of two groups the first is waited for; what is left counts if it is much. */
static void test_waits_worth_it(void **state)
{
    static const struct {
        const char *second;
        unsigned ahead;
    } ways[] = {{SECOND, 2}, {"@%p1 " SECOND, 0}};
    for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
        struct bench b;
        char body[1024];
        (void)state;
        snprintf(body, sizeof body, "%s", "setp.lt.u32 %p1, %r2, 3;\n" COPY
                 COMMIT);
        snprintf(body + strlen(body), sizeof body - strlen(body), "%s%s",
                 ways[k].second, COMMIT "cp.async.wait_group 1;\n");
        const struct engine_counters *c =
            &run(&b, body, WORDS, WORDS)->counters;
        assert_int_equal(c->async_waits, 2);
        assert_int_equal(c->async_waits_ahead, ways[k].ahead);
        sample_close(&b.s);
    }
}

static void test_unknown_forms(void **state)
{
    static const char *const forms[] = {
        "cp.async.cg.shared.global [%r3], [%rd3], 4;",
        "cp.async.ca.shared.global [%r3], [%rd3], 12;",
        "cp.async.ca.shared.global [%r3], [%rd3], 4, 8;",
        "cp.async.mbarrier.arrive.shared.b64 [%r3], 2;",
        "cp.async.bulk.commit_group.read;",
        "cp.async.bulk.wait_group;",
    };
    (void)state;
    for (size_t k = 0; k < sizeof forms / sizeof *forms; k++) {
        struct bench b;
        assert_int_equal(run(&b, forms[k], WORDS, WORDS)->fault,
                         FAULT_UNSUPPORTED);
        sample_close(&b.s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_never_waited),
        cmocka_unit_test(test_written_before),
        cmocka_unit_test(test_wrong_group),
        cmocka_unit_test(test_groups_of_lanes),
        cmocka_unit_test(test_second_word),
        cmocka_unit_test(test_behind_an_arrival),
        cmocka_unit_test(test_arrival_of_some_lanes),
        cmocka_unit_test(test_other_object),
        cmocka_unit_test(test_asked_too_early),
        cmocka_unit_test(test_woken_by_copies),
        cmocka_unit_test(test_no_barrier),
        cmocka_unit_test(test_stage_overwritten),
        cmocka_unit_test(test_written_over),
        cmocka_unit_test(test_two_under_way),
        cmocka_unit_test(test_value_that_lands),
        cmocka_unit_test(test_races_alone),
        cmocka_unit_test(test_whole_block),
        cmocka_unit_test(test_source),
        cmocka_unit_test(test_narrow_source),
        cmocka_unit_test(test_source_overwritten),
        cmocka_unit_test(test_source_is_read),
        cmocka_unit_test(test_no_source),
        cmocka_unit_test(test_source_in_part),
        cmocka_unit_test(test_source_of_the_last_block),
        cmocka_unit_test(test_part_of_source),
        cmocka_unit_test(test_counters),
        cmocka_unit_test(test_waits_ahead),
        cmocka_unit_test(test_waits_worth_it),
        cmocka_unit_test(test_unknown_forms),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
