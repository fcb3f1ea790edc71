// SPDX-License-Identifier: MIT
/*
 * race_fenced_test.c: races in global memory between blocks: those of a kernel
 * with fences, access by access (race_fenced.c), and those of one without, at
 * the launch's end (race_blocks.c); and what is left for other streams.
 */
#include "race_sample.h"
#include "simgpu/core/race/streams.h"

enum { X = 1024, FLAG = 0 };

static const enum verb basic[] = {LOAD, STORE, STRONG_LOAD, STRONG_STORE, ADD};
static const bool basic_races[5][5] = {
    /* LOAD         */ {0, 1, 0, 1, 1},
    /* STORE        */ {1, 1, 1, 1, 1},
    /* STRONG_LOAD  */ {0, 1, 0, 0, 0},
    /* STRONG_STORE */ {1, 1, 0, 0, 0},
    /* ADD          */ {1, 1, 0, 0, 0},
};

/* The launch ends; how many races that shows. */
static uint64_t report(struct races *r)
{
    struct streams *s = streams_open(&r->h->engine.memory);
    struct worker all[BLOCKS_MOST];
    r->h->engine.streams = s;
    for (uint32_t n = 0; n < r->blocks; n++)
        all[n] = *r->worker[n];
    race_report(all, (int)r->blocks);
    for (uint32_t n = 0; n < r->blocks; n++)
        r->worker[n]->found = all[n].found;
    streams_close(s);
    r->h->engine.streams = NULL;
    return seen(r);
}

static uint64_t pair(enum verb a, enum verb b, bool fenced, uint32_t second)
{
    struct races *r = race_begin(2, 64, fenced);
    value(warp_of(r, 0, 0), 1);
    assert_int_equal(does(r, warp_of(r, 0, 0), a, 1, r->global + X), 0);
    uint32_t warp = second == 0;
    value(warp_of(r, second, warp), 2);
    uint64_t n = does(r, warp_of(r, second, warp), b, 1, r->global + X);
    n += report(r);
    race_finish(r);
    return n;
}

static void test_each_pair(void **state)
{
    (void)state;
    for (int a = 0; a < 5; a++)
        for (int b = 0; b < 5; b++)
            for (int fenced = 0; fenced < 2; fenced++) {
                assert_int_equal(pair(basic[a], basic[b], fenced, 1),
                                 basic_races[a][b]);
                assert_int_equal(pair(basic[a], basic[b], fenced, 0),
                                 basic_races[a][b]);
            }
}

/* To another block, an atomic of the block's scope is a plain write. */
static void test_scope(void **state)
{
    (void)state;
    for (int fenced = 0; fenced < 2; fenced++) {
        assert_int_equal(pair(ADD, ADD_IN_BLOCK, fenced, 1), 1);
        assert_int_equal(pair(ADD, ADD_IN_BLOCK, fenced, 0), 0);
    }
}

static void test_one_value(void **state)
{
    (void)state;
    for (int fenced = 0; fenced < 2; fenced++) {
        struct races *r = race_begin(3, 32, fenced);
        for (uint32_t b = 0; b < 3; b++) {
            value(warp_of(r, b, 0), 5);
            assert_int_equal(does(r, warp_of(r, b, 0), STORE, 1,
                                  r->global + X), 0);
            assert_int_equal(does(r, warp_of(r, b, 0), STORE_BYTE, 1,
                                  r->global + X + 2048), 0);
        }
        value(warp_of(r, 2, 0), 6);
        uint64_t n = does(r, warp_of(r, 2, 0), STORE, 1, r->global + X);
        assert_int_equal(n + report(r), 1); /* against those before */
        race_finish(r);
    }
}

