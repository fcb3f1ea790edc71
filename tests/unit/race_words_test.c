// SPDX-License-Identifier: MIT
/*
 * race_words_test.c: which two accesses of a block race, word by word and byte
 * by byte. What orders them is race_order_test.c's matter: here only barriers.
 */
#include "race_sample.h"

enum { WORD = 2048 }; /* in shared memory */

/* Do two accesses race, of two threads of two warps, or of one warp? */
static bool pair(enum verb first, enum verb second, bool one_warp,
                 uint64_t address)
{
    struct races *r = race_begin(1, 64, false);
    uint64_t at = address ? r->global : WORD;
    value(warp_of(r, 0, 0), 1);
    value(warp_of(r, 0, 1), 2);
    uint64_t alone = does(r, warp_of(r, 0, 0), first, 1, at);
    assert_int_equal(alone, 0);
    if (one_warp)
        value(warp_of(r, 0, 0), 2);
    uint64_t n = does(r, warp_of(r, 0, one_warp ? 0 : 1), second,
                      one_warp ? 2 : 1, at);
    assert_true(n <= 1);
    race_finish(r);
    return n;
}

static const enum verb basic[] = {LOAD, STORE, STRONG_LOAD, STRONG_STORE, ADD};
static const bool basic_races[5][5] = {
    /* LOAD         */ {0, 1, 0, 1, 1},
    /* STORE        */ {1, 1, 1, 1, 1},
    /* STRONG_LOAD  */ {0, 1, 0, 0, 0},
    /* STRONG_STORE */ {1, 1, 0, 0, 0},
    /* ADD          */ {1, 1, 0, 0, 0},
};

static void test_each_pair(void **state)
{
    (void)state;
    for (int a = 0; a < 5; a++)
        for (int b = 0; b < 5; b++)
            for (int global = 0; global < 2; global++) {
                assert_int_equal(pair(basic[a], basic[b], false, global),
                                 basic_races[a][b]);
                assert_int_equal(pair(basic[a], basic[b], true, global),
                                 basic_races[a][b]);
            }
}

/* A compare-and-swap counts as a read: it may meet a plain read, and not a
 * plain write. */
static void test_swap(void **state)
{
    (void)state;
    assert_false(pair(LOAD, SWAP, false, 0));
    assert_false(pair(SWAP, LOAD, false, 0));
    assert_true(pair(STORE, SWAP, false, 0));
    assert_true(pair(SWAP, STORE, false, 0));
}

/* Lanes of a warp are in no step: volatile is not enough for them. */
static void test_volatile_in_a_warp(void **state)
{
    (void)state;
    assert_true(pair(VOLATILE_STORE, VOLATILE_LOAD, true, 0));
    assert_true(pair(VOLATILE_LOAD, VOLATILE_STORE, true, 0));
    assert_false(pair(VOLATILE_STORE, VOLATILE_LOAD, false, 0));
    assert_false(pair(VOLATILE_STORE, VOLATILE_STORE, true, 0));
    assert_false(pair(VOLATILE_STORE, STRONG_LOAD, true, 0));
    assert_false(pair(STRONG_STORE, VOLATILE_LOAD, true, 0));
}

static void test_one_value(void **state)
{
    (void)state;
    struct races *r = race_begin(1, 64, false);
    struct warp *a = warp_of(r, 0, 0), *b = warp_of(r, 0, 1);
    value(a, 7);
    value(b, 7);
    assert_int_equal(does(r, a, STORE, ALL, WORD), 0);
    assert_int_equal(does(r, b, STORE, ALL, WORD), 0);
    value(b, 8);
    assert_int_equal(does(r, b, STORE, 1, WORD), 2); /* against both */
    assert_int_equal(does(r, b, STORE_BYTE, 1, WORD + 9), 0);
    value(a, 0x108);
    assert_int_equal(does(r, a, STORE_BYTE, 1, WORD + 9), 0);
    value(a, 9);
    assert_int_equal(does(r, a, STORE_BYTE, 2, WORD + 9), 2);
    race_finish(r);
}

