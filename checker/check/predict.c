// SPDX-License-Identifier: MIT
/*
 * predict.c: asks the simulated GPU how long a stage would take at the shape
 * that is timed; see predict.h.
 *
 * The launch is the real one, with the real grid, but only some blocks of one
 * multiprocessor run, on arrays that nobody fills: a gigabyte of them costs
 * nothing until it is touched. Registers a thread are ptxas's own words. A
 * stage that cannot be predicted (it waits for blocks that do not run, say)
 * has no prediction, and that is all: nothing here is graded.
 */
#include "predict.h"

#include <stdlib.h>
#include <string.h>

#include "device.h"
#include "nvcc_words.h"
#include "previous.h"

/* Of the sampled blocks: a second or two. */
static const uint64_t budget = 60 * 1000 * 1000;

struct bench {
    struct device device;
    struct runner *runner;
    struct runner_layout layout;
};

static bool start(struct bench *b, const struct phase *phase,
                  const char *output)
{
    const struct workbook *w = phase->workbook;
    struct runner_failure failure;
    struct runner_config config = {
        .program = w->runner, .cuda_lib = w->sim_lib, .simulated = true,
        .seconds = CALL_SECONDS, .memory_bytes = RUNNER_BYTES,
        .output_path = output};

    if (!device_start_as(&b->device, w->device, w->options->gpu))
        return false;
    config.device_fd = b->device.client_fd;
    b->runner = runner_start(&config, &failure);
    return b->runner != NULL;
}

/* ptxas's registers of each kernel of the stage, told to the device. */
static bool tell_registers(struct bench *b, const char *words)
{
    char kernel[256];
    int n;

    while ((words = nvcc_kernel(words, kernel, sizeof kernel, &n)))
        if (!device_registers(&b->device, kernel, n))
            return false;
    return true;
}

/* The sum over the stage's launches; false: one was not predicted. */
static bool add_up(const json_t *report, struct predicted *p)
{
    json_t *launches = json_object_get(report, "launches"), *launch, *part;
    double longest = 0.0;
    const char *name;
    size_t i;

    json_array_foreach(launches, i, launch) {
        const json_t *o = json_object_get(launch, "predicted");
        const char *fault =
            json_string_value(json_object_get(launch, "fault"));

        if (!o || !fault || strcmp(fault, "none") != 0)
            return false;
        p->ms += json_number_value(json_object_get(o, "ms"));
        json_object_foreach(json_object_get(o, "parts_ms"), name, part)
            json_object_set_new(
                p->parts, name,
                json_real(json_number_value(part) +
                          json_number_value(
                              json_object_get(p->parts, name))));
        if (json_number_value(json_object_get(o, "ms")) <= longest)
            continue;
        longest = json_number_value(json_object_get(o, "ms"));
        snprintf(p->gpu, sizeof p->gpu, "%s",
                 json_string_value(json_object_get(o, "gpu")));
        snprintf(p->bound, sizeof p->bound, "%s",
                 json_string_value(json_object_get(o, "bound")));
        snprintf(p->bound_words, sizeof p->bound_words, "%s",
                 json_string_value(json_object_get(o, "bound_words")));
    }
    return p->ms > 0.0;
}

static bool run(struct bench *b, const struct phase *phase, const char *stage,
                const char *words, struct predicted *p)
{
    const struct kernel_conf *conf = phase->result->conf;
    struct runner_failure failure;
    struct runner_case c = {.op = conf->op, .shape = conf->time_shape,
                            .stage = stage};
    json_t *report;
    bool ok = runner_load(b->runner, &c, &b->layout, &failure) == RUNNER_OK &&
              device_sample(&b->device, budget) &&
              tell_registers(b, words) && device_clear(&b->device) &&
              runner_launch(b->runner, &failure) == RUNNER_OK;

    if (!ok)
        return false;
    report = device_report(&b->device);
    p->parts = json_object();
    ok = add_up(report, p);
    json_decref(report);
    return ok;
}

static bool predict(const struct phase *phase, const char *stage,
                    const char *words, struct predicted *p)
{
    char output[PATH_BYTES];
    struct bench b = {.device = {.pid = -1, .client_fd = -1, .control = -1}};
    bool ok;

    path_set(output, "%s/predict.out", phase->workbook->scratch);
    ok = start(&b, phase, output) && run(&b, phase, stage, words, p);
    runner_stop(b.runner);
    device_stop(&b.device);
    if (!ok) {
        json_decref(p->parts);
        *p = (struct predicted){0};
    }
    return ok;
}

/* The stage before, where it is built or can be. */
static void compare(const struct phase *phase, struct predicted *p)
{
    struct previous previous = {{0}, {0}};
    struct predicted before = {0};
    struct text words = {0};
    char log[PATH_BYTES];

    if (!previous_stage(phase->workbook, phase->result->conf->name,
                        &previous))
        return;
    path_set(log, "%.*s.log", (int)(strlen(previous.stage) - strlen(".so")),
             previous.stage);
    file_read(log, &words);
    if (predict(phase, previous.stage, text_get(&words), &before)) {
        p->speedup = before.ms / p->ms;
        path_set(p->previous, "%s", previous.whose);
    }
    json_decref(before.parts);
    text_free(&words);
}

void predict_phase(const struct phase *phase)
{
    struct kernel_result *r = phase->result;

    if (!r->conf->has_time_shape || r->conf->host ||
        (r->verdict != VERDICT_PASS && r->verdict != VERDICT_TECHNIQUE))
        return;
    if (predict(phase, r->build.result, text_get(&r->build.words),
                &r->predicted))
        compare(phase, &r->predicted);
    else if (phase->workbook->options->gpu[0])
        text_add(&r->notes, "No time is predicted for GPU=%s; "
                 "common/simgpu/README.md lists the GPUs that are known.\n",
                 phase->workbook->options->gpu);
}
