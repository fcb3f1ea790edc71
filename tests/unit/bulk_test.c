// SPDX-License-Identifier: MIT
/*
 * bulk_test.c: copies of many bytes that land later (access/bulk.c): what
 * memory holds before and after, and whom they accuse. What they wait for, in
 * programs: tests/simgpu/programs_async.c.
 */
#include "warp_sample.h"

#include "simgpu/core/access/bulk.h"
#include "simgpu/core/access/values.h"
#include "simgpu/core/exec/mbarrier_object.h"
#include "simgpu/core/memory/memory.h"

enum { ROOM = 4 << 10, SOURCE = 1024, TARGET = 2048, SIZE = 48 };

static struct hand *h;
static struct worker *k;
static struct inst *inst;
static uint64_t global;

static int setup(void **state)
{
    (void)state;
    h = hand_open(32);
    k = &h->worker;
    h->run.shared_end = ROOM;
    k->shared = calloc(1, ROOM);
    k->shared_init = calloc(1, ROOM / 8 + 64);
    assert_true(k->shared && k->shared_init);
    assert_true(memory_open(&h->engine.memory, 1 << 20));
    global = memory_alloc(&h->engine.memory, ROOM, false);
    struct detail *d = &h->detail[0];
    static const struct access_form from = {.kind = ACCESS_BULK, .size = 16,
                                            .n = 1, .proxy = PROXY_ASYNC};
    d->access = from;
    d->access.write = true;
    d->from = &from;
    inst = hand_put(h, (struct inst){.fn = op_nop, .detail = d, .source = 5});
    hand_start(h);
    leaf_choose(&k->block.warps[0]);
    bits_set(k->shared_init, 0, ROOM);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    bulks_close(k);
    node_recycle(k, k->block.warps[0].leaf);
    free(k->arriving);
    free(k->shared);
    free(k->shared_init);
    memory_close(&h->engine.memory);
    hand_close(h);
    return 0;
}

/* SIZE bytes of 0xab under way to shared memory, from it, or both. */
static struct bulk *start(bool to, bool from)
{
    struct bulk *x = bulk_new(&k->block.warps[0], inst, 3, SIZE);
    memset(x->data, 0xab, SIZE);
    x->to = to ? k : NULL;
    x->from = from ? k : NULL;
    if (to)
        bulk_add(&x->target, TARGET, 0, SIZE);
    if (from)
        bulk_add(&x->source, SOURCE, 0, SIZE);
    bulk_start(x);
    return x;
}

static bool is_there(uint64_t at)
{
    return k->shared[at] == 0xab && k->shared[at + SIZE - 1] == 0xab;
}

static bool written(uint64_t at, uint32_t bytes)
{
    return bits_all(k->shared_init, at, bytes);
}

/* Bytes under way count as never written, and no byte beside them. */
static void test_lands(void **state)
{
    (void)state;
    struct bulk *x = start(true, false);
    assert_int_equal(k->pending, 1);
    assert_false(is_there(TARGET));
    for (uint32_t at = 0; at < SIZE; at += 4)
        assert_false(written(TARGET + at, 4));
    assert_true(written(TARGET - 16, 16));
    assert_true(written(TARGET + SIZE, 16));
    bulk_land(x, 0);
    assert_true(is_there(TARGET));
    assert_true(written(TARGET, SIZE));
    assert_int_equal(k->shared[TARGET + SIZE], 0);
    assert_int_equal(k->pending, 0);
    bulk_land(x, 0);
    assert_int_equal(k->pending, 0);
}

/* Of two copies to one place, both must have landed. */
static void test_two(void **state)
{
    (void)state;
    struct bulk *x = start(true, false), *y = start(true, false);
    bulk_land(y, 0);
    assert_false(written(TARGET, 4));
    bulk_land(x, 0);
    assert_true(written(TARGET, SIZE));
}

/* The source is free before the copy has landed, or with it. */
static void test_source(void **state)
{
    (void)state;
    for (int early = 0; early < 2; early++) {
        struct bulk *x = start(true, true);
        assert_int_equal(k->pending, 2);
        assert_int_equal(k->leaving[SOURCE / 4], 1);
        assert_int_equal(k->leaving[(SOURCE + SIZE) / 4 - 1], 1);
        assert_int_equal(k->leaving[(SOURCE + SIZE) / 4], 0);
        if (early) {
            bulk_read_over(x, 0);
            assert_int_equal(k->pending, 1);
            assert_int_equal(k->leaving[SOURCE / 4], 0);
            assert_false(is_there(TARGET));
        }
        bulk_land(x, 0);
        assert_int_equal(k->pending, 0);
        assert_int_equal(k->leaving[SOURCE / 4], 0);
        memset(k->shared, 0, ROOM);
    }
}