/* What .sync of some lanes orders is no race, though the one before it stands
 * in the list; nor does one that is found again count for another. */
static void test_known_races(void **state)
{
    struct variable x = {.name = "x", .address = WORD, .bytes = 256};
    (void)state;
    struct races *r = race_begin(1, 64, false);
    r->h->kernel.shared = &x;
    r->h->kernel.n_shared = 1;
    struct warp *a = warp_of(r, 0, 0), *b = warp_of(r, 0, 1);
    does(r, a, STORE, 1, WORD);
    does(r, a, STORE, 1, WORD + 4);
    assert_int_equal(does(r, a, LOAD, 2, WORD), 1);
    warp_sync(a, 3);
    assert_int_equal(does(r, a, LOAD, 2, WORD + 4), 0);
    race_finish(r);
    r = race_begin(1, 64, false);
    r->h->kernel.shared = &x;
    r->h->kernel.n_shared = 1;
    a = warp_of(r, 0, 0);
    b = warp_of(r, 0, 1);
    does_each(r, a, STORE, 0xff, WORD);
    does_each(r, a, STORE_FOUR, 1u << 8, WORD);
    for (uint64_t times = 1; times <= 3; times++) {
        does_each(r, b, LOAD, 0xfff, WORD);
        const struct found *f = r->worker[0]->found;
        assert_int_equal(f->n, 2);
        assert_int_equal(f->list[0].count, 8 * times);
        assert_int_equal(f->list[1].count, 4 * times);
    }
    race_finish(r);
}

/* Each lane's read counts, and again when it is no news. */
static void test_all_are_counted(void **state)
{
    (void)state;
    struct races *r = race_begin(1, 64, false);
    struct warp *a = warp_of(r, 0, 0), *b = warp_of(r, 0, 1);
    does_each(r, a, STORE, ALL, WORD);
    for (int times = 0; times < 4; times++)
        assert_int_equal(does_each(r, b, LOAD, ALL, WORD), LANES);
    for (int times = 0; times < 4; times++)
        assert_int_equal(does(r, b, LOAD, ALL, WORD), LANES);
    race_finish(r);
}

/* A hit is a pair of accesses, in however many bytes they overlap. */
static void test_a_pair_counts_once(void **state)
{
    (void)state;
    for (int global = 0; global < 2; global++) {
        struct races *r = race_begin(1, 64, false);
        struct access_form *two = &r->h->detail[LOAD_BYTE].access;
        struct warp *a = warp_of(r, 0, 0), *b = warp_of(r, 0, 1);
        uint64_t at = global ? r->global : WORD;
        two->size = r->h->detail[LOAD_BYTE].size = 2;
        does_each(r, a, STORE, 1, at);
        assert_int_equal(does(r, b, LOAD_BYTE, 1, at), 1);
        assert_int_equal(does(r, b, LOAD_BYTE, 2, at + 2), 1);
        /* One instruction twice: two accesses, whose bytes differ. */
        does(r, a, STORE_BYTE, 1, at + 16);
        does(r, a, STORE_BYTE, 1, at + 17);
        assert_int_equal(does(r, b, LOAD_BYTE, 1, at + 16), 2);
        /* Each of two readers, and each of four lanes. */
        does(r, b, LOAD_FOUR, 1, at + 32);
        assert_int_equal(does(r, a, STORE_FOUR, 1, at + 32), 1);
        assert_int_equal(does_each(r, b, LOAD, 0xf, at + 32), 4);
        assert_int_equal(does(r, b, LOAD_FOUR, 2, at + 32), 1);
        assert_int_equal(does(r, b, LOAD_FOUR, 2, at + 32), 1); /* no news */
        race_finish(r);
    }
}

/* Of a warp's writes of one value to one word all but the first count, once
 * each; so do writes of several words, and those by another instruction. */
