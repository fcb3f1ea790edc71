// SPDX-License-Identifier: MIT
/*
 * fill.c: see fill.h. Each cell's value follows from the seed and its place, so
 * it does not matter who fills it.
 */
#include "fill.h"

#include <string.h>

#include "check/base/crew.h"

static const size_t piece = 1 << 20; /* cells, some milliseconds */

struct filling {
    const struct op *op;
    const struct op_problem *problem;
    int buffer;
    void *array;
    size_t cells;
};

static void fill(void *context, size_t i)
{
    const struct filling *f = context;
    size_t first = i * piece, left = f->cells - first;

    op_fill_some(f->op, f->problem, f->buffer, f->array, first,
                 left < piece ? left : piece);
}

void fill_input(const struct op *op, const struct op_problem *problem,
                int buffer, void *array)
{
    struct filling f = {op, problem, buffer, array,
                        op_count(op, buffer, &problem->shape)};
    size_t bytes = op_bytes(op, buffer, &problem->shape);
    enum type type = op->buffers[buffer].type;

    if (bytes != f.cells * type_row[type].bytes) /* padding: poison */
        memset(array, type_row[type].poison, bytes);
    crew_work((f.cells + piece - 1) / piece, fill, &f);
}
