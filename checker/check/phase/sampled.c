// SPDX-License-Identifier: MIT
/*
 * sampled.c: see sampled.h.
 *
 * What the sampled blocks of a launch did is taken times all blocks over them.
 * Blocks differ, and so do shapes: half or twice the limit is still allowed.
 * Numbers that are not ratios grow with the shape, and have no limit there.
 *
 * Outputs are not looked at there. So of fp32 sums it is asked whether tensor
 * cores make them of factors with fewer bits, once for each product: who keeps
 * fp32's accuracy on them needs three.
 */
#include "sampled.h"

#include <math.h>
#include <string.h>

static const double allowed = 2.0;

/* Of a grid or a block. */
static double volume(const json_t *dims)
{
    double n = 1.0;

    for (size_t i = 0; i < 3; i++)
        n *= json_number_value(json_array_get(dims, i));
    return n;
}

static double threads_of(const json_t *launch)
{
    return volume(json_object_get(launch, "grid")) *
           volume(json_object_get(launch, "block"));
}

static void add(json_t *sum, const char *name, double more)
{
    json_object_set_new(sum, name, json_real(
        json_number_value(json_object_get(sum, name)) + more));
}

/* False: nothing of it was sampled. */
static bool add_launch(json_t *sum, const json_t *launch)
{
    const json_t *traffic = json_object_get(launch, "traffic");
    double all = json_number_value(json_object_get(traffic, "grid_blocks"));
    double some = json_number_value(json_object_get(traffic, "blocks"));
    json_t *counters = json_object_get(launch, "counters"), *value;
    const char *name;

    if (!(some > 0.0) || !counters)
        return false;
    json_object_foreach(counters, name, value)
        add(sum, name, json_number_value(value) * all / some);
    add(sum, "threads", threads_of(launch));
    add(sum, "alone_clocks",
        json_number_value(json_object_get(traffic, "alone_clocks")) * all /
            some * volume(json_object_get(launch, "block")));
    return true;
}

/* Sectors that copies and memsets of the launcher read and write. */
static void add_moved(json_t *sum, const json_t *report)
{
    static const double sector = 32.0;
    const json_t *moved = json_object_get(report, "moved");

    add(sum, "api_sectors",
        (2.0 * json_number_value(json_object_get(moved, "copied")) +
         json_number_value(json_object_get(moved, "filled"))) / sector);
}

/* Of all launches; NULL: not known. */
static json_t *estimate(const json_t *report)
{
    json_t *sum = json_object(), *launch;
    bool known = true;
    size_t i;

    json_array_foreach(json_object_get(report, "launches"), i, launch)
        known = known && add_launch(sum, launch);
    add_moved(sum, report);
    if (known)
        return sum;
    json_decref(sum);
    return NULL;
}

static bool is_far_off(const struct gate *gate, double value)
{
    struct gate wider = *gate;

    if (gate->op == GATE_EQ)
        return false;
    wider.limit *= gate->op == GATE_GE || gate->op == GATE_GT ? 1.0 / allowed
                                                              : allowed;
    return !gate_holds(&wider, value);
}

static void blame(const struct phase *phase, const struct gate *gate,
                  double value, const char *advice)
{
    struct kernel_result *r = phase->result;
    struct text *t = result_blame(r, VERDICT_SLOW, OWNER_YOU, -1);
    char shape[128];

    if (!t)
        return;
    op_format_shape(r->conf->op, &r->conf->time_shape, shape, sizeof shape);
    text_add(t, "PREDICTED: at the shape that is timed, %s,\n  it has about "
             "%.3g %s;\n  the gate is %s %.4g\n", shape, value,
             gate_meaning(gate->counter), gate_op_text(gate->op), gate->limit);
    text_add(&r->advice, "%s", advice);
}

static const char another_way[] =
    "Does the launcher choose another kernel, or another way, where arrays are "
    "large? What the lesson asks for counts most there.";

static const char several_loads[] =
    "Start several loads before the first of them is used: a thread waits for "
    "memory as often as it uses what it has just asked for. Unrolling helps "
    "only where no store and no way out of the loop lies between two loads.";

