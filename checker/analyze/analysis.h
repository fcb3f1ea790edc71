// SPDX-License-Identifier: MIT
/*
 * analysis.h: a chapter's report, compared with the traffic model.
 *
 *   analysis_read    reads a report, ceilings, counts and a profiler's numbers
 *   analysis_wants   whether a kernel is timed, and among those asked for
 *   analysis_print   the table, and its formulas with one path's numbers
 *   analysis_data    the data and settings from which gnuplot draws
 */
#ifndef ANALYZE_ANALYSIS_H
#define ANALYZE_ANALYSIS_H

#include "check/base/text.h"
#include "check/conf/conf.h"
#include "harness/stats.h"
#include "model.h"

struct analysis_files {
    const char *report; /* build/report/chapter-07.json */
    const char *roofs;  /* the ceilings, as check caches them */
    const char *counts; /* folder of KERNEL/SHAPE.json, reports at the model's
                           shapes; "": none */
    const char *nsight; /* lines: KERNEL SECTORS DRAM-BYTES; "": none */
    const char *kernel; /* this one alone; "": all */
};

struct analysed {
    const struct kernel_conf *conf;
    struct op_shape timed;
    struct model_shapes shapes;
    bool measured;         /* on a GPU */
    bool in_step;          /* part of the step: the last of its operator */
    struct interval ms, previous_ms; /* NAN: none */
    double copy_ms, predicted_ms;
    char binds[32];        /* the longest part of the prediction; or "" */
    double sectors_small, sectors_big; /* NAN: not counted */
    double nsight_bytes, nsight_dram;  /* NAN: no profiler */
    struct roofs roofs; /* of its operator's pipe */
    struct model_path path;
    struct model_place place;
};

struct analysis {
    struct conf conf;
    char source[PATH_BYTES], gpu[128], predicted_gpu[80], roofs_gpu[80];
    bool measured; /* at least one kernel was measured on a GPU */
    int n;
    struct analysed kernels[CONF_KERNELS];
};

/* Also the program's exit code. */
enum analysis_status {
    ANALYSIS_OK,
    ANALYSIS_STALE = 3, /* no report of these sources: run check first */
    ANALYSIS_EMPTY = 4, /* the report has neither times nor counters */
};

enum analysis_status analysis_read(struct analysis *a, const char *chapter,
                                   const struct analysis_files *files,
                                   bool of_results);
/* kernel: a name, or "" for all. */
bool analysis_wants(const struct kernel_conf *k, const char *kernel);
void analysis_print(const struct analysis *a);
/* FOLDER/{bars,roofline}.{dat,gp,txt}. */
void analysis_data(const struct analysis *a, const char *folder);
/* The best known time: measured, predicted, or a lower bound; milliseconds. */
double analysis_ms(const struct analysed *k);
/* "B16384 H128 L48 K48", or words if the kernels' shapes differ. */
void analysis_shape(const struct analysis *a, char *text, size_t size);
const char *analysis_word(const struct analysed *k);

#endif
