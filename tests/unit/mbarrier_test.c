// SPDX-License-Identifier: MIT
/*
 * mbarrier_test.c: phases, counts and bytes of mbarriers, one operation after
 * the other by one thread; and what the engine says of their misuse. What
 * orders accesses: tests/bugs. Copies that arrive: tests/simgpu.
 */
#include "engine_sample.h"

enum { MOST = 16 }; /* words that a kernel leaves */

/* %r3, %r4: two mbarriers; %rd1: y. Thread 0 alone goes on: %r2 is 0. */
#define HEAD                                                                   \
    PTX_HEAD ".shared .align 8 .b8 objects[16];\n"                             \
             ".visible .entry k(.param .u64 k_y) {\n"                          \
             ".reg .pred %p<4>; .reg .b32 %r<16>; .reg .b64 %rd<8>;\n"         \
             "ld.param.u64 %rd1, [k_y]; mov.u32 %r2, %tid.x;\n"                \
             "mov.u32 %r3, objects; add.s32 %r4, %r3, 8;\n"                    \
             ".loc 1 10 0\n"
#define ALONE "setp.ne.u32 %p1, %r2, 0; @%p1 bra END;\n"
#define TAIL "\nEND: ret; }\n.file 1 \"k.cu\"\n"

#define INIT(n) "mbarrier.init.shared.b64 [%r3], " #n ";\n"
#define INVAL "mbarrier.inval.shared.b64 [%r3];\n"
/* Token into %rd3 (one argument) or %rd4. */
#define ARRIVE "mbarrier.arrive.shared.b64 %rd3, [%r3];\n"
#define ARRIVE_N(n) "mbarrier.arrive.shared.b64 %rd4, [%r3], " #n ";\n"
#define DROP "mbarrier.arrive_drop.shared.b64 %rd4, [%r3];\n"
#define NO_COMPLETE                                                            \
    "mbarrier.arrive.noComplete.shared.b64 %rd4, [%r3], 1;\n"
#define EXPECT(n) "mbarrier.expect_tx.relaxed.cta.shared.b64 [%r3], " #n ";\n"
#define COMPLETE(n)                                                            \
    "mbarrier.complete_tx.relaxed.cta.shared.b64 [%r3], " #n ";\n"
#define ARRIVE_EXPECT(n)                                                       \
    "mbarrier.arrive.expect_tx.shared.b64 %rd4, [%r3], " #n ";\n"
/* y[k] = has the phase of the token, or of the parity, ended? */
#define KEEP(k)                                                                \
    "selp.u32 %r5, 1, 0, %p2; st.global.u32 [%rd1+4*" #k "], %r5;\n"
#define ASK(k)                                                                 \
    "mbarrier.test_wait.shared.b64 %p2, [%r3], %rd3;\n" KEEP(k)
#define ASK_PARITY(k, n)                                                       \
    "mbarrier.test_wait.parity.shared.b64 %p2, [%r3], " #n ";\n" KEEP(k)
#define PENDING(k, token)                                                      \
    "mbarrier.pending_count.b64 %r5, " token ";\n"                             \
    "st.global.u32 [%rd1+4*" #k "], %r5;\n"

static struct sample s;
static uint32_t y[MOST];

static const struct launch_report *run_blocks(const char *body,
                                              uint32_t blocks,
                                              uint32_t threads)
{
    static char text[8192];
    uint64_t at;
    memset(y, 0xff, sizeof y);
    snprintf(text, sizeof text, "%s%s%s", HEAD, body, TAIL);
    s = sample_open(text, CHECK_ALL);
    at = sample_array(&s, y, sizeof y);
    const struct launch_report *r = sample_run(&s, blocks, threads, &at);
    engine_read(s.engine, y, at, sizeof y);
    return r;
}

static const struct launch_report *run(const char *body, uint32_t threads)
{
    return run_blocks(body, 1, threads);
}

/* The first words of y; "" in answers: nothing is left. */
static void leaves(const char *body, const char *answers)
{
    char got[MOST + 1] = "";
    const struct launch_report *r = run(body, 32);
    assert_int_equal(r->fault, FAULT_NONE);
    assert_int_equal(r->n_findings, 0);
    for (size_t k = 0; k < strlen(answers); k++)
        got[k] = y[k] < 10 ? (char)('0' + y[k]) : '?';
    assert_string_equal(got, answers);
    sample_close(&s);
}

static void refuses(const char *body, uint32_t threads, const char *words)
{
    const struct launch_report *r = run(body, threads);
    assert_int_equal(r->fault, FAULT_BARRIER);
    const struct finding *said = NULL;
    for (size_t k = 0; k < r->n_findings && !said; k++)
        if (strstr(r->findings[k].detail, words))
            said = &r->findings[k];
    if (!said)
        fail_msg("not said: %s", words);
    assert_int_equal(said->kind, FIND_BARRIER);
    assert_int_equal(said->at.line, 10);
    sample_close(&s);
}

