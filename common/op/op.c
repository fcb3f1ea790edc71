// SPDX-License-Identifier: MIT
/*
 * op.c: what all operators share: look-up, extents, shapes as text, and how
 * exact an answer must be.
 *
 *   op_find, op_list                  over the table that the build collects
 *   op_count                          elements of a buffer
 *   op_format_shape, op_parse_shape   "B3 H5 L37 K11"
 *   op_tolerance                      the accepted error of one cell
 */
#include "op/op.h"

#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

extern const struct op_family_table *const op_families[]; /* generated */

int op_list(const struct op **list, int max)
{
    int n = 0;

    for (int f = 0; op_families[f]; f++) {
        const struct op_family_table *family = op_families[f];
        for (int i = 0; i < family->n_ops; i++) {
            if (n < max)
                list[n] = &family->ops[i];
            n++;
        }
    }
    return n;
}

const struct op *op_find(const char *name)
{
    for (int f = 0; op_families[f]; f++) {
        const struct op_family_table *family = op_families[f];
        for (int i = 0; i < family->n_ops; i++)
            if (strcmp(family->ops[i].name, name) == 0)
                return &family->ops[i];
    }
    return NULL;
}

size_t op_count(const struct op *op, int buffer, const struct op_shape *shape)
{
    const struct op_buffer *b = &op->buffers[buffer];
    size_t n = 1;

    for (int i = 0; i < b->rank; i++)
        n *= (size_t)shape->dim[b->extent[i]];
    return n;
}

void op_format_shape(const struct op *op, const struct op_shape *shape,
                     char *text, size_t size)
{
    size_t at = 0;

    if (size > 0)
        text[0] = '\0';
    for (int i = 0; i < op->n_dims && at < size; i++) {
        int n = snprintf(text + at, size - at, "%s%s%d", i ? " " : "",
                         op->dim_names[i], shape->dim[i]);
        at += n > 0 ? (size_t)n : 0;
    }
}

/* Which extent `text` starts with the name of, or -1. */
static int dim_at(const struct op *op, const char *text)
{
    for (int i = 0; i < op->n_dims; i++)
        if (strncasecmp(text, op->dim_names[i], strlen(op->dim_names[i])) == 0)
            return i;
    return -1;
}

const char *op_parse_shape(const struct op *op, const char *text,
                           struct op_shape *shape)
{
    bool seen[OP_MAX_DIMS] = {false};
    struct op_shape parsed = {{0}};
    const char *at = text;

    for (;;) {
        while (isspace((unsigned char)*at) || *at == ',')
            at++;
        if (*at == '\0')
            break;
        int d = dim_at(op, at);
        if (d < 0)
            return "an extent that this operator does not have";
        if (seen[d])
            return "the same extent twice";
        at += strlen(op->dim_names[d]);
        at += *at == '=';
        if (!isdigit((unsigned char)*at))
            return "an extent without its number";
        char *end;
        unsigned long value = strtoul(at, &end, 10);
        if (value > INT_MAX)
            return "an extent that does not fit an int";
        parsed.dim[d] = (int)value;
        seen[d] = true;
        at = end;
    }
    for (int i = 0; i < op->n_dims; i++)
        if (!seen[i])
            return "an extent is missing";
    const char *error = op->shape_error(&parsed);
    if (!error)
        *shape = parsed;
    return error;
}

double op_tolerance(const struct op_cell *cell)
{
    const double u = 0x1p-24; /* half a unit in the last place of fp32 */
    const long serial = 64;   /* up to here any order of summation passes */
    double n = (double)cell->terms;
    double c = cell->terms <= serial ? n : 8.0 + 2.0 * log2(n);

    return c * u * cell->magnitude;
}