/* Two blocks, each its own byte of a word; then one the whole word. */
static void test_bytes(void **state)
{
    (void)state;
    for (int fenced = 0; fenced < 2; fenced++) {
        struct races *r = race_begin(3, 32, fenced);
        uint64_t n = 0;
        for (uint32_t b = 0; b < 3; b++)
            value(warp_of(r, b, 0), b + 1);
        n += does(r, warp_of(r, 0, 0), STORE_BYTE, 1, r->global + X);
        n += does(r, warp_of(r, 1, 0), STORE_BYTE, 1, r->global + X + 1);
        n += does(r, warp_of(r, 2, 0), LOAD_BYTE, 1, r->global + X + 2);
        assert_int_equal(n + report(r), 0);
        n = does(r, warp_of(r, 0, 0), STORE_BYTE, 1, r->global + X);
        n += does(r, warp_of(r, 1, 0), STORE_BYTE, 1, r->global + X + 1);
        n += does(r, warp_of(r, 2, 0), LOAD, 1, r->global + X);
        assert_int_equal(n + report(r), 2);
        race_finish(r);
    }
}

/* Two blocks whose accesses overlap in two bytes, in a word, or in words: one
 * hit. A word beside bytes that race is no second one. */
static void test_a_pair_counts_once(void **state)
{
    static const struct { enum verb first, second; } pairs[] = {
        {STORE, LOAD_BYTE}, {LOAD_BYTE, STORE}, {STORE_BYTE, LOAD_FOUR},
        {STORE_FOUR, LOAD_FOUR}, {LOAD_FOUR, STORE}, {STORE, STORE_BYTE},
        {STORE_FOUR, STORE_FOUR},
    };
    (void)state;
    for (int fenced = 0; fenced < 2; fenced++)
        for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++) {
            struct races *r = race_begin(2, 32, fenced);
            struct warp *a = warp_of(r, 0, 0), *b = warp_of(r, 1, 0);
            struct detail *d = r->h->detail;
            d[LOAD_BYTE].access.size = d[STORE_BYTE].access.size = 2;
            d[LOAD_BYTE].size = d[STORE_BYTE].size = 2;
            value(a, 0x01010101);
            value(b, 0x02020202);
            uint64_t n = does(r, a, pairs[k].first, 1, r->global + X);
            n += does(r, b, pairs[k].second, 1, r->global + X);
            n += does(r, b, STORE_BYTE, 1, r->global + X + 64);
            assert_int_equal(n + report(r), 1);
            race_finish(r);
        }
}

static void test_word_then_bytes(void **state)
{
    (void)state;
    for (int fenced = 0; fenced < 2; fenced++) {
        struct races *r = race_begin(2, 32, fenced);
        value(warp_of(r, 0, 0), 0x01020304);
        value(warp_of(r, 1, 0), 3);
        uint64_t n = does(r, warp_of(r, 0, 0), STORE, 1, r->global + X);
        n += does(r, warp_of(r, 1, 0), STORE_BYTE, 1, r->global + X + 1);
        assert_int_equal(n + report(r), 0);
        race_finish(r);
        r = race_begin(2, 32, fenced);
        value(warp_of(r, 0, 0), 0x01020304);
        value(warp_of(r, 1, 0), 3);
        n = does(r, warp_of(r, 0, 0), STORE, 1, r->global + X);
        n += does(r, warp_of(r, 1, 0), STORE_BYTE, 1, r->global + X + 2);
        assert_int_equal(n + report(r), 1);
        race_finish(r);
    }
}

/* The records of a word's bytes are no other word's. */
static void test_bytes_of_neighbours(void **state)
{
    (void)state;
    for (int fenced = 0; fenced < 2; fenced++) {
        struct races *r = race_begin(1, 64, fenced);
        struct warp *a = warp_of(r, 0, 0), *b = warp_of(r, 0, 1);
        does(r, a, STORE_BYTE, 1, r->global + X + 4);
        does(r, a, STORE_BYTE, 1, r->global + X);
        assert_int_equal(does(r, b, LOAD_BYTE, 1, r->global + X + 4), 1);
        race_finish(r);
    }
}

