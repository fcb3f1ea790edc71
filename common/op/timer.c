// SPDX-License-Identifier: MIT
/*
 * timer.c: a timer's row of the operator table.
 *
 *   op_family_timer
 *
 * A timer computes nothing: its "shape" is the trap it is put to, its result a
 * time. Who checks it, and against what, is checker/check/phase/timerphase.c's.
 */
#include "op/op.h"

#include <math.h>

enum { TRAP, TRAPS = 8 };

static const struct op_shape traps[TRAPS] = {
    {.dim = {1}}, {.dim = {2}}, {.dim = {3}}, {.dim = {4}},
    {.dim = {5}}, {.dim = {6}}, {.dim = {7}}, {.dim = {8}},
};
static const enum op_family families[] = {OP_SIGNED}; /* it has no inputs */

static const char *shape_error(const struct op_shape *shape)
{
    return shape->dim[TRAP] >= 1 && shape->dim[TRAP] <= TRAPS
               ? NULL
               : "the traps are 1 to 8";
}

/* Only a clock knows: no comparison with this one passes. */
static void reference(const struct op *op,
                      const struct op_problem *problem, int buffer,
                      const void *const *arrays, size_t first,
                      size_t n, struct op_cell *cells)
{
    (void)op, (void)problem, (void)buffer, (void)arrays, (void)first;
    for (size_t i = 0; i < n; i++)
        cells[i] = (struct op_cell){NAN, NAN, 0};
}

static double no_bytes(const struct op *op, const struct op_shape *shape)
{
    (void)op, (void)shape;
    return 0;
}

static double no_flops(const struct op_shape *shape)
{
    (void)shape;
    return 0;
}

static const struct op op = {
    .name = "timer",
    .launcher = "timer_ms",
    .signature = "double timer_ms(const struct timer_job *job)",
    .n_dims = 1,
    .dim_names = {"TRAP"},
    .n_buffers = 1,
    .buffers = {{"ms", OP_OUTPUT, 0, {NULL}, {0}, TYPE_FP32, false}},
    .precision = {.sum = OP_SUM_FP32}, /* of no sum */
    .shape_error = shape_error,
    .awkward = traps,
    .n_awkward = TRAPS,
    .families = families,
    .n_families = 1,
    .reference = reference,
    .bytes = no_bytes,
    .flops = no_flops,
};

const struct op_family_table op_family_timer = {&op, 1};
