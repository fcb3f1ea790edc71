// SPDX-License-Identifier: MIT
/*
 * bound.c: see bound.h. Instructions grow with the operator's work from one
 * shape to the other; each scheduler issues one per clock.
 */
#include "bound.h"

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

bool bound_ms(const struct phase *phase, const json_t *report,
              struct bound *bound)
{
    const struct kernel_conf *conf = phase->result->conf;
    const struct run *run = &phase->result->run[RUN_SIM];
    const struct gpu_model *gpu = gpu_find(default_gpu);
    double counted = json_number_value(
        json_object_get(run->counters, "warp_instructions"));
    double small = conf->op->flops(&run->counters_shape);
    double busy;

    *bound = (struct bound){.blocks = most_blocks(report)};
    if (!gpu || !(counted > 0.0) || !(small > 0.0) || bound->blocks == 0)
        return false;
    bound->multiprocessors = gpu->sms;
    busy = bound->blocks < gpu->sms ? (double)bound->blocks : gpu->sms;
    bound->ms = counted / small * conf->op->flops(&conf->time_shape) /
                (busy * gpu->schedulers) / gpu->clock_khz;
    return true;
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
