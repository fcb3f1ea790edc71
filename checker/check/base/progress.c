// SPDX-License-Identifier: MIT
/*
 * progress.c: the progress line; see progress.h.
 */
#include "progress.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

#include "clock.h"

static const double patience = 1.0, interval = 0.2; /* seconds */
static const char *step;
static char at[72]; /* of the step, in words */
static double begun, shown_at;
static bool shown;
static _Thread_local bool mute;
static bool unwatched;

void progress_for_grade(void)
{
    unwatched = !isatty(STDERR_FILENO);
}

void progress_mute(void)
{
    mute = true;
}

void progress_begin(const char *what)
{
    if (mute)
        return;
    progress_clear();
    step = what;
    at[0] = '\0';
    begun = clock_seconds();
    shown_at = 0.0;
}

void progress_step(const char *format, ...)
{
    double now = clock_seconds();
    va_list args;

    if (mute)
        return;
    va_start(args, format);
    vsnprintf(at, sizeof at, format, args);
    va_end(args);
    if (!isatty(STDERR_FILENO) || now - begun < patience ||
        now - shown_at < interval)
        return;
    fprintf(stderr, "\r\033[K  %s: %.50s", step, at);
    fflush(stderr);
    shown = true;
    shown_at = now;
}

void progress_await(const char *what, double limit)
{
    if (unwatched)
        return;
    progress_clear();
    fprintf(stderr, "  %s: still waiting for %s\n  (%s%sstops at %.0f s; "
            "Ctrl-C ends it)\n", step && !mute ? step : "check", what,
            mute ? "" : at, *at && !mute ? "; " : "", limit);
}

void progress_clear(void)
{
    if (mute)
        return;
    if (shown)
        fputs("\r\033[K", stderr);
    fflush(stderr);
    shown = false;
}
