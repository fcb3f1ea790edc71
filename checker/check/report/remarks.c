// SPDX-License-Identifier: MIT
/*
 * remarks.c: habits that cost time and break no rule; see remarks.h.
 */
#include "remarks.h"

#include <stdlib.h>
#include <string.h>

#include "check/compile/nvcc_words.h"

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

/* The stage that begins the next chapter, and whose counters are comparable. */
static const struct kernel_conf *stage_of_next(const struct kernel_result *r,
                                               const struct workbook *w,
                                               struct conf *conf)
{
    char path[PATH_BYTES], error[256];
    struct op_shape none = {{0}, {0}};
    const struct kernel_conf *k = conf->kernels;

    if (!chapter_folder("chapters", w->options->number + 1, path))
        return NULL;
    strncat(path, "/chapter.conf", sizeof path - strlen(path) - 1);
    if (!conf_read(path, conf, error, sizeof error) || conf->n_kernels < 1 ||
        conf->previous != w->options->number || k->previous_kernel[0] ||
        k->op != r->conf->op || k->n_gates < 1 ||
        memcmp(&k->sim_shapes[0], &none, sizeof none) == 0 ||
        memcmp(&k->sim_shapes[0], &r->run[RUN_SIM].counters_shape,
               sizeof none) != 0)
        return NULL;
    return k;
}

static bool is_last_step(const struct kernel_result *r,
                         const struct workbook *w)
{
    for (int i = 0; i < w->conf.n_kernels; i++)
        if (strcmp(w->conf.kernels[i].previous_kernel, r->conf->name) == 0)
            return false;
    return true;
}

/* Does it meet all that the next chapter asks for? */
static bool is_ahead(const struct kernel_result *r, const struct workbook *w)
{
    struct conf *conf = check_alloc(sizeof *conf, 1);
    const struct kernel_conf *next = NULL;
    bool all = true;

    if (r->verdict == VERDICT_PASS && r->run[RUN_SIM].counters &&
        !w->options->grade && is_last_step(r, w))
        next = stage_of_next(r, w, conf);
    for (int i = 0; next && i < next->n_gates; i++)
        all &= gate_holds(&next->gates[i],
                          gate_value(next->gates[i].counter,
                                     r->run[RUN_SIM].counters, next->op,
                                     &r->run[RUN_SIM].counters_shape));
    free(conf);
    return next && all;
}

/* ptxas mends what is not ordered, at a price; no simulated GPU sees that. */
static void add_wgmma(struct kernel_result *r)
{
    enum { FENCE_PUT_IN = 7519 };
    char message[256];
    int n = nvcc_wgmma(text_get(&r->build.words), message, sizeof message);

    if (n == FENCE_PUT_IN)
        text_add(&r->notes, "ptxas puts in a wgmma.fence of its own (C7519: "
                 "%s). Where does a thread touch the sums before the first "
                 "wgmma of a round: is wgmma.fence missing behind that "
                 "(wgmma_begin in chapter 17)? The simulated GPU does not see "
                 "this.\n", message);
    else if (n)
        text_add(&r->notes, "ptxas cannot keep several wgmma under way (C%d: "
                 "%s). Between the first wgmma and the wait for it no other "
                 "instruction may read or write its sums. The simulated GPU "
                 "does not see this; a GPU takes longer.\n", n, message);
}

void remarks_add(struct kernel_result *r, const struct workbook *w)
{
    const struct run *run = &r->run[RUN_SIM];
    double in_double = share_of_double(r->predicted.report);
    double lanes = lanes_per_warp(run->counters);

    if (r->verdict == VERDICT_PASS || r->verdict == VERDICT_TECHNIQUE ||
        r->verdict == VERDICT_SLOW)
        add_wgmma(r);

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
                 "otherwise: asked %.3gx as fast as %s, predicted %.3gx, "
                 "within the model's error. Compare their counters.\n",
                 r->predicted.asked, r->predicted.previous,
                 r->predicted.speedup);
    else if (r->verdict == VERDICT_PASS && !r->run[RUN_GPU].speed.timed &&
             r->predicted.speedup > 0.0 && r->predicted.speedup < as_fast)
        text_add(&r->notes, "It passes, but the model takes it to be slower "
                 "than %s: compare their counters. A model can err; a GPU "
                 "tells.\n", r->predicted.previous);
    if (is_ahead(r, w))
        text_add(&r->notes, "It has what chapter %d is about already: all its "
                 "gates hold. Nothing is wrong with that; there you will "
                 "hardly have to change it, and its times are compared with "
                 "those of a kernel that lacks the idea.\n",
                 w->options->number + 1);
    if (r->output.n && !r->conf->host && !conf_is_c(r->conf))
        text_add(&r->notes, "Your code prints. Take that out before you time "
                 "it.\n");
}