static void test_equal_writes_count_once(void **state)
{
    (void)state;
    for (int global = 0; global < 2; global++) {
        struct races *r = race_begin(1, 64, false);
        struct warp *a = warp_of(r, 0, 0), *b = warp_of(r, 0, 1);
        uint64_t at = global ? r->global : WORD;
        value(a, 7);
        value(b, 7);
        does(r, a, STORE, ALL, at);
        assert_int_equal(noted(r), LANES - 1);
        does(r, b, STORE, 1, at);
        assert_int_equal(noted(r), LANES);
        does(r, a, STORE_FOUR, ALL, at + 16);
        assert_int_equal(noted(r), 2 * LANES - 1);
        does(r, a, STORE_BYTE, 3, at + 64);
        assert_int_equal(noted(r), 2 * LANES);
        does(r, b, VOLATILE_STORE, 1, at + 128);
        assert_int_equal(noted(r), 2 * LANES);
        race_finish(r);
    }
}

static void test_a_threads_own(void **state)
{
    (void)state;
    struct races *r = race_begin(1, 64, false);
    struct warp *a = warp_of(r, 0, 0);
    for (int v = 0; v < BULK_READ; v++) /* those need a proxy fence */
        assert_int_equal(does(r, a, (enum verb)v, 1, WORD), 0);
    race_finish(r);
}

static void test_barrier(void **state)
{
    (void)state;
    for (int global = 0; global < 2; global++) {
        struct races *r = race_begin(1, 64, false);
        uint64_t at = global ? r->global : WORD;
        value(warp_of(r, 0, 0), 1);
        does(r, warp_of(r, 0, 0), STORE, 1, at);
        barrier(r, 0);
        assert_int_equal(does(r, warp_of(r, 0, 1), LOAD, 1, at), 0);
        assert_int_equal(does(r, warp_of(r, 0, 0), STORE, 1, at), 1);
        barrier(r, 0);
        assert_int_equal(does(r, warp_of(r, 0, 1), STORE, 1, at), 0);
        race_finish(r);
    }
}

static void test_what_the_finding_says(void **state)
{
    (void)state;
    struct races *r = race_begin(1, 64, false);
    static const char name[] = "x";
    struct variable x = {.name = name, .address = WORD, .bytes = 64};
    r->h->kernel.shared = &x;
    r->h->kernel.n_shared = 1;
    does_each(r, warp_of(r, 0, 0), STORE, ALL, WORD);
    assert_int_equal(does(r, warp_of(r, 0, 1), ADD, 4, WORD + 12), 1);
    const struct finding *f = last_race(r, 0);
    assert_int_equal(f->kind, FIND_RACE);
    assert_int_equal(f->space, PTX_SPACE_SHARED);
    assert_int_equal(f->at.line, ADD + 1);
    assert_int_equal(f->at.thread[0], 34);
    assert_true(f->at.write);
    assert_true(f->at.atomic);
    assert_int_equal(f->other.line, STORE + 1);
    assert_int_equal(f->other.thread[0], 3);
    assert_true(f->other.write);
    assert_false(f->other.atomic);
    assert_int_equal(f->address, WORD + 12);
    assert_int_equal(f->bytes, 4);
    assert_string_equal(f->array, "x");
    assert_int_equal(f->offset, 12);
    assert_int_equal(f->array_bytes, 64);
    race_finish(r);
}

/* A tag that names no access has no source, in a module without a table. */
static void test_no_site(void **state)
{
    (void)state;
    struct races *r = race_begin(1, 64, false);
    uint64_t tag = touch(r, 0, 40).tag & ~SITE_MASK;
    assert_null(race_form(&r->h->run, tag));
    assert_null(race_site_of(&r->h->run, tag).file);
    assert_int_equal(race_site_of(&r->h->run, tag).thread[0], 40);
    race_finish(r);
}

/* Which thread it was, in a block of three dimensions. */
static void test_coordinates(void **state)
{
    (void)state;
    struct races *r = race_begin(1, 64, false);
    const uint32_t shape[3] = {2, 4, 8}, expected[3] = {1, 2, 5};
    memcpy(r->h->launch.block, shape, sizeof shape);
    struct site at = race_site_of(&r->h->run, touch(r, 0, 45).tag);
    assert_memory_equal(at.thread, expected, sizeof expected);
    race_finish(r);
}

