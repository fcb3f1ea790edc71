// SPDX-License-Identifier: MIT
/*
 * listing.c: a source with the cost of each line, as text; see trace.h.
 *
 * Lines without instructions are printed without figures; those before the
 * first and after the last line with instructions are left out.
 */
#include "trace.h"

#include <stdio.h>
#include <string.h>

/* over / under, or blank if under is 0. */
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
    if (trace_costs(kernel, line, &c)) {
        printf("%5.1f", 100 * c.issued / all);
        print_ratio("%.1f", c.lanes, c.issued);
        print_ratio("%.1f", c.sectors, c.requests);
        print_ratio("%.1f", c.wavefronts, c.shared);
        print_ratio("%.1f", c.conflicts, c.shared);
    } else {
        printf("%33s", "");
    }
    printf(" %4d %s\n", line, code);
}

static void range(const json_t *kernel, int n, int *first, int *last)
{
    struct costs c;
    *first = *last = 0;
    for (int line = 1; line <= n; line++)
        if (trace_costs(kernel, line, &c)) {
            *first = *first ? *first : line;
            *last = line;
        }
}

void listing_print(const json_t *kernel)
{
    int n, first, last;
    char **lines = trace_source(trace_str(kernel, "source"), &n);
    double all = trace_issued(kernel);
    range(kernel, n, &first, &last);
    printf("%s at %s\n\n", trace_str(kernel, "source"),
           trace_str(kernel, "shape"));
    const json_t *p = json_object_get(kernel, "predicted");
    if (json_is_object(p))
        printf("PREDICTED at the timed shape for %s: %.3g ms;\nmost of it: "
               "%s.\n\n", trace_str(p, "gpu"),
               json_number_value(json_object_get(p, "ms")),
               trace_str(p, "bound_words"));
    puts("work    % of all instructions of warps\n"
         "lanes   of 32 that take part\n"
         "sector  pieces of 32 bytes per access to global memory\n"
         "waves   turns per access to shared memory; extras: of these, how\n"
         "        many bank conflicts add\n\n"
         " work  lanes sector  waves extras line source");
    for (int line = first; line > 0 && line <= last; line++)
        print_line(kernel, line, lines[line - 1], all);
    if (!first)
        puts("no counts for its lines");
    puts("");
    trace_source_free(lines, n);
}
