// SPDX-License-Identifier: MIT
/*
 * observers_test.c: counters, and which bytes were ever written, from events
 * made by hand; random addresses against a count of their own.
 */
#include "simgpu/core/access/count.h"
#include "simgpu/core/access/values.h"
#include "warp_sample.h"

static uint32_t next(uint32_t *seed, uint32_t below)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (*seed >> 16) % below;
}

/* Counters ---------------------------------------------------------------- */

static struct access_form form_of(enum access_kind kind, uint8_t size,
                                  uint8_t n)
{
    return (struct access_form){.kind = (uint8_t)kind, .size = size, .n = n,
                                .site = 1, .write = kind != ACCESS_LOAD};
}

static struct access event(const struct access_form *f, uint8_t space,
                           uint32_t mask)
{
    return (struct access){.form = f, .space = space, .mask = mask,
                           .bytes = (uint32_t)f->size * f->n};
}

/* Some shape of addresses, aligned to the access; where no lane is active, one
 * that is. */
static void fill(struct access *a, uint32_t *seed)
{
    static const uint32_t steps[] = {0, 1, 2, 3, 8, 16, 32};
    uint32_t step = steps[next(seed, 7)], mix = next(seed, 4);
    for (uint32_t l = 0; l < LANES; l++) {
        uint32_t n = mix == 0 ? next(seed, 512) : mix == 1 ? (31 - l) * step
                   : mix == 2 ? (l ^ 5) * step : l * step;
        a->addr[l] = 4096 + n * a->bytes;
    }
    for (uint32_t l = 0; l < LANES; l++)
        if (a->mask && !(a->mask >> l & 1))
            a->addr[l] = a->addr[first_lane(a->mask)];
    access_facts(a);
}

static uint32_t sectors_of(const struct access *a)
{
    uint32_t n = 0;
    for (uint32_t l = 0; l < LANES; l++) {
        bool new = a->mask >> l & 1;
        for (uint32_t k = 0; new && k < l; k++)
            new = !(a->mask >> k & 1) || a->addr[k] / 32 != a->addr[l] / 32;
        n += new;
    }
    return n;
}

static uint32_t random_mask(uint32_t *seed)
{
    uint32_t mask = next(seed, 2) ? (uint32_t)FULL
                                  : next(seed, 65536) << 16 | next(seed, 65536);
    return mask ? mask : 1;
}

static void test_global(void **state)
{
    uint32_t seed = 1;
    (void)state;
    for (int round = 0; round < 4000; round++) {
        struct engine_counters c = {0};
        struct access_form f = form_of(round % 2 ? ACCESS_STORE : ACCESS_LOAD,
                                       4, (uint8_t)(1u << next(&seed, 3)));
        struct access a = event(&f, PTX_SPACE_GLOBAL, random_mask(&seed));
        fill(&a, &seed);
        uint64_t bytes =
            (uint64_t)__builtin_popcount(a.mask) * f.size * f.n;
        count_access(&c, NULL, &a);
        assert_int_equal(c.global_store_requests, round % 2);
        assert_int_equal(c.global_load_requests, !(round % 2));
        assert_int_equal(round % 2 ? c.global_store_sectors
                                   : c.global_load_sectors, sectors_of(&a));
        assert_int_equal(round % 2 ? c.global_store_bytes
                                   : c.global_load_bytes, bytes);
        assert_int_equal(c.shared_load_requests + c.shared_store_requests, 0);
    }
}

