// SPDX-License-Identifier: MIT
/*
 * analysis.h: a chapter's report, with the model beside it.
 *
 *   analysis_read    from a report, ceilings, counts and a profiler's numbers
 *   analysis_print   the table, its formulas, and what they give for one path
 *   analysis_data    the numbers that gnuplot draws, and settings for it
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
    const char *counts; /* folder of reports at the model's shapes; "": none */
    const char *nsight; /* lines KERNEL SECTORS DRAM-BYTES; "": none */
};

struct analysed {
    const struct kernel_conf *conf;
    struct op_shape timed;
    struct model_shapes shapes;
    bool measured;         /* on a GPU */
    bool in_step;          /* the newest of its operator: a part of the step */
    struct interval ms, previous_ms; /* NAN: none */
    double copy_ms, predicted_ms;
    char binds[32];        /* the longest part of a prediction; or "" */
    double sectors_small, sectors_big; /* NAN: not counted */
    double nsight_bytes, nsight_dram;  /* NAN: no profiler */
    struct model_path path;
    struct model_place place;
};

struct analysis {
    struct conf conf;
    char source[PATH_BYTES], gpu[128], predicted_gpu[80], roofs_gpu[80];
    struct roofs roofs;
    bool measured; /* any kernel was, on a GPU */
    int n;
    struct analysed kernels[CONF_KERNELS];
};

/* What a caller can do about it. */
enum analysis_status {
    ANALYSIS_OK,
    ANALYSIS_STALE = 3, /* no report of these sources: check them first */
    ANALYSIS_EMPTY = 4, /* it has neither times nor counters */
};

enum analysis_status analysis_read(struct analysis *a, const char *chapter,
                                   const struct analysis_files *files,
                                   bool of_results);
void analysis_print(const struct analysis *a);
/* FOLDER/{bars,roofline}.{dat,gp,txt}. */
void analysis_data(const struct analysis *a, const char *folder);
/* The time to speak of: measured, predicted, or the least; milliseconds. */
double analysis_ms(const struct analysed *k);
/* "B16384 H128 L48 K48", or that there are several. */
void analysis_shape(const struct analysis *a, char *text, size_t size);
const char *analysis_word(const struct analysed *k);

#endif