/* An extern array goes to the end of shared memory. */
static void test_dynamic_array(void **state)
{
    (void)state;
    struct races *r = race_begin(1, 64, false);
    struct variable x[2] = {{.name = "x", .address = 1024, .bytes = 64},
                            {.name = "rest", .address = 1088,
                             .dynamic = true}};
    r->h->kernel.shared = x;
    r->h->kernel.n_shared = 2;
    does(r, warp_of(r, 0, 0), STORE, 1, WORD);
    assert_int_equal(does(r, warp_of(r, 0, 1), LOAD, 1, WORD), 1);
    assert_string_equal(last_race(r, 0)->array, "rest");
    assert_int_equal(last_race(r, 0)->offset, WORD - 1088);
    assert_int_equal(last_race(r, 0)->array_bytes, BYTES - 1088);
    r->h->kernel.n_shared = 1; /* what is behind x is no array's */
    does(r, warp_of(r, 0, 0), STORE, 1, 1088);
    assert_int_equal(does(r, warp_of(r, 0, 1), LOAD_FOUR, 1, 1088), 1);
    assert_null(last_race(r, 0)->array);
    race_finish(r);
}

/* The next launch on the same records. */
static void next_launch(struct races *r)
{
    race_observer.close(r->worker[0]);
    race_observer.open(r->worker[0]);
    race_observer.block(r->worker[0]);
}

/* Before stamps run out the records are forgotten, and stamps begin anew. */
static void test_stamps_begin_anew(void **state)
{
    (void)state;
    struct races *r = race_begin(1, 64, false);
    struct race *records = r->worker[0]->race;
    records->clock = STAMP_MOST;
    next_launch(r);
    assert_true(records->launch == STAMP_MOST + 1);
    for (int global = 0; global < 2; global++) {
        uint64_t at = global ? r->global : WORD;
        does(r, warp_of(r, 0, 0), STORE, 1, at);
        does(r, warp_of(r, 0, 0), STORE_BYTE, 1, at + 8);
    }
    next_launch(r);
    assert_int_equal(records->launch, 1);
    for (int global = 0; global < 2; global++) {
        uint64_t at = global ? r->global : WORD;
        assert_int_equal(does(r, warp_of(r, 0, 1), LOAD, 1, at), 0);
        assert_int_equal(does(r, warp_of(r, 0, 1), LOAD_BYTE, 1, at + 8), 0);
    }
    race_finish(r);
}

/* With a seed, blocks come in another order than that of their numbers. */
static void test_order_of_blocks(void **state)
{
    (void)state;
    struct races *r = race_begin(1, 32, false);
    assert_true(r->worker[0]->race->in_order);
    r->h->engine.config.seed = 7;
    next_launch(r);
    assert_false(r->worker[0]->race->in_order);
    race_finish(r);
}

/* Bytes of a word are apart, and yet of that word. */
static void test_bytes(void **state)
{
    (void)state;
    struct races *r = race_begin(1, 96, false);
    struct warp *a = warp_of(r, 0, 0), *b = warp_of(r, 0, 1),
                *c = warp_of(r, 0, 2);
    value(a, 1);
    value(b, 2);
    value(c, 3);
    assert_int_equal(does(r, a, STORE_BYTE, 1, WORD), 0);
    assert_int_equal(does(r, b, STORE_BYTE, 1, WORD + 1), 0);
    assert_int_equal(does(r, c, LOAD_BYTE, 1, WORD + 2), 0);
    assert_int_equal(does(r, c, LOAD_BYTE, 1, WORD + 1), 1);
    assert_int_equal(last_race(r, 0)->other.thread[0], 32);
    assert_int_equal(does(r, a, LOAD, 1, WORD), 1); /* b's byte */
    assert_int_equal(does(r, b, STORE, 1, WORD), 4); /* byte 0: two */
    race_finish(r);
}

