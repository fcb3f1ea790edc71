// SPDX-License-Identifier: MIT
/*
 * roofs_test.c: the kernels behind the ceilings do the work they are timed
 * for, and the arithmetic that places a kernel under them.
 *
 * The kernels run on the simulated GPU, through the runner, so this is also
 * the runner's test with the runtime it mostly meets.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check/judge/data.h"
#include "check/run/device.h"
#include "check/run/runner_client.h"
#include "harness/roofline.h"
#include "op/pipe.h"
#include "simgpu/gpu.h"

static char program[2100], cuda_lib[2100], device_program[2100], stage[2100];

static int set_up(void **state)
{
    char build[2048]; /* the folder above this program's */
    ssize_t n = readlink("/proc/self/exe", build, sizeof build - 1);

    (void)state;
    if (n <= 0)
        return -1;
    build[n] = '\0';
    for (int up = 0; up < 2; up++)
        *strrchr(build, '/') = '\0';
    snprintf(program, sizeof program, "%s/bin/runner", build);
    snprintf(cuda_lib, sizeof cuda_lib, "%s/simgpu", build);
    snprintf(device_program, sizeof device_program, "%s/bin/simgpu-device",
             build);
    snprintf(stage, sizeof stage, "%s/harness/roofs.so", build);
    return 0;
}

static void run_case(struct runner *r, const struct op *op,
                     const struct op_shape *shape, enum op_family family)
{
    struct runner_case c = {op, *shape, stage, 0};
    struct runner_layout layout;
    struct runner_failure failure;
    struct runner_result result;
    struct test_case t = {.problem = op_draw(op, shape, family, 7)};
    struct comparison cmp;
    struct data d;

    data_make(&d, op, &t);
    assert_int_equal(runner_load(r, &c, &layout, &failure), RUNNER_OK);
    assert_int_equal(runner_upload(r, d.given, t.problem.scalar, &failure),
                     RUNNER_OK);
    assert_int_equal(runner_launch(r, &failure), RUNNER_OK);
    assert_int_equal(runner_download(r, d.got, &result, &failure), RUNNER_OK);
    assert_true(result.inputs_ok);
    data_compare(&d, NULL, &cmp);
    assert_int_equal(cmp.kind, CELL_RIGHT);
    data_free(&d);
}

static void kernels_are_right(void **state)
{
    static const char *const names[] = {
        "roof_copy",     "roof_fma",      "roof_fma_fp64",
        "roof_fma_fp16", "roof_fma_bf16", "roof_dp4a"};
    struct device device;
    struct runner_failure failure;
    struct runner_config config = {.program = program, .cuda_lib = cuda_lib,
                                   .simulated = true, .seconds = 30};
    struct runner *r;

    (void)state;
    assert_true(device_start(&device, device_program));
    config.device_fd = device.client_fd;
    r = runner_start(&config, &failure);
    if (!r)
        fail_msg("%s", failure.message);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const struct op *op = op_find(names[i]);
        for (int s = 0; s < op->n_awkward; s++)
            run_case(r, op, &op->awkward[s], op->families[s % op->n_families]);
    }
    runner_stop(r);
    device_stop(&device);
}

static void a_copy_is_bound_by_memory(void **state)
{
    struct roofs roofs = {4e12, 60e12, false};
    struct roofline line = roofline_place(1e9, 8e8, 4e-4, &roofs);

    (void)state;
    assert_string_equal(line.bound, "memory");
    assert_true(line.intensity == 1.25);
    assert_true(line.bandwidth == 2e12);
    assert_true(fabs(line.percent_of_roof - 50) < 1e-9);
}

static void many_flops_are_bound_by_compute(void **state)
{
    struct roofs roofs = {4e12, 60e12, false};
    struct roofline line = roofline_place(6e12, 8e8, 0.4, &roofs);

    (void)state;
    assert_string_equal(line.bound, "compute");
    assert_true(fabs(line.percent_of_roof - 25) < 1e-9);
}

/* The datasheets' figures are found by the pipes' names. */
static void every_pipe_has_a_peak(void **state)
{
    const struct gpu_model *h200 = gpu_named("NVIDIA H200 NVL");

    (void)state;
    assert_non_null(h200);
    assert_string_equal(h200->name, "NVIDIA H200");
    assert_null(gpu_named("NVIDIA"));
    for (int pipe = 0; pipe < PIPES; pipe++)
        assert_true(gpu_peak(h200, pipe_name(pipe)) > 1e12);
    assert_true(gpu_peak(h200, "fp4_tensor") == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kernels_are_right),
        cmocka_unit_test(a_copy_is_bound_by_memory),
        cmocka_unit_test(many_flops_are_bound_by_compute),
        cmocka_unit_test(every_pipe_has_a_peak),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
