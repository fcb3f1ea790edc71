// SPDX-License-Identifier: MIT
/*
 * stride.c: rows that a kernel takes to lie farther apart than they do; see
 * stride.h.
 *
 * An element e past the end of a matrix is row r, column c of another one, e =
 * r D + c. If D is another extent of the problem, or a constant that the kernel
 * multiplies by, and r or c is where this thread or its block stands, then D
 * may have been taken for the stride. But a missing guard leads past the end as
 * well: to a row or column where the thread stands, beyond the last. What
 * explains more of the two indices is said.
 */
#include "stride.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "code.h"

enum { PLACES = 4 };

/* The matrix, and where the thread stands: its and its block's x and y. */
struct view {
    const struct arrays *a;
    int buffer;
    long long e, stride, rows, columns;
    long long place[PLACES];
};

static long long part(const json_t *f, const char *key, size_t i)
{
    return json_integer_value(json_array_get(json_object_get(f, key), i));
}

static bool view_of(struct view *v, const json_t *f, const struct arrays *a)
{
    const struct op_buffer *b;

    v->a = a;
    if (!target_past(f, a, &v->buffer, &v->e))
        return false;
    b = &a->op->buffers[v->buffer];
    if (b->rank < 2)
        return false;
    v->columns = a->shape->dim[b->extent[b->rank - 1]];
    v->rows = (long long)op_count(a->op, v->buffer, a->shape) / v->columns;
    v->stride = (long long)op_row_stride(a->op, v->buffer, a->shape);
    v->place[0] = part(f, "block", 0);
    v->place[1] = part(f, "block", 1);
    v->place[2] = part(f, "thread", 0);
    v->place[3] = part(f, "thread", 1);
    return true;
}

/* Is n where the thread stands, or its block? */
static int is_place(const struct view *v, long long n, int from)
{
    for (int i = from; i < PLACES; i++)
        if (v->place[i] == n)
            return 1;
    return 0;
}

enum { OF_THREAD = 2 }; /* a block alone is no column */

/* How well a missing guard explains it, in points: two for a row beyond the
 * last, or a thread's column beyond the last of a row, and one for the other
 * index; one for where a loop ends that goes on too long. The row of an array
 * that is only read may be a loop's, and then the column is proof enough. */
static int guard_explains(const struct view *v)
{
    long long row = v->e / v->stride;
    int most = row == v->rows;
    int column = op_is_written(v->a->op, v->buffer) ? 2 : 4;

    if (is_place(v, row, 0))
        most = 2 + is_place(v, v->e % v->stride, OF_THREAD);
    for (int i = OF_THREAD; i < PLACES; i++) {
        long long start = v->e - v->place[i];

        if (v->place[i] < v->columns || start < 0 || start % v->stride)
            continue;
        if (column + is_place(v, start / v->stride, 0) > most)
            most = column + is_place(v, start / v->stride, 0);
    }
    return most;
}

/* And how well rows that lie d apart. *row: which it is then. */
static int stride_explains(const struct view *v, long long d, long long *row)
{
    *row = v->e / d;
    if (*row < 1 || *row >= v->rows || v->e % d >= v->columns)
        return 0;
    return 2 * is_place(v, *row, 0) + is_place(v, v->e % d, OF_THREAD);
}

static void say(struct text *advice, const struct view *v, const char *prefix,
                const char *name, long long d, long long row)
{
    const char *array = v->a->op->buffers[v->buffer].name;

    text_add(advice, "Is that the right stride? If the rows of %s were %s%s%s"
             "%lld elements apart, element %lld would be in row %lld: %lld x "
             "%lld + %lld. But they are %lld apart%s. If the stride is right, "
             "which guard should have kept the thread named above from this "
             "access?", array, prefix, name, *name ? " = " : "", d, v->e,
             row, row, d, v->e % d, v->stride,
             v->a->shape->ld[v->buffer] ? ", the leading dimension" : "");
}

static bool try(struct text *advice, const struct view *v, const char *prefix,
                const char *name, long long d)
{
    long long row;

    if (d < 1 || d == v->stride ||
        stride_explains(v, d, &row) <= guard_explains(v))
        return false;
    say(advice, v, prefix, name, d, row);
    return true;
}

/* The number that a constant of the source is given: NAME = 128; 0: none. */
static long long value_of(const char *source, const char *name, size_t n)
{
    for (const char *p = source; (p = strstr(p, " = ")); p++)
        if (p - source > (long)n && strncmp(p - n, name, n) == 0 &&
            !code_is_name(p[-(long)n - 1]) && isdigit((unsigned char)p[3]))
            return atoll(p + 3);
    return 0;
}

/* Of threads a block has some number, too, which is no stride. */
static bool is_of_blocks(const struct view *v, long long d)
{
    const json_t *block = json_object_get(v->a->launch, "block"), *extent;
    long long n = 1;
    size_t i;

    json_array_foreach(block, i, extent)
        n *= (long long)json_integer_value(extent);
    return d % n == 0 ||
           d == (long long)json_integer_value(json_array_get(block, 0));
}

/* What stands behind a *: 128, or WIDTH, which is a constant. */
static bool try_factor(struct text *advice, const struct view *v,
                       const char *source, const char *p)
{
    char name[64] = "";
    size_t n = 0;
    long long d;

    while (code_is_name(p[n]))
        n++;
    if (n == 0 || n >= sizeof name)
        return false;
    d = isdigit((unsigned char)*p) ? atoll(p) : value_of(source, p, n);
    if (!isdigit((unsigned char)*p))
        memcpy(name, p, n);
    return d > 1 && !is_of_blocks(v, d) && try(advice, v, "", name, d);
}

/* From the line back to the head of its kernel. */
static bool try_constants(struct text *advice, const struct view *v,
                          const char *source, long long line)
{
    static const char head[] = "__global__";
    const char *end = source, *p;

    for (; line > 0 && *end; end++)
        line -= *end == '\n';
    for (p = end; p > source && strncmp(p, head, strlen(head)) != 0; p--)
        if (p[-1] == '*' && try_factor(advice, v, source, p + (*p == ' ')))
            return true;
    return false;
}

bool stride_advise(struct text *advice, const json_t *f,
                   const struct arrays *a)
{
    struct text source = {0};
    struct view v;
    bool found;

    if (!view_of(&v, f, a))
        return false;
    for (int i = 0; i < a->op->n_buffers; i++)
        if (a->op->buffers[i].strided && a->shape->ld[i] &&
            try(advice, &v, "ld", a->op->buffers[i].name, a->shape->ld[i]))
            return true;
    for (int i = 0; i < a->op->n_dims; i++)
        if (try(advice, &v, "", a->op->dim_names[i], a->shape->dim[i]))
            return true;
    found = a->source && file_read(a->source, &source) && source.n > 0 &&
            try_constants(advice, &v, source.s, finding_num(f, "line"));
    text_free(&source);
    return found;
}
