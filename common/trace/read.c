// SPDX-License-Identifier: MIT
/*
 * read.c: accesses, costs and source lines, from check's JSON; see trace.h.
 */
#include "trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *trace_str(const json_t *object, const char *key)
{
    const char *s = json_string_value(json_object_get(object, key));
    return s ? s : "";
}

static double number(const json_t *object, const char *key)
{
    return json_number_value(json_object_get(object, key));
}

/* Accesses ----------------------------------------------------------------- */

/* Makes addresses relative to the array that contains the first one. */
static void name_array(const json_t *kernel, struct access *a)
{
    const json_t *array;
    size_t i;
    uint64_t first = a->address[__builtin_ctz(a->mask)];
    json_array_foreach(json_object_get(kernel, "arrays"), i, array) {
        uint64_t start = (uint64_t)number(array, "address");
        if (first < start || first - start >= (uint64_t)number(array, "bytes"))
            continue;
        a->array = trace_str(array, "name");
        for (int l = 0; l < LANES; l++)
            a->address[l] -= start;
    }
}

static struct access read_one(const json_t *kernel, const json_t *event)
{
    const json_t *list = json_object_get(event, "address");
    struct access a = {.op = trace_str(event, "op"), .times = 1,
                       .line = (int)number(event, "line"),
                       .shared = !strcmp(trace_str(event, "space"), "shared"),
                       .write = json_is_true(json_object_get(event, "write")),
                       .atomic = json_is_true(json_object_get(event,
                                                              "atomic")),
                       .bytes = (uint32_t)number(event, "bytes")};
    for (size_t l = 0; l < LANES; l++) {
        const json_t *at = json_array_get(list, l);
        if (!json_is_integer(at))
            continue;
        a.mask |= 1u << l;
        a.address[l] = (uint64_t)json_integer_value(at);
    }
    if (a.mask && !a.shared)
        name_array(kernel, &a);
    return a;
}

/* The same access, except for a shift by whole cache lines or bank rows? */
static bool same(const struct access *a, const struct access *b)
{
    uint64_t align = a->shared ? BANKS * WORD : CACHE_LINE;
    if (a->line != b->line || a->mask != b->mask || a->bytes != b->bytes ||
        a->shared != b->shared || a->write != b->write ||
        a->array != b->array)
        return false;
    uint64_t shift = a->address[__builtin_ctz(a->mask)] -
                     b->address[__builtin_ctz(b->mask)];
    for (uint32_t rest = a->mask; rest; rest &= rest - 1) {
        int l = __builtin_ctz(rest);
        if (a->address[l] - b->address[l] != shift)
            return false;
    }
    return shift % align == 0;
}

static int find_same(const struct access *list, int n, const struct access *a)
{
    for (int k = 0; k < n; k++)
        if (same(&list[k], a))
            return k;
    return -1;
}

int trace_accesses(const json_t *kernel, struct access *list, int most)
{
    const json_t *launch, *event;
    size_t i, j;
    int n = 0;
    json_array_foreach(json_object_get(kernel, "launches"), i, launch)
        json_array_foreach(json_object_get(launch, "events"), j, event) {
            struct access a = read_one(kernel, event);
            int k = find_same(list, n, &a);
            if (k >= 0)
                list[k].times++;
            else if (a.mask && n < most)
                list[n++] = a;
        }
    return n;
}

/* Costs -------------------------------------------------------------------- */

/* The compiler's path may be longer than check's. */
static bool is_source(const json_t *kernel, const char *file)
{
    const char *source = trace_str(kernel, "source");
    size_t n = strlen(source), m = strlen(file);
    return m >= n && strcmp(file + m - n, source) == 0;
}

bool trace_costs(const json_t *kernel, int line, struct costs *c)
{
    const json_t *launch, *x;
    size_t i, j;
    *c = (struct costs){0};
    json_array_foreach(json_object_get(kernel, "launches"), i, launch)
        json_array_foreach(json_object_get(launch, "lines"), j, x) {
            if ((int)number(x, "line") != line ||
                !is_source(kernel, trace_str(x, "file")))
                continue;
            c->issued += number(x, "issued");
            c->lanes += number(x, "lanes");
            c->requests += number(x, "global_requests");
            c->sectors += number(x, "global_sectors");
            c->missed += number(x, "l1_missed");
            c->shared += number(x, "shared_requests");
            c->wavefronts += number(x, "shared_wavefronts");
            c->conflicts += number(x, "shared_conflicts");
        }
    return c->issued > 0;
}

double trace_issued(const json_t *kernel)
{
    const json_t *launch, *x;
    size_t i, j;
    double sum = 0;
    json_array_foreach(json_object_get(kernel, "launches"), i, launch)
        json_array_foreach(json_object_get(launch, "lines"), j, x)
            sum += number(x, "issued");
    return sum;
}

/* Source ------------------------------------------------------------------- */

char **trace_source(const char *path, int *n)
{
    FILE *file = fopen(path, "r");
    char **lines = NULL, *line = NULL;
    size_t room = 0;
    *n = 0;
    while (file && getline(&line, &room, file) >= 0) {
        lines = realloc(lines, (size_t)(*n + 1) * sizeof *lines);
        if (!lines)
            abort();
        line[strcspn(line, "\r\n")] = '\0';
        lines[(*n)++] = strdup(line);
    }
    free(line);
    if (file)
        fclose(file);
    return lines;
}

void trace_source_free(char **lines, int n)
{
    for (int k = 0; k < n; k++)
        free(lines[k]);
    free(lines);
}
