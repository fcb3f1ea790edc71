// SPDX-License-Identifier: MIT
/*
 * complete.c: whether an operator's row says all that check and runner read.
 *
 *   op_defect   what is missing, or NULL
 *
 * A member that nobody wrote is 0 or NULL in C, and would be found as a crash,
 * or not at all: scalars drawn from [0, 0) test nothing. So would a shape that
 * the operator itself refuses, and the learner's kernel would be blamed.
 */
#include "op/op.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static bool within(int n, int least, int most)
{
    return n >= least && n <= most;
}

static const char *names_defect(const struct op *op)
{
    return !op->name        ? "it has no .name"
           : !op->launcher  ? "it lacks .launcher"
           : !op->signature ? "it lacks .signature"
           : op->workspace && !op->query
               ? "it has .workspace and lacks .query"
               : NULL;
}

static const char *dims_defect(const struct op *op)
{
    if (!within(op->n_dims, 1, OP_MAX_DIMS))
        return "its .n_dims is not 1 to 6";
    for (int i = 0; i < op->n_dims; i++) {
        if (!op->dim_names[i])
            return "it has fewer .dim_names than .n_dims";
        for (int k = 0; k < i; k++) /* as op_parse_shape reads them */
            if (strcasecmp(op->dim_names[k], op->dim_names[i]) == 0)
                return "two of its .dim_names are one name";
    }
    if (!op->shape_error)
        return "it lacks .shape_error";
    if (!op->awkward || op->n_awkward < 1)
        return "it has no .awkward shapes";
    return NULL;
}

/* Each at most once: lists of cases have room for that. */
static const char *families_defect(const struct op *op)
{
    if (!op->families || op->n_families < 1)
        return "it has no .families of inputs";
    for (int i = 0; i < op->n_families; i++) {
        if (!within((int)op->families[i], 0, OP_FAMILIES - 1))
            return "one of its .families does not exist";
        for (int k = 0; k < i; k++)
            if (op->families[k] == op->families[i])
                return "one of its .families is there twice";
    }
    return NULL;
}

static const char *buffer_defect(const struct op *op, const struct op_buffer *b)
{
    if (!b->name)
        return "it has fewer .buffers than .n_buffers";
    if (!within(b->rank, 0, OP_MAX_RANK))
        return "an array's rank is not 0 to 4";
    if (!within((int)b->role, OP_INPUT, OP_INOUT))
        return "an array's role does not exist";
    if (!within((int)b->type, 0, TYPES - 1))
        return "an array's type does not exist";
    if (b->strided && b->rank < 1)
        return "an array is strided and has no rows: its rank is 0";
    for (int i = 0; i < b->rank; i++)
        if (!b->index[i] || !within(b->extent[i], 0, op->n_dims - 1))
            return "an index of an array has no name, or runs over no dim";
    return NULL;
}

static const char *buffers_defect(const struct op *op)
{
    bool reads = false, writes = false;

    if (!within(op->n_buffers, 1, OP_MAX_BUFFERS))
        return "its .n_buffers is not 1 to 8";
    for (int i = 0; i < op->n_buffers; i++) {
        const char *defect = buffer_defect(op, &op->buffers[i]);

        if (defect)
            return defect;
        reads = reads || op_is_read(op, i);
        writes = writes || op_is_written(op, i);
    }
    if (!writes)
        return "it has no array that is written";
    if (reads && !op->value)
        return "it reads arrays and lacks .value";
    if (reads && !op->launch)
        return "it reads arrays and lacks .launch";
    return NULL;
}

static const char *scalars_defect(const struct op *op)
{
    if (!within(op->n_scalars, 0, OP_MAX_SCALARS))
        return "its .n_scalars is not 0 to 4";
    for (int i = 0; i < op->n_scalars; i++) {
        const struct op_scalar *s = &op->scalars[i];

        if (!s->name)
            return "it has fewer .scalars than .n_scalars";
        if (!within((int)s->type, 0, TYPES - 1))
            return "a scalar's type does not exist";
        if (!(s->low < s->high))
            return "a scalar's range is empty: .low is not below .high";
        if (!isfinite(s->low) || !isfinite(s->high) || !isfinite(s->timed))
            return "a scalar's .low, .high or .timed is no number";
    }
    return NULL;
}

static const char *result_defect(const struct op *op)
{
    return !op->reference ? "it lacks .reference"
           : !op->bytes   ? "it lacks .bytes"
           : !op->flops   ? "it lacks .flops"
           : !within((int)op->precision.sum, OP_SUM_FP32, OP_SUM_INT32)
               ? "it does not say how it sums: .precision = {.sum = ...}"
           : !within((int)op->pipe, 0, PIPES - 1)
               ? "its .pipe does not exist"
               : NULL;
}

static bool is_work(double n)
{
    return isfinite(n) && n >= 0;
}

/* Calls its functions: what they are made of has been looked at. */
static const char *shapes_defect(const struct op *op)
{
    for (int i = 0; i < op->n_awkward; i++) {
        const struct op_shape *shape = &op->awkward[i];

        for (int d = 0; d < op->n_dims; d++)
            if (shape->dim[d] < 1)
                return "an extent of an .awkward shape is below 1";
        if (op_shape_error(op, shape))
            return "its .shape_error refuses one of its .awkward shapes";
        if (!is_work(op->bytes(op, shape)) || !is_work(op->flops(shape)))
            return "its .bytes or .flops of an .awkward shape is no number, "
                   "or below 0";
    }
    return NULL;
}

static bool has_a_twin(const struct op *op)
{
    int n = op_list(NULL, 0), same = 0;
    const struct op **list = calloc((size_t)n, sizeof *list);

    if (!list)
        return false;
    op_list(list, n);
    for (int i = 0; i < n; i++)
        same += list[i]->name && strcmp(list[i]->name, op->name) == 0;
    free(list);
    return same > 1;
}

const char *op_defect(const struct op *op)
{
    static const char *(*const looks[])(const struct op *) = {
        names_defect,   dims_defect,   families_defect, buffers_defect,
        scalars_defect, result_defect, shapes_defect,
    };

    for (size_t i = 0; i < sizeof looks / sizeof *looks; i++) {
        const char *defect = looks[i](op);

        if (defect)
            return defect;
    }
    return has_a_twin(op) ? "two operators have this name" : NULL;
}