/* A phase ends with its last arrival, and the next one begins whole. */
static void test_phases(void **state)
{
    (void)state;
    leaves(ALONE INIT(3) ARRIVE ASK(0) PENDING(1, "%rd3") ASK_PARITY(2, 0)
           ARRIVE_N(2) ASK(3) PENDING(4, "%rd4") ASK_PARITY(5, 0)
           ASK_PARITY(6, 1) ARRIVE PENDING(7, "%rd3") ASK(8)
           ARRIVE_N(1) PENDING(9, "%rd4") ASK(10) ARRIVE_N(1) ASK(11)
           ASK_PARITY(12, 0) ASK_PARITY(13, 1),
           "03012103020101");
}

static void test_two_objects(void **state)
{
    (void)state;
    leaves(ALONE INIT(1) "mbarrier.init.shared.b64 [%r4], 2;\n"
           "mbarrier.arrive.shared.b64 %rd3, [%r4];\n" ASK_PARITY(0, 0)
           ARRIVE_N(1) ASK_PARITY(1, 0)
           "mbarrier.test_wait.shared.b64 %p2, [%r4], %rd3;\n" KEEP(2),
           "010");
}

/* Announced bytes hold a phase back, before or after its arrivals. */
static void test_bytes(void **state)
{
    (void)state;
    leaves(ALONE INIT(1) EXPECT(16) ARRIVE ASK(0) COMPLETE(8) ASK(1)
           COMPLETE(8) ASK(2), "001");
    leaves(ALONE INIT(1) ARRIVE_EXPECT(4) ASK_PARITY(0, 0) COMPLETE(4)
           ASK_PARITY(1, 0), "01");
    leaves(ALONE INIT(2) ARRIVE COMPLETE(4) ARRIVE_N(1) ASK(0) EXPECT(4)
           ASK(1), "01");
    leaves(ALONE INIT(1) EXPECT(4) COMPLETE(4) ASK_PARITY(0, 0) ARRIVE ASK(1),
           "01");
}

/* Who drops out is not expected again; a phase that expects nobody goes on. */
static void test_drop(void **state)
{
    (void)state;
    leaves(ALONE INIT(2) DROP ASK_PARITY(0, 0) ARRIVE_N(1) ASK_PARITY(1, 0)
           ARRIVE ASK(2), "011");
    leaves(ALONE INIT(1) DROP ASK_PARITY(0, 0) ASK_PARITY(1, 1), "10");
}

static void test_counts(void **state)
{
    (void)state;
    refuses(ALONE INIT(0), 32, "1 to 1048575");
    refuses(ALONE INIT(1048576), 32, "1 to 1048575");
    leaves(ALONE INIT(1048575) ARRIVE ARRIVE_N(1048574) ASK(0), "1");
    refuses(ALONE INIT(3) ARRIVE ARRIVE_N(3), 32, "expects 2 more");
    refuses(ALONE INIT(1) DROP ARRIVE, 32, "expects 0 more");
    refuses(ALONE INIT(1) NO_COMPLETE, 32, "noComplete");
    refuses(ALONE INIT(2) ARRIVE NO_COMPLETE, 32, "noComplete");
    leaves(ALONE INIT(2) NO_COMPLETE ARRIVE ASK(0), "1");
    leaves(ALONE INIT(1) EXPECT(4) NO_COMPLETE ASK_PARITY(0, 0) COMPLETE(4)
           ASK_PARITY(1, 0), "01");
}

static void test_life(void **state)
{
    (void)state;
    refuses(ALONE INIT(1) INIT(1), 32, "already");
    leaves(ALONE INIT(2) ARRIVE INVAL INIT(1) ARRIVE ASK(0), "1");
    /* Warp 1 goes on from the barrier first, and waits. */
    refuses("setp.eq.u32 %p3, %r2, 0;\n@%p3 mbarrier.init.shared.b64 [%r3], "
            "1;\nbar.sync 0; setp.gt.u32 %p1, %r2, 31; @%p1 bra OTHER;\n"
            "setp.ne.u32 %p1, %r2, 0; @%p1 bra END;\n" INVAL "bra END;\n"
            "OTHER: mbarrier.try_wait.parity.shared.b64 %p2, [%r3], 0;\n"
            "@!%p2 bra OTHER;\n",
            64, "waited for");
}

