// SPDX-License-Identifier: MIT
/*
 * place_test.c: from addresses to bytes, with exact bounds, and what is said
 * of an address that has none (access/place.c), from events made by hand.
 */
#include "simgpu/core/access/place.h"
#include "simgpu/core/memory/memory.h"
#include "warp_sample.h"

enum {
    FIRST = 1024, FIRST_BYTES = 64, SECOND = 1152, SECOND_BYTES = 32,
    DYNAMIC = 2048, END = 4096, FRAME = 48, VARIABLE = 16, LOCAL = 128,
    PARAMS = 24, LANE = 5, RANK = 1 << SHARED_RANK,
};

static struct hand *h;
static struct warp *w;
static struct worker other;
static uint64_t global, freed;
static uint8_t params[PARAMS];
static struct access_form form;
static struct place p;

static int setup(void **state)
{
    static struct variable shared[] = {
        {.name = "first", .address = FIRST, .bytes = FIRST_BYTES},
        {.name = "second", .address = SECOND, .bytes = SECOND_BYTES},
        {.name = "rest", .address = DYNAMIC, .dynamic = true}};
    static struct variable variables[] = {
        {.name = "elsewhere", .space = PTX_SPACE_LOCAL, .address = 0,
         .bytes = 16, .func = 1},
        {.name = "global", .space = PTX_SPACE_GLOBAL, .address = 0,
         .bytes = 16, .func = -1},
        {.name = "low", .space = PTX_SPACE_LOCAL, .address = 0, .bytes = 16},
        {.name = "high", .space = PTX_SPACE_LOCAL, .address = VARIABLE,
         .bytes = 32}};
    (void)state;
    h = hand_open(32);
    h->kernel.shared = shared;
    h->kernel.n_shared = 3;
    h->kernel.local_bytes = LOCAL;
    h->kernel.info.param_bytes = PARAMS;
    h->module.variables = variables;
    h->module.n_variables = 4;
    h->function[0].local_bytes = FRAME;
    h->run.params = params;
    h->run.shared_end = END;
    h->worker.shared = calloc(1, END);
    h->worker.local = calloc(LANES, LOCAL);
    other = (struct worker){.run = &h->run, .rank = 1, .cluster = &h->cluster,
                            .shared = calloc(1, END)};
    h->worker.local_init = calloc(LANES, LOCAL / 8 + 8);
    assert_true(h->worker.shared && h->worker.local && other.shared);
    h->worker.block.warps[0].local = h->worker.local;
    h->worker.block.warps[0].local_init = h->worker.local_init;
    h->cluster.member[1] = &other;
    h->cluster.n = 2;
    assert_true(memory_open(&h->engine.memory, 1 << 20));
    global = memory_alloc(&h->engine.memory, 100, false);
    freed = memory_alloc(&h->engine.memory, 100, false);
    memory_free(&h->engine.memory, freed);
    form = (struct access_form){.kind = ACCESS_LOAD, .size = 4, .n = 1,
                                .site = 1, .space = PTX_SPACE_GENERIC};
    hand_put(h, (struct inst){.fn = op_nop, .detail = &h->detail[0]});
    hand_start(h);
    w = &h->worker.block.warps[0];
    leaf_choose(w);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    node_recycle(&h->worker, w->leaf);
    free(h->worker.shared);
    free(h->worker.local);
    free(h->worker.local_init);
    free(other.shared);
    memory_close(&h->engine.memory);
    hand_close(h);
    return 0;
}

static const struct finding *finding(void)
{
    assert_non_null(h->worker.found);
    return &h->worker.found->list[0];
}

static struct access event(uint64_t address)
{
    struct access a;
    access_init(&a, w, h->code, &form, form.space, 1u << LANE);
    a.addr[LANE] = address;
    access_facts(&a);
    return a;
}

/* Is it in bounds? A finding and a fault else. */
static bool in_bounds(uint8_t space, uint64_t address, uint8_t bytes)
{
    form.space = space;
    form.size = bytes;
    form.align = 1;
    struct access a = event(address);
    free(h->worker.found);
    h->worker.found = NULL;
    h->run.fault = FAULT_NONE;
    atomic_store(&h->run.fault_order, UINT64_MAX);
    bool is = place_of(&a, LANE, &p);
    assert_int_equal(is, h->worker.found == NULL);
    assert_int_equal(is, h->run.fault == FAULT_NONE);
    if (!is) {
        assert_int_equal(finding()->bytes, bytes);
        assert_int_equal(finding()->at.thread[0], LANE);
    }
    return is;
}

