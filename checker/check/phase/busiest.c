// SPDX-License-Identifier: MIT
/*
 * busiest.c: see busiest.h. Two launches tell: one at the shape where counters
 * are taken, and one at a larger shape, so that it is known how the busiest
 * block's share changes with the size.
 */
#include "busiest.h"

/* Doubles each extent that is greater at the timed shape, up to that, and the
 * rows' padding with it. False: none is. All grow together, since the number
 * of pieces may depend on any of them. */
static bool grow(const struct op *op, const struct op_shape *timed,
                 struct op_shape *shape)
{
    bool any = false;

    for (int i = 0; i < op->n_dims; i++)
        if (shape->dim[i] < timed->dim[i]) {
            shape->dim[i] = shape->dim[i] > timed->dim[i] / 2
                                ? timed->dim[i] : 2 * shape->dim[i];
            any = true;
        }
    for (int i = 0; any && i < op->n_buffers; i++)
        shape->ld[i] *= 2;
    return any && !op_shape_error(op, shape);
}

/* Flops, or bytes where there are none. */
static double work_of(const struct op *op, const struct op_shape *shape)
{
    double flops = op->flops(shape);

    return flops > 0.0 ? flops : op->bytes(op, shape);
}

static bool look(struct sim *s, const struct test_case *c, struct uneven *u)
{
    struct device_look look = {
        .budget = launch_budget(s->arrays.op, &c->problem.shape),
        .fair = true};
    json_t *report = sim_look(s, c, &look);

    *u = report ? uneven_of(report) : (struct uneven){.instructions.all = 0.0};
    json_decref(report);
    return u->instructions.all > 0.0;
}

struct busiest busiest_time(struct sim *s, const struct test_case *c)
{
    const struct kernel_conf *conf = s->whole->conf;
    const struct op *op = conf->op;
    struct test_case larger = *c;
    struct uneven small, large;
    double work = work_of(op, &c->problem.shape);
    double timed = work_of(op, &conf->time_shape);

    if (!look(s, c, &small) || !uneven_seems(&small))
        return (struct busiest){.times = 0.0};
    if (!grow(op, &conf->time_shape, &larger.problem.shape) ||
        !look(s, &larger, &large))
        return uneven_time(&small, work, NULL, 0.0, timed);
    return uneven_time(&large, work_of(op, &larger.problem.shape), &small,
                       work, timed);
}
