// SPDX-License-Identifier: MIT
/*
 * hot.h: the lines of the learner's source that most of a count comes from.
 *
 *   hot_line    from the lines that the traffic observer counted
 *   hot_lines   the same, several
 *   hot_elsewhere   none of them is the source's
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

/* Lines with less than a tenth of the count are not shown, unless none has
 * more. */
#define HOT_LEAST 0.1

/* Of the lines with the largest shares at most so many, in the source's order.
 * Returns how many. */
int hot_lines(const json_t *report, const char *source, const char *count,
              struct hot *list, int most);

/* Is it counted, and in other files than the source alone? */
bool hot_elsewhere(const json_t *report, const char *source, const char *count);

#endif