/* A word that was read as such, and is then written in bytes. */
static void test_word_then_bytes(void **state)
{
    (void)state;
    struct races *r = race_begin(1, 64, false);
    struct warp *a = warp_of(r, 0, 0), *b = warp_of(r, 0, 1);
    value(a, 0x01020304);
    value(b, 3);
    does(r, a, STORE, 1, WORD);
    assert_int_equal(does(r, b, STORE_BYTE, 1, WORD + 1), 0); /* is 3 */
    assert_int_equal(does(r, b, STORE_BYTE, 1, WORD + 2), 1); /* is 2 */
    does(r, a, LOAD, 1, WORD + 8);
    does(r, b, LOAD, 1, WORD + 8);
    assert_int_equal(does(r, a, STORE_BYTE, 1, WORD + 11), 1);
    assert_int_equal(does(r, b, STORE_BYTE, 1, WORD + 10), 1);
    race_finish(r);
}

/* Once all of a word's bytes are old it is a word again. */
static void test_split_word_in_the_next_launch(void **state)
{
    (void)state;
    struct races *r = race_begin(1, 64, false);
    struct warp *a = warp_of(r, 0, 0), *b = warp_of(r, 0, 1);
    does(r, a, STORE_BYTE, 1, WORD);
    const struct race *records = r->worker[0]->race;
    size_t word = WORD / RACE_WORD;
    assert_true(records->shared[0].write[word] == TAG_NARROW);
    barrier(r, 0);
    assert_int_equal(does(r, b, STORE, 1, WORD), 0);
    assert_true(records->shared[0].write[word] == TAG_NARROW);
    race_observer.close(r->worker[0]);
    race_observer.open(r->worker[0]);
    race_observer.block(r->worker[0]);
    does(r, b, STORE_BYTE, 1, WORD + 4); /* says nothing of this one */
    assert_int_equal(does(r, b, STORE, 1, WORD), 0);
    assert_true(records->shared[0].write[word] != TAG_NARROW);
    value(a, 5);
    assert_int_equal(does(r, a, STORE, 1, WORD), 1);
    race_finish(r);
}

static void test_vectors_overlap(void **state)
{
    (void)state;
    struct races *r = race_begin(1, 64, false);
    struct warp *a = warp_of(r, 0, 0), *b = warp_of(r, 0, 1);
    value(a, 1);
    value(b, 2);
    assert_int_equal(does(r, a, STORE_FOUR, 1, WORD), 0);
    assert_int_equal(does(r, b, LOAD_FOUR, 1, WORD + 16), 0);
    assert_int_equal(does(r, b, LOAD_FOUR, 1, WORD - 16), 0);
    assert_int_equal(does(r, b, LOAD_FOUR, 2, WORD + 8), 1); /* two words */
    assert_int_equal(does(r, a, STORE, 2, WORD + 28), 1);
    race_finish(r);
}

/* Whoever writes next races with one of two readers, if with any. */
static void test_readers(void **state)
{
    (void)state;
    struct races *r = race_begin(1, 128, false);
    for (uint32_t w = 0; w < 4; w++)
        assert_int_equal(does(r, warp_of(r, 0, w), LOAD, 1u << w, WORD), 0);
    for (uint32_t w = 0; w < 4; w++) {
        value(warp_of(r, 0, w), w);
        assert_true(does(r, warp_of(r, 0, w), STORE, 1u << w, WORD) >= 1);
    }
    race_finish(r);
}

/* Two readers of one warp, then one of another: that one is kept, too. */
static void test_readers_of_two_warps(void **state)
{
    (void)state;
    struct races *r = race_begin(1, 64, false);
    does(r, warp_of(r, 0, 0), LOAD, 3, WORD);
    does(r, warp_of(r, 0, 1), LOAD, 1, WORD);
    warp_sync(warp_of(r, 0, 0), ALL);
    assert_int_equal(does(r, warp_of(r, 0, 0), STORE, 1, WORD), 1);
    assert_int_equal(last_race(r, 0)->other.thread[0], 32);
    race_finish(r);
}

