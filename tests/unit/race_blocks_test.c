// SPDX-License-Identifier: MIT
/*
 * race_blocks_test.c: races in global memory between blocks, and the orders
 * that make them none.
 */
#include "engine_sample.h"
#include "simgpu/core/race/race.h"

enum { BLOCKS = 8, THREADS = 64, WORDS = BLOCKS * THREADS };

/* %rd1: x; %r1: thread in the grid; %r2: in the block; %r4: block;
 * %rd4: this thread's word of x. */
#define HEAD                                                                   \
    PTX_HEAD ".shared .align 4 .b8 flag[4];\n"                                 \
             ".visible .entry k(.param .u64 k_x) {\n"                          \
             ".reg .pred %p<4>; .reg .b32 %r<16>; .reg .b64 %rd<8>;\n"         \
             ".reg .b16 %h<4>;\n"                                              \
             "ld.param.u64 %rd1, [k_x]; mov.u32 %r2, %tid.x;\n"                \
             "mov.u32 %r3, %ntid.x; mov.u32 %r4, %ctaid.x;\n"                  \
             "mad.lo.s32 %r1, %r4, %r3, %r2; mul.wide.u32 %rd5, %r1, 4;\n"     \
             "add.s64 %rd4, %rd1, %rd5; setp.eq.u32 %p1, %r2, 0;\n"
#define TAIL "\n ret; }\n.file 1 \"k.cu\"\n"

struct bench {
    struct sample s;
    uint64_t x;
};

static void open_bench(struct bench *b, const char *body)
{
    static char text[8192];
    static const uint32_t zeros[2 * WORDS];
    snprintf(text, sizeof text, "%s%s%s", HEAD, body, TAIL);
    b->s = sample_open(text, CHECK_ALL);
    b->x = sample_array(&b->s, zeros, sizeof zeros);
}

static const struct launch_report *run(struct bench *b, const char *body)
{
    open_bench(b, body);
    return sample_run(&b->s, BLOCKS, THREADS, &b->x);
}

static void clean(const char *body)
{
    struct bench b;
    const struct launch_report *r = run(&b, body);
    assert_int_equal(r->fault, FAULT_NONE);
    assert_int_equal(r->n_findings, 0);
    sample_close(&b.s);
}

#define MINE ".loc 1 10 0\n st.global.u32 [%rd4], %r1;\n"
#define NEXT ".loc 1 20 0\n ld.global.u32 %r6, [%rd4+256];\n"

/* The report does not depend on who came first. */
static void test_next_block(void **state)
{
    static const struct { int workers; uint64_t seed; } ways[] = {
        {1, 0}, {4, 0}, {1, 7}, {3, 99}};
    struct bench b;
    (void)state;
    open_bench(&b, MINE NEXT);
    for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
        sample_set(&b.s, ways[k].workers, ways[k].seed);
        const struct launch_report *r =
            sample_run(&b.s, BLOCKS, THREADS, &b.x);
        assert_int_equal(r->n_findings, 1);
        assert_int_equal(r->races, WORDS - THREADS);
        const struct finding *f = &r->findings[0];
        assert_int_equal(f->kind, FIND_RACE);
        assert_int_equal(f->space, PTX_SPACE_GLOBAL);
        assert_int_equal(f->at.line, 20);
        assert_false(f->at.write);
        assert_int_equal(f->other.line, 10);
        assert_true(f->other.write);
        assert_int_equal(f->block[0], 0);
        assert_int_equal(f->at.thread[0], 0);
        assert_int_equal(f->allocation, 1);
        assert_int_equal(f->offset, THREADS * 4);
        assert_non_null(strstr(f->detail, "block (1,0,0)"));
    }
    sample_close(&b.s);
}