/* The gate that is for the timed shape: about waits for memory. */
static void look_timed(const struct phase *phase, const json_t *counters)
{
    const struct kernel_conf *conf = phase->result->conf;
    double value;

    if (!conf->has_time_gate)
        return;
    value = gate_value(conf->time_gate.counter, counters, conf->op,
                       &conf->time_shape);
    if (!isnan(value) && !gate_holds(&conf->time_gate, value))
        blame(phase, &conf->time_gate, value, several_loads);
}

/* Operations of tensor cores whose factors have fewer bits than fp32. */
static double narrow_ops(const json_t *counters)
{
    static const char *const names[] = {"tf32_tensor_ops", "fp16_tensor_ops",
                                        "bf16_tensor_ops", "fp8_tensor_ops"};
    double sum = 0.0;

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        sum += json_number_value(json_object_get(counters, names[i]));
    return sum;
}

static void blame_narrow(const struct phase *phase, const json_t *counters)
{
    static const double half = 0.5, two_and_a_half = 2.5;
    const struct kernel_conf *conf = phase->result->conf;
    const struct op *op = conf->op;
    char shape[128];
    struct text *t;
    double part;

    if (op->precision.sum != OP_SUM_FP32 || op->pipe != PIPE_FP32 || !op->flops)
        return;
    part = narrow_ops(counters) / op->flops(&conf->time_shape);
    if (!(part >= half && part <= two_and_a_half)) /* NaN: without flops */
        return;
    t = result_blame(phase->result, VERDICT_TECHNIQUE, OWNER_YOU, -1);
    if (!t)
        return;
    op_format_shape(op, &conf->time_shape, shape, sizeof shape);
    text_add(t, "fp32 from factors with fewer bits, at %s\n", shape);
    text_add(&phase->result->advice, "At the shape that is timed, %s, tensor "
             "cores multiply, and their factors have fewer bits than fp32: "
             "tf32 keeps 11 of 24, bf16 8. This operator is fp32's, where "
             "arrays are large, too. Chapter 16 has tensor cores, and says "
             "what they cost.", shape);
}

static double flops_over_useful(const struct op *op, const json_t *counters,
                                const struct op_shape *shape)
{
    return json_number_value(json_object_get(counters, "flops")) /
           op->flops(shape);
}

bool sampled_computes(const struct kernel_result *r, const json_t *report)
{
    static const double half = 0.5; /* the rest is for samples */
    const struct op *op = r->conf->op;
    const struct run *run = &r->run[RUN_SIM];
    json_t *counters = run->gates_measured ? estimate(report) : NULL;
    double here, there;

    if (!counters)
        return true;
    here = flops_over_useful(op, run->counters, &run->counters_shape);
    there = flops_over_useful(op, counters, &r->conf->time_shape);
    json_decref(counters);
    return !(there < half * fmin(here, 1.0));
}

bool sampled_keeps(const struct kernel_result *r, const json_t *report)
{
    const struct kernel_conf *conf = r->conf;
    const struct run *run = &r->run[RUN_SIM];
    json_t *counters = run->gates_measured ? estimate(report) : NULL;
    bool keeps = false;

    for (int i = 0; counters && i < conf->n_gates; i++)
        keeps |= run->gate_measured[i] && !run->gate_ok[i] &&
                 conf->gates[i].at == 0 &&
                 gate_holds(&conf->gates[i],
                            gate_value(conf->gates[i].counter, counters,
                                       conf->op, &conf->time_shape));
    json_decref(counters);
    return keeps;
}

void sampled_blame(const struct phase *phase, const json_t *report)
{
    const struct kernel_conf *conf = phase->result->conf;
    json_t *counters = estimate(report);

    for (int i = 0; counters && i < conf->n_gates; i++) {
        const struct gate *gate = &conf->gates[i];
        double value;

        if (!gate_is_relative(gate->counter))
            continue;
        value = gate_value(gate->counter, counters, conf->op,
                           &conf->time_shape);
        if (!isnan(value) && is_far_off(gate, value)) {
            blame(phase, gate, value, another_way);
            break;
        }
    }
    if (counters) {
        look_timed(phase, counters);
        blame_narrow(phase, counters);
    }
    json_decref(counters);
}