/* Reads before a .sync of the warp do not stand for those behind it. */
static void test_readers_of_two_phases(void **state)
{
    (void)state;
    struct races *r = race_begin(1, 64, false);
    struct warp *w = warp_of(r, 0, 0);
    does(r, w, LOAD, 1, WORD);
    does(r, w, LOAD, 2, WORD);
    warp_sync(w, ALL);
    does(r, w, LOAD, 1, WORD);
    does(r, w, LOAD, 4, WORD);
    assert_int_equal(does(r, w, STORE, 1, WORD), 1);
    race_finish(r);
}

/* A strong write keeps its place beside readers. */
static void test_strong_write_among_readers(void **state)
{
    (void)state;
    struct races *r = race_begin(1, 96, false);
    does(r, warp_of(r, 0, 0), STRONG_STORE, 1, WORD);
    does(r, warp_of(r, 0, 1), STRONG_LOAD, 1, WORD);
    assert_int_equal(does(r, warp_of(r, 0, 2), LOAD, 1, WORD), 1);
    assert_int_equal(last_race(r, 0)->other.thread[0], 0);
    race_finish(r);
}

/* A copy is looked at when it is issued, and is there when it lands. */
static void test_copy_lands_later(void **state)
{
    (void)state;
    uint8_t *shared = calloc(1, BYTES);
    struct races *r = race_begin(1, 64, false);
    struct warp *a = warp_of(r, 0, 0), *b = warp_of(r, 0, 1);
    struct access copy = event(r, a, COPY, 1, WORD, 0);
    does(r, b, LOAD, 1, WORD);
    copy.part = PART_ISSUED;
    assert_int_equal(raise_event(r, &copy), 1); /* b may not have read yet */
    barrier(r, 0);
    assert_int_equal(raise_event(r, &copy), 0);
    assert_int_equal(does(r, b, LOAD, 1, WORD), 0); /* not there yet */
    copy.part = PART_LANDED;
    copy.stored = (uintptr_t)shared;
    barrier(r, 0);
    assert_int_equal(raise_event(r, &copy), 0);
    assert_int_equal(does(r, b, LOAD, 1, WORD), 1);
    barrier(r, 0);
    assert_int_equal(does(r, b, STORE, 1, WORD), 0);
    copy.part = PART_WHOLE;
    assert_int_equal(raise_event(r, &copy), 1); /* one value or not */
    race_finish(r);
    free(shared);
}

/* What a warp wrote is fenced, and all is ordered. */
static void settle(struct races *r, struct warp *w)
{
    race_observer.fence(w, ALL, SCOPE_GPU, FENCE_PROXY);
    barrier(r, 0);
}

/* A copy to global memory that is under way is in no order with what its own
 * thread does; from its landing on it is. */
static void test_copy_under_way(void **state)
{
    static const enum verb verbs[] = {LOAD, LOAD_FOUR, STORE, BULK_READ,
                                      BULK_WRITE, VOLATILE_LOAD};
    uint32_t stamps[LANES];
    (void)state;
    for (int l = 0; l < LANES; l++)
        stamps[l] = STAMP_UNDER_WAY;
    for (int fenced = 0; fenced < 2; fenced++) {
        struct races *r = race_begin(1, 64, fenced);
        struct warp *a = warp_of(r, 0, 0), *b = warp_of(r, 0, 1);
        struct access copy = event(r, a, BULK_WRITE, 2, r->global, 0);
        struct access landed = copy;
        copy.stamps = stamps;
        landed.part = PART_LANDED;
        copy.stored = landed.stored =
            (uintptr_t)r->h->engine.memory.host - DEVICE_BASE;
        value(a, 7);
        for (size_t v = 0; v < sizeof verbs / sizeof *verbs; v++) {
            assert_int_equal(raise_event(r, &copy), 0);
            assert_int_equal(does(r, a, verbs[v], 2, r->global), 1);
            raise_event(r, &landed);
            settle(r, a);
            assert_int_equal(raise_event(r, &copy), 0);
            barrier(r, 0);
            assert_int_equal(does(r, b, LOAD, 1, r->global), 1);
            barrier(r, 0);
            raise_event(r, &landed);
            assert_int_equal(does(r, a, verbs[v], 2, r->global), 0);
            settle(r, a);
        }
        race_finish(r);
    }
}

