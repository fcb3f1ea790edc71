// SPDX-License-Identifier: MIT
/*
 * fill.c: see fill.h. Each cell's value follows from the seed and its place, so
 * it does not matter who fills it.
 */
#include "fill.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST = 16 }; /* threads */
static const size_t worth_a_thread = 1 << 20; /* cells, some milliseconds */

struct part {
    const struct op *op;
    const struct op_problem *problem;
    int buffer;
    void *array;
    size_t first, n;
    pthread_t thread;
    bool started;
};

static void *fill(void *argument)
{
    const struct part *p = argument;

    op_fill_some(p->op, p->problem, p->buffer, p->array, p->first, p->n);
    return NULL;
}

/* Threads for so many cells; 1: not worth it. */
static size_t threads_for(size_t cells)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    size_t n = cells / worth_a_thread;

    if (cores < 1)
        cores = 1;
    if (n > (size_t)cores)
        n = (size_t)cores;
    return n < 1 ? 1 : n < MOST ? n : MOST;
}

void fill_input(const struct op *op, const struct op_problem *problem,
                int buffer, void *array)
{
    size_t cells = op_count(op, buffer, &problem->shape);
    size_t bytes = op_bytes(op, buffer, &problem->shape);
    enum type type = op->buffers[buffer].type;
    struct part part[MOST];
    size_t n = threads_for(cells);

    if (bytes != cells * type_row[type].bytes) /* padding: poison */
        memset(array, type_row[type].poison, bytes);
    for (size_t i = 0; i < n; i++) {
        size_t first = cells / n * i;

        part[i] = (struct part){.op = op, .problem = problem, .buffer = buffer,
                                .array = array, .first = first,
                                .n = i + 1 < n ? cells / n : cells - first};
        part[i].started =
            i + 1 < n &&
            pthread_create(&part[i].thread, NULL, fill, &part[i]) == 0;
        if (!part[i].started)
            fill(&part[i]);
    }
    for (size_t i = 0; i < n; i++)
        if (part[i].started)
            pthread_join(part[i].thread, NULL);
}