/* A load races with two stores of one thread: these are two findings. */
static void test_each_store_is_named(void **state)
{
    (void)state;
    for (int fenced = 0; fenced < 2; fenced++) {
        struct races *r = race_begin(2, 32, fenced);
        struct warp *a = warp_of(r, 0, 0), *b = warp_of(r, 1, 0);
        does(r, a, STORE, 1, r->global + X);
        does(r, a, STORE_FOUR, 1, r->global + X + 16);
        uint64_t n = does(r, b, LOAD, 1, r->global + X);
        n += does(r, b, LOAD, 1, r->global + X + 16);
        assert_int_equal(n + report(r), 2);
        const struct found *f = r->worker[fenced]->found;
        assert_int_equal(f->n, 2);
        assert_int_equal(f->list[0].other.line, STORE + 1);
        assert_int_equal(f->list[1].other.line, STORE_FOUR + 1);
        race_finish(r);
    }
}

/* Blocks may wait for each other if the kernel, or a function that it may call,
 * has a fence; what another kernel has is none of it. */
static void test_whose_fence(void **state)
{
    struct detail d = {.access = {.release = true}};
    struct inst i = {.detail = &d};
    (void)state;
    for (int entry = 0; entry < 2; entry++) {
        struct races *r = race_begin(1, 32, false);
        struct run other = r->h->run;
        struct function *f = &r->h->module.functions[1];
        f->insts = &i;
        f->n_insts = 1;
        f->is_entry = entry;
        assert_true(race_open(&other));
        assert_int_equal(other.race_mode, entry ? RACES_APART : RACES_FENCED);
        race_close(&other);
        race_finish(r);
    }
}

static void test_message(void **state)
{
    (void)state;
    struct races *r = race_begin(2, 64, true);
    struct warp *a = warp_of(r, 0, 0), *b = warp_of(r, 1, 0);
    value(a, 1);
    assert_int_equal(does(r, a, STORE, 1, r->global + X), 0);
    fence(a, 1);
    assert_int_equal(does(r, a, STRONG_STORE, 1, r->global + FLAG), 0);
    assert_int_equal(does(r, b, STRONG_LOAD, 1, r->global + FLAG), 0);
    assert_int_equal(does(r, b, LOAD, 1, r->global + X), 0);
    assert_int_equal(does(r, b, STORE, 1, r->global + X), 0);
    assert_int_equal(does(r, a, LOAD, 1, r->global + X), 1);
    assert_int_equal(does(r, warp_of(r, 1, 1), LOAD, 1, r->global + X), 1);
    race_finish(r);
}

/* Of a block and another the reader is accused; of two writers the later
 * block, whichever came first. */
static void test_who_is_accused(void **state)
{
    (void)state;
    for (int turn = 0; turn < 2; turn++) {
        struct races *r = race_begin(3, 64, true);
        struct warp *writer = warp_of(r, 1, 0), *reader = warp_of(r, 2, 1);
        value(writer, 1);
        does(r, turn ? reader : writer, turn ? LOAD : STORE, 2,
             r->global + X);
        assert_int_equal(does(r, turn ? writer : reader,
                              turn ? STORE : LOAD, 2, r->global + X), 1);
        const struct finding *f = last_race(r, turn ? 1 : 2);
        assert_int_equal(f->at.line, LOAD + 1);
        assert_false(f->at.write);
        assert_int_equal(f->block[0], 2);
        assert_int_equal(f->at.thread[0], 33);
        assert_int_equal(f->other.line, STORE + 1);
        assert_int_equal(f->other.thread[0], 1);
        assert_int_equal(f->address, r->global + X);
        assert_int_equal(f->bytes, 4);
        assert_int_equal(f->offset, X);
        assert_int_equal(f->allocation, 1);
        assert_non_null(strstr(f->detail, "block (1,0,0)"));
        race_finish(r);
        r = race_begin(3, 64, true);
        for (int k = 0; k < 2; k++) {
            uint32_t block = (k == turn) + 1;
            value(warp_of(r, block, 0), block);
            does(r, warp_of(r, block, 0), STORE, 1, r->global + X);
        }
        f = last_race(r, turn ? 2 : 1);
        assert_int_equal(f->block[0], 2);
        assert_non_null(strstr(f->detail, "block (1,0,0)"));
        race_finish(r);
    }
}

