// SPDX-License-Identifier: MIT
/*
 * race_alone_test.c: which groups of records are forgotten, because no block
 * met another there, and which stay to be judged.
 */
#include "engine_sample.h"
#include "simgpu/core/race/race.h"

enum { GROUPS = 3, MIDDLE = 1, AT = MIDDLE * RACE_GROUP + 5, WORKERS = 2 };

static struct allocation array = {.address = DEVICE_BASE, .live = true,
                                  .bytes = GROUPS * RACE_GROUP * RACE_WORD};
static struct engine engine = {.memory = {.list = &array, .n = 1}};
static struct run launch = {.engine = &engine, .narrow = true};
static struct begun begun[WORKERS] = {{.stamp = 2, .block = 0},
                                      {.stamp = 2, .block = 1}};
static struct race records[WORKERS];
static struct worker workers[WORKERS] = {
    {.race = &records[0], .run = &launch},
    {.race = &records[1], .run = &launch}};

static void each_array(struct shadow *s, bool make)
{
    uint64_t **arrays[] = {&s->read[0], &s->first[0], &s->first[1],
                           &s->first[2], &s->first[3], &s->last[0],
                           &s->last[1], &s->last[2], &s->last[3]};
    for (size_t n = 0; n < sizeof arrays / sizeof *arrays; n++)
        if (make)
            *arrays[n] = calloc(s->units, sizeof **arrays[n]);
        else
            free(*arrays[n]);
    if (!make) {
        free(s->many);
        free(s->touched);
        return;
    }
    s->many = calloc(s->units, 1);
    s->touched = calloc(s->units / RACE_GROUP + 1, 1);
}

static void open_records(void)
{
    for (int k = 0; k < WORKERS; k++) {
        records[k] = (struct race){.launch = 1, .begun = &begun[k],
                                   .n_begun = 1};
        for (int narrow = 0; narrow < 2; narrow++) {
            struct shadow *s = &records[k].global[narrow];
            s->units = (size_t)GROUPS * RACE_GROUP * (narrow ? RACE_WORD : 1);
            each_array(s, true);
        }
    }
}

static void close_records(void)
{
    for (int k = 0; k < WORKERS; k++)
        for (int narrow = 0; narrow < 2; narrow++)
            each_array(&records[k].global[narrow], false);
}

/* A block of worker k did; block: counted from 0. */
static void did(int k, int narrow, size_t unit, enum race_class class,
                uint64_t block)
{
    struct shadow *s = &records[k].global[narrow];
    uint64_t tag = (block + 1) << TAG_STAMP | (uint64_t)class << TAG_CLASS | 1;
    if (tag > s->last[class][unit])
        s->last[class][unit] = tag;
    if (~tag > s->first[class][unit])
        s->first[class][unit] = ~tag;
    s->touched[unit / RACE_GROUP] |= (uint8_t)(1u << class);
}

/* Worker k's block, in read[0] alone. */
static void reads_last(int k, int narrow, size_t unit)
{
    records[k].global[narrow].read[0][unit] = stamp_tag(3) | 1;
}

static bool stays(int narrow, size_t unit)
{
    bool any = false;
    for (int k = 0; k < WORKERS; k++) {
        struct shadow *s = &records[k].global[narrow];
        bool marked = s->touched[unit / RACE_GROUP];
        bool noted = false;
        for (unsigned class = 0; class < RACE_CLASSES; class++)
            noted |= s->last[class][unit] || s->first[class][unit];
        assert_int_equal(marked, noted);
        any |= noted;
    }
    return any;
}

static bool kept(int narrow, size_t unit)
{
    race_alone_clear(workers, WORKERS);
    bool any = stays(narrow, unit);
    close_records();
    open_records();
    return any;
}

static void test_one_block_each(void **state)
{
    (void)state;
    open_records();
    did(0, 0, AT, RACE_WRITE, 0);
    assert_false(kept(0, AT));
    did(0, 0, AT, RACE_WRITE, 0);
    did(0, 0, AT, RACE_READ, 0);
    reads_last(0, 0, AT);
    did(1, 0, AT + 1, RACE_WRITE, 1);
    assert_false(kept(0, AT));
    did(1, 1, RACE_WORD * AT + 3, RACE_WRITE, 1);
    did(0, 1, RACE_WORD * AT + 2, RACE_WRITE, 0);
    assert_false(kept(1, RACE_WORD * AT + 3) || kept(1, RACE_WORD * AT + 2));
    close_records();
}

