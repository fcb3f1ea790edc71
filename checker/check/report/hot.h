// SPDX-License-Identifier: MIT
/*
 * hot.h: the line of the learner's source that most of a count comes from.
 *
 *   hot_line   from the lines that the traffic observer counted
 */
#ifndef CHECK_HOT_H
#define CHECK_HOT_H

#include <jansson.h>
#include <stdbool.h>

struct hot {
    int line;
    double share; /* of the count of the whole stage, 0 to 1 */
};

/* count: a key of the report's "lines" (TRAFFIC_LINE_KINDS, or "issued").
 * Lines of other files than source's count, but are not chosen. Returns false
 * where no line of source has any. */
bool hot_line(const json_t *report, const char *source, const char *count,
              struct hot *hot);

#endif
