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

#include <string.h>

#include "previous.h"
#include "remembered.h"
#include "watched.h"

/* The sampled blocks take a second or two at most. */
static const struct device_look look = {.budget = 60 * 1000 * 1000,
                                        .sample = true};

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
        p->l2_bytes += json_number_value(json_object_get(o, "l2_bytes"));
        p->memory_bytes +=
            json_number_value(json_object_get(o, "read_bytes")) +
            json_number_value(json_object_get(o, "write_bytes"));
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

/* The device's report of a launch that is watched now, if none is known. */
static json_t *watch(const struct workbook *w,
                     const struct watched_stage *stage)
{
    json_t *report = remembered_report(w, stage);
    struct watched b;

    if (report)
        return report;
    if (watched_open(&b, w, w->options->gpu))
        report = watched_launch(&b, stage, &look);
    watched_close(&b);
    if (report)
        remember_report(w, stage, report);
    return report;
}

static bool predict(const struct phase *phase, const struct op *op,
                    const char *path, const char *words, struct predicted *p)
{
    const struct watched_stage stage = {.op = op,
                                        .shape =
                                            phase->result->conf->time_shape,
                                        .path = path, .words = words};

    p->report = watch(phase->workbook, &stage);
    p->parts = json_object();
    if (p->report && add_up(p->report, p))
        return true;
    predicted_free(p);
    return false;
}

/* The stage before, where it is built or can be. */
static void compare(const struct phase *phase, struct predicted *p)
{
    struct previous previous = {0};
    struct predicted before = {0};
    struct text words = {0};
    char log[PATH_BYTES];

    if (!previous_stage(phase->workbook, phase->result->conf, &previous))
        return;
    path_set(log, "%.*s.log", (int)(strlen(previous.stage) - strlen(".so")),
             previous.stage);
    file_read(log, &words);
    if (predict(phase, previous.op, previous.stage, text_get(&words),
                &before)) {
        p->speedup = before.ms / p->ms;
        path_set(p->previous, "%s", previous.whose);
    }
    predicted_free(&before);
    text_free(&words);
}

void predict_phase(const struct phase *phase)
{
    struct kernel_result *r = phase->result;

    if (!r->conf->has_time_shape || r->conf->host ||
        (r->verdict != VERDICT_PASS && r->verdict != VERDICT_TECHNIQUE))
        return;
    if (predict(phase, r->conf->op, r->build.result,
                text_get(&r->build.words), &r->predicted))
        compare(phase, &r->predicted);
    else if (phase->workbook->options->gpu[0])
        text_add(&r->notes, "No time is predicted for GPU=%s; "
                 "common/simgpu/README.md lists the GPUs that are known.\n",
                 phase->workbook->options->gpu);
}
