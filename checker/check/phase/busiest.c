// SPDX-License-Identifier: MIT
/*
 * busiest.c: see busiest.h. Two launches tell: one at the shape where counters
 * are taken, and one at half of it, so that it is known how the busiest block's
 * share changes with the size.
 */
#include "busiest.h"

/* Halves the extent that grows most from this shape to the timed one. False:
 * none does. */
static bool halve(const struct op *op, const struct op_shape *timed,
                  struct op_shape *shape)
{
    double most = 1.0;
    int axis = -1;

    for (int i = 0; i < op->n_dims; i++) {
        double growth = (double)timed->dim[i] / shape->dim[i];

        if (shape->dim[i] > 1 && growth > most) {
            most = growth;
            axis = i;
        }
    }
    if (axis < 0)
        return false;
    shape->dim[axis] /= 2;
    return !op_shape_error(op, shape);
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
    struct test_case smaller = *c;
    struct uneven whole, half;
    bool halved;

    if (!look(s, c, &whole) || !uneven_seems(&whole))
        return (struct busiest){.times = 0.0};
    halved = halve(op, &conf->time_shape, &smaller.problem.shape) &&
             look(s, &smaller, &half);
    return uneven_time(&whole, op->flops(&c->problem.shape),
                       halved ? &half : NULL,
                       op->flops(&smaller.problem.shape),
                       op->flops(&conf->time_shape));
}