/* A pattern that is met again costs what it cost; another one does not. */
static void test_shared(void **state)
{
    uint32_t seed = 2;
    struct pattern p[2][3] = {0};
    (void)state;
    for (int round = 0; round < 6000; round++) {
        struct engine_counters c = {0};
        uint32_t size = next(&seed, 3);
        bool store = round % 2;
        struct access_form f = form_of(store ? ACCESS_STORE : ACCESS_LOAD, 4,
                                       (uint8_t)(1u << size));
        struct access a = event(&f, PTX_SPACE_SHARED, random_mask(&seed));
        fill(&a, &seed);
        struct wavefronts cost =
            access_wavefronts(a.addr, a.mask, a.bytes, !store);
        for (int again = 0; again < 2; again++) {
            memset(&c, 0, sizeof c);
            count_access(&c, &p[store][size], &a);
            assert_int_equal(c.shared_store_requests, store);
            assert_int_equal(c.shared_load_requests, !store);
            assert_int_equal(store ? c.shared_store_wavefronts
                                   : c.shared_load_wavefronts,
                             cost.wavefronts);
            assert_int_equal(store ? c.shared_store_conflicts
                                   : c.shared_load_conflicts, cost.conflicts);
        }
        assert_int_equal(c.global_load_requests + c.global_store_requests, 0);
    }
}

static void test_local_and_atomics(void **state)
{
    struct engine_counters c = {0};
    struct access_form load = form_of(ACCESS_LOAD, 4, 1);
    struct access_form store = form_of(ACCESS_STORE, 4, 1);
    struct access_form add = form_of(ACCESS_ATOMIC, 4, 1);
    struct access a = event(&load, PTX_SPACE_LOCAL, 3);
    (void)state;
    count_access(&c, NULL, &a);
    a.form = &store;
    count_access(&c, NULL, &a);
    count_access(&c, NULL, &a);
    assert_int_equal(c.local_load_requests, 1);
    assert_int_equal(c.local_store_requests, 2);
    a.form = &add;
    a.space = PTX_SPACE_SHARED;
    count_access(&c, NULL, &a);
    a.space = PTX_SPACE_GLOBAL;
    count_access(&c, NULL, &a);
    count_access(&c, NULL, &a);
    assert_int_equal(c.shared_atomics, 1);
    assert_int_equal(c.global_atomics, 2);
    assert_int_equal(c.global_store_requests, 0);
    assert_int_equal(c.global_load_sectors, 0);
}

/* A copy's read of global memory; what it writes is counted nowhere. */
static void test_copies(void **state)
{
    struct engine_counters c = {0};
    struct access_form copy = form_of(ACCESS_COPY, 16, 1);
    struct access a = event(&copy, PTX_SPACE_GLOBAL, FULL);
    uint8_t lane_bytes[LANES];
    (void)state;
    for (uint32_t l = 0; l < LANES; l++) {
        a.addr[l] = 4096 + 16 * l;
        lane_bytes[l] = l < 4 ? 8 : 16;
    }
    access_facts(&a);
    count_access(&c, NULL, &a);
    assert_int_equal(c.async_copy_requests, 1);
    assert_int_equal(c.async_copy_fetches, 1);
    assert_int_equal(c.async_copy_sectors, 16);
    assert_int_equal(c.async_copy_bytes, 512);
    a.lane_bytes = lane_bytes;
    count_access(&c, NULL, &a);
    assert_int_equal(c.async_copy_bytes, 512 + 480);
    a.mask = 0;
    count_access(&c, NULL, &a);
    assert_int_equal(c.async_copy_requests, 3);
    assert_int_equal(c.async_copy_fetches, 2);
    a.mask = (uint32_t)FULL;
    a.space = PTX_SPACE_SHARED;
    count_access(&c, NULL, &a);
    assert_int_equal(c.async_copy_requests, 3);
    assert_int_equal(c.shared_store_requests, 0);
    assert_int_equal(c.global_load_requests, 0);
}

/* A range, counted when the copy begins and not when it lands; a box is counted
 * by who makes the ranges of it. */
