// SPDX-License-Identifier: MIT
/*
 * options.h: check's command line.
 *
 *   check [chapter|solution] N [--device auto|gpu|sim] [--seed S] [--case I]
 *         [--shape "B3 H5 L37 K11"] [--src DIR] [--grade] [--json PATH]
 *         [--gpu KEY] [--run] [--prebuilt] [--kernel NAME] [--inspect PATH]
 *         [--patience SECONDS] [--jobs N] [--build DIR] [--root DIR]
 *         [--remember DIR] [--brief] [--draw N]
 *   check --facts verdicts|chapters|holes|FILE.json [--root DIR]
 *
 *   options_read
 */
#ifndef CHECK_OPTIONS_H
#define CHECK_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "check/base/text.h"

enum device_wish { DEVICE_AUTO, DEVICE_GPU, DEVICE_SIM };

struct options {
    bool solution;          /* solutions/, not chapters/ */
    int number;
    enum device_wish device;
    bool seed_given;
    uint64_t seed;
    int only_case;          /* -1: all */
    const char *shape;      /* NULL: all */
    int draw;               /* so many drawn sizes instead; 0: none */
    const char *inspect;    /* instead of checking: where its JSON goes */
    const char *facts;      /* instead of checking: what to print; facts.h */
    const char *kernel;     /* KERNEL=: this one alone; NULL: all */
    /* Seconds that one call into a stage may take before its host code is said
     * to hang. Kernels end by their budget long before. */
    double patience;
    const char *gpu;        /* whose time is predicted; "": an H200 */
    char src[PATH_BYTES];   /* "": the workbook's own folder */
    char json[PATH_BYTES];  /* "": the build's report folder */
    char build[PATH_BYTES]; /* "": where this program lies */
    char root[PATH_BYTES];
    char remember[PATH_BYTES]; /* where predictions are kept; "": in the
                                  build's folder, but not of hand-ins */
    int jobs;               /* cases that are run at the same time */
    bool brief;             /* neither time nor registers, where they are for
                               information only */
    bool grade, run, prebuilt;
};

/* Ends check with exit code 2 and the usage when it is not understood. */
void options_read(struct options *options, int argc, char **argv);

#endif
