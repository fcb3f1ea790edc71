// SPDX-License-Identifier: MIT
/*
 * hot.c: finds the line that costs most; see hot.h.
 *
 * Of a sampled launch some blocks ran and stand for the grid, so a launch's
 * counts weigh by the blocks that each of them stands for.
 */
#include "hot.h"

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

bool hot_line(const json_t *report, const char *source, const char *count,
              struct hot *hot)
{
    double all = 0.0, most = 0.0;
    const json_t *launch, *line;
    size_t i, j;

    json_array_foreach(json_object_get(report, "launches"), i, launch) {
        double weight = weight_of(launch);

        json_array_foreach(json_object_get(launch, "lines"), j, line) {
            double value = weight * number(line, count);

            all += value;
            if (value <= most || !is_of(line, source))
                continue;
            most = value;
            hot->line = (int)number(line, "line");
        }
    }
    hot->share = all > 0.0 ? most / all : 0.0;
    return most > 0.0;
}