static bool says(const char *array, int64_t offset)
{
    return finding()->array && strcmp(finding()->array, array) == 0 &&
           finding()->offset == offset;
}

static void test_shared(void **state)
{
    (void)state;
    for (int generic = 0; generic < 2; generic++) {
        uint8_t space = generic ? PTX_SPACE_GENERIC : PTX_SPACE_SHARED;
        uint64_t base = generic ? SHARED_WINDOW : 0;
        assert_true(in_bounds(space, base + FIRST, 4));
        assert_ptr_equal(p.host, h->worker.shared + FIRST);
        assert_int_equal(p.first, FIRST);
        assert_int_equal(p.address, FIRST);
        assert_int_equal(p.space, PTX_SPACE_SHARED);
        assert_null(p.peer);
        assert_true(in_bounds(space, base + FIRST + FIRST_BYTES - 4, 4));
        assert_false(in_bounds(space, base + FIRST + FIRST_BYTES - 3, 4));
        assert_true(says("first", FIRST_BYTES - 3));
        assert_int_equal(finding()->array_bytes, FIRST_BYTES);
        assert_int_equal(finding()->kind, FIND_OUT_OF_BOUNDS);
        assert_int_equal(h->run.fault, FAULT_ADDRESS);
        assert_false(in_bounds(space, base + FIRST + FIRST_BYTES, 1));
        assert_true(says("first", FIRST_BYTES));
        assert_false(in_bounds(space, base + SECOND - 1, 1));
        assert_true(says("second", -1));
        assert_false(in_bounds(space, base + FIRST - 1, 1));
        assert_true(says("first", -1));
        assert_true(in_bounds(space, base + SECOND, 8));
        assert_true(in_bounds(space, base + DYNAMIC, 8));
        assert_true(in_bounds(space, base + END - 8, 8));
        assert_false(in_bounds(space, base + END - 7, 8));
        assert_true(says("rest", END - 7 - DYNAMIC));
        assert_int_equal(finding()->array_bytes, END - DYNAMIC);
    }
}

/* Another block's memory: by a generic address, or .shared::cluster. */
static void test_ranks(void **state)
{
    (void)state;
    assert_true(in_bounds(PTX_SPACE_GENERIC, SHARED_WINDOW + 2 * RANK + FIRST,
                          4));
    assert_ptr_equal(p.peer, &other);
    assert_ptr_equal(p.host, other.shared + FIRST);
    assert_int_equal(p.address, FIRST);
    assert_true(in_bounds(PTX_SPACE_SHARED, RANK + FIRST, 4));
    assert_null(p.peer); /* its own rank */
    assert_ptr_equal(p.host, h->worker.shared + FIRST);
    assert_false(in_bounds(PTX_SPACE_SHARED, 2 * RANK + FIRST, 4));
    assert_string_equal(
        finding()->detail,
        "memory of rank 1, by an instruction for the block's own");
    assert_true(says("first", 0));
    form.cluster = true;
    assert_true(in_bounds(PTX_SPACE_SHARED, 2 * RANK + FIRST, 4));
    assert_ptr_equal(p.peer, &other);
    assert_false(in_bounds(PTX_SPACE_SHARED, 3 * RANK + FIRST, 4));
    assert_string_equal(finding()->detail, "rank 2 of a cluster of 2 blocks");
    assert_false(in_bounds(PTX_SPACE_SHARED, 2 * RANK + END, 4));
    assert_string_equal(finding()->detail, "");
    h->worker.cluster = NULL;
    assert_false(in_bounds(PTX_SPACE_SHARED, 2 * RANK + FIRST, 4));
    assert_string_equal(finding()->detail, "");
}

