// SPDX-License-Identifier: MIT
/*
 * bound.c: see bound.h. Instructions grow with the operator's work from one
 * shape to the other; each scheduler issues one per clock at most. What a
 * launch did until its budget was spent tells how often it had to wait.
 */
#include "bound.h"

#include <math.h>
#include <string.h>

#include "simgpu/gpu.h"

/* The GPU that predictions are made for, where none is named. */
static const char default_gpu[] = "h200";

static long long blocks_of(const json_t *launch)
{
    const json_t *grid = json_object_get(launch, "grid"), *extent;
    long long n = 1;
    size_t i;

    json_array_foreach(grid, i, extent)
        n *= (long long)json_integer_value(extent);
    return n;
}

static long long most_blocks(const json_t *report)
{
    const json_t *launch;
    long long most = 0;
    size_t i;

    json_array_foreach(json_object_get(report, "launches"), i, launch)
        if (blocks_of(launch) > most)
            most = blocks_of(launch);
    return most;
}

static double number(const json_t *object, const char *key)
{
    return json_number_value(json_object_get(object, key));
}

/* Milliseconds of a launch that was broken off, over the instructions that its
 * grid would have executed by then; 0: it has no fair time. */
static double ms_per_instruction(const json_t *launch)
{
    const json_t *traffic = json_object_get(launch, "traffic");
    const char *fault = json_string_value(json_object_get(launch, "fault"));
    double done = number(json_object_get(launch, "counters"),
                         "warp_instructions");
    double blocks = number(traffic, "blocks");

    if (!fault || strcmp(fault, "budget") != 0 || !(done > 0.0) ||
        !(blocks > 0.0))
        return 0.0;
    return number(json_object_get(launch, "predicted"), "least_ms") /
           (done * number(traffic, "grid_blocks") / blocks);
}

static double longest_per_instruction(const json_t *report)
{
    const json_t *launch;
    double longest = 0.0;
    size_t i;

    json_array_foreach(json_object_get(report, "launches"), i, launch)
        longest = fmax(longest, ms_per_instruction(launch));
    return longest;
}

bool bound_ms(const struct phase *phase, const json_t *report,
              struct bound *bound)
{
    const struct kernel_conf *conf = phase->result->conf;
    const struct run *run = &phase->result->run[RUN_SIM];
    const struct gpu_model *gpu = gpu_find(default_gpu);
    double counted = number(run->counters, "warp_instructions");
    double small = conf->op->flops(&run->counters_shape);
    double busy, all;

    *bound = (struct bound){.blocks = most_blocks(report)};
    if (!gpu || !(counted > 0.0) || !(small > 0.0) || bound->blocks == 0)
        return false;
    bound->multiprocessors = gpu->sms;
    busy = bound->blocks < gpu->sms ? (double)bound->blocks : gpu->sms;
    all = counted / small * conf->op->flops(&conf->time_shape);
    bound->ms = all / (busy * gpu->schedulers) / gpu->clock_khz;
    bound->waited_ms = fmax(bound->ms, all * longest_per_instruction(report));
    return true;
}

/* Every byte of the arrays passes there once, at least, however large a cache
 * is: with any solution of the workbook all do. The rest is for samples. */
static const double least_moved = 0.8;

bool bound_moves(const struct op *op, const struct op_shape *shape,
                 const struct predicted *p)
{
    const json_t *moved = json_object_get(p->report, "moved");
    double bytes = p->l2_bytes + 2.0 * number(moved, "copied") +
                   number(moved, "filled");

    return bytes >= least_moved * op->bytes(op, shape);
}

/* What fits into the L2 need not move. Half of the rest is left to the model's
 * error. */
bool bound_allows(const struct op *op, const struct op_shape *shape, double ms,
                  const char *gpu)
{
    const struct gpu_model *model = gpu_find(*gpu ? gpu : default_gpu);
    double bytes;

    if (!model || !(model->bandwidth > 0.0))
        return true;
    bytes = op->bytes(op, shape) - (double)model->l2_bytes;
    return ms >= 0.5e3 * bytes / model->bandwidth;
}

bool bound_roof(const struct op *op, const struct op_shape *shape, double ms,
                struct roofline *roofline)
{
    const struct gpu_model *gpu = gpu_find(default_gpu);
    struct roofs roofs = {
        .bandwidth = gpu ? gpu->bandwidth : 0.0,
        .flops = gpu ? gpu_peak(gpu, pipe_name(op->pipe)) : 0.0,
        .datasheet = true};

    if (!(roofs.bandwidth > 0.0) || !(roofs.flops > 0.0) || !(ms > 0.0))
        return false;
    *roofline = roofline_place(op->flops(shape), op->bytes(op, shape),
                               ms * 1e-3, &roofs);
    return true;
}
