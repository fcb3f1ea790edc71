// SPDX-License-Identifier: MIT
/*
 * progress.c: the progress line; see progress.h.
 */
#include "progress.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

#include "proc.h"

static const double patience = 1.0, interval = 0.2; /* seconds */
static const char *step;
static double begun, shown_at;
static bool shown;

void progress_begin(const char *what)
{
    progress_clear();
    step = what;
    begun = clock_seconds();
    shown_at = 0.0;
}

void progress_step(const char *format, ...)
{
    double now = clock_seconds();
    char line[72];
    va_list args;

    if (!isatty(STDERR_FILENO) || now - begun < patience ||
        now - shown_at < interval)
        return;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    fprintf(stderr, "\r\033[K  %s: %.50s", step, line);
    fflush(stderr);
    shown = true;
    shown_at = now;
}

void progress_clear(void)
{
    if (shown)
        fputs("\r\033[K", stderr);
    fflush(stderr);
    shown = false;
}
