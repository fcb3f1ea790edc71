// SPDX-License-Identifier: MIT
/*
 * listing.c: a source with what each line costs, as text; trace.h.
 *
 * A line without machine instructions keeps its place; stretches of them
 * before the first and after the last line that costs are left out.
 */
#include "trace.h"

#include <stdio.h>
#include <string.h>

enum { CODE = 44 }; /* columns of source */

/* A ratio where there is one to make, else a blank. */
static void print_ratio(const char *format, double over, double under)
{
    char text[16] = "";
    if (under > 0)
        snprintf(text, sizeof text, format, over / under);
    printf(" %6s", text);
}

static void print_line(const json_t *kernel, int line, const char *code,
                       double all)
{
    struct costs c;
    if (costs_of(kernel, line, &c)) {
        printf("%5.1f", 100 * c.issued / all);
        print_ratio("%.1f", c.lanes, c.issued);
        print_ratio("%.1f", c.sectors, c.requests);
        print_ratio("%.1f", c.wavefronts, c.shared);
        print_ratio("%.1f", c.conflicts, c.shared);
    } else {
        printf("%33s", "");
    }
    printf(" %4d %.*s\n", line, CODE, code);
}

static void range(const json_t *kernel, int n, int *first, int *last)
{
    struct costs c;
    *first = *last = 0;
    for (int line = 1; line <= n; line++)
        if (costs_of(kernel, line, &c)) {
            *first = *first ? *first : line;
            *last = line;
        }
}

void listing_print(const json_t *kernel)
{
    int n, first, last;
    char **lines = source_lines(str(kernel, "source"), &n);
    double all = costs_issued(kernel);
    range(kernel, n, &first, &last);
    printf("%s at %s\n\n", str(kernel, "source"), str(kernel, "shape"));
    const json_t *p = json_object_get(kernel, "predicted");
    if (json_is_object(p))
        printf("PREDICTED at the timed shape for %s: %.3g ms;\nmost of it: "
               "%s.\n\n", str(p, "gpu"),
               json_number_value(json_object_get(p, "ms")),
               str(p, "bound_words"));
    puts(" work  lanes sector  waves extras line source");
    for (int line = first; line > 0 && line <= last; line++)
        print_line(kernel, line, lines[line - 1], all);
    if (!first)
        puts("nothing is known of its lines");
    puts("");
    source_free(lines, n);
}
