// SPDX-License-Identifier: MIT
/*
 * inspect.c: one watched launch of a kernel, whole; see inspect.h.
 */
#include "inspect.h"

#include <stdlib.h>

#include "check/conf/cases.h"
#include "predict.h"
#include "watched.h"

enum { EVENTS = 400 }; /* accesses of one warp: more than a reader follows */

static json_t *arrays_json(const struct op *op, const struct watched *b)
{
    json_t *list = json_array();

    for (int i = 0; i < op->n_buffers; i++)
        json_array_append_new(
            list, json_pack("{ss sI sI}", "name", op->buffers[i].name,
                            "address", (json_int_t)b->layout.address[i],
                            "bytes", (json_int_t)b->layout.bytes[i]));
    if (b->layout.workspace)
        json_array_append_new(
            list, json_pack("{ss sI sI}", "name", "workspace", "address",
                            (json_int_t)b->layout.workspace, "bytes",
                            (json_int_t)b->layout.workspace_bytes));
    return list;
}

static json_t *predicted_json(const struct phase *phase)
{
    const struct predicted *p = &phase->result->predicted;

    predict_phase(phase);
    if (!(p->ms > 0.0))
        return json_null();
    return json_pack("{ss sf sf ss ss sf sf sO}", "gpu", p->gpu, "ms", p->ms,
                     "speedup", p->speedup, "bound", p->bound, "bound_words",
                     p->bound_words, "l2_bytes", p->l2_bytes, "memory_bytes",
                     p->memory_bytes, "parts_ms", p->parts);
}

json_t *inspect_kernel(const struct phase *phase)
{
    const struct kernel_result *r = phase->result;
    const struct test_case *c = &phase->cases->cases[0];
    const struct device_look look = {
        .budget = launch_budget(r->conf->op, &c->problem.shape),
        .trace = EVENTS};
    struct watched b;
    struct data d;
    struct watched_stage stage = {.op = r->conf->op, .shape = c->problem.shape,
                                  .path = r->build.result,
                                  .words = text_get(&r->build.words),
                                  .data = &d};
    json_t *report = NULL, *o = NULL;
    char shape[128];

    data_make(&d, r->conf->op, c);
    if (watched_open(&b, phase->workbook, phase->workbook->options->gpu))
        report = watched_launch(&b, &stage, &look);
    op_format_shape(r->conf->op, &c->problem.shape, shape, sizeof shape);
    if (report)
        o = json_pack("{ss ss ss so so sO}", "name", r->conf->name, "source",
                      r->source, "shape", shape, "arrays",
                      arrays_json(r->conf->op, &b), "predicted",
                      predicted_json(phase), "launches",
                      json_object_get(report, "launches"));
    json_decref(report);
    watched_close(&b);
    data_free(&d);
    return o;
}
