// SPDX-License-Identifier: MIT
/*
 * spent.c: see spent.h.
 */
#include "spent.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "clock.h"

static const double least = 5e-3; /* seconds that deserve a line */

void spent_on(double begun, const char *format, ...)
{
    const char *wish = getenv("WARPBOOK_TIMES");
    double now = clock_seconds();
    static double first;
    char what[160];
    va_list args;

    if (first == 0.0)
        first = begun;
    if (!wish || !*wish || now - begun < least)
        return;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    fprintf(stderr, "times: at %7.3f s  %7.3f s  %s\n", now - first,
            now - begun, what);
}