/* Two copies of one thread read a word: the end of one says nothing of the
 * other. */
static void test_two_copies_read(void **state)
{
    uint32_t stamps[LANES];
    (void)state;
    for (int l = 0; l < LANES; l++)
        stamps[l] = STAMP_UNDER_WAY;
    for (int fenced = 0; fenced < 2; fenced++) {
        struct races *r = race_begin(1, 64, fenced);
        struct warp *a = warp_of(r, 0, 0);
        struct access copy = event(r, a, BULK_READ, 2, r->global, 0);
        struct access landed = copy;
        copy.stamps = stamps;
        landed.part = PART_LANDED;
        raise_event(r, &copy);
        raise_event(r, &copy);
        raise_event(r, &landed);
        assert_int_equal(does(r, a, STORE, 2, r->global), 1);
        raise_event(r, &landed);
        assert_int_equal(does(r, a, STORE, 2, r->global), 0);
        raise_event(r, &landed); /* none is left: a read like any other */
        assert_int_equal(does(r, a, STORE, 2, r->global), 0);
        assert_int_equal(does(r, warp_of(r, 0, 1), STORE, 1, r->global), 1);
        race_finish(r);
    }
}

/* Of two instructions' copies it is the one whose end is told that ends. */
static void test_copies_of_two_instructions(void **state)
{
    uint32_t stamps[LANES], of_now[LANES] = {0};
    (void)state;
    for (int l = 0; l < LANES; l++)
        stamps[l] = STAMP_UNDER_WAY;
    for (int n = 0; n < 4; n++) {
        enum verb ends = n & 1 ? LOAD : BULK_READ;
        enum verb stays = n & 1 ? BULK_READ : LOAD;
        struct races *r = race_begin(1, 64, false);
        struct warp *a = warp_of(r, 0, 0);
        struct access one = event(r, a, n & 2 ? ends : stays, 2, WORD, 0);
        struct access two = event(r, a, n & 2 ? stays : ends, 2, WORD, 0);
        struct access landed = event(r, a, ends, 2, WORD, 0);
        one.stamps = two.stamps = stamps;
        landed.part = PART_LANDED;
        landed.stamps = of_now;
        raise_event(r, &one);
        raise_event(r, &two);
        raise_event(r, &landed);
        assert_int_equal(does(r, a, STORE, 2, WORD), 1);
        assert_int_equal(last_race(r, 0)->other.line, stays + 1);
        race_finish(r);
    }
}

static void test_bytes_in(void **state)
{
    (void)state;
    assert_int_equal(race_bytes_in(8, 12, 8), 0xf);
    assert_int_equal(race_bytes_in(9, 12, 8), 0xe);
    assert_int_equal(race_bytes_in(4, 11, 8), 0x7);
    assert_int_equal(race_bytes_in(10, 11, 8), 0x4);
    assert_int_equal(race_bytes_in(0, 64, 8), 0xf);
}

/* Random accesses against a list of all of them --------------------------- */

enum { EVENTS = 60, ROUNDS = 300, SPAN = 16 };

struct past { uint32_t thread; enum verb verb; uint64_t from, to; };

static uint32_t next(uint32_t *seed, uint32_t below)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (*seed >> 16) % below;
}

static bool writes(enum verb v)
{
    return verb_forms[v].write;
}

static bool races_with(const struct past *a, const struct past *b)
{
    bool strong = verb_forms[a->verb].strong && verb_forms[b->verb].strong;
    return a->thread != b->thread && a->from < b->to && b->from < a->to &&
           (writes(a->verb) || writes(b->verb)) && !strong;
}

/* After each barrier: no race is made up; and the first is found, at least
 * among plain accesses. */
