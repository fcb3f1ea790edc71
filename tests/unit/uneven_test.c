// SPDX-License-Identifier: MIT
/*
 * uneven_test.c: blocks of equal work are even, and a block that does all of it
 * takes as long at any size; engine and check together are tried by the mutants
 * and the honest kernels.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "check/judge/uneven.h"

/* One launch: its grid, its warp instructions, those of its busiest block. */
static struct uneven launched(long long blocks, long long all,
                              long long busiest)
{
    json_t *report = json_pack(
        "{s[{s[Iii] s{sI sI} s{sI sI}}]}", "launches", "grid",
        (json_int_t)blocks, 1, 1, "counters", "warp_instructions",
        (json_int_t)all, "global_load_sectors", (json_int_t)all / 10,
        "busiest_block", "warp_instructions", (json_int_t)busiest, "sectors",
        (json_int_t)busiest / 10);
    struct uneven u = uneven_of(report);

    json_decref(report);
    return u;
}

static void equal_blocks(void **state)
{
    struct uneven few = launched(8, 8000000, 1000000);
    struct uneven many = launched(4096, 4096000, 1000);
    struct uneven triangle = launched(132, 132000000, 2000000);

    (void)state;
    assert_false(uneven_seems(&few));
    assert_false(uneven_seems(&many));
    assert_false(uneven_seems(&triangle));
    assert_true(uneven_time(&many, 1e6, NULL, 0.0, 1e9).times == 0.0);
}

static void one_block(void **state)
{
    struct uneven whole = launched(4096, 1000000, 990000);
    struct uneven half = launched(2048, 500000, 495000);
    struct busiest b;

    (void)state;
    assert_true(uneven_seems(&whole));
    b = uneven_time(&whole, 1e6, &half, 0.5e6, 256e6);
    /* 253 million instructions, four per clock of 1.98 GHz */
    assert_true(b.issue_ms > 31.0 && b.issue_ms < 33.0);
    /* 25 million sectors, four per clock */
    assert_true(b.move_ms > 3.1 && b.move_ms < 3.3);
    assert_true(b.times > 125.0 && b.times < 135.0);
}

/* Its share falls as the grid grows: it does no more than it did. */
static void a_block_that_does_not_grow(void **state)
{
    struct uneven whole = launched(4096, 1000000, 100000);
    struct uneven half = launched(2048, 500000, 100000);
    struct busiest b = uneven_time(&whole, 1e6, &half, 0.5e6, 256e6);

    (void)state;
    assert_true(uneven_seems(&whole));
    assert_true(b.issue_ms < 0.02); /* 100,000 instructions, still */
    assert_true(b.times < 0.1);
}

static void launches_follow_each_other(void **state)
{
    json_t *report = json_pack(
        "{s[{s[iii] s{si} s{si}} {s[iii] s{si} s{si}} {s[iii]}]}", "launches",
        "grid", 264, 1, 1, "counters", "warp_instructions", 264,
        "busiest_block", "warp_instructions", 1,
        "grid", 1, 1, 1, "counters", "warp_instructions", 10,
        "busiest_block", "warp_instructions", 10,
        "grid", 0, 1, 1);
    struct uneven u = uneven_of(report);

    (void)state;
    assert_true(u.instructions.all == 274.0);
    assert_true(u.instructions.busiest == 11.0);
    assert_true(u.instructions.even == 12.0);
    assert_true(u.sectors.all == 0.0);
    json_decref(report);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_blocks),
        cmocka_unit_test(one_block),
        cmocka_unit_test(a_block_that_does_not_grow),
        cmocka_unit_test(launches_follow_each_other),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
