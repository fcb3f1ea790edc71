// SPDX-License-Identifier: MIT
/*
 * ownroofs_test.c: the learner's ceilings are kept when both kernels passed on
 * a GPU, and at no other time.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>
#include <cmocka.h>

#include <math.h>

#include "check/report/ownroofs.h"

static struct options options;
static struct workbook workbook = {.options = &options, .gpu = "GPU 1/2"};
static struct kernel_conf conf[2];
static struct kernel_result kernels[2];
static struct outcome outcome = {.workbook = &workbook, .n = 2,
                                 .kernels = kernels};

/* 8 GB in 2 ms, 6 TFLOP in 100 ms. */
static int set_up(void **state)
{
    struct speed *copy = &kernels[0].run[RUN_GPU].speed;
    struct speed *fma = &kernels[1].run[RUN_GPU].speed;

    (void)state;
    options = (struct options){.number = 3};
    conf[0].op = op_find("roof_copy");
    conf[1].op = op_find("roof_fma");
    for (int i = 0; i < 2; i++)
        kernels[i] = (struct kernel_result){.conf = &conf[i],
                                            .verdict = VERDICT_PASS};
    *copy = (struct speed){.timed = true, .bytes = 8e9,
                           .this_ms = {2, 2, 2}};
    *fma = (struct speed){.timed = true, .flops = 6e12,
                          .this_ms = {100, 100, 100}};
    snprintf(workbook.build, sizeof workbook.build, "/tmp/ownroofs.XXXXXX");
    return mkdtemp(workbook.build) ? 0 : -1;
}

static json_t *kept(void)
{
    char path[PATH_BYTES];

    path_set(path, "%s/roofs/yours/GPU_1_2.json", workbook.build);
    own_roofs_keep(&outcome);
    return json_load_file(path, 0, NULL);
}

static int tear_down(void **state)
{
    char path[PATH_BYTES];

    (void)state;
    path_set(path, "%s/roofs/yours/GPU_1_2.json", workbook.build);
    unlink(path);
    path_set(path, "%s/roofs/yours", workbook.build);
    rmdir(path);
    path_set(path, "%s/roofs", workbook.build);
    rmdir(path);
    return rmdir(workbook.build);
}

static void both_passed(void **state)
{
    json_t *j = kept();

    (void)state;
    assert_non_null(j);
    assert_true(fabs(json_number_value(json_object_get(
                    j, "copy_bytes_per_second")) / 4e12 - 1) < 1e-12);
    assert_true(fabs(json_number_value(json_object_get(
                    j, "fp32_flops_per_second")) / 6e13 - 1) < 1e-12);
    json_decref(j);
}

static void one_was_slow(void **state)
{
    (void)state;
    kernels[1].verdict = VERDICT_SLOW;
    assert_null(kept());
}

static void no_gpu(void **state)
{
    (void)state;
    kernels[0].run[RUN_GPU].speed.timed = false;
    assert_null(kept());
}

static void the_solution(void **state)
{
    (void)state;
    options.solution = true;
    assert_null(kept());
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(both_passed, set_up, tear_down),
        cmocka_unit_test_setup_teardown(one_was_slow, set_up, tear_down),
        cmocka_unit_test_setup_teardown(no_gpu, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_solution, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