/* Without fences, the report is the same whichever block came first. */
static void test_report_in_any_order(void **state)
{
    (void)state;
    for (int turn = 0; turn < 2; turn++) {
        struct races *r = race_begin(3, 32, false);
        for (uint32_t k = 0; k < 3; k++) {
            uint32_t block = turn ? 2 - k : k;
            struct warp *w = warp_of(r, block, 0);
            value(w, block);
            does_each(r, w, STORE, ALL, r->global + 128 * block);
            does_each(r, w, LOAD, 1, r->global + 128 * ((block + 1) % 3));
        }
        assert_int_equal(report(r), 3);
        const struct finding *f = last_race(r, 0);
        assert_int_equal(f->at.line, LOAD + 1);
        assert_int_equal(f->block[0], 0);
        assert_int_equal(f->other.line, STORE + 1);
        assert_int_equal(report(r), 0); /* it forgets */
        race_finish(r);
    }
}

/* Of a launch that ended early nobody knows what the rest would have done. */
static void test_no_report_of_a_faulty_launch(void **state)
{
    (void)state;
    struct races *r = race_begin(2, 32, false);
    for (uint32_t b = 0; b < 2; b++) {
        value(warp_of(r, b, 0), b + 1);
        does(r, warp_of(r, b, 0), STORE, 1, r->global + X);
        does(r, warp_of(r, b, 0), STORE_BYTE, 1, r->global + X + 2048);
    }
    r->h->run.fault = FAULT_TRAP;
    assert_int_equal(report(r), 0);
    r->h->run.fault = FAULT_NONE;
    assert_int_equal(report(r), 0); /* all the same it forgets */
    race_finish(r);
}

/* Readers of many blocks, then a writer that follows none of them. */
static void test_readers(void **state)
{
    (void)state;
    struct races *r = race_begin(4, 32, true);
    for (uint32_t b = 0; b < 3; b++)
        assert_int_equal(does(r, warp_of(r, b, 0), LOAD, 1, r->global + X), 0);
    value(warp_of(r, 3, 0), 9);
    assert_int_equal(does(r, warp_of(r, 3, 0), STORE, 1, r->global + X), 1);
    race_finish(r);
}

/* A reader that is ordered before gives its place to one that is not. */
static void test_place_of_a_reader(void **state)
{
    (void)state;
    struct races *r = race_begin(3, 64, true);
    struct warp *a = warp_of(r, 0, 0);
    does(r, a, LOAD, 1, r->global + X);
    does(r, warp_of(r, 0, 1), LOAD, 1, r->global + X);
    barrier(r, 0);
    does(r, a, LOAD, 4, r->global + X);          /* for one of the two */
    does(r, warp_of(r, 1, 0), LOAD, 1, r->global + X);
    value(a, 3);
    assert_int_equal(does(r, a, STORE, 4, r->global + X), 1);
    assert_int_equal(last_race(r, 0)->block[0], 1);
    race_finish(r);
}

/* Threads of one number in two blocks are two readers. */
static void test_same_thread_of_two_blocks(void **state)
{
    (void)state;
    for (uint32_t first = 0; first < 2; first++) {
        struct races *r = race_begin(3, 32, true);
        does(r, warp_of(r, first, 0), LOAD, 1, r->global + X);
        does(r, warp_of(r, !first, 0), LOAD, 1, r->global + X);
        fence(warp_of(r, 1, 0), 1);
        does(r, warp_of(r, 1, 0), STRONG_STORE, 1, r->global + FLAG);
        does(r, warp_of(r, 2, 0), STRONG_LOAD, 1, r->global + FLAG);
        struct warp *w = warp_of(r, 2, 0);
        value(w, 3);
        assert_int_equal(does(r, w, STORE, 1, r->global + X), 1);
        const struct finding *f = last_race(r, 2);
        assert_non_null(strstr(f->detail, "block (2,0,0)"));
        assert_int_equal(f->block[0], 0);
        race_finish(r);
    }
}

