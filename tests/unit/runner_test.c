// SPDX-License-Identifier: MIT
/*
 * runner_test.c: the runner and check's side of it, on a runtime without a
 * device (tests/runner), with stages that misbehave.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../runner/stage.h"
#include "check/base/clock.h"
#include "check/run/runner_client.h"
#include "check/time/roofs.h"
#include "check/time/timing.h"

static char build[2048]; /* the folder above this program's */
static char program[2100], gpu_lib[2100], sim_lib[2100], stage[2100],
    empty[2100], stages[2100], output[2100];

static struct runner_failure failure;
static struct runner_result result;
static struct runner_layout layout;

static int set_up(void **state)
{
    ssize_t n = readlink("/proc/self/exe", build, sizeof build - 1);

    (void)state;
    if (n <= 0)
        return -1;
    build[n] = '\0';
    for (int up = 0; up < 2; up++)
        *strrchr(build, '/') = '\0';
    snprintf(program, sizeof program, "%s/bin/runner", build);
    snprintf(gpu_lib, sizeof gpu_lib, "%s/fake/gpu", build);
    snprintf(sim_lib, sizeof sim_lib, "%s/fake/sim", build);
    snprintf(stage, sizeof stage, "%s/fake/stage.so", build);
    snprintf(empty, sizeof empty, "%s/fake/empty.so", build);
    snprintf(stages, sizeof stages, "%s/fake", build);
    snprintf(output, sizeof output, "%s/fake/output.%d", build, (int)getpid());
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    return unlink(output) == 0 ? 0 : -1;
}

static bool kept; /* by another process, if on a GPU */

static struct runner *start_for(bool simulated, double seconds)
{
    struct runner_config config = {
        .program = program,
        .cuda_lib = simulated ? sim_lib : gpu_lib,
        .simulated = simulated,
        .kept = kept && !simulated,
        .device_fd = -1,
        .seconds = seconds,
        .output_path = output,
    };
    struct runner *r = runner_start(&config, &failure);

    if (!r)
        fail_msg("%s", failure.message);
    return r;
}

static struct runner *start(void)
{
    return start_for(false, 60);
}

static enum runner_status load(struct runner *r, int n)
{
    struct runner_case c = {op_find("vector_add"), {.dim = {n}}, stage,
                            0};

    return runner_load(r, &c, &layout, &failure);
}

/* Everything up to the launch, with a[i] = i, b[i] = 1; returns c. */
static float *ready(struct runner *r, int n)
{
    float *a = calloc((size_t)n, sizeof *a), *b = calloc((size_t)n, sizeof *b);
    void *given[] = {a, b};

    for (int i = 0; i < n; i++) {
        a[i] = (float)i;
        b[i] = 1;
    }
    assert_int_equal(load(r, n), RUNNER_OK);
    assert_int_equal(runner_upload(r, given, NULL, &failure), RUNNER_OK);
    free(b);
    return a; /* as long as c, and no longer needed */
}

static enum runner_status download(struct runner *r, float *c)
{
    void *got[] = {NULL, NULL, c};

    return runner_download(r, got, &result, &failure);
}

/* Starts, launches once, downloads; the caller looks at result and c. */
static float *run(int n, bool simulated)
{
    struct runner *r = start_for(simulated, 60);
    float *c = ready(r, n);

    assert_int_equal(runner_launch(r, &failure), RUNNER_OK);
    assert_int_equal(download(r, c), RUNNER_OK);
    runner_stop(r);
    return c;
}

static void adds(void **state)
{
    (void)state;
    for (int simulated = 0; simulated < 2; simulated++)
        for (int n = 1; n < 70000; n = n * 37 + 1) {
            float *c = run(n, simulated);
            assert_true(result.guards_ok && result.inputs_ok);
            for (int i = 0; i < n; i++)
                assert_true(c[i] == (float)i + 1);
            free(c);
        }
}