/* The first that reads a word is who writes it: what counts are the others. */
static void test_the_first_reader_writes(void **state)
{
    static const struct { int workers; uint64_t seed; } ways[] = {
        {1, 0}, {3, 0}, {1, 7}};
    struct bench b;
    (void)state;
    open_bench(&b, "ld.global.u32 %r6, [%rd4]; add.u32 %r6, %r6, 1;\n" MINE
                   "setp.eq.u32 %p2, %r4, 0; @%p2 bra END;\n"
                   ".loc 1 30 0\n ld.global.u32 %r7, [%rd4+-256];\nEND:\n");
    for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
        sample_set(&b.s, ways[k].workers, ways[k].seed);
        const struct launch_report *r =
            sample_run(&b.s, BLOCKS, THREADS, &b.x);
        assert_int_equal(r->races, WORDS - THREADS);
        assert_int_equal(r->findings[0].at.line, 30);
        assert_int_equal(r->findings[0].block[0], 1);
        assert_non_null(strstr(r->findings[0].detail, "block (0,0,0)"));
    }
    sample_close(&b.s);
}

static void test_two_writers(void **state)
{
    struct bench b;
    (void)state;
    const struct launch_report *r =
        run(&b, ".loc 1 10 0\n @%p1 st.global.u32 [%rd1+8], %r4;\n");
    assert_int_equal(r->n_findings, 1);
    assert_int_equal(r->races, 1);
    assert_int_equal(r->findings[0].at.line, 10);
    assert_int_equal(r->findings[0].block[0], BLOCKS - 1);
    assert_true(r->findings[0].at.write);
    assert_non_null(strstr(r->findings[0].detail, "blocks run in any order"));
    sample_close(&b.s);
    r = run(&b, ".loc 1 10 0\n"
                "mov.u32 %r5, 3; @%p1 st.global.u32 [%rd1+8], %r5;\n");
    assert_int_equal(r->n_findings, 1); /* equal values: a note */
    assert_int_equal(r->findings[0].kind, FIND_EQUAL_WRITES);
    assert_null(strstr(r->findings[0].detail, "blocks run in any order"));
    assert_int_equal(r->equal_writes, 1);
    assert_int_equal(r->races, 0);
    assert_int_equal(r->findings[0].at.line, 10);
    assert_int_equal(r->findings[0].block[0], BLOCKS - 1);
    sample_close(&b.s);
}

/* Of a byte, the report names its address. */
static void test_bytes_of_two_blocks(void **state)
{
    struct bench b;
    (void)state;
    const struct launch_report *r =
        run(&b, ".loc 1 10 0\n cvt.u16.u32 %h1, %r4;\n"
                "@%p1 st.global.u8 [%rd1+9], %h1;\n");
    assert_int_equal(r->n_findings, 1);
    assert_int_equal(r->races, 1);
    assert_int_equal(r->findings[0].offset, 9);
    sample_close(&b.s);
}

static void test_disjoint(void **state)
{
    (void)state;
    clean(MINE "ld.global.u32 %r6, [%rd4];\n");
    clean("ld.global.u32 %r6, [%rd1];\n add.s32 %r6, %r6, %r1;\n"
          "st.global.u32 [%rd4+2048], %r6;\n");
    clean("mul.wide.u32 %rd6, %r1, 2; add.s64 %rd6, %rd1, %rd6;\n"
          "mov.u16 %h1, 1; st.global.u16 [%rd6], %h1;\n");
}

static void test_atomics(void **state)
{
    (void)state;
    clean("and.b32 %r5, %r1, 3; mul.wide.u32 %rd6, %r5, 4;\n"
          "add.s64 %rd6, %rd1, %rd6; atom.global.add.u32 %r6, [%rd6], 1;\n");
    clean("red.global.add.u32 [%rd1], 1;\n");
}