static void test_bulk(void **state)
{
    static const struct { uint64_t at; uint32_t bytes, sectors; } cases[] = {
        {4096, 32, 1}, {4096, 48, 2}, {4096 + 16, 16, 1}, {4096 + 16, 32, 2},
        {4096 + 32, 4096, 128}, {4096 + 16, 0, 0}};
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        for (int write = 0; write < 2; write++)
            for (int box = 0; box < 2; box++) {
                struct engine_counters c = {0};
                struct access_form f = form_of(ACCESS_BULK, 16, 1);
                f.write = write;
                f.of_box = box;
                struct access a = event(&f, PTX_SPACE_GLOBAL, 4);
                a.addr[2] = cases[k].at;
                a.bytes = cases[k].bytes;
                count_access(&c, NULL, &a);
                assert_int_equal(c.bulk_copies, !box);
                assert_int_equal(write ? c.bulk_store_bytes
                                       : c.bulk_load_bytes, cases[k].bytes);
                assert_int_equal(write ? c.bulk_store_sectors
                                       : c.bulk_load_sectors,
                                 cases[k].sectors);
                assert_int_equal(write ? c.bulk_load_bytes
                                       : c.bulk_store_bytes, 0);
                struct engine_counters before = c;
                a.part = PART_LANDED;
                count_access(&c, NULL, &a);
                a.part = 0;
                a.space = PTX_SPACE_SHARED;
                count_access(&c, NULL, &a);
                assert_memory_equal(&c, &before, sizeof c);
            }
}

/* What goes around the load/store unit, and objects, are of no counter. */
static void test_uncounted(void **state)
{
    struct engine_counters c = {0}, none = {0};
    struct access_form group = form_of(ACCESS_LOAD, 4, 1);
    struct access_form object = form_of(ACCESS_OBJECT, 8, 1);
    struct access a = event(&group, PTX_SPACE_SHARED, FULL);
    (void)state;
    group.of_group = true;
    count_access(&c, NULL, &a);
    a.form = &object;
    count_access(&c, NULL, &a);
    a.space = PTX_SPACE_GLOBAL;
    count_access(&c, NULL, &a);
    assert_memory_equal(&c, &none, sizeof c);
}

static void test_atomic_traffic(void **state)
{
    struct engine_counters c = {0};
    struct access_form add = form_of(ACCESS_ATOMIC, 8, 1);
    struct access a = event(&add, PTX_SPACE_GLOBAL, 0xf);
    (void)state;
    for (uint32_t l = 0; l < LANES; l++)
        a.addr[l] = 4096 + 16 * (l & 3);
    access_facts(&a);
    count_access(&c, NULL, &a);
    assert_int_equal(c.global_atomics, 1);
    assert_int_equal(c.global_atomic_sectors, 2);
    assert_int_equal(c.global_atomic_bytes, 32);
    assert_int_equal(c.shared_atomics, 0);
}

/* Of lanes that read 4 words of constants, three quarters wait. */
static void test_constants(void **state)
{
    struct engine_counters c = {0};
    struct access_form load = form_of(ACCESS_LOAD, 4, 1);
    struct access a = event(&load, PTX_SPACE_CONST, 0xff);
    (void)state;
    for (uint32_t l = 0; l < LANES; l++)
        a.addr[l] = 4096;
    access_facts(&a);
    count_access(&c, NULL, &a);
    assert_int_equal(c.constant_load_requests, 1);
    assert_int_equal(c.constant_load_replays, 0);
    for (uint32_t l = 0; l < LANES; l++)
        a.addr[l] = 4096 + 4 * (l & 3);
    access_facts(&a);
    count_access(&c, NULL, &a);
    assert_int_equal(c.constant_load_requests, 2);
    assert_int_equal(c.constant_load_replays, 3);
}