static void what_is_not_written_is_poison(void **state)
{
    static const unsigned char poison[] = {0xff, 0xff, 0xff, 0xff};
    float *c = run(STAGE_PARTIAL, false);

    (void)state;
    assert_memory_equal(&c[STAGE_PARTIAL - 1], poison, sizeof poison);
    assert_true(c[STAGE_PARTIAL - 2] == STAGE_PARTIAL - 1);
    free(c);
}

static void guards_find_writes_outside(void **state)
{
    (void)state;
    free(run(STAGE_BEFORE, false));
    assert_false(result.guards_ok);
    assert_int_equal(result.guard_buffer, 2);
    assert_int_equal(result.guard_offset, -3);
    free(run(STAGE_AFTER, false));
    assert_false(result.guards_ok);
    assert_int_equal(result.guard_offset, STAGE_AFTER * 4);
    free(run(STAGE_WORKSPACE_OVER, false));
    assert_false(result.guards_ok);
    assert_int_equal(result.guard_buffer, 3); /* after a, b and c */
    assert_int_equal(result.guard_offset, 1001);
    free(run(STAGE_INPUT, false));
    assert_true(result.guards_ok);
    assert_false(result.inputs_ok);
}

static void the_cage_is_shut(void **state)
{
    float *c;

    (void)state;
    setenv("WARPBOOK_TEST_SECRET", "1", 1);
    c = run(STAGE_LOOK, false);
    assert_true(c[0] == 1);
    free(c);
}

static void a_workspace_is_poisoned_too(void **state)
{
    float *c = run(STAGE_WORKSPACE, false);

    (void)state;
    assert_int_equal(layout.workspace_bytes, 1000);
    assert_true(kept || layout.workspace != 0);
    assert_true(c[0] == 255);
    free(c);
}

static void output_goes_to_the_file(void **state)
{
    char line[64] = "";
    FILE *f;

    (void)state;
    free(run(STAGE_PRINT, false));
    f = fopen(output, "r");
    assert_non_null(f);
    assert_non_null(fgets(line, sizeof line, f));
    assert_string_equal(line, "PASS\n");
    fclose(f);
}