/* A store of one block and an atomic of another one, and nothing else there. */
static void test_atomic_and_store(void **state)
{
    struct bench b;
    (void)state;
    const struct launch_report *r =
        run(&b, "setp.eq.and.u32 %p2, %r4, 0, %p1;\n"
                "setp.eq.and.u32 %p3, %r4, 1, %p1;\n"
                ".loc 1 10 0\n @%p2 st.global.u32 [%rd1], 5;\n"
                ".loc 1 20 0\n @%p3 red.global.add.u32 [%rd1], 1;\n");
    assert_int_equal(r->races, 1);
    assert_int_equal(r->findings[0].kind, FIND_RACE);
    assert_int_equal(r->findings[0].at.line + r->findings[0].other.line, 30);
    sample_close(&b.s);
}

/* Stores alone may be volatile, and no load is. */
/* A plain read races with another block's atomic, whatever else is done there
 * by accesses that do not: whose tag is where the plain one's would be. %rd6: a
 * word that a thread of each block has, or all threads. */
static void test_plain_among_strong_reads(void **state)
{
#define OF_BLOCK(N, WHAT)                                                      \
    "setp.eq.u32 %p2, %r4, " #N "; @!%p2 bra NOT" #N ";\n" WHAT "NOT" #N ":\n"
#define ADDS ".loc 1 20 0\n atom.global.add.u32 %r6, [%rd6], 1;\n"
#define READS ".loc 1 30 0\n ld.global.u32 %r7, [%rd6];\n"
#define POLLS ".loc 1 40 0\n ld.volatile.global.u32 %r8, [%rd6];\n"
    static const struct { const char *body; unsigned words; } cases[] = {
        {OF_BLOCK(0, ADDS) OF_BLOCK(3, READS) OF_BLOCK(5, ADDS), THREADS},
        {OF_BLOCK(0, READS ADDS) OF_BLOCK(3, READS) OF_BLOCK(5, POLLS),
         THREADS},
        {OF_BLOCK(0, ADDS) OF_BLOCK(3, POLLS "bar.sync 0;\n" READS)
             OF_BLOCK(5, POLLS), THREADS},
        {OF_BLOCK(0, ADDS) OF_BLOCK(3, POLLS READS), THREADS},
        {"mov.u64 %rd6, %rd1;\n" OF_BLOCK(0, ADDS)
             OF_BLOCK(3, POLLS READS), 1},
        {OF_BLOCK(0, ADDS) OF_BLOCK(3, POLLS POLLS) OF_BLOCK(5, POLLS ADDS),
         0},
    };
    static const struct { int workers; uint64_t seed; } ways[] = {
        {1, 0}, {2, 0}, {3, 0}, {1, 7}, {3, 99}};
    char body[1024];
    struct bench b;
    (void)state;
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        snprintf(body, sizeof body, "mul.wide.u32 %%rd5, %%r2, 4;\n"
                 "add.s64 %%rd6, %%rd1, %%rd5;\n%s", cases[n].body);
        open_bench(&b, body);
        for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
            sample_set(&b.s, ways[k].workers, ways[k].seed);
            const struct launch_report *r =
                sample_run(&b.s, BLOCKS, THREADS, &b.x);
            assert_int_equal(r->races, cases[n].words);
            assert_true(!r->races || r->findings[0].at.line == 30);
        }
        sample_close(&b.s);
    }
}

static void test_volatile_stores(void **state)
{
    (void)state;
    clean("membar.gl; st.volatile.global.u32 [%rd4], %r1;\n");
}

/* Atomics of two sizes are none for each other. */
static void test_sizes_of_atomics(void **state)
{
    struct bench b;
    (void)state;
    const struct launch_report *r =
        run(&b, "setp.eq.and.u32 %p2, %r4, 0, %p1;\n"
                "setp.eq.and.u32 %p3, %r4, 1, %p1; mov.u64 %rd6, 1;\n"
                ".loc 1 10 0\n @%p2 red.global.add.u32 [%rd1], 1;\n"
                ".loc 1 20 0\n @%p3 red.global.add.u64 [%rd1], %rd6;\n");
    assert_int_equal(r->races, 1);
    assert_int_equal(r->findings[0].kind, FIND_RACE);
    assert_int_equal(r->findings[0].at.line + r->findings[0].other.line, 30);
    sample_close(&b.s);
}