/* Whatever reads an array counts, and nothing else does. */
static void test_inputs(void **state)
{
    static const struct engine_input inputs[ENGINE_INPUTS] = {
        {.first = 4096, .bytes = 4096},
        {.first = 16384, .bytes = 64, .small = true}};
    static const struct {
        enum access_kind kind;
        bool write;
        uint8_t space, part;
        uint64_t at;
        uint32_t large, small; /* sectors */
    } cases[] = {
        {ACCESS_LOAD, false, PTX_SPACE_GLOBAL, 0, 4096, 4, 0},
        {ACCESS_COPY, true, PTX_SPACE_GLOBAL, 0, 8192 - 128, 4, 0},
        {ACCESS_ATOMIC, true, PTX_SPACE_GLOBAL, 0, 4096, 4, 0},
        {ACCESS_BULK, false, PTX_SPACE_GLOBAL, 0, 4096, 4, 0},
        {ACCESS_LOAD, false, PTX_SPACE_GLOBAL, 0, 16384, 0, 4},
        {ACCESS_LOAD, false, PTX_SPACE_GLOBAL, 0, 8192, 0, 0},
        {ACCESS_LOAD, false, PTX_SPACE_GLOBAL, 0, 4095, 0, 0},
        {ACCESS_LOAD, false, PTX_SPACE_SHARED, 0, 4096, 0, 0},
        {ACCESS_STORE, true, PTX_SPACE_GLOBAL, 0, 4096, 0, 0},
        {ACCESS_BULK, true, PTX_SPACE_GLOBAL, 0, 4096, 0, 0},
        {ACCESS_BULK, false, PTX_SPACE_GLOBAL, PART_LANDED, 4096, 0, 0},
        {ACCESS_OBJECT, false, PTX_SPACE_GLOBAL, 0, 4096, 0, 0}};
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct engine_counters c = {0};
        struct access_form f = form_of(cases[k].kind, 4, 1);
        bool bulk = cases[k].kind == ACCESS_BULK;
        f.write = cases[k].write;
        struct access a = event(&f, cases[k].space, bulk ? 1 : (uint32_t)FULL);
        a.part = cases[k].part;
        a.bytes = bulk ? 128 : 4;
        for (uint32_t l = 0; l < LANES; l++)
            a.addr[l] = cases[k].at + (bulk ? 0 : 4 * l);
        access_facts(&a);
        count_inputs(&c, inputs, &a);
        assert_int_equal(c.input_sectors, cases[k].large);
        assert_int_equal(c.parameter_sectors, cases[k].small);
    }
}

/* Of lanes that read what another one does all but one ask again, in whatever
 * order they do. */
static void test_asked_again(void **state)
{
    static const struct {
        uint32_t mask;
        int of_lane[4]; /* address of lane l: of_lane[l % 4] + l / 4 * step */
        int step, again;
    } cases[] = {
        {(uint32_t)FULL, {0, 4, 8, 12}, 16, 0}, {(uint32_t)FULL, {0}, 0, 31},
        {(uint32_t)FULL, {0}, 64, 24},          {(uint32_t)FULL, {0}, -64, 24},
        {(uint32_t)FULL, {0, 4, 8, 12}, 0, 28}, {0xff, {0, 4, 8, 12}, 0, 4},
        {0x0f, {8, 0, 8, 4}, 0, 1},             {0x11, {0}, 0, 1},
        {0x80, {0}, 0, 0}};
    struct engine_input none[ENGINE_INPUTS] = {{0}};
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct engine_counters c = {0};
        struct access_form f = form_of(ACCESS_LOAD, 4, 1);
        struct access a = event(&f, PTX_SPACE_GLOBAL, cases[k].mask);
        a.bytes = 4;
        for (int l = 0; l < LANES; l++)
            a.addr[l] = (uint64_t)(1 << 20) +
                        (uint64_t)(cases[k].of_lane[l % 4] +
                                   l / 4 * cases[k].step);
        access_facts(&a);
        count_inputs(&c, none, &a);
        assert_int_equal(c.bytes_asked_again, 4 * cases[k].again);
    }
}

/* All lanes load 16 bytes of one address: they ask for 512, and get 32. */
static void test_repeated(void **state)
{
    struct engine_input none[ENGINE_INPUTS] = {{0}};
    struct engine_counters c = {0};
    struct access_form f = form_of(ACCESS_LOAD, 16, 1);
    struct access a = event(&f, PTX_SPACE_GLOBAL, (uint32_t)FULL);
    (void)state;
    a.bytes = 16;
    for (uint32_t l = 0; l < LANES; l++)
        a.addr[l] = 4096;
    access_facts(&a);
    count_inputs(&c, none, &a);
    assert_int_equal(c.repeated_bytes, 480);
    for (uint32_t l = 0; l < LANES; l++)
        a.addr[l] = 4096 + 16 * l;
    access_facts(&a);
    count_inputs(&c, none, &a);
    assert_int_equal(c.repeated_bytes, 480);
}

