// SPDX-License-Identifier: MIT
/* left_out.c: see left_out.h. */
#include "left_out.h"

#include <math.h>
#include <string.h>

#include "check/judge/finding.h"
#include "watched.h"

/* A second or two. */
static const struct device_look look = {.budget = 20 * 1000 * 1000,
                                        .sample = false};

static double number(const json_t *object, const char *key)
{
    return json_number_value(json_object_get(object, key));
}

/* NAN: it did not run to its end. */
static double stored(const json_t *launch)
{
    static const char *const names[] = {
        "global_store_bytes", "bulk_store_bytes", "global_atomic_bytes"};
    const json_t *traffic = json_object_get(launch, "traffic");
    const json_t *counters = json_object_get(launch, "counters");
    double sum = 0.0;

    if (strcmp(finding_str(launch, "fault"), "none") != 0 || !counters ||
        !(number(traffic, "blocks") >= number(traffic, "grid_blocks")))
        return NAN;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        sum += number(counters, names[i]);
    return sum;
}

double left_out_bytes(const json_t *report)
{
    const json_t *moved = json_object_get(report, "moved"), *launch;
    double sum = number(moved, "copied") + number(moved, "filled");
    size_t i;

    json_array_foreach(json_object_get(report, "launches"), i, launch)
        sum += stored(launch);
    return sum;
}

static double outputs(const struct op *op, const struct op_shape *shape)
{
    double sum = 0.0;

    for (int i = 0; i < op->n_buffers; i++)
        if (op_is_written(op, i))
            sum += (double)op_bytes(op, i, shape);
    return sum;
}

static json_t *run_whole(const struct phase *phase)
{
    struct kernel_result *r = phase->result;
    const struct watched_stage stage = {
        .op = r->conf->op, .shape = r->conf->time_shape,
        .path = r->build.result, .words = text_get(&r->build.words)};
    json_t *report = NULL;
    struct watched b;

    if (watched_open(&b, phase->workbook, phase->workbook->options->gpu))
        report = watched_launch(&b, &stage, &look);
    watched_close(&b);
    return report;
}

bool left_out_blame(const struct phase *phase)
{
    struct kernel_result *r = phase->result;
    const struct op *op = r->conf->op;
    json_t *report = r->verdict == VERDICT_PASS ? run_whole(phase) : NULL;
    double bytes = report ? left_out_bytes(report) : NAN;
    double all = outputs(op, &r->conf->time_shape);
    char shape[128];
    struct text *t;

    json_decref(report);
    if (!(bytes < all)) /* NaN: not known */
        return false;
    t = result_blame(r, VERDICT_WRONG, OWNER_YOU, -1);
    op_format_shape(op, &r->conf->time_shape, shape, sizeof shape);
    if (t)
        text_add(t, "at the shape that is timed, %s, cells are left out:\n"
                 "  all blocks together write %.3g MB, and the outputs have "
                 "%.3g\n", shape, bytes * 1e-6, all * 1e-6);
    text_add(&r->advice, "Where arrays are large, which block writes the last "
             "cell? A launcher that limits the number of blocks needs a loop "
             "in the kernel, in which each goes on to what is left.");
    return true;
}
