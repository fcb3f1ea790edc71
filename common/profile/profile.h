// SPDX-License-Identifier: MIT
/*
 * profile.h: what a program did, as events on two clocks.
 *
 *   profile_read     the log of record.c, and the simulated GPU's report
 *   profile_symbols  frames as functions and lines (symbols.c)
 *   profile_check    is every launch there, and once? (log.c)
 *   profile_tables   by phase and by kernel, as text (tables.c)
 *   profile_trace    trace events, which Perfetto opens (files.c)
 *   profile_speedscope   weighted stacks, which speedscope opens
 *   profile_page     a page with flame graph, timeline and tables
 */
#ifndef WB_PROFILE_H
#define WB_PROFILE_H

#include <stdbool.h>
#include <stdio.h>

enum profile_clock { PROFILE_HOST, PROFILE_DEVICE };

struct profile_event {
    enum profile_clock clock;
    char *kind;     /* launch, graph, copy, set, wait, other, phase */
    char *name;     /* of the kernel, or the call */
    char *phases;   /* names between semicolons */
    char *frames;   /* MODULE+OFFSET ..., from the outermost; NULL: none */
    double start_ms, ms;
    double memory_ms; /* of a kernel on the simulated GPU: its bytes alone */
    double bytes;
    char *line;       /* where most sectors moved: FILE:LINE; NULL: unknown */
};

struct profile {
    struct profile_event *events;
    size_t n, room;
    bool predicted;  /* device times are the model's, not measured */
    char *gpu;       /* of the model */
    long launches;   /* that were to run, by the log */
    long reported;   /* that ran, by the device; -1: it does not say */
    double device_ms; /* sum over its events */
};

/* report: NULL on a GPU. Ends the program where a file is not readable. */
struct profile profile_read(const char *log, const char *report);
void profile_give_back(struct profile *p);
/* From then on frames are functions between semicolons. */
void profile_symbols(struct profile *p);
/* NULL, or what does not add up. */
const char *profile_check(const struct profile *p);
void profile_tables(const struct profile *p, FILE *to);
void profile_trace(const struct profile *p, const char *path);
void profile_speedscope(const struct profile *p, const char *path);
void profile_page(const struct profile *p, const char *path,
                  const char *template);

#endif