/* To shared memory, in pieces: what lies between them stays as it is. */
static void test_apart(void **state)
{
    (void)state;
    struct bulk *x = bulk_new(&k->block.warps[0], inst, 3, SIZE);
    memset(x->data, 0xab, SIZE);
    x->to = k;
    for (uint32_t n = 0; n < 3; n++)
        bulk_add(&x->target, TARGET + 64 * n, 16 * n, 16);
    bulk_start(x);
    assert_false(written(TARGET + 64, 4));
    assert_true(written(TARGET + 16, 48));
    memset(k->shared + TARGET + 16, 0xcd, 48);
    bulk_land(x, 0);
    for (uint32_t n = 0; n < 3; n++) {
        assert_int_equal(k->shared[TARGET + 64 * n + 15], 0xab);
        assert_true(written(TARGET + 64 * n, 16));
    }
    for (uint32_t n = 16; n < 64; n++)
        assert_int_equal(k->shared[TARGET + n], 0xcd);
}

/* To global memory, in pieces. */
static void test_pieces(void **state)
{
    (void)state;
    struct memory *m = &h->engine.memory;
    struct bulk *x = start(false, false);
    bulk_add(&x->target, global, 0, 16);
    bulk_add(&x->target, global + 64, 16, 32);
    for (uint8_t n = 0; n < SIZE; n++)
        x->data[n] = n + 1;
    assert_int_equal(k->pending, 0);
    bulk_land(x, 0);
    for (uint32_t n = 0; n < 96; n++) {
        uint32_t want = n < 16 ? n + 1 : n >= 64 ? n - 64 + 17 : 0;
        assert_int_equal(memory_host(m, global)[n], want);
        assert_int_equal(bits_all(m->init, global + n - DEVICE_BASE, 1),
                         want != 0);
    }
}

static void add(const struct bulk *x, uint8_t *to, const uint8_t *from,
                uint32_t bytes)
{
    (void)x;
    for (uint32_t n = 0; n < bytes; n++)
        to[n] = (uint8_t)(to[n] + from[n]);
}

static void test_reduces(void **state)
{
    (void)state;
    struct bulk *x = start(true, false);
    x->reduce = add;
    memset(k->shared, 1, ROOM);
    bulk_land(x, 0);
    assert_int_equal(k->shared[TARGET], 0xac);
    assert_int_equal(k->shared[TARGET - 1], 1);
}

/* Is lane 0 accused of four bytes at an address, with these words? */
static bool accused(bool write, uint64_t address, const char *words)
{
    const struct access_form form = {.kind = write ? ACCESS_STORE : ACCESS_LOAD,
                                     .size = 4, .n = 1, .write = write};
    struct access a;
    uint64_t before = k->found ? k->found->n : 0;
    access_init(&a, &k->block.warps[0], inst, &form, PTX_SPACE_SHARED, 1);
    a.addr[0] = address;
    access_facts(&a);
    bool said = bulk_accuse(&a, 0, k, address);
    assert_int_equal((k->found ? k->found->n : 0) - before, said);
    if (said) {
        const struct finding *f = &k->found->list[k->found->n - 1];
        assert_int_equal(f->kind, FIND_RACE);
        assert_int_equal(f->other.line, 5);
        assert_int_equal(f->other.thread[0], 3);
        assert_non_null(strstr(f->detail, words));
        free(k->found);
        k->found = NULL;
    }
    return said;
}

/* Who touches what is to be written, or writes what is still read. */
static void test_accuses(void **state)
{
    (void)state;
    struct bulk *x = start(true, true);
    for (int write = 0; write < 2; write++) {
        assert_true(accused(write, TARGET, "not waited for"));
        assert_true(accused(write, TARGET + SIZE - 4, "not waited for"));
        assert_false(accused(write, TARGET + SIZE, ""));
        assert_false(accused(write, TARGET - 4, ""));
    }
    assert_false(accused(false, SOURCE, ""));
    assert_true(accused(true, SOURCE + 4, "may still read"));
    assert_false(accused(true, SOURCE + SIZE, ""));
    bulk_read_over(x, 0);
    assert_false(accused(true, SOURCE + 4, ""));
    assert_true(accused(false, TARGET, "not waited for"));
    bulk_land(x, 0);
    assert_false(accused(true, TARGET, ""));
}

/* A write by itself is asked whether it meets one. */
static bool writes_at(uint64_t address)
{
    const struct access_form form = {.kind = ACCESS_STORE, .size = 4, .n = 1,
                                     .write = true};
    struct access a;
    struct place places[LANES];
    access_init(&a, &k->block.warps[0], inst, &form, PTX_SPACE_SHARED, 1);
    a.addr[0] = address;
    access_facts(&a);
    places[0] = (struct place){.first = address, .address = address,
                               .space = PTX_SPACE_SHARED};
    values_written(&a, places);
    bool said = k->found != NULL;
    free(k->found);
    k->found = NULL;
    return said;
}

static void test_writes(void **state)
{
    (void)state;
    struct bulk *x = start(true, true);
    assert_true(writes_at(TARGET));
    assert_true(writes_at(SOURCE));
    assert_false(writes_at(SOURCE + SIZE));
    bulk_land(x, 0);
    assert_false(writes_at(TARGET));
}