static void random_rounds(const enum verb *verbs, uint32_t n, bool all_found,
                          bool global)
{
    uint32_t seed = 9, values = 0;
    for (int round = 0; round < ROUNDS; round++) {
        struct races *r = race_begin(1, 96, false);
        struct past past[EVENTS];
        size_t known = 0;
        bool raced = false;
        for (int e = 0; e < EVENTS; e++) {
            if (next(&seed, 9) == 0) {
                barrier(r, 0);
                known = 0;
                raced = false;
            }
            uint32_t thread = next(&seed, 6) * 17;
            enum verb verb = verbs[next(&seed, n)];
            uint32_t bytes = (uint32_t)verb_forms[verb].size *
                             verb_forms[verb].n;
            uint64_t from = (global ? r->global : WORD) +
                            next(&seed, SPAN / bytes) * bytes;
            struct past now = {thread, verb, from, from + bytes};
            bool races = false;
            for (size_t k = 0; k < known; k++)
                races |= races_with(&past[k], &now);
            struct warp *w = warp_of(r, 0, thread / LANES);
            value(w, 0x01010101 * ++values);
            bool found = does(r, w, verb, 1u << thread % LANES, from) > 0;
            if (found && !races)
                fail_msg("round %d: a race made up, event %d", round, e);
            if (!found && races && !raced && all_found)
                fail_msg("round %d: a race not found, event %d", round, e);
            raced |= races;
            past[known++] = now;
        }
        race_finish(r);
    }
}

static void test_random_words(void **state)
{
    static const enum verb verbs[] = {LOAD, LOAD, STORE};
    (void)state;
    random_rounds(verbs, 3, true, false);
    random_rounds(verbs, 3, true, true);
}

static void test_random_bytes(void **state)
{
    static const enum verb verbs[] = {LOAD, LOAD_BYTE, LOAD_BYTE, STORE_BYTE,
                                      STORE, LOAD_FOUR};
    (void)state;
    random_rounds(verbs, 6, true, false);
    random_rounds(verbs, 6, true, true);
}

static void test_random_of_all_kinds(void **state)
{
    static const enum verb verbs[] = {LOAD, STORE, STRONG_LOAD, STRONG_STORE,
                                      ADD, LOAD_BYTE, STORE_BYTE, STORE_FOUR};
    (void)state;
    random_rounds(verbs, 8, false, false);
    random_rounds(verbs, 8, false, true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_pair),
        cmocka_unit_test(test_swap),
        cmocka_unit_test(test_volatile_in_a_warp),
        cmocka_unit_test(test_one_value),
        cmocka_unit_test(test_known_races),
        cmocka_unit_test(test_all_are_counted),
        cmocka_unit_test(test_a_pair_counts_once),
        cmocka_unit_test(test_equal_writes_count_once),
        cmocka_unit_test(test_a_threads_own),
        cmocka_unit_test(test_barrier),
        cmocka_unit_test(test_what_the_finding_says),
        cmocka_unit_test(test_no_site),
        cmocka_unit_test(test_coordinates),
        cmocka_unit_test(test_dynamic_array),
        cmocka_unit_test(test_stamps_begin_anew),
        cmocka_unit_test(test_order_of_blocks),
        cmocka_unit_test(test_bytes),
        cmocka_unit_test(test_word_then_bytes),
        cmocka_unit_test(test_split_word_in_the_next_launch),
        cmocka_unit_test(test_vectors_overlap),
        cmocka_unit_test(test_readers),
        cmocka_unit_test(test_readers_of_two_warps),
        cmocka_unit_test(test_readers_of_two_phases),
        cmocka_unit_test(test_strong_write_among_readers),
        cmocka_unit_test(test_copy_lands_later),
        cmocka_unit_test(test_copy_under_way),
        cmocka_unit_test(test_two_copies_read),
        cmocka_unit_test(test_copies_of_two_instructions),
        cmocka_unit_test(test_bytes_in),
        cmocka_unit_test(test_random_words),
        cmocka_unit_test(test_random_bytes),
        cmocka_unit_test(test_random_of_all_kinds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