/* Values ------------------------------------------------------------------ */

enum { BYTES = 64 };
#define AT 0x1000ull

struct values {
    struct hand *h;
    struct warp *w;
    uint8_t init[BYTES / 8];
    struct access_form form;
    struct inst *inst;
    struct place places[LANES];
};

static struct values values_begin(struct access_form form)
{
    struct values v = {.h = hand_open(32), .form = form};
    v.form.space = PTX_SPACE_LOCAL;
    v.h->run.checks = CHECK_MEMORY;
    v.h->detail[0].access = v.form;
    v.inst = hand_put(v.h, (struct inst){.fn = op_nop, .source = 7,
                                         .detail = &v.h->detail[0]});
    hand_start(v.h);
    v.w = &v.h->worker.block.warps[0];
    leaf_choose(v.w);
    return v;
}

static void values_end(struct values *v)
{
    node_recycle(&v->h->worker, v->w->leaf);
    hand_close(v->h);
}

/* Lane l of mask at byte first + l * step. */
static struct access values_event(struct values *v, uint32_t mask,
                                  uint64_t first, uint32_t step)
{
    struct access a = event(&v->form, PTX_SPACE_LOCAL, mask);
    a.warp = v->w;
    a.inst = v->inst;
    for (uint32_t l = 0; l < LANES; l++) {
        a.addr[l] = AT + first + l * step;
        v->places[l] = (struct place){.init = v->init,
                                      .first = first + l * step,
                                      .space = PTX_SPACE_LOCAL};
    }
    return a;
}

static uint64_t findings(const struct values *v)
{
    const struct found *f = v->h->worker.found;
    uint64_t n = 0;
    for (size_t k = 0; f && k < f->n; k++)
        n += f->list[k].count;
    return n;
}

static void test_written_bytes(void **state)
{
    (void)state;
    for (int atomic_bits = 0; atomic_bits < 2; atomic_bits++) {
        struct values v = values_begin(form_of(ACCESS_STORE, 2, 1));
        struct access a = values_event(&v, 5, 3, 4); /* bytes 3, 4, 11, 12 */
        for (uint32_t l = 0; l < LANES; l++)
            v.places[l].atomic_bits = atomic_bits;
        v.places[2].init = atomic_bits ? NULL : v.init; /* has no bits */
        values_written(&a, v.places);
        assert_int_equal(v.init[0], 0x18);
        assert_int_equal(v.init[1], atomic_bits ? 0 : 0x18);
        assert_int_equal(v.init[2], 0);
        assert_int_equal(findings(&v), 0);
        values_end(&v);
    }
}

static void test_read_of_unwritten(void **state)
{
    (void)state;
    struct values v = values_begin(form_of(ACCESS_LOAD, 4, 1));
    bits_set(v.init, 0, 15);
    struct access a = values_event(&v, 7, 0, 4);
    values_read(&a, v.places);
    assert_int_equal(findings(&v), 0);
    a.mask = 0xff; /* lane 3 lacks its last byte */
    for (uint32_t l = 4; l < 8; l++)
        v.places[l].init = NULL;
    values_read(&a, v.places);
    assert_int_equal(findings(&v), 1);
    const struct finding *f = &v.h->worker.found->list[0];
    assert_int_equal(f->kind, FIND_UNINITIALISED);
    assert_int_equal(f->at.thread[0], 3);
    assert_int_equal(f->at.line, 7);
    assert_int_equal(f->address, AT + 12);
    assert_int_equal(f->bytes, 4);
    v.h->run.checks = 0;
    values_read(&a, v.places);
    assert_int_equal(findings(&v), 1);
    values_end(&v);
}

