// SPDX-License-Identifier: MIT
/*
 * forecast.c: see forecast.h.
 */
#include "bench/forecast.h"

#include <math.h>
#include <string.h>

static const struct device_look look = {.budget = 20 * 1000 * 1000,
                                        .sample = true};

void forecast_open(struct forecast *f, const char *build, const char *gpu)
{
    struct workbook *w = &f->workbook;

    f->gpu = gpu;
    w->options = &f->options;
    f->options.patience = 60;
    path_set(w->build, "%s", build);
    path_set(w->runner, "%s/bin/runner", build);
    path_set(w->device, "%s/bin/simgpu-device", build);
    path_set(w->sim_lib, "%s/simgpu", build);
    path_set(w->scratch, "%s/sweep", build);
}

void forecast_close(struct forecast *f)
{
    if (f->is_watching)
        watched_close(&f->watched);
    f->is_watching = false;
}

/* The sum over a report's launches; NAN: one was not predicted. */
static double predicted_ms(const json_t *report)
{
    const json_t *launch;
    double ms = 0;
    size_t i;

    json_array_foreach(json_object_get(report, "launches"), i, launch) {
        const json_t *p = json_object_get(launch, "predicted");
        const char *fault =
            json_string_value(json_object_get(launch, "fault"));

        if (!p || !fault || strcmp(fault, "none") != 0)
            return NAN;
        ms += json_number_value(json_object_get(p, "ms"));
    }
    return ms > 0 ? ms : NAN;
}

double forecast_ms(struct forecast *f, const struct op *op,
                   const struct op_shape *shape, const struct candidate *c)
{
    struct watched_stage stage = {.op = op, .path = c->stage,
                                  .shape = *shape};
    struct text words = {0};
    json_t *report;
    double ms;

    file_read(c->words, &words);
    stage.words = text_get(&words);
    if (!f->is_watching)
        f->is_watching = watched_open(&f->watched, &f->workbook, f->gpu);
    report = f->is_watching ? watched_launch(&f->watched, &stage, &look)
                            : NULL;
    ms = report ? predicted_ms(report) : NAN;
    if (!(ms > 0)) { /* the next one gets a fresh device */
        watched_close(&f->watched);
        f->is_watching = false;
    }
    json_decref(report);
    text_free(&words);
    return ms;
}
