// SPDX-License-Identifier: MIT
/*
 * left_out_test.c: what a whole launch writes, in whichever way; of a launch
 * that broke off, or of which a part ran, nothing is known.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "check/phase/left_out.h"

/* Stores of 100 bytes, 20 by bulk copies, 3 by atomics; 4000 were copied and
 * 50,000 filled. */
static double bytes_of(const char *fault, int blocks)
{
    json_t *report = json_pack(
        "{s[{ss, s{si si si}, s{si si}}], s{si si}}", "launches",
        "fault", fault,
        "counters", "global_store_bytes", 100, "bulk_store_bytes", 20,
        "global_atomic_bytes", 3,
        "traffic", "grid_blocks", 1000, "blocks", blocks,
        "moved", "copied", 4000, "filled", 50000);
    double bytes = left_out_bytes(report);

    json_decref(report);
    return bytes;
}

static void in_whichever_way(void **state)
{
    (void)state;
    assert_true(fabs(bytes_of("none", 1000) - 54123.0) < 0.5);
}

static void whole_launches_alone(void **state)
{
    (void)state;
    assert_true(isnan(bytes_of("none", 999)));
    assert_true(isnan(bytes_of("budget", 1000)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(in_whichever_way),
        cmocka_unit_test(whole_launches_alone),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
