// SPDX-License-Identifier: MIT
/*
 * misplaced_moves.c: see misplaced_moves.h.
 */
#include "misplaced_moves.h"

/* The indices of cell i, where `order` says which index is the slowest. */
static void split(const struct sample *s, int buffer,
                  const int order[OP_MAX_RANK], size_t i,
                  size_t at[OP_MAX_RANK])
{
    for (int d = buffer_of(s, buffer)->rank - 1; d >= 0; d--) {
        at[order[d]] = i % extent(s, buffer, order[d]);
        i /= extent(s, buffer, order[d]);
    }
}

static size_t join(const struct sample *s, int buffer,
                   const int order[OP_MAX_RANK], const size_t at[OP_MAX_RANK])
{
    size_t cell = 0;

    for (int d = 0; d < buffer_of(s, buffer)->rank; d++)
        cell = cell * extent(s, buffer, order[d]) + at[order[d]];
    return cell;
}

/* Across the middle of a tile. */
static void cross(const struct slip *slip, size_t at[OP_MAX_RANK])
{
    size_t columns = (size_t)slip->b;

    if (slip->kind == SLIP_HALVES) {
        at[slip->a] ^= columns;
    } else if ((at[0] / FRAGMENT_ROWS & 1) != (at[1] / columns & 1)) {
        at[0] ^= FRAGMENT_ROWS;
        at[1] ^= columns;
    }
}

/* Is the buffer's index d one that products are summed over? */
static bool is_summed(const struct sample *s, int buffer, int d)
{
    const struct op_buffer *out = buffer_of(s, s->in->buffer);

    for (int i = 0; i < out->rank; i++)
        if (out->extent[i] == buffer_of(s, buffer)->extent[d])
            return false;
    return true;
}

/* A tensor core has 8 rows (or columns of B) by 4 words of k, or pairs of
 * columns of C, in 32 lanes: lane / 4 and lane % 4. Here lane % 8 and lane / 8
 * were taken for them. */
static void cross_lanes(const struct sample *s, int buffer,
                        size_t at[OP_MAX_RANK])
{
    enum { LANE_ROWS = FRAGMENT_ROWS, LANE_WORDS = 4 };
    bool output = buffer == s->in->buffer;
    int words = output || is_summed(s, buffer, 1); /* runs along them */
    size_t word = output ? 2
                         : 4 / type_row[buffer_of(s, buffer)->type].bytes;
    size_t row = at[1 - words], col = at[words];
    size_t r = row % LANE_ROWS, w = col / word % LANE_WORDS, lane;

    if (output) {
        lane = w * LANE_ROWS + r;
        r = lane / LANE_WORDS;
        w = lane % LANE_WORDS;
    } else {
        lane = r * LANE_WORDS + w;
        r = lane % LANE_ROWS;
        w = lane / LANE_ROWS;
    }
    at[1 - words] = row / LANE_ROWS * LANE_ROWS + r;
    at[words] = col / (word * LANE_WORDS) * (word * LANE_WORDS) + w * word +
                col % word;
}

size_t moves_chunk(const struct sample *s, int buffer)
{
    return 16 / type_row[buffer_of(s, buffer)->type].bytes;
}

/* Which of `all` pieces stands where a reader of row r looks for piece c, if
 * the writer goes by another swizzle than r % all. */
static size_t piece_of(enum swizzled how, size_t r, size_t c, size_t all)
{
    const size_t by[] = {0, r % 4, r % 2, r / 2 % 8, r / 2 % 4, r / 4 % 2};
    size_t place = c ^ r % all;

    return how == SWIZZLED_TURNS ? (place + all - r % all) % all
                                 : place ^ by[how] % all;
}

/* Pieces of 16 bytes of a row, of which each group of slip->b changes places by
 * the row's number. */
static void cross_chunks(const struct sample *s, int buffer,
                         const struct slip *slip, size_t at[OP_MAX_RANK])
{
    size_t chunk = moves_chunk(s, buffer), all = (size_t)slip->b;
    size_t c = at[1] / chunk % all;

    at[1] += (piece_of((enum swizzled)slip->a, at[0], c, all) - c) * chunk;
}