/* Half of a word of 8 bytes may be padding, and what follows a field in its
 * half; a whole element may not, nor what stands before a field, nor anything
 * of an atomic. */
static void test_padding(void **state)
{
    (void)state;
    static const struct {
        bool right;
        uint8_t first, n; /* what is set behind bytes 4 to 7 */
    } kinds[] = {{true, 8, 4}, {false, 8, 4}, {false, 8, 4}, {true, 8, 3},
                 {false, 9, 3}};
    for (int kind = 0; kind < 5; kind++) {
        struct values v = values_begin(
            kind == 1 ? form_of(ACCESS_LOAD, 4, 4)
            : kind == 2 ? form_of(ACCESS_ATOMIC, 8, 1)
                        : form_of(ACCESS_LOAD, 8, 2));
        bits_set(v.init, 4, 4);
        bits_set(v.init, kinds[kind].first, kinds[kind].n);
        struct access a = values_event(&v, 1, 0, 0);
        values_read(&a, v.places);
        assert_int_equal(findings(&v), !kinds[kind].right);
        values_end(&v);
    }
}

/* What nvcc says nobody needs may be unwritten. */
static void test_used_bytes(void **state)
{
    (void)state;
    for (uint32_t byte = 0; byte < 16; byte++) {
        struct access_form f = form_of(ACCESS_LOAD, 4, 4);
        f.used = 0x0ff0;
        struct values v = values_begin(f);
        bits_set(v.init, 0, 16);
        bits_clear(v.init, byte, 1);
        struct access a = values_event(&v, 1, 0, 0);
        values_read(&a, v.places);
        assert_int_equal(findings(&v), byte >= 4 && byte < 12);
        values_end(&v);
    }
}

static void test_atomic_bits(void **state)
{
    (void)state;
    for (uint64_t first = 0; first < 16; first++) {
        for (uint64_t n = 0; n < 32; n++) {
            uint8_t set[2][8] = {{0x5a}, {0x5a}}, clear[2][8];
            memset(clear, 0xa5, sizeof clear);
            bits_set(set[0], first, n);
            bits_set_atomic(set[1], first, n);
            bits_clear(clear[0], first, n);
            bits_clear_atomic(clear[1], first, n);
            assert_memory_equal(set[0], set[1], sizeof set[0]);
            assert_memory_equal(clear[0], clear[1], sizeof clear[0]);
        }
    }
}

static void test_watched(void **state)
{
    (void)state;
    struct values v = values_begin(form_of(ACCESS_STORE, 4, 1));
    struct access a = values_event(&v, 0xf, 0, 4);
    v.h->run.watch = AT + 16;
    values_written(&a, v.places);
    assert_int_equal(findings(&v), 0); /* lane 4 takes no part */
    v.h->run.watch = AT + 11;
    values_written(&a, v.places);
    assert_int_equal(findings(&v), 1);
    const struct finding *f = &v.h->worker.found->list[0];
    assert_int_equal(f->kind, FIND_WATCHED);
    assert_int_equal(f->at.thread[0], 2);
    assert_int_equal(f->address, AT + 11);
    values_end(&v);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_global),
        cmocka_unit_test(test_shared),
        cmocka_unit_test(test_local_and_atomics),
        cmocka_unit_test(test_copies),
        cmocka_unit_test(test_bulk),
        cmocka_unit_test(test_uncounted),
        cmocka_unit_test(test_atomic_traffic),
        cmocka_unit_test(test_constants),
        cmocka_unit_test(test_inputs),
        cmocka_unit_test(test_repeated),
        cmocka_unit_test(test_asked_again),
        cmocka_unit_test(test_written_bytes),
        cmocka_unit_test(test_read_of_unwritten),
        cmocka_unit_test(test_padding),
        cmocka_unit_test(test_used_bytes),
        cmocka_unit_test(test_atomic_bits),
        cmocka_unit_test(test_watched),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
