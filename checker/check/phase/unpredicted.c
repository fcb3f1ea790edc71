// SPDX-License-Identifier: MIT
/* unpredicted.c: see unpredicted.h. */
#include "unpredicted.h"

#include <string.h>

/* Why there is no time of the GPU that GPU= names, as far as is known. */
void unpredicted_elsewhere(const struct phase *phase, const json_t *report)
{
    struct text *t = &phase->result->notes;
    const json_t *e = json_array_get(json_object_get(report, "api_errors"), 0);
    const char *detail = json_string_value(json_object_get(e, "detail"));

    text_add(t, "No time is predicted for GPU=%s",
             phase->workbook->options->gpu);
    if (!report)
        text_add(t, "; common/simgpu/README.md lists the GPUs that are "
                 "known.\n");
    else if (e)
        text_add(t, ": there %s returned %s%s%s.\n",
                 json_string_value(json_object_get(e, "call")),
                 json_string_value(json_object_get(e, "error")),
                 detail && *detail ? ": " : "", detail ? detail : "");
    else
        text_add(t, ": its blocks did not run to their ends.\n");
}

static void say_how_to_see(const struct phase *phase, const char *shape)
{
    struct kernel_result *r = phase->result;

    text_add(&r->notes, "`make check-%s %d KERNEL=%s SHAPE=\"%s\"` runs all "
             "blocks; that may take minutes.\n",
             phase->workbook->options->solution ? "solution" : "chapter",
             phase->workbook->options->number, r->conf->name, shape);
}

/* What it takes at the least was held against the stage before, and no more. */
void unpredicted_here(const struct phase *phase, const json_t *report)
{
    struct kernel_result *r = phase->result;
    json_t *launches = json_object_get(report, "launches"), *launch;
    const char *fault = "";
    char shape[128];
    size_t i;

    json_array_foreach(launches, i, launch)
        if (strcmp(finding_str(launch, "fault"), "none") != 0)
            fault = finding_str(launch, "fault");
    op_format_shape(r->conf->op, &r->conf->time_shape, shape, sizeof shape);
    text_add(&r->notes, "No time is predicted at %s, so its speed was not "
             "compared: a few blocks were run there in place of all. %s ",
             shape,
             strcmp(fault, "deadlock") == 0 || strcmp(fault, "budget") == 0
                 ? "These did not end: they wait for blocks that were left "
                   "out, or for ever."
                 : "These did not run to their ends.");
    say_how_to_see(phase, shape);
}

void unpredicted_moves(const struct phase *phase, const struct predicted *p)
{
    struct kernel_result *r = phase->result;
    const struct op *op = r->conf->op;
    char shape[128];

    op_format_shape(op, &r->conf->time_shape, shape, sizeof shape);
    text_add(&r->notes, "No time is predicted: what was sampled of it moves "
             "%.3g MB at %s, where the arrays have %.3g. Either these blocks "
             "do less than their share, or the kernel leaves work out there. ",
             p->l2_bytes * 1e-6, shape,
             op->bytes(op, &r->conf->time_shape) * 1e-6);
    say_how_to_see(phase, shape);
}

void unpredicted_computes(const struct phase *phase)
{
    struct kernel_result *r = phase->result;
    char shape[128];

    op_format_shape(r->conf->op, &r->conf->time_shape, shape, sizeof shape);
    text_add(&r->notes, "No time is predicted: what was sampled of it does "
             "less than half of the arithmetic that %s needs. Either these "
             "blocks do less than their share, or the kernel leaves work out "
             "there. ", shape);
    say_how_to_see(phase, shape);
}