/* Nothing there to wait for: said once, and the program goes on. */
static void test_no_object(void **state)
{
    static const struct { const char *body, *words; } cases[] = {
        {ALONE ASK_PARITY(0, 0), "no mbarrier was initialised"},
        {ALONE INIT(1) INVAL ASK_PARITY(0, 0), "no mbarrier was initialised"},
        {ALONE INIT(1) "st.shared.u8 [%r3+7], %r2;\n" ASK_PARITY(0, 0),
         "overwritten"},
        {ALONE INIT(1) "st.shared.u8 [%r3+0], %r2;\n" ASK_PARITY(0, 0),
         "overwritten"},
    };
    (void)state;
    leaves(ALONE INIT(1) "st.shared.u8 [%r4], %r2;\n" ARRIVE ASK(0), "1");
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const struct launch_report *r = run(cases[k].body, 32);
        assert_int_equal(r->fault, FAULT_NONE);
        assert_int_equal(r->n_findings, 1);
        assert_int_equal(r->findings[0].kind, FIND_UNINITIALISED);
        assert_non_null(strstr(r->findings[0].detail, cases[k].words));
        assert_string_equal(r->findings[0].array, "objects");
        assert_int_equal(y[0], 1);
        sample_close(&s);
    }
}

/* An object is of shared memory, also where its address is generic. */
static void test_space(void **state)
{
    (void)state;
    const struct launch_report *r =
        run(ALONE "mbarrier.init.b64 [%rd1], 1;\n", 32);
    assert_int_equal(r->fault, FAULT_UNSUPPORTED);
    sample_close(&s);
    leaves(ALONE "cvt.u64.u32 %rd5, %r3; cvta.shared.u64 %rd5, %rd5;\n"
           "mbarrier.init.b64 [%rd5], 1;\n" ARRIVE ASK(0), "1");
}

/* Lanes that wait for two objects: the end of one says nothing of the other. */
static void test_lanes_with_two_objects(void **state)
{
    (void)state;
    const struct launch_report *r = run(
        "setp.eq.u32 %p3, %r2, 0; @%p3 mbarrier.init.shared.b64 [%r3], 1;\n"
        "@%p3 mbarrier.init.shared.b64 [%r4], 1;\nbar.sync 0;\n"
        "setp.gt.u32 %p1, %r2, 31; @%p1 bra OTHER;\n"
        "setp.ne.u32 %p1, %r2, 0; @%p1 bra END;\n"
        "mbarrier.arrive.shared.b64 %rd3, [%r4]; bra END;\n"
        "OTHER: setp.gt.u32 %p1, %r2, 33; @%p1 bra END;\n"
        "sub.u32 %r6, %r2, 32; mad.lo.u32 %r7, %r6, 8, %r3;\n"
        "mbarrier.try_wait.parity.shared.b64 %p2, [%r7], 0;\n"
        "mul.wide.u32 %rd5, %r6, 4; add.s64 %rd1, %rd1, %rd5;\n" KEEP(0), 64);
    assert_int_equal(r->n_findings, 0);
    assert_int_equal(y[0], 0);
    sample_close(&s);
}

/* Whom a deadlock waits for: the object's place is said. */
static void test_deadlock(void **state)
{
    (void)state;
    const struct launch_report *r = run(
        ALONE INIT(2) ARRIVE
        "L: mbarrier.try_wait.parity.shared.b64 %p2, [%r3], 0; @!%p2 bra L;\n",
        32);
    assert_int_equal(r->fault, FAULT_DEADLOCK);
    const struct finding *f = &r->findings[r->n_findings - 1];
    assert_int_equal(f->space, PTX_SPACE_SHARED);
    assert_non_null(strstr(f->detail, "1 of 2 arrivals"));
    sample_close(&s);
}

/* The next block of a worker has none of the last one's objects, though its
 * shared memory is the same and written; and all of the patience. */
static void test_next_block(void **state)
{
    (void)state;
    const struct launch_report *r = run_blocks(
        ALONE "mov.u32 %r6, %ctaid.x; setp.ne.u32 %p3, %r6, 0;\n"
        "@%p3 bra NEXT;\n" INIT(1) "bra END;\n"
        "NEXT: st.shared.u64 [%r3], %rd1;\n" ASK_PARITY(0, 0), 2, 32);
    assert_int_equal(r->n_findings, 1);
    assert_non_null(
        strstr(r->findings[0].detail, "no mbarrier was initialised"));
    sample_close(&s);
    r = run_blocks(
        ALONE INIT(1) "mov.u32 %r6, 0;\n"
        "AGAIN: mbarrier.try_wait.parity.shared.b64 %p2, [%r3], 0;\n"
        "add.u32 %r6, %r6, 1; setp.lt.u32 %p3, %r6, 600;\n"
        "@%p3 bra AGAIN;\n", 2, 32);
    assert_int_equal(r->fault, FAULT_NONE);
    assert_int_equal(r->n_findings, 0);
    sample_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_phases),
        cmocka_unit_test(test_two_objects),
        cmocka_unit_test(test_bytes),
        cmocka_unit_test(test_drop),
        cmocka_unit_test(test_counts),
        cmocka_unit_test(test_life),
        cmocka_unit_test(test_no_object),
        cmocka_unit_test(test_space),
        cmocka_unit_test(test_lanes_with_two_objects),
        cmocka_unit_test(test_deadlock),
        cmocka_unit_test(test_next_block),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