/* Is a copy of bytes `with` to target accused when it starts? */
static bool copy_accused(uint64_t target, uint8_t with, bool adds,
                         const char *words)
{
    struct bulk *x = bulk_new(&k->block.warps[0], inst, 3, SIZE);
    struct access a;
    access_init(&a, x->by, inst, &h->detail[0].access, PTX_SPACE_SHARED, 8);
    memset(x->data, with, SIZE);
    x->to = k;
    bulk_add(&x->target, target, 0, SIZE);
    x->reduce = adds ? add : NULL;
    bool said = bulk_accuse_copy(&a, 3, x);
    assert_int_equal(said, k->found && k->found->n == 1);
    if (said)
        assert_non_null(strstr(k->found->list[0].detail, words));
    free(k->found);
    k->found = NULL;
    bulk_drop(x);
    return said;
}

/* Two copies under way that meet: which is last is left open, unless they put
 * the same there, or both add. */
static void test_copies_that_meet(void **state)
{
    static const char words[] = "not waited for";
    (void)state;
    struct bulk *x = start(true, false);
    assert_true(copy_accused(TARGET, 1, false, words));
    assert_true(copy_accused(TARGET + SIZE - 16, 0xab, false, words));
    assert_true(copy_accused(TARGET - SIZE + 16, 0xab, false, words));
    assert_true(copy_accused(TARGET, 0xab, true, words));
    assert_false(copy_accused(TARGET, 0xab, false, ""));
    assert_false(copy_accused(TARGET + SIZE, 1, false, ""));
    assert_false(copy_accused(TARGET - SIZE, 1, false, ""));
    x->reduce = add;
    assert_true(copy_accused(TARGET, 0xab, false, words));
    assert_false(copy_accused(TARGET, 0xab, true, ""));
    bulk_land(x, 0);
    assert_false(copy_accused(TARGET, 1, false, ""));
}

static void test_copy_onto_a_source(void **state)
{
    (void)state;
    struct bulk *x = start(false, true);
    assert_true(copy_accused(SOURCE + 16, 1, false, "may still read"));
    assert_true(copy_accused(SOURCE + 16, 1, true, "may still read"));
    assert_false(copy_accused(SOURCE + SIZE, 1, false, ""));
    bulk_read_over(x, 0);
    assert_false(copy_accused(SOURCE + 16, 1, false, ""));
}

/* Between the pieces of one there is room for another. */
static void test_pieces_that_meet(void **state)
{
    (void)state;
    struct bulk *x = bulk_new(&k->block.warps[0], inst, 3, SIZE);
    x->to = k;
    bulk_add(&x->target, TARGET, 0, 16);
    bulk_add(&x->target, TARGET + 16 + SIZE, 16, 16);
    bulk_start(x);
    assert_false(copy_accused(TARGET + 16, 1, false, ""));
    assert_true(copy_accused(TARGET + 32, 1, false, "not waited for"));
    assert_true(copy_accused(TARGET, 0, false, "not waited for"));
}

/* What has landed is forgotten, what has not is when a new block begins. */
static void test_sweep(void **state)
{
    (void)state;
    struct bulk *x = start(true, false), *y = start(false, true);
    struct bulk *z = start(true, false);
    bulk_land(y, 0);
    bulks_sweep(&k->block);
    assert_ptr_equal(k->block.bulks, x);
    assert_ptr_equal(x->next, z);
    assert_null(z->next);
    start(false, true);
    bulks_reset(k);
    assert_null(k->block.bulks);
    assert_int_equal(k->leaving[SOURCE / 4], 0);
}

/* What an mbarrier counts lands when somebody waits and nothing else is
 * missing; then the phase is over and the copy forgotten. */
static void test_lands_at_an_object(void **state)
{
    struct mbarrier o = {.home = &k->block, .live = true, .expected = 1,
                         .pending = 1, .bytes = SIZE, .flying = SIZE};
    (void)state;
    start(true, false)->object = &o;
    mbarrier_advance(&o, true);
    assert_false(is_there(TARGET));
    o.pending = 0;
    o.arrived = true;
    mbarrier_advance(&o, false);
    assert_false(is_there(TARGET));
    assert_int_equal(o.phase, 0);
    mbarrier_advance(&o, true);
    assert_true(is_there(TARGET));
    assert_int_equal(o.phase, 1);
    assert_int_equal(o.pending, 1);
    assert_int_equal(o.bytes, 0);
    assert_null(k->block.bulks);
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(test_lands), TEST(test_two), TEST(test_source),
        TEST(test_apart), TEST(test_pieces), TEST(test_reduces),
        TEST(test_accuses), TEST(test_writes), TEST(test_copies_that_meet),
        TEST(test_copy_onto_a_source), TEST(test_pieces_that_meet),
        TEST(test_sweep), TEST(test_lands_at_an_object),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