static void test_readers_alone(void **state)
{
    (void)state;
    open_records();
    did(0, 0, AT, RACE_READ, 0);
    did(1, 0, AT, RACE_READ, 1);
    assert_false(kept(0, AT));
    close_records();
}

static void test_two_blocks_meet(void **state)
{
    (void)state;
    open_records();
    did(0, 0, AT, RACE_WRITE, 0); /* of two workers */
    did(1, 0, AT, RACE_WRITE, 1);
    assert_true(kept(0, AT));
    did(0, 0, AT, RACE_WRITE, 0); /* of one */
    did(0, 0, AT, RACE_WRITE, 7);
    assert_true(kept(0, AT));
    did(0, 0, AT, RACE_WRITE, 0);
    did(1, 0, AT, RACE_READ, 1);
    assert_true(kept(0, AT));
    did(0, 0, AT, RACE_STRONG_WRITE, 0);
    did(1, 0, AT, RACE_READ, 1);
    assert_true(kept(0, AT));
    did(0, 0, AT, RACE_WRITE, 7); /* the reader is in read[0] */
    reads_last(0, 0, AT);
    assert_true(kept(0, AT));
    close_records();
}

static void test_bytes_of_a_word(void **state)
{
    size_t byte = RACE_WORD * AT + 3;
    (void)state;
    open_records();
    did(0, 1, byte, RACE_WRITE, 0);
    did(1, 1, byte, RACE_READ, 1);
    assert_true(kept(1, byte));
    did(0, 0, AT, RACE_WRITE, 0); /* the word, and a byte of it */
    did(1, 1, byte, RACE_READ, 1);
    assert_true(kept(1, byte));
    did(0, 0, AT, RACE_READ, 0);
    did(1, 1, byte, RACE_WRITE, 1);
    assert_true(kept(0, AT));
    close_records();
}

/* Of many groups, which several threads look at: those that stay. */
static void test_many_groups(void **state)
{
    enum { WORDS = 100 * RACE_GROUP, THREADS = 256 };
    uint64_t x, races = 0;
    struct sample s;
    (void)state;
    s = sample_open(PTX_HEAD
        ".visible .entry k(.param .u64 k_x) {\n"
        ".reg .b32 %r<8>; .reg .b64 %rd<8>; .reg .b16 %h<2>;\n"
        "ld.param.u64 %rd1, [k_x]; mov.u32 %r2, %tid.x;\n"
        "mov.u32 %r3, %ntid.x; mov.u32 %r4, %ctaid.x;\n"
        "mad.lo.s32 %r1, %r4, %r3, %r2; mul.wide.u32 %rd2, %r1, 4;\n"
        "add.s64 %rd3, %rd1, %rd2; st.global.u32 [%rd3], %r1;\n"
        "mov.u16 %h1, 1;\n"
        "st.global.u8 [%rd3+1], %h1; ld.global.u8 %h1, [%rd3+2];\n"
        ".loc 1 10 0\n ld.global.u32 %r5, [%rd1+400000];\n"
        "ret; }\n.file 1 \"k.cu\"\n", CHECK_ALL);
    x = sample_array(&s, NULL, WORDS * RACE_WORD);
    for (int n = 1; n <= 4; n += 3) {
        sample_set(&s, n, 0);
        sample_run(&s, WORDS / THREADS, THREADS, &x);
        assert_int_equal(s.report.fault, FAULT_NONE);
        assert_true(s.report.n_findings > 0);
        assert_int_equal(s.report.findings[0].offset / RACE_WORD, 100000);
        assert_true(n == 1 || s.report.races == races);
        races = s.report.races;
        assert_true(races > 0);
    }
    sample_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_block_each),
        cmocka_unit_test(test_readers_alone),
        cmocka_unit_test(test_two_blocks_meet),
        cmocka_unit_test(test_bytes_of_a_word),
        cmocka_unit_test(test_many_groups),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