/* A store of a warp that lies in two pages of records. */
static void test_a_store_to_two_pages(void **state)
{
    struct bench b;
    uint64_t at;
    (void)state;
    open_bench(&b, "setp.gt.u32 %p2, %r2, 31; @%p2 bra END;\n"
                   "mul.wide.u32 %rd6, %r2, 4; add.s64 %rd6, %rd1, %rd6;\n"
                   "st.global.u32 [%rd6], %r4;\nEND:\n");
    b.x = sample_array(&b.s, NULL, 3 * 4096);
    at = (b.x + 4096) / 4096 * 4096 - 64;
    const struct launch_report *r = sample_run(&b.s, BLOCKS, THREADS, &at);
    assert_int_equal(r->races, 32);
    sample_close(&b.s);
}

/* Each block leaves its part; the last to come adds them up. */
#define LAST_BLOCK(fence, counts)                                              \
    "mul.wide.u32 %rd6, %r4, 4; add.s64 %rd6, %rd1, %rd6;\n"                   \
    ".loc 1 10 0\n @%p1 st.global.u32 [%rd6+64], %r4;\n" fence                 \
    "mov.u32 %r9, flag; mov.u32 %r7, 7; @!%p1 bra L;\n" counts                 \
    "st.shared.u32 [%r9], %r7;\nL: bar.sync 0; membar.gl;\n"                  \
    "ld.shared.u32 %r7, [%r9];\n"                                             \
    "setp.ne.u32 %p2, %r7, 7; @%p2 bra END; setp.gt.u32 %p2, %r2, 7;\n"        \
    "@%p2 bra END; mul.wide.u32 %rd6, %r2, 4; add.s64 %rd6, %rd1, %rd6;\n"     \
    ".loc 1 20 0\n ld.global.u32 %r8, [%rd6+64];\nEND:\n"

static void test_last_block(void **state)
{
    struct bench b;
    (void)state;
    clean(LAST_BLOCK("membar.gl;\n", "atom.global.add.u32 %r7, [%rd1], 1;\n"));
    const struct launch_report *r = run(&b, LAST_BLOCK("membar.gl;\n", ""));
    assert_int_equal(r->n_findings, 1);
    assert_int_equal(r->findings[0].at.line, 20);
    assert_int_equal(r->findings[0].other.line, 10);
    sample_close(&b.s);
}

/* One launch is over before the next begins. */
static void test_two_launches(void **state)
{
    struct bench b;
    (void)state;
    open_bench(&b, "ld.global.u32 %r5, [%rd1]; setp.eq.u32 %p2, %r5, 0;\n"
                   "st.global.u32 [%rd4+2048], %r5; setp.eq.u32 %p3, %r1, 1;\n"
                   "@!%p3 bra END; @%p2 st.global.u32 [%rd4], %r1;\nEND:\n");
    for (int launch = 0; launch < 2; launch++) {
        sample_run(&b.s, BLOCKS, THREADS, &b.x);
        assert_int_equal(b.s.report.n_findings, 0);
    }
    sample_close(&b.s);
}

/* What each of two workers, whose records are of different lengths, has
 * written down of one word. */
enum { LONG = 4 * RACE_GROUP, SHORT = RACE_GROUP, AT = 5 };

static struct race records[2];
static struct worker workers[2] = {{.race = &records[0]},
                                   {.race = &records[1]}};

static void two_records(size_t first, size_t second)
{
    size_t units[2] = {first, second};
    for (int k = 0; k < 2; k++)
        for (int narrow = 0; narrow < 2; narrow++) {
            struct shadow *s = &records[k].global[narrow];
            s->units = units[k];
            s->value = calloc(units[k], sizeof *s->value);
            s->many = calloc(units[k], 1);
            for (int c = 0; c < RACE_CLASSES; c++)
                s->last[c] = calloc(units[k], sizeof *s->last[c]);
        }
}