/* For the streams: what was done to each word, and to each byte. */
static void test_what_is_left(void **state)
{
    (void)state;
    for (int fenced = 0; fenced < 2; fenced++) {
        struct races *r = race_begin(2, 32, fenced);
        struct worker all[2];
        struct race_unit x;
        struct warp *w = warp_of(r, 1, 0);
        value(w, 0x11223344);
        does(r, w, STORE, 1, r->global + X);
        does(r, w, LOAD, 1, r->global + X + 4);
        does(r, w, STORE_BYTE, 1, r->global + X + 9);
        all[0] = *r->worker[0];
        all[1] = *r->worker[1];
        size_t word = (r->global + X - DEVICE_BASE) / RACE_WORD;
        unsigned classes = (1u << RACE_CLASSES) - 1;
        for (size_t n = 0; n < 4; n++) {
            if (fenced)
                race_fenced_unit(&r->h->run, 0, word + n, &x);
            else
                race_blocks_unit(all, 2, 0, word + n, classes, &x);
            assert_int_equal(x.tag[RACE_WRITE] != 0, n == 0);
            assert_int_equal(x.tag[RACE_STRONG_WRITE], 0);
            if (n == 0) {
                assert_int_equal(x.value, 0x11223344);
                assert_false(x.many);
                assert_int_equal(x.tag[RACE_WRITE] >> TAG_STAMP, 2);
            }
        }
        for (size_t n = 0; n < 12; n++) {
            if (fenced)
                race_fenced_unit(&r->h->run, 1, word * 4 + n, &x);
            else
                race_blocks_unit(all, 2, 1, word * 4 + n, classes, &x);
            assert_int_equal(x.tag[RACE_WRITE] != 0, n < 4 || n == 9);
            if (n < 4)
                assert_int_equal(x.value, 0x11 * (4 - n));
            if (n == 9)
                assert_int_equal(x.value, 0x44);
        }
        if (fenced) {
            size_t group = word / RACE_GROUP;
            assert_true(group < race_fenced_groups(&r->h->run));
            assert_int_equal(race_fenced_touched(&r->h->run, group), 3);
        }
        race_finish(r);
    }
}

/* Whoever only reads changes no value. */
static void test_value_that_is_left(void **state)
{
    (void)state;
    for (uint32_t writer = 0; writer < 2; writer++) {
        struct races *r = race_begin(2, 32, false);
        struct worker all[2];
        struct race_unit x;
        value(warp_of(r, writer, 0), 5);
        does(r, warp_of(r, writer, 0), STORE, 1, r->global + X);
        does(r, warp_of(r, !writer, 0), LOAD, 1, r->global + X);
        all[0] = *r->worker[0];
        all[1] = *r->worker[1];
        race_blocks_unit(all, 2, 0, (r->global + X - DEVICE_BASE) / RACE_WORD,
                         (1u << RACE_CLASSES) - 1, &x);
        assert_int_equal(x.value, 5);
        assert_false(x.many);
        race_finish(r);
    }
}

static void test_block_at(void **state)
{
    static const uint32_t grid[3] = {3, 4, 5};
    uint32_t id[3];
    (void)state;
    race_block_at(grid, 3 * 4 * 2 + 3 * 1 + 2, id);
    assert_int_equal(id[0], 2);
    assert_int_equal(id[1], 1);
    assert_int_equal(id[2], 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_pair),
        cmocka_unit_test(test_scope),
        cmocka_unit_test(test_one_value),
        cmocka_unit_test(test_bytes),
        cmocka_unit_test(test_a_pair_counts_once),
        cmocka_unit_test(test_word_then_bytes),
        cmocka_unit_test(test_bytes_of_neighbours),
        cmocka_unit_test(test_each_store_is_named),
        cmocka_unit_test(test_whose_fence),
        cmocka_unit_test(test_message),
        cmocka_unit_test(test_who_is_accused),
        cmocka_unit_test(test_report_in_any_order),
        cmocka_unit_test(test_no_report_of_a_faulty_launch),
        cmocka_unit_test(test_readers),
        cmocka_unit_test(test_place_of_a_reader),
        cmocka_unit_test(test_same_thread_of_two_blocks),
        cmocka_unit_test(test_what_is_left),
        cmocka_unit_test(test_value_that_is_left),
        cmocka_unit_test(test_block_at),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
