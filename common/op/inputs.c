// SPDX-License-Identifier: MIT
/*
 * inputs.c: the inputs of a problem.
 *
 *   op_family_row       the families' names, and what each promises
 *   op_family_name      what an operator calls a family
 *   op_draw, op_timed   a problem with its scalars
 *   op_fill, op_fill_some   an array as it lies in memory; some of its cells
 *
 * Padding holds poison, in inputs as well: a kernel that uses it shows it.
 */
#include "op/op.h"

#include "op/fill.h"

const struct op_family_row op_family_row[OP_FAMILIES] = {
    [OP_SIGNED] = {.name = "signed"},
    [OP_POSITIVE] = {.name = "positive"},
    [OP_INTEGER] = {.name = "integer", .exact = true, .alike = true},
    [OP_IMPULSE] = {.name = "impulse", .exact = true, .alike = true},
    [OP_WIDE] = {.name = "wide"},
    [OP_SPECIAL] = {.name = "special"},
};

const char *op_family_name(const struct op *op, enum op_family family)
{
    return family == OP_POSITIVE && op->positive ? op->positive
                                                 : op_family_row[family].name;
}

/* Scalars draw from seeds that no buffer has. */
static uint64_t scalar_seed(uint64_t seed, int i)
{
    return fill_seed(seed, OP_MAX_BUFFERS + i);
}

struct op_problem op_draw(const struct op *op, const struct op_shape *shape,
                          enum op_family family, uint64_t seed)
{
    struct op_problem p = {.shape = *shape, .family = family, .seed = seed};

    for (int i = 0; i < op->n_scalars; i++)
        p.scalar[i] = fill_scalar(&op->scalars[i], family,
                                  scalar_seed(seed, i));
    if (op->draw)
        op->draw(&p, p.scalar);
    return p;
}

struct op_problem op_timed(const struct op *op, const struct op_shape *shape,
                           uint64_t seed)
{
    struct op_problem p = {.shape = *shape, .family = OP_SIGNED,
                           .seed = seed};

    for (int i = 0; i < op->n_scalars; i++)
        p.scalar[i] = op->scalars[i].timed;
    return p;
}

void op_fill_some(const struct op *op, const struct op_problem *problem,
                  int buffer, void *array, size_t first, size_t n)
{
    const struct op_shape *shape = &problem->shape;
    enum type type = op->buffers[buffer].type;
    bool dense = op_bytes(op, buffer, shape) ==
                 op_count(op, buffer, shape) * type_row[type].bytes;

    for (size_t i = first; i < first + n; i++)
        type_set(type, array, dense ? i : op_offset(op, buffer, shape, i),
                 op->value(problem, buffer, i));
}

void op_fill(const struct op *op, const struct op_problem *problem, int buffer,
             void *array)
{
    memset(array, type_row[op->buffers[buffer].type].poison,
           op_bytes(op, buffer, &problem->shape));
    if (op_is_read(op, buffer))
        op_fill_some(op, problem, buffer, array, 0,
                     op_count(op, buffer, &problem->shape));
}