static void test_global(void **state)
{
    static const uint8_t spaces[] = {PTX_SPACE_GLOBAL, PTX_SPACE_GENERIC};
    (void)state;
    for (int k = 0; k < 2; k++) {
        assert_true(in_bounds(spaces[k], global, 4));
        assert_ptr_equal(p.host, memory_host(&h->engine.memory, global));
        assert_ptr_equal(p.init, h->engine.memory.init);
        assert_int_equal(p.first, global - DEVICE_BASE);
        assert_int_equal(p.address, global);
        assert_int_equal(p.space, PTX_SPACE_GLOBAL);
        assert_true(p.atomic_bits);
        assert_true(in_bounds(spaces[k], global + 96, 4));
        assert_false(in_bounds(spaces[k], global + 97, 4));
        assert_int_equal(finding()->kind, FIND_OUT_OF_BOUNDS);
        assert_int_equal(finding()->allocation, 1);
        assert_int_equal(finding()->offset, 97);
        assert_int_equal(finding()->array_bytes, 100);
        assert_null(finding()->array);
        assert_false(in_bounds(spaces[k], global - 1, 1));
        assert_int_equal(finding()->offset, -1);
        assert_false(in_bounds(spaces[k], global + 100, 1));
        assert_false(in_bounds(spaces[k], freed + 4, 4));
        assert_int_equal(finding()->kind, FIND_USE_AFTER_FREE);
        assert_int_equal(finding()->allocation, 2);
        assert_false(in_bounds(spaces[k], 16, 4));
        assert_int_equal(finding()->allocation, 0);
    }
}

/* A variable of a module goes by its name. */
static void test_module(void **state)
{
    struct variable v = {.name = "table"};
    struct module second = {.variables = &v, .n_variables = 1};
    (void)state;
    v.address = memory_alloc(&h->engine.memory, 100, true);
    h->engine.modules = &h->module;
    h->module.next = &second;
    assert_false(in_bounds(PTX_SPACE_GLOBAL, v.address + 100, 4));
    assert_true(says("table", 100));
    assert_int_equal(finding()->allocation, 0);
    assert_false(in_bounds(PTX_SPACE_GLOBAL, global + 100, 4));
    assert_null(finding()->array);
}

static void test_local(void **state)
{
    (void)state;
    struct frame *frame = w->leaf->frame;
    for (int generic = 0; generic < 2; generic++) {
        uint8_t space = generic ? PTX_SPACE_GENERIC : PTX_SPACE_LOCAL;
        uint64_t base = generic ? LOCAL_WINDOW : 0;
        frame->grown[LANE] = 0;
        assert_true(in_bounds(space, base, 4));
        assert_ptr_equal(p.host, w->local + LANE * LOCAL);
        assert_int_equal(p.first, LANE * LOCAL);
        assert_int_equal(p.address, 0);
        assert_int_equal(p.space, PTX_SPACE_LOCAL);
        assert_true(in_bounds(space, base + FRAME - 4, 4));
        assert_int_equal(p.first, LANE * LOCAL + FRAME - 4);
        assert_false(in_bounds(space, base + FRAME - 3, 4));
        assert_true(says("high", FRAME - 3 - VARIABLE));
        assert_int_equal(finding()->array_bytes, 32);
        assert_false(in_bounds(space, base + FRAME, 4));
        frame->grown[LANE] = 16;
        assert_true(in_bounds(space, base + FRAME + 12, 4));
        assert_false(in_bounds(space, base + FRAME + 13, 4));
    }
    assert_false(in_bounds(PTX_SPACE_LOCAL, UINT64_MAX - 1, 4));
}

/* In a frame further down the stack. */
static void test_frames(void **state)
{
    (void)state;
    struct frame *frame = w->leaf->frame;
    frame->local_base = 32;
    assert_true(in_bounds(PTX_SPACE_LOCAL, 0, 4)); /* its caller's */
    assert_true(in_bounds(PTX_SPACE_LOCAL, 32 + FRAME - 4, 4));
    assert_false(in_bounds(PTX_SPACE_LOCAL, 32 + FRAME, 4));
    assert_true(says("high", FRAME - VARIABLE));
    frame->local_base = 0;
}

static void test_params(void **state)
{
    (void)state;
    assert_true(in_bounds(PTX_SPACE_PARAM, 8, 8));
    assert_ptr_equal(p.host, params + 8);
    assert_int_equal(p.space, PTX_SPACE_PARAM);
    assert_true(in_bounds(PTX_SPACE_PARAM, PARAM_WINDOW + 8, 8));
    assert_ptr_equal(p.host, params + 8);
    assert_true(in_bounds(PTX_SPACE_GENERIC, PARAM_WINDOW + 8, 8));
    assert_true(in_bounds(PTX_SPACE_GLOBAL, PARAM_WINDOW + 8, 8));
    assert_ptr_equal(p.host, params + 8);
    assert_true(in_bounds(PTX_SPACE_PARAM, PARAMS - 8, 8));
    assert_false(in_bounds(PTX_SPACE_PARAM, PARAMS - 7, 8));
    form.write = true;
    assert_false(in_bounds(PTX_SPACE_PARAM, 8, 8));
}

