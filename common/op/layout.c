// SPDX-License-Identifier: MIT
/*
 * layout.c: where the cells of a buffer lie in memory.
 *
 *   op_count, op_bytes, op_bytes_once, op_row_stride, op_offset, op_cell_at
 *
 * Row-major: the last index is contiguous. Rows of a strided buffer may be
 * further apart than they are long; what lies between them is padding, which a
 * kernel neither uses nor changes.
 */
#include "op/op.h"

static size_t row_length(const struct op_buffer *b,
                         const struct op_shape *shape)
{
    return b->rank > 0 ? (size_t)shape->dim[b->extent[b->rank - 1]] : 1;
}

size_t op_count(const struct op *op, int buffer, const struct op_shape *shape)
{
    const struct op_buffer *b = &op->buffers[buffer];
    size_t n = 1;

    for (int i = 0; i < b->rank; i++)
        n *= (size_t)shape->dim[b->extent[i]];
    return n;
}

size_t op_row_stride(const struct op *op, int buffer,
                     const struct op_shape *shape)
{
    const struct op_buffer *b = &op->buffers[buffer];

    return b->strided && shape->ld[buffer] > 0 ? (size_t)shape->ld[buffer]
                                               : row_length(b, shape);
}

size_t op_bytes(const struct op *op, int buffer, const struct op_shape *shape)
{
    const struct op_buffer *b = &op->buffers[buffer];
    size_t cells = op_count(op, buffer, shape);

    return (op_offset(op, buffer, shape, cells - 1) + 1) *
           type_row[b->type].bytes;
}

double op_bytes_once(const struct op *op, const struct op_shape *shape)
{
    double bytes = 0;

    for (int i = 0; i < op->n_buffers; i++)
        bytes += (double)op_count(op, i, shape) *
                 (double)type_row[op->buffers[i].type].bytes;
    return bytes;
}

size_t op_offset(const struct op *op, int buffer, const struct op_shape *shape,
                 size_t cell)
{
    size_t length = row_length(&op->buffers[buffer], shape);
    size_t stride = op_row_stride(op, buffer, shape);

    return stride == length ? cell : cell / length * stride + cell % length;
}

bool op_cell_at(const struct op *op, int buffer, const struct op_shape *shape,
                size_t element, size_t *cell)
{
    size_t length = row_length(&op->buffers[buffer], shape);
    size_t stride = op_row_stride(op, buffer, shape);

    *cell = element / stride * length + element % stride;
    return element % stride < length;
}
