// SPDX-License-Identifier: MIT
/*
 * shape.c: shapes as text.
 *
 *   op_format_shape, op_parse_shape   "B3 H5 L37 K11", "M8 N8 K8 ldA12"
 *   op_shape_error                    whether an operator takes a shape
 *
 * A shape's extents all have to be named. A leading dimension is "ld" and the
 * name of its buffer, and is named only where it is not the row's length.
 */
#include "op/op.h"

#include <ctype.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

const char *op_shape_error(const struct op *op, const struct op_shape *shape)
{
    const char *error = op->shape_error(shape);

    /* A loop's int may count past the end by a tile. What has one extent alone
     * is cut into no tiles. */
    for (int i = 0; i < op->n_dims && op->n_dims > 1 && !error; i++)
        if (shape->dim[i] > INT_MAX - OP_PAST_END)
            error = "every extent must be at most 2^31 - 4096";
    for (int i = 0; i < OP_MAX_BUFFERS && !error; i++) {
        const struct op_buffer *b = &op->buffers[i];

        if (shape->ld[i] == 0)
            continue;
        if (i >= op->n_buffers || !b->strided)
            error = "a leading dimension of an array that has none";
        else if (shape->ld[i] < shape->dim[b->extent[b->rank - 1]])
            error = "a leading dimension is less than the length of a row";
    }
    return error;
}

static size_t put(char *text, size_t size, size_t at, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

static size_t put(char *text, size_t size, size_t at, const char *format, ...)
{
    va_list args;
    int n = 0;

    va_start(args, format);
    if (at < size)
        n = vsnprintf(text + at, size - at, format, args);
    va_end(args);
    return at + (n > 0 ? (size_t)n : 0);
}

void op_format_shape(const struct op *op, const struct op_shape *shape,
                     char *text, size_t size)
{
    size_t at = 0;

    if (size > 0)
        text[0] = '\0';
    for (int i = 0; i < op->n_dims; i++)
        at = put(text, size, at, "%s%s%d", i ? " " : "", op->dim_names[i],
                 shape->dim[i]);
    for (int i = 0; i < op->n_buffers; i++)
        if (shape->ld[i] > 0)
            at = put(text, size, at, " ld%s%d", op->buffers[i].name,
                     shape->ld[i]);
}

static size_t starts_with(const char *text, const char *name)
{
    size_t n = strlen(name);

    return strncasecmp(text, name, n) == 0 ? n : 0;
}

/* What a number of a shape's text is for. */
struct slot {
    int *value;  /* NULL: nothing has such a name */
    size_t name; /* its length */
};

/* The longest name that `text` starts with: "ldA", though L is an extent. */
static struct slot slot_at(const struct op *op, const char *text,
                           struct op_shape *shape)
{
    struct slot found = {NULL, 0};

    for (int i = 0; i < op->n_dims; i++) {
        size_t n = starts_with(text, op->dim_names[i]);
        if (n > found.name)
            found = (struct slot){&shape->dim[i], n};
    }
    for (int i = 0; i < op->n_buffers; i++) {
        size_t n = op->buffers[i].strided && starts_with(text, "ld")
                       ? starts_with(text + 2, op->buffers[i].name)
                       : 0;
        if (n > 0 && n + 2 > found.name)
            found = (struct slot){&shape->ld[i], n + 2};
    }
    return found;
}

const char *op_parse_shape(const struct op *op, const char *text,
                           struct op_shape *shape)
{
    struct op_shape parsed = {{0}, {0}};
    const char *at = text;

    for (;;) {
        while (isspace((unsigned char)*at) || *at == ',')
            at++;
        if (*at == '\0')
            break;
        struct slot slot = slot_at(op, at, &parsed);
        if (!slot.value)
            return "an extent that this operator does not have";
        at += slot.name;
        at += *at == '=';
        if (!isdigit((unsigned char)*at))
            return "an extent without its number";
        char *end;
        unsigned long value = strtoul(at, &end, 10);
        if (value > INT_MAX)
            return "an extent that does not fit an int";
        if (*slot.value)
            return "the same extent twice";
        if (value == 0)
            return "every extent must be at least 1";
        *slot.value = (int)value;
        at = end;
    }
    for (int i = 0; i < op->n_dims; i++)
        if (!parsed.dim[i])
            return "an extent is missing";
    const char *error = op_shape_error(op, &parsed);
    if (!error)
        *shape = parsed;
    return error;
}
