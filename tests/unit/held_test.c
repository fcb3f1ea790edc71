// SPDX-License-Identifier: MIT
/*
 * held_test.c: what L2 has of arrays from launch to launch.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "simgpu/core/model/held.h"

enum { SECTORS_OF_MIB = (1 << 20) / 32 };

static const struct gpu_model *h200;
static struct held held;

/* A launch that reads so many MiB of array 1, or of array 2 if `other`, or
 * writes them. Returns the share that L2 had. */
static double passes(uint64_t mib, bool write, bool other)
{
    struct traffic_array a = {.id = 1 + other, .bytes = mib << 20};
    struct traffic t = {.grid_blocks = 1, .blocks = 1, .arrays = &a,
                        .n_arrays = 1};
    *(write ? &a.write_sectors : &a.read_sectors) = mib * SECTORS_OF_MIB;
    held_launch(&held, h200, &t);
    return a.held;
}

static int open(void **state)
{
    (void)state;
    h200 = gpu_find("h200");
    held_forget(&held);
    return 0;
}

/* In tests/hardware/caches-memory-h200.csv an H200 had all of 16 MiB, 65 % of
 * 32 and nothing of 64. Before, L2 was full of a memset's lines. */
static void what_was_read_is_there(void **state)
{
    static const struct { uint64_t mib; double least, most; } cases[] = {
        {16, 1, 1}, {24, 1, 1}, {32, 0.5, 0.75}, {42, 0, 0.01}, {64, 0, 0}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        open(state);
        assert_true(passes(cases[k].mib, false, false) == 0);
        double share = passes(cases[k].mib, false, false);
        assert_true(share >= cases[k].least && share <= cases[k].most);
    }
}

/* All of 32 MiB, and 28 % of 64. */
static void what_was_written_stays_longer(void **state)
{
    static const struct { uint64_t mib; double least, most; } cases[] = {
        {32, 1, 1}, {64, 0.2, 0.35}, {72, 0, 0}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        open(state);
        passes(cases[k].mib, true, false);
        double share = passes(cases[k].mib, false, false);
        assert_true(share >= cases[k].least && share <= cases[k].most);
    }
}

/* krr_40, krr_48 and krr_64 of caches-h200.csv: most, some, nothing. */
static void a_clean_cache_keeps_more(void **state)
{
    static const struct { uint64_t mib; double least, most; } cases[] = {
        {36, 1, 1}, {40, 0.8, 1}, {48, 0.3, 0.7}, {64, 0, 0}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        open(state);
        passes(256, false, true);
        passes(cases[k].mib, false, false);
        double share = passes(cases[k].mib, false, false);
        assert_true(share >= cases[k].least && share <= cases[k].most);
    }
}

/* mcr_16, mcr_32 and mcdd_20: what is written takes less of the place of what
 * was read; and what was written stays so when it is read. */
static void copies_leave_their_source(void **state)
{
    static const struct { uint64_t mib; double least, most; } cases[] = {
        {16, 1, 1}, {20, 0.3, 0.8}, {32, 0, 0.1}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        open(state);
        passes(cases[k].mib, false, false);
        passes(cases[k].mib, true, true);
        double share = passes(cases[k].mib, false, false);
        assert_true(share >= cases[k].least && share <= cases[k].most);
    }
    open(state);
    passes(20, true, false);
    assert_true(passes(20, false, false) == 1);
    passes(16, false, true);
    assert_true(passes(20, false, false) > 0.9);
}

static void others_take_its_place(void **state)
{
    (void)state;
    passes(16, false, false);
    passes(8, false, true);
    assert_true(passes(16, false, false) == 1);
    passes(64, false, true);
    assert_true(passes(16, false, false) == 0);
    passes(16, true, false);
    held_moved(&held, h200, 120 << 20);
    assert_true(passes(16, false, false) == 0);
}

/* Of an array of which a quarter was read, L2 has no more. */
static void a_part_is_a_part(void **state)
{
    struct traffic_array a = {.id = 1, .bytes = 16 << 20,
                              .read_sectors = 4 * SECTORS_OF_MIB};
    struct traffic t = {.grid_blocks = 1, .blocks = 1, .arrays = &a,
                        .n_arrays = 1};
    (void)state;
    held_launch(&held, h200, &t);
    assert_true(passes(16, false, false) == 0.25);
}

/* At first all lines must be written back. */
static void lines_become_clean(void **state)
{
    (void)state;
    assert_true(held.clean == 0);
    passes(32, false, false); /* for every third line */
    assert_true(held.clean > 0.3 && held.clean < 0.4);
    passes(128, false, false);
    assert_true(held.clean == 1);
    passes(15, true, true);
    assert_true(held.clean > 0.45 && held.clean < 0.55);
    held_moved(&held, h200, 120 << 20);
    assert_true(held.clean == 0);
}

/* The oldest notes are lost, and no others. */
static void many_arrays(void **state)
{
    struct traffic_array a[HELD_ARRAYS + 1];
    struct traffic t = {.grid_blocks = 1, .blocks = 1, .arrays = a,
                        .n_arrays = HELD_ARRAYS + 1};
    (void)state;
    for (int k = 0; k <= HELD_ARRAYS; k++)
        a[k] = (struct traffic_array){.id = k, .bytes = 1 << 15,
                                      .read_sectors = 1 << 10};
    held_launch(&held, h200, &t);
    held_launch(&held, h200, &t);
    assert_true(a[0].held == 0);
    assert_true(a[1].held == 1 && a[HELD_ARRAYS].held == 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(what_was_read_is_there, open),
        cmocka_unit_test_setup(what_was_written_stays_longer, open),
        cmocka_unit_test_setup(a_clean_cache_keeps_more, open),
        cmocka_unit_test_setup(copies_leave_their_source, open),
        cmocka_unit_test_setup(others_take_its_place, open),
        cmocka_unit_test_setup(a_part_is_a_part, open),
        cmocka_unit_test_setup(lines_become_clean, open),
        cmocka_unit_test_setup(many_arrays, open),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
