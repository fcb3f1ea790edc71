// SPDX-License-Identifier: MIT
/*
 * sampled_test.c: whether the sampled blocks do the arithmetic of the timed
 * shape is asked of kernels that did it at the gates' shape.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "check/phase/sampled.h"

/* Small: 2 * 128 cubed flops are useful. Large: 2 * 4096 cubed, of which one
 * block in a thousand was sampled. */
static bool computes(bool measured, double small, double sampled)
{
    static struct kernel_conf conf;
    static struct kernel_result result;
    struct run *run = &result.run[RUN_SIM];
    json_t *report = json_pack(
        "{s[{s[iii], s[iii], s{sf}, s{si si}}]}", "launches",
        "grid", 1000, 1, 1, "block", 256, 1, 1,
        "counters", "flops", sampled,
        "traffic", "grid_blocks", 1000, "blocks", 1);
    bool does;

    conf.op = op_find("gemm_f32");
    conf.time_shape = (struct op_shape){.dim = {4096, 4096, 4096}};
    result.conf = &conf;
    run->gates_measured = measured;
    run->counters_shape = (struct op_shape){.dim = {128, 128, 128}};
    run->counters = json_pack("{sf}", "flops", small);
    does = sampled_computes(&result, report);
    json_decref(run->counters);
    json_decref(report);
    return does;
}

static void half_of_what_is_useful(void **state)
{
    const double small = 4194304.0, large = 137438953.472; /* of one block */

    (void)state;
    assert_true(computes(true, small, large));
    assert_true(computes(true, 8.0 * small, 0.55 * large)); /* all but empty */
    assert_false(computes(true, small, 0.45 * large));
    assert_false(computes(true, 8.0 * small, 0.45 * large));
}

/* Of integers, say, or by a formula with fewer operations. */
static void as_at_the_gates(void **state)
{
    const double small = 4194304.0, large = 137438953.472;

    (void)state;
    assert_true(computes(true, 0.0, 0.0));
    assert_true(computes(true, 0.5 * small, 0.3 * large));
    assert_false(computes(true, 0.5 * small, 0.2 * large));
    assert_true(computes(false, small, 0.0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(half_of_what_is_useful),
        cmocka_unit_test(as_at_the_gates),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
