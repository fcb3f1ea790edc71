// SPDX-License-Identifier: MIT
/*
 * misplaced_sample.h: the cells that slips are tried on; for misplaced*.c.
 *
 *   misplaced_fit       what they say of a slip
 *   misplaced_try       whether a slip explains them
 *   misplaced_scalars   the slips of scalars that do
 *   misplaced_group     what a cell shares its statistics with
 */
#ifndef CHECK_MISPLACED_SAMPLE_H
#define CHECK_MISPLACED_SAMPLE_H

#include "compare.h"

enum { LOOKS = 48, LOOKS_MORE = 12 };

/* What all slips are tried on: wrong cells, and some that are right. */
struct sample {
    const struct compare_input *in;
    void *const *given;
    size_t cell[2 * LOOKS + LOOKS_MORE];
    bool wrong[2 * LOOKS + LOOKS_MORE];
    int n;
    int sampled[2]; /* right ones, and wrong ones */
    char *old;      /* a copy of what the output held before; NULL: no matter */
};

static inline const struct op_buffer *buffer_of(const struct sample *s,
                                                int buffer)
{
    return &s->in->op->buffers[buffer];
}

static inline size_t extent(const struct sample *s, int buffer, int index)
{
    return (size_t)s->in->problem->shape
        .dim[buffer_of(s, buffer)->extent[index]];
}

static inline size_t count_of(const struct sample *s, int buffer)
{
    return op_count(s->in->op, buffer, &s->in->problem->shape);
}

static inline uint64_t bits_at(const struct compare_input *in, size_t i)
{
    return type_bits(in->op->buffers[in->buffer].type, in->got,
                     op_offset(in->op, in->buffer, &in->problem->shape, i));
}

static inline bool accepts(const struct compare_input *in,
                           const struct op_cell *want, size_t i)
{
    return op_accepts(in->op, in->problem, in->buffer, want, bits_at(in, i));
}

static inline void given_arrays(const struct sample *s,
                                const void *arrays[OP_MAX_BUFFERS])
{
    for (int i = 0; i < OP_MAX_BUFFERS; i++)
        arrays[i] = s->given[i];
}

/* What the sampled cells say of a slip. */
enum fit {
    FIT_NOT,
    FIT_IDLE, /* nothing against it, and too little for it */
    FIT
};

enum fit misplaced_fit(const struct sample *s, const struct slip *slip);
/* Sets CELL_MISPLACED and out->slip if it does. */
bool misplaced_try(const struct sample *s, const struct slip *slip,
                   struct comparison *out);
/* What shares a statistic with a cell: a row, a plane of a channel, or a cell
 * of an array of one dimension. */
size_t misplaced_group(const struct sample *s, size_t cell);
/* Tries all, and returns how many do; out has the last of them. */
int misplaced_scalars(const struct sample *s, struct comparison *out);

#endif