/* Within tiles of slip->b squared. */
static void cross_square(const struct slip *slip, size_t at[OP_MAX_RANK])
{
    size_t n = (size_t)slip->b, row = at[0] % n;

    at[0] += at[1] % n - row;
    at[1] += row - at[1] % n;
}

/* The quarters of a tile, which ldmatrix loads as four matrices, and the rows
 * of both of its halves, of which each lane names one. */
static void cross_matrices(const struct slip *slip, size_t at[OP_MAX_RANK])
{
    enum { TILE_ROWS = 2 * FRAGMENT_ROWS };
    size_t columns = (size_t)slip->b;
    size_t row = at[0] % TILE_ROWS, half = at[1] / columns % 2;
    size_t quarter = row / FRAGMENT_ROWS + 2 * half;
    size_t from = (size_t)slip->a >> (2 * quarter) & 3;
    size_t lane = half * TILE_ROWS + row;
    bool addresses = slip->kind == SLIP_ADDRESSES;

    at[0] += (addresses ? lane / 2
                        : row % FRAGMENT_ROWS + from % 2 * FRAGMENT_ROWS) - row;
    at[1] += ((addresses ? lane % 2 : from / 2) - half) * columns;
}

static void cross_apart(const struct slip *slip, size_t at[OP_MAX_RANK])
{
    size_t i = at[slip->a] % slip->n, b = (size_t)slip->b;

    at[slip->a] += (slip->kind == SLIP_APART ? i % b * (slip->n / b)
                                             : i % b) + i / b - i;
}

static void cross_taken(const struct slip *slip, size_t at[OP_MAX_RANK])
{
    at[slip->a] += at[1 - slip->a] % slip->n - at[slip->a] % slip->n;
}

size_t moves_to(const struct sample *s, int buffer, const struct slip *slip,
                size_t i)
{
    int plain[OP_MAX_RANK], order[OP_MAX_RANK];
    size_t at[OP_MAX_RANK];

    if (slip->kind == SLIP_BLOCK)
        return i % slip->n;
    for (int d = 0; d < OP_MAX_RANK; d++)
        plain[d] = order[d] = d;
    if (slip->kind == SLIP_ORDER) {
        order[slip->a] = slip->b;
        order[slip->b] = slip->a;
    }
    split(s, buffer, slip->input < 0 ? order : plain, i, at);
    if (slip->kind == SLIP_ZERO)
        at[slip->a] = 0;
    if (slip->kind == SLIP_HALVES || slip->kind == SLIP_QUARTERS)
        cross(slip, at);
    else if (slip->kind == SLIP_LANES)
        cross_lanes(s, buffer, at);
    else if (slip->kind == SLIP_SWIZZLE)
        cross_chunks(s, buffer, slip, at);
    else if (slip->kind == SLIP_TURNED)
        cross_square(slip, at);
    else if (slip->kind == SLIP_MATRICES || slip->kind == SLIP_ADDRESSES)
        cross_matrices(slip, at);
    else if (slip->kind == SLIP_APART || slip->kind == SLIP_FACTOR)
        cross_apart(slip, at);
    else if (slip->kind == SLIP_TAKEN)
        cross_taken(slip, at);
    for (int d = 0; d < buffer_of(s, buffer)->rank; d++)
        if (at[d] >= extent(s, buffer, d))
            return MOVES_NOWHERE;
    return join(s, buffer, slip->input < 0 ? plain : order, at);
}

bool moves_astray(const struct sample *s, int buffer, const struct slip *slip,
                  size_t i, size_t *there)
{
    const struct op_shape *shape = &s->in->problem->shape;
    size_t columns = extent(s, buffer, buffer_of(s, buffer)->rank - 1);
    size_t last = op_offset(s->in->op, buffer, shape, count_of(s, buffer) - 1);
    size_t at;

    if (slip->input >= 0) {
        *there = i / columns * slip->n + i % columns;
        return *there <= last;
    }
    at = op_offset(s->in->op, buffer, shape, i);
    *there = at / slip->n * columns + at % slip->n;
    return at % slip->n < columns && *there < count_of(s, buffer);
}
