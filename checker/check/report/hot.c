// SPDX-License-Identifier: MIT
/*
 * hot.c: finds the lines that cost most; see hot.h.
 *
 * Of a sampled launch some blocks ran and stand for the grid, so a launch's
 * counts weigh by the blocks that each of them stands for.
 */
#include "hot.h"

#include <stdlib.h>
#include <string.h>

static double number(const json_t *object, const char *key)
{
    return json_number_value(json_object_get(object, key));
}

static bool is_of(const json_t *line, const char *source)
{
    const char *file = json_string_value(json_object_get(line, "file"));
    const char *a = file ? strrchr(file, '/') : NULL;
    const char *b = strrchr(source, '/');

    return file && strcmp(a ? a + 1 : file, b ? b + 1 : source) == 0;
}

static double weight_of(const json_t *launch)
{
    const json_t *traffic = json_object_get(launch, "traffic");
    double blocks = number(traffic, "blocks");

    return blocks > 0.0 ? number(traffic, "grid_blocks") / blocks : 0.0;
}

enum { LINES = 256 };

/* What each line of source has of the count. Returns how many lines; *all is
 * what all lines have, those of other files too. */
static int count_lines(const json_t *report, const char *source,
                       const char *count, struct hot *at, double *all)
{
    const json_t *launch, *line;
    size_t i, j;
    int n = 0, k;

    json_array_foreach(json_object_get(report, "launches"), i, launch) {
        double weight = weight_of(launch);

        json_array_foreach(json_object_get(launch, "lines"), j, line) {
            double value = weight * number(line, count);

            *all += value;
            if (!(value > 0.0) || !is_of(line, source))
                continue;
            for (k = 0; k < n && at[k].line != (int)number(line, "line"); k++)
                ;
            if (k == LINES)
                continue;
            if (k == n)
                at[n++] = (struct hot){.line = (int)number(line, "line")};
            at[k].share += value;
        }
    }
    return n;
}

static int by_share(const void *a, const void *b)
{
    const struct hot *x = a, *y = b;

    if (x->share != y->share)
        return x->share > y->share ? -1 : 1;
    return x->line - y->line;
}

static int by_line(const void *a, const void *b)
{
    return ((const struct hot *)a)->line - ((const struct hot *)b)->line;
}

int hot_lines(const json_t *report, const char *source, const char *count,
              struct hot *list, int most)
{
    struct hot at[LINES];
    double all = 0.0;
    int n = count_lines(report, source, count, at, &all);

    qsort(at, (size_t)n, sizeof *at, by_share);
    if (n > most)
        n = most;
    for (int k = 0; k < n; k++) {
        list[k] = at[k];
        list[k].share /= all;
    }
    while (n > 1 && list[n - 1].share < HOT_LEAST)
        n--;
    qsort(list, (size_t)n, sizeof *list, by_line);
    return n;
}

bool hot_elsewhere(const json_t *report, const char *source, const char *count)
{
    struct hot at[LINES];
    double all = 0.0;

    return count_lines(report, source, count, at, &all) == 0 && all > 0.0;
}

bool hot_line(const json_t *report, const char *source, const char *count,
              struct hot *hot)
{
    return hot_lines(report, source, count, hot, 1) > 0;
}