static void test_alignment(void **state)
{
    (void)state;
    form.space = PTX_SPACE_GLOBAL;
    for (uint8_t align = 0; align <= 8; align += 4)
        for (uint64_t offset = 0; offset < 16; offset++) {
            form.size = 4;
            form.n = 2;
            form.align = align;
            struct access a = event(global + offset);
            bool fits = offset % (align ? align : 8u) == 0;
            assert_int_equal(place_of(&a, LANE, &p), fits);
            if (!fits) {
                assert_int_equal(finding()->kind, FIND_MISALIGNED);
                assert_int_equal(finding()->bytes, 8);
                assert_int_equal(h->run.fault, FAULT_MISALIGNED);
            }
        }
}

/* Lanes of one instruction in all spaces, and in two blocks' memory. */
static void test_split(void **state)
{
    struct place places[LANES];
    struct access part[PARTS], a = event(0);
    (void)state;
    a.mask = 0xff0;
    for (int l = 4; l < 12; l++)
        a.addr[l] = l < 6 ? global + 4 * (uint64_t)l
                  : l < 8 ? LOCAL_WINDOW + 4 * (uint64_t)(l - 6)
                  : SHARED_WINDOW + FIRST + 4 * (uint64_t)l +
                        (l % 2 ? 2 * RANK : 0);
    assert_true(access_places(&a, places));
    assert_int_equal(access_split(&a, places, part), 4);
    static const struct { uint8_t space; uint32_t mask; } want[] = {
        {PTX_SPACE_GLOBAL, 0x30}, {PTX_SPACE_SHARED, 0x500},
        {PTX_SPACE_SHARED, 0xa00}, {PTX_SPACE_LOCAL, 0xc0}};
    for (int n = 0; n < 4; n++) {
        assert_int_equal(part[n].space, want[n].space);
        assert_int_equal(part[n].mask, want[n].mask);
        assert_ptr_equal(part[n].peer, n == 2 ? &other : NULL);
        for (int l = 4; l < 12; l++)
            if (want[n].mask >> l & 1)
                assert_int_equal(part[n].addr[l], places[l].address);
        assert_false(part[n].uniform);
    }
    a.addr[9] = 4; /* one of them leads nowhere */
    assert_false(access_places(&a, places));
}

/* Each lane for itself, also beside one whose array is known. */
static void test_alignment_of_lanes(void **state)
{
    struct place places[LANES];
    (void)state;
    form.space = PTX_SPACE_GLOBAL;
    form.size = 4;
    for (uint64_t offset = 1; offset <= 8; offset++) {
        struct access a = event(global);
        a.mask |= 1u << (LANE + 1);
        a.addr[LANE + 1] = global + 8 + offset;
        bool fits = offset % 4 == 0;
        assert_int_equal(access_places(&a, places), fits);
        if (fits)
            assert_int_equal(places[LANE + 1].first,
                             global + 8 + offset - DEVICE_BASE);
    }
}

static void test_windows(void **state)
{
    struct window win;
    (void)state;
    assert_true(window_shared(w, SECOND + 8, &win));
    assert_int_equal(win.lo, SECOND);
    assert_int_equal(win.hi, SECOND + SECOND_BYTES);
    assert_int_equal(win.host, (uintptr_t)h->worker.shared);
    assert_false(win.constant);
    assert_true(window_shared(w, END - 1, &win));
    assert_int_equal(win.hi, END);
    assert_false(window_shared(w, END, &win));
    assert_true(window_global(w, global + 99, &win));
    assert_int_equal(win.lo, global);
    assert_int_equal(win.hi, global + 100);
    assert_false(window_global(w, global + 100, &win));
    assert_false(window_global(w, freed, &win));
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(test_shared), TEST(test_ranks), TEST(test_global),
        TEST(test_module), TEST(test_local), TEST(test_frames),
        TEST(test_params), TEST(test_alignment), TEST(test_split),
        TEST(test_alignment_of_lanes), TEST(test_windows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