static void drop_records(void)
{
    for (int k = 0; k < 2; k++)
        for (int narrow = 0; narrow < 2; narrow++) {
            struct shadow *s = &records[k].global[narrow];
            free(s->value);
            free(s->many);
            for (int c = 0; c < RACE_CLASSES; c++)
                free(s->last[c]);
        }
}

static void test_the_shorter_record_counts(void **state)
{
    (void)state;
    two_records(LONG, SHORT);
    assert_int_equal(race_blocks_groups(workers, 2, 0), SHORT / RACE_GROUP);
    assert_int_equal(race_blocks_groups(workers, 1, 0), LONG / RACE_GROUP);
    drop_records();
    two_records(SHORT, LONG);
    assert_int_equal(race_blocks_groups(workers, 2, 1), SHORT / RACE_GROUP);
    drop_records();
}

/* Worker k's blocks have written a value there, the last one as this tag. */
static void wrote(int k, int narrow, size_t unit, uint64_t tag, uint32_t value)
{
    records[k].global[narrow].last[RACE_WRITE][unit] = tag;
    records[k].global[narrow].value[unit] = value;
}

static bool values_differ(int narrow, size_t unit)
{
    struct race_unit x;
    race_blocks_unit(workers, 2, narrow, unit, 1u << RACE_WRITE, &x);
    return x.many;
}

static void test_values_of_two_workers(void **state)
{
    struct race_unit x;
    (void)state;
    two_records(LONG, LONG);
    wrote(0, 0, AT, 7, 0x01020304);
    assert_false(values_differ(0, AT));
    wrote(1, 0, AT, 9, 0x01020304);
    assert_false(values_differ(0, AT));
    race_blocks_unit(workers, 2, 0, AT, 1u << RACE_WRITE, &x);
    assert_int_equal(x.tag[RACE_WRITE], 9);
    assert_int_equal(x.value, 0x01020304);
    for (int narrow = 0; narrow < 2; narrow++) { /* nobody asked for writes */
        race_blocks_unit(workers, 2, narrow, narrow ? 4 * AT : AT,
                         1u << RACE_READ, &x);
        assert_int_equal(x.tag[RACE_WRITE], 0);
    }
    wrote(1, 0, AT, 9, 0x01020305);
    assert_true(values_differ(0, AT));
    /* Of bytes: the last one differs, the others agree. */
    assert_true(values_differ(1, 4 * AT));
    for (size_t byte = 4 * AT + 1; byte < 4 * AT + 4; byte++)
        assert_false(values_differ(1, byte));
    wrote(1, 1, 4 * AT + 2, 9, 2); /* a word and a byte of it */
    assert_true(values_differ(1, 4 * AT + 2));
    wrote(0, 0, AT, 0, 0);
    wrote(1, 0, AT, 0, 0);
    assert_false(values_differ(1, 4 * AT + 2));
    wrote(0, 1, 4 * AT + 2, 7, 2);
    assert_false(values_differ(1, 4 * AT + 2));
    wrote(0, 1, 4 * AT + 2, 7, 3);
    assert_true(values_differ(1, 4 * AT + 2));
    drop_records();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_next_block),
        cmocka_unit_test(test_the_first_reader_writes),
        cmocka_unit_test(test_two_writers),
        cmocka_unit_test(test_bytes_of_two_blocks),
        cmocka_unit_test(test_disjoint),
        cmocka_unit_test(test_atomics),
        cmocka_unit_test(test_atomic_and_store),
        cmocka_unit_test(test_plain_among_strong_reads),
        cmocka_unit_test(test_volatile_stores),
        cmocka_unit_test(test_sizes_of_atomics),
        cmocka_unit_test(test_a_store_to_two_pages),
        cmocka_unit_test(test_last_block),
        cmocka_unit_test(test_two_launches),
        cmocka_unit_test(test_the_shorter_record_counts),
        cmocka_unit_test(test_values_of_two_workers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
