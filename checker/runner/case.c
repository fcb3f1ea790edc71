// SPDX-License-Identifier: MIT
/*
 * case.c: the operator and the shape that check asks for.
 *
 *   runner_set_case   see runner.h
 */
#include "runner.h"

#include <stdio.h>
#include <string.h>

bool runner_set_case(struct runner *r, const char *op, const int32_t *dim,
                     const int32_t *ld, struct wire_reply *reply)
{
    struct op_shape shape;
    char name[64];

    snprintf(name, sizeof name, "%.63s", op);
    r->op = op_find(name);
    if (!r->op)
        return runner_fail(reply, WIRE_REFUSED, "no operator %s", name);
    if (op_defect(r->op))
        return runner_fail(reply, WIRE_REFUSED, "operator %s: %s", name,
                           op_defect(r->op));
    memcpy(shape.dim, dim, sizeof shape.dim);
    memcpy(shape.ld, ld, sizeof shape.ld);
    if (op_shape_error(r->op, &shape))
        return runner_fail(reply, WIRE_REFUSED, "%s",
                           op_shape_error(r->op, &shape));
    r->problem = op_timed(r->op, &shape, 0); /* scalars: until an upload */
    return true;
}
