// SPDX-License-Identifier: MIT
/*
 * remarks.c: habits that cost time and break no rule; see remarks.h.
 */
#include "remarks.h"

/* Of a warp's lanes: fewer work where a block has hardly a thread. */
static const double few_lanes = 4.0;

/* Of a launch's instructions: less may be an index worked out once. */
static const double some_double = 0.02;

/* A prediction below this one is slower, and not as fast but for a detail. */
static const double as_fast = 0.95;

static bool computes_in_double(const struct op *op)
{
    for (int i = 0; i < op->n_buffers; i++)
        if (op->buffers[i].type == TYPE_FP64)
            return true;
    return false;
}

/* Of all sampled instructions, those of class fp64. */
static double share_of_double(const json_t *report)
{
    double all = 0.0, in_double = 0.0;
    json_t *launch;
    size_t i;

    json_array_foreach(json_object_get(report, "launches"), i, launch) {
        const json_t *t = json_object_get(launch, "traffic");

        all += json_number_value(json_object_get(t, "instructions"));
        in_double += json_number_value(json_object_get(
            json_object_get(t, "issue_classes"), "fp64"));
    }
    return all > 0.0 ? in_double / all : 0.0;
}

static double lanes_per_warp(const json_t *counters)
{
    double warps = json_number_value(json_object_get(counters,
                                                     "warp_instructions"));

    return warps > 0.0 ? json_number_value(json_object_get(
                             counters, "lane_instructions")) / warps
                       : 32.0;
}

void remarks_add(struct kernel_result *r)
{
    const struct run *run = &r->run[RUN_SIM];
    double in_double = share_of_double(r->predicted.report);
    double lanes = lanes_per_warp(run->counters);

    if (r->verdict != VERDICT_PASS && r->verdict != VERDICT_TECHNIQUE)
        return;
    if (in_double >= some_double && !computes_in_double(r->conf->op))
        text_add(&r->notes, "%.0f %% of its instructions compute in double. A "
                 "literal such as 1.0 makes the whole expression double, which "
                 "most GPUs compute many times more slowly: write 1.0f.\n",
                 100.0 * in_double);
    if (run->counters && lanes < few_lanes)
        text_add(&r->notes, "On average %.1f of a warp's 32 lanes work. How "
                 "many threads has a block? One thread per block is a warp "
                 "with 31 idle lanes.\n", lanes);
    if (r->verdict == VERDICT_TECHNIQUE && r->build.spill_bytes > 0)
        text_add(&r->notes, "ptxas spilled %d bytes: a thread wants more "
                 "registers than it has, and keeps the rest in memory. No gate "
                 "counts that; it costs time all the same.\n",
                 r->build.spill_bytes); /* of others, it is the reason why */
    if (r->verdict == VERDICT_PASS && !r->run[RUN_GPU].speed.timed &&
        r->predicted.asked > 0.0)
        text_add(&r->notes, "It passes without a GPU, which may judge "
                 "otherwise: asked %.3gx as fast as %s, predicted %.2gx, "
                 "within the model's error. Compare their counters.\n",
                 r->predicted.asked, r->predicted.previous,
                 r->predicted.speedup);
    else if (r->verdict == VERDICT_PASS && !r->run[RUN_GPU].speed.timed &&
             r->predicted.speedup > 0.0 && r->predicted.speedup < as_fast)
        text_add(&r->notes, "It passes, but the model takes it to be slower "
                 "than %s: compare their counters. A model can err; a GPU "
                 "tells.\n", r->predicted.previous);
    if (r->output.n && !r->conf->host && !conf_is_c(r->conf))
        text_add(&r->notes, "Your code prints. Take that out before you time "
                 "it.\n");
}
