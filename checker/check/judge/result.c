// SPDX-License-Identifier: MIT
/*
 * result.c: verdicts with their evidence; see result.h.
 */
#include "result.h"

struct text *result_blame(struct kernel_result *r, enum verdict verdict,
                          enum owner owner, int case_number)
{
    if (r->verdict == verdict ||
        verdict_first(r->verdict, verdict) != verdict)
        return NULL;
    r->verdict = verdict;
    r->owner = owner;
    r->blamed_case = case_number;
    text_free(&r->evidence);
    text_free(&r->advice);
    return &r->evidence;
}

void result_excuse(struct kernel_result *r, bool unfair)
{
    if (!unfair)
        return;
    r->owner = OWNER_MACHINE;
    text_free(&r->advice);
    text_add(&r->advice, "It waited for a processor most of the time, or the "
             "system ran out of memory: check it again when this machine has "
             "less to do.");
}

void predicted_free(struct predicted *p)
{
    json_decref(p->parts);
    json_decref(p->report);
    json_decref(p->at_gates);
    *p = (struct predicted){0};
}

const char *result_remark(const struct kernel_result *r)
{
    bool predicted = r->verdict == VERDICT_SLOW && !r->run[RUN_GPU].speed.timed;

    return predicted ? " (PREDICTED)" : "";
}

bool speed_at_floor(const struct speed *s, double datasheet_ms)
{
    static const double copy_over_datasheet = 1.5;

    if (datasheet_ms > 0.0 && s->copy_ms > copy_over_datasheet * datasheet_ms)
        return false;
    return s->verdict != TIMING_SLOWER && s->this_ms.high <= 1.1 * s->copy_ms;
}

void result_forget_runs(struct kernel_result *r)
{
    for (int i = 0; i < RUNS; i++) {
        json_decref(r->run[i].counters);
        r->run[i] = (struct run){.planned = r->run[i].planned};
    }
    predicted_free(&r->predicted);
    text_free(&r->notes);
    text_free(&r->table);
    text_free(&r->output);
}

void result_free(struct kernel_result *r)
{
    build_free(&r->build);
    text_free(&r->evidence);
    text_free(&r->advice);
    text_free(&r->notes);
    text_free(&r->table);
    text_free(&r->output);
    predicted_free(&r->predicted);
    for (int i = 0; i < RUNS; i++)
        json_decref(r->run[i].counters);
}

void case_name(struct text *text, const struct op *op,
               const struct test_case *c)
{
    char shape[128];

    op_format_shape(op, &c->problem.shape, shape, sizeof shape);
    text_add(text, "%s, %s inputs", shape,
             op_family_name(op, c->problem.family));
    for (int i = 0; i < op->n_scalars; i++)
        text_add(text, ", %s = %.*g", op->scalars[i].name,
                 type_row[op->scalars[i].type].digits, c->problem.scalar[i]);
    if (c->number >= 0)
        text_add(text, " (case %d", c->number);
    if (c->number >= 0 && c->multiprocessors)
        text_add(text, ", simulated on %d multiprocessors", c->multiprocessors);
    for (int i = 0, n = 0; c->number >= 0 && i < op->n_buffers; i++)
        if (c->off >> i & 1)
            text_add(text, "%s%s", n++ ? " and " : ", off a boundary: ",
                     op->buffers[i].name);
    if (c->number >= 0)
        text_add(text, ")");
}