static void ends_have_their_status(void **state)
{
    static const struct {
        int n;
        enum runner_status status;
        int exit_code, signal;
        const char *error_name, *words;
    } ends[] = {
        {STAGE_EXIT, RUNNER_EXITED, 3, 0, "", "exit(3)"},
        {STAGE_CRASH, RUNNER_CRASHED, 0, SIGSEGV, "", "crashed"},
        {STAGE_HANG, RUNNER_TIMEOUT, 0, 0, "", "no answer"},
        {STAGE_FORGE, RUNNER_REFUSED, 0, 0, "", "wrote to"},
        {STAGE_CLOSE, RUNNER_REFUSED, 0, 0, "", "closed"},
        {STAGE_ERROR, RUNNER_LAUNCH, 0, 0, "cudaErrorInvalidConfiguration",
         "vector_add"},
        {STAGE_SILENT, RUNNER_LAUNCH, 0, 0, "cudaErrorInvalidConfiguration",
         "called a success"},
        {STAGE_FAULT, RUNNER_LAUNCH, 0, 0, "cudaErrorIllegalAddress",
         "while it ran"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        struct runner *r =
            start_for(false, ends[i].status == RUNNER_TIMEOUT ? 3 : 60);
        free(ready(r, ends[i].n));
        assert_int_equal(runner_launch(r, &failure), ends[i].status);
        assert_int_equal(failure.exit_code, ends[i].exit_code);
        assert_int_equal(failure.signal, ends[i].signal);
        assert_string_equal(failure.error_name, ends[i].error_name);
        assert_non_null(strstr(failure.message, ends[i].words));
        if (ends[i].status != RUNNER_LAUNCH) /* gone, and it stays so */
            assert_int_equal(runner_launch(r, &failure), RUNNER_REFUSED);
        runner_stop(r);
    }
}

/* A fault stays: the next call finds the device unusable. */
static void a_fault_is_sticky(void **state)
{
    struct runner *r = start();

    (void)state;
    free(ready(r, STAGE_FAULT));
    assert_int_equal(runner_launch(r, &failure), RUNNER_LAUNCH);
    assert_int_equal(load(r, 5), RUNNER_DEVICE);
    runner_stop(r);
}

static void a_shrunken_file_hurts_nobody(void **state)
{
    struct runner *r = start();
    float *c = ready(r, STAGE_SHRINK);

    (void)state;
    assert_int_equal(runner_launch(r, &failure), RUNNER_OK);
    assert_int_equal(download(r, c), RUNNER_OK);
    assert_true(result.inputs_ok && c[STAGE_SHRINK - 1] == STAGE_SHRINK);
    runner_stop(r);
    free(c);
}

static void missing_symbols_are_named(void **state)
{
    struct runner *r = start();
    struct runner_case c = {op_find("vector_add"), {.dim = {4}}, empty,
                            0};

    (void)state;
    assert_int_equal(runner_load(r, &c, &layout, &failure), RUNNER_SYMBOL);
    assert_non_null(strstr(failure.message, "vector_add(const float *a"));
    c.stage = "/nowhere.so";
    assert_int_equal(runner_load(r, &c, &layout, &failure), RUNNER_SYMBOL);
    assert_non_null(strstr(failure.message, "/nowhere.so"));
    c.stage = program; /* no shared library */
    assert_int_equal(runner_load(r, &c, &layout, &failure), RUNNER_SYMBOL);
    assert_int_equal(load(r, 5), RUNNER_OK); /* and it is still there */
    runner_stop(r);
}

static void the_wrong_runtime_is_refused(void **state)
{
    struct runner_config config = {.program = program, .cuda_lib = gpu_lib,
                                   .simulated = true, .device_fd = -1,
                                   .seconds = 10, .output_path = output};

    (void)state;
    assert_null(runner_start(&config, &failure));
    assert_non_null(strstr(failure.message, "libcudart"));
    config.cuda_lib = "/nowhere";
    assert_null(runner_start(&config, &failure));
    assert_non_null(strstr(failure.message, "libcudart"));
    config.program = "/nowhere/runner";
    assert_null(runner_start(&config, &failure));
    assert_non_null(strstr(failure.message, "did not start"));
}

static void the_device_is_named_without_escapes(void **state)
{
    struct runner *r = start();

    (void)state;
    assert_string_equal(runner_device(r)->name, "Fake [31mTesla T4");
    assert_string_equal(runner_device(r)->pci, "0001:01:01.0");
    assert_int_equal(runner_device(r)->l2_bytes, 1 << 20);
    runner_stop(r);
}

static void batches_are_timed(void **state)
{
    struct runner *r = start();
    float *c = ready(r, STAGE_SLOW);
    double seconds[8], wall;

    (void)state;
    assert_int_equal(runner_time(r, true, 8, seconds, &wall, &failure),
                     RUNNER_OK);
    for (int i = 0; i < 8; i++) {
        assert_true(seconds[i] >= 2e-3);
        wall -= seconds[i];
    }
    assert_true(wall > 0);
    assert_int_equal(runner_time(r, false, 8, seconds, &wall, &failure),
                     RUNNER_OK);
    assert_true(wall >= 8 * 2e-3);
    assert_int_equal(download(r, c), RUNNER_OK);
    assert_true(c[10] == 11);
    assert_int_equal(runner_time(r, true, RUNNER_MAX_SAMPLES + 1, seconds,
                                 &wall, &failure),
                     RUNNER_REFUSED);
    runner_stop(r);
    free(c);
}

/* A busy machine's times scatter, or its clocks are apart for a moment, and
 * that is said: tried again. What is wrong stays so. */
static enum runner_status compare(const struct timing_config *config,
                                  struct timing *timing)
{
    enum runner_status status = RUNNER_OK;

    for (int i = 0; i < 20 && status == RUNNER_OK; i++) {
        status = timing_compare(config, timing, &failure);
        if (timing->verdict != TIMING_AMBIGUOUS && !timing->refused)
            break;
    }
    return status;
}

/* 2 ms per launch against next to nothing. */
static void slower_is_slower(void **state)
{
    struct runner *slow = start(), *fast = start();
    float *a = ready(slow, STAGE_SLOW), *b = ready(fast, 64);
    struct timing_config config = {.op = op_find("vector_add"),
                                   .shape = {{STAGE_SLOW}}, .seconds = 0.5,
                                   .warm_up = 0.1};
    struct timing timing;

    (void)state;
    config.runner[TIMING_CURRENT] = slow;
    config.runner[TIMING_PREVIOUS] = fast;
    assert_int_equal(compare(&config, &timing), RUNNER_OK);
    assert_int_equal(timing.verdict, TIMING_SLOWER);
    assert_true(timing.speedup.high < 0.5);
    assert_false(timing.refused);
    assert_true(timing.seconds[TIMING_CURRENT].low >= 2e-3);
    assert_true(isnan(timing.seconds[TIMING_COPY].median));
    runner_stop(slow);
    runner_stop(fast);
    free(a);
    free(b);
}

/* Times that cannot be are refused, whatever the events say. */
static void dishonest_times_are_refused(void **state)
{
    static const struct {
        int n;
        const char *words;
    } cheats[] = {{STAGE_DEFER, "outside the given stream"},
                  {STAGE_LAZY, "full bandwidth"}};

    (void)state;
    for (size_t i = 0; i < sizeof cheats / sizeof *cheats; i++) {
        struct runner *r = start();
        float *c = ready(r, cheats[i].n);
        struct timing_config config = {.runner = {[TIMING_CURRENT] = r},
                                       .op = op_find("vector_add"),
                                       .shape = {{cheats[i].n}},
                                       .seconds = 0.2, .warm_up = 0.1};
        struct timing timing;
        assert_int_equal(timing_compare(&config, &timing, &failure),
                         RUNNER_OK);
        assert_true(timing.refused);
        if (!strstr(timing.message, cheats[i].words))
            fail_msg("%s", timing.message);
        runner_stop(r);
        free(c);
    }
}

/* A copy whose clocks disagree tells that the GPU is busy; one whose clocks
 * agree does not excuse the stage beside it. Where this machine itself is busy,
 * the clocks of an honest copy may disagree: then it is tried again. */
static void a_busy_gpu_accuses_nobody(void **state)
{
    static const struct {
        int copy;
        bool busy;
        const char *words;
    } beside[] = {{STAGE_DEFER, true, "another process keeps this GPU busy"},
                  {STAGE_SLOW, false, "outside the given stream"}};

    (void)state;
    for (size_t i = 0; i < sizeof beside / sizeof *beside; i++) {
        struct runner *r = start(), *copy = start();
        float *a = ready(r, STAGE_DEFER), *b = ready(copy, beside[i].copy);
        struct timing_config config = {
            .runner = {[TIMING_CURRENT] = r, [TIMING_COPY] = copy},
            .op = op_find("vector_add"), .shape = {{STAGE_DEFER}},
            .seconds = 0.2, .warm_up = 0.1};
        struct timing timing;

        for (int n = 0; n < 12; n++) {
            assert_int_equal(timing_compare(&config, &timing, &failure),
                             RUNNER_OK);
            if (timing.busy == beside[i].busy)
                break;
        }
        assert_int_equal(timing.busy, beside[i].busy);
        assert_int_equal(timing.refused, !beside[i].busy);
        if (!strstr(timing.message, beside[i].words))
            fail_msg("%s", timing.message);
        runner_stop(r);
        runner_stop(copy);
        free(a);
        free(b);
    }
}

/* Of what takes a quarter of a second and more, six samples will do. Events
 * alone see the time, so that no busy machine scatters it. */
static void a_slow_launch_is_timed_six_times(void **state)
{
    struct runner *r = start();
    float *c = ready(r, STAGE_SLOWEST);
    struct timing_config config = {.runner = {[TIMING_CURRENT] = r},
                                   .op = op_find("vector_add"),
                                   .shape = {{STAGE_SLOWEST}},
                                   .warm_up = 0.01};
    struct timing timing;

    (void)state;
    assert_int_equal(timing_compare(&config, &timing, &failure), RUNNER_OK);
    assert_true(timing.converged);
    assert_int_equal(timing.samples[TIMING_CURRENT], 6);
    assert_true(timing.refused);
    runner_stop(r);
    free(c);
}

/* Times that scatter are not measured for ever where nothing hangs on them. */
static void what_decides_nothing_is_measured_briefly(void **state)
{
    struct runner *r = start();
    float *c = ready(r, STAGE_UNEVEN);
    struct timing_config config = {.runner = {[TIMING_CURRENT] = r},
                                   .op = op_find("vector_add"),
                                   .shape = {{STAGE_UNEVEN}},
                                   .to_decide = true, .warm_up = 0.01};
    struct timing timing;
    double begun = clock_seconds();

    (void)state;
    assert_int_equal(timing_compare(&config, &timing, &failure), RUNNER_OK);
    assert_false(timing.converged);
    assert_true(timing.samples[TIMING_CURRENT] > 3);
    assert_true(clock_seconds() - begun < 19); /* of 20 otherwise */
    runner_stop(r);
    free(c);
}

static void write_file(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");

    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

/* A good cache is taken; any other is measured anew, which cannot be here. */
static void ceilings_come_from_the_cache(void **state)
{
    static const char *const bad[] = {
        "{\"version\": 0, \"copy_bytes_per_second\": 4e12, "
        "\"fp32_flops_per_second\": 5e13}",
        "{\"version\": 1, \"copy_bytes_per_second\": 4e12}",
        "{\"version\": 1, \"copy_bytes_per_second\": 0, "
        "\"fp32_flops_per_second\": 5e13}",
        "{", ""};
    struct roofs_config config = {.runner = start(), .stages = stages};
    struct roofs roofs;
    char folder[2100], path[2200];

    (void)state;
    snprintf(folder, sizeof folder, "%s/fake", build);
    snprintf(path, sizeof path, "%s/Fake__31mTesla_T4.json", folder);
    config.cache = folder;
    write_file(path, "{\"version\": 1, \"copy_bytes_per_second\": 4e12, "
                     "\"fp32_flops_per_second\": 5e13, "
                     "\"bf16_tensor_flops_per_second\": 9e14}");
    assert_int_equal(roofs_get(&config, PIPE_FP32, &roofs, &failure),
                     RUNNER_OK);
    assert_true(roofs.bandwidth == 4e12 && roofs.flops == 5e13);
    assert_int_equal(roofs_get(&config, PIPE_BF16_TENSOR, &roofs, &failure),
                     RUNNER_OK);
    assert_true(roofs.flops == 9e14 && !roofs.datasheet);
    assert_int_equal(roofs_get(&config, PIPE_FP64, &roofs, &failure),
                     RUNNER_SYMBOL);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        write_file(path, bad[i]);
        assert_int_equal(roofs_get(&config, PIPE_FP32, &roofs, &failure),
                         RUNNER_SYMBOL);
    }
    assert_int_equal(unlink(path), 0);
    runner_stop(config.runner);
}

/* A T4's datasheet knows fp16 on tensor cores, but no fp8. */
static void a_missing_pipe_is_the_datasheets(void **state)
{
    struct roofs_config config = {.runner = start(), .stages = stages};
    struct roofs roofs;
    char path[2200];

    (void)state;
    config.cache = stages;
    snprintf(path, sizeof path, "%s/Fake__31mTesla_T4.json", stages);
    write_file(path, "{\"version\": 1, \"copy_bytes_per_second\": 4e12}");
    assert_int_equal(roofs_get(&config, PIPE_FP16_TENSOR, &roofs, &failure),
                     RUNNER_OK);
    assert_true(roofs.flops == 65e12 && roofs.datasheet);
    assert_int_equal(roofs_get(&config, PIPE_FP8_TENSOR, &roofs, &failure),
                     RUNNER_LAUNCH);
    assert_int_equal(unlink(path), 0);
    runner_stop(config.runner);
}

/* Each timed launch adds alpha A to C: none may find what another left. */
static void in_and_out_is_restored(void **state)
{
    struct runner_case gemm = {op_find("gemm_f32"),
                               {.dim = {1, 1, 1}, .ld = {0}}, stage, 0};
    float a = 2, b = 1, c = 5, after = 0;
    void *given[] = {&a, &b, &c}, *got[] = {NULL, NULL, &after};
    double scalar[] = {10, 1}, seconds[3], wall;
    struct runner *r = start();

    (void)state;
    assert_int_equal(runner_load(r, &gemm, &layout, &failure), RUNNER_OK);
    assert_int_equal(runner_upload(r, given, scalar, &failure), RUNNER_OK);
    assert_int_equal(runner_time(r, true, 3, seconds, &wall, &failure),
                     RUNNER_OK);
    assert_int_equal(runner_download(r, got, &result, &failure), RUNNER_OK);
    assert_true(after == 25 && result.inputs_ok && result.guards_ok);
    assert_int_equal(runner_launch(r, &failure), RUNNER_OK);
    assert_int_equal(runner_download(r, got, &result, &failure), RUNNER_OK);
    assert_true(after == 45); /* without an upload, nothing is restored */
    runner_stop(r);
}

static int arrays_kept(void **state)
{
    (void)state;
    kept = true;
    return 0;
}

static int arrays_not_kept(void **state)
{
    (void)state;
    kept = false;
    return 0;
}

enum { SETS = 4 };

/* Calls with several sets: which of them hold a + b, counted over all. */
static int right_sets(int n)
{
    struct runner *r = start();
    float *a = ready(r, n), *b = calloc((size_t)n, sizeof *b);
    float *both[2] = {calloc((size_t)n, sizeof *b),
                      calloc((size_t)n, sizeof *b)};
    float *other[2] = {calloc((size_t)n, sizeof *b),
                       calloc((size_t)n, sizeof *b)};
    int right = 0;

    for (int i = 0; i < n; i++) {
        a[i] = (float)i;
        b[i] = 1;
        other[0][i] = (float)(3 * i);
        other[1][i] = 7;
    }
    assert_int_equal(runner_upload_other(r, (void *const[]){other[0], other[1]},
                                         &failure), RUNNER_OK);
    for (int set = 0; set < SETS; set++) {
        float *c = calloc((size_t)n, sizeof *c);
        bool same = true, is_a = true, is_other = true;

        assert_int_equal(runner_on_sets(r, SETS, NULL, &failure), RUNNER_OK);
        runner_mix(r, set, (void *const[]){a, b},
                   (void *const[]){other[0], other[1]},
                   (void *const[]){both[0], both[1]});
        assert_int_equal(download(r, c), RUNNER_OK);
        assert_true(result.guards_ok);
        for (int i = 0; i < n; i++) {
            same &= c[i] == both[0][i] + both[1][i];
            is_a &= both[0][i] == a[i];
            is_other &= both[0][i] == other[0][i];
        }
        assert_false(is_a || is_other);
        right += same;
        free(c);
    }
    for (int i = 0; i < 2; i++) {
        free(both[i]);
        free(other[i]);
    }
    free(a);
    free(b);
    runner_stop(r);
    return right;
}

static void no_two_sets_are_alike(void **state)
{
    (void)state;
    assert_int_equal(right_sets(1000), SETS);
    assert_int_equal(right_sets(20000), SETS); /* beyond the fake's pitch */
    /* Right once: set 0 of the first call is what it remembers. */
    assert_int_equal(right_sets(STAGE_REMEMBER), 1);
    assert_int_equal(right_sets(STAGE_PARTIAL), 0);
}

/* A call's time is check's: work that no event sees counts. */
static void kept_times_are_by_checks_clock(void **state)
{
    struct timing_config config = {.op = op_find("vector_add"),
                                   .seconds = 0.5, .warm_up = 0.05};
    struct timing timing;

    (void)state;
    config.runner[TIMING_CURRENT] = start();
    config.runner[TIMING_PREVIOUS] = start();
    free(ready(config.runner[TIMING_CURRENT], STAGE_SLOW));
    free(ready(config.runner[TIMING_PREVIOUS], STAGE_DEFER));
    config.shape = (struct op_shape){.dim = {STAGE_SLOW}};
    for (int i = 0; i < 2; i++) {
        float zeros[STAGE_DEFER] = {0};

        assert_int_equal(runner_upload_other(config.runner[i],
                                             (void *const[]){zeros, zeros},
                                             &failure), RUNNER_OK);
    }
    assert_int_equal(compare(&config, &timing), RUNNER_OK);
    if (timing.refused)
        fail_msg("%s", timing.message);
    assert_true(timing.seconds[TIMING_CURRENT].median >= 2e-3);
    assert_true(timing.seconds[TIMING_PREVIOUS].median >= 0.1e-3);
    assert_true(runner_sets(config.runner[TIMING_PREVIOUS]).n > 1);
    for (int i = 0; i < 2; i++)
        runner_stop(config.runner[i]);
}

/* However late it shows: it is not the machine's. */
static void a_fault_is_the_stages(void **state)
{
    struct runner *r = start();

    (void)state;
    free(ready(r, STAGE_FAULT));
    for (int i = 0; i < 2; i++) {
        assert_int_equal(runner_launch(r, &failure), RUNNER_LAUNCH);
        assert_string_equal(failure.error_name, "cudaErrorIllegalAddress");
    }
    runner_stop(r);
}

#define KEPT(test)                                                             \
    {                                                                          \
        #test " kept", test, arrays_kept, arrays_not_kept, NULL                \
    }

int main(void)
{
    const struct CMUnitTest tests[] = {
        KEPT(adds),
        KEPT(what_is_not_written_is_poison),
        KEPT(guards_find_writes_outside),
        KEPT(a_workspace_is_poisoned_too),
        KEPT(ends_have_their_status),
        KEPT(a_fault_is_the_stages),
        KEPT(no_two_sets_are_alike),
        KEPT(kept_times_are_by_checks_clock),
        cmocka_unit_test(adds),
        cmocka_unit_test(what_is_not_written_is_poison),
        cmocka_unit_test(guards_find_writes_outside),
        cmocka_unit_test(the_cage_is_shut),
        cmocka_unit_test(a_workspace_is_poisoned_too),
        cmocka_unit_test(output_goes_to_the_file),
        cmocka_unit_test(ends_have_their_status),
        cmocka_unit_test(a_fault_is_sticky),
        cmocka_unit_test(a_shrunken_file_hurts_nobody),
        cmocka_unit_test(missing_symbols_are_named),
        cmocka_unit_test(the_wrong_runtime_is_refused),
        cmocka_unit_test(the_device_is_named_without_escapes),
        cmocka_unit_test(batches_are_timed),
        cmocka_unit_test(slower_is_slower),
        cmocka_unit_test(dishonest_times_are_refused),
        cmocka_unit_test(a_busy_gpu_accuses_nobody),
        cmocka_unit_test(a_slow_launch_is_timed_six_times),
        cmocka_unit_test(what_decides_nothing_is_measured_briefly),
        cmocka_unit_test(ceilings_come_from_the_cache),
        cmocka_unit_test(a_missing_pipe_is_the_datasheets),
        cmocka_unit_test(in_and_out_is_restored),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
