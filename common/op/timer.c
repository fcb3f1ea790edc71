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

static const struct op_shape traps[TRAPS] = {{{1}}, {{2}}, {{3}}, {{4}},
                                             {{5}}, {{6}}, {{7}}, {{8}}};

static const char *shape_error(const struct op_shape *shape)
{
    return shape->dim[TRAP] >= 1 && shape->dim[TRAP] <= TRAPS
               ? NULL
               : "the traps are 1 to 8";
}

static void fill(int buffer, enum op_family family, uint64_t seed,
                 const struct op_shape *shape, float *values)
{
    (void)buffer, (void)family, (void)seed, (void)shape, (void)values;
}

/* Only a clock knows: no comparison with this one passes. */
static void reference(int buffer, const struct op_shape *shape,
                      const float *const *inputs, size_t first, size_t n,
                      struct op_cell *cells)
{
    (void)buffer, (void)shape, (void)inputs, (void)first;
    for (size_t i = 0; i < n; i++)
        cells[i] = (struct op_cell){NAN, NAN, 0};
}

static double nothing(const struct op_shape *shape)
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
    .buffers = {{"ms", OP_OUTPUT, 0, {NULL}, {0}}},
    .shape_error = shape_error,
    .awkward = traps,
    .n_awkward = TRAPS,
    .fill = fill,
    .reference = reference,
    .bytes = nothing,
    .flops = nothing,
};

const struct op_family_table op_family_timer = {&op, 1};
