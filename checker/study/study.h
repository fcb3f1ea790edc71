// SPDX-License-Identifier: MIT
/*
 * study.h: the program that puts one step of a study to one trial.
 *
 *   study ANSWERS STEP.so OPERATOR KERNELS.tsv SWEEP.tsv NUMBER...
 *
 * What it asks the step, it takes from the two files; numbers are the trial's.
 * It writes the answers as words between spaces, which each play describes. The
 * learner's code runs in this process: what the grade hangs on is not in the
 * files, but with check, which is another process. Nothing in here is believed.
 */
#ifndef STUDY_STUDY_H
#define STUDY_STUDY_H

#include "op/study.h"
#include "sweep/kernels.h"

enum study_exit {
    STUDY_EXIT_OK = 0,
    STUDY_EXIT_NO_LOAD = 4, /* ANSWERS holds the dynamic linker's message */
    STUDY_EXIT_DATA = 6,    /* the workbook's fault: ANSWERS says what */
};

_Static_assert((int)STUDY_KERNELS == (int)SWEEP_KERNELS,
               "a step has room for all candidates of a sweep");

enum { PLAY_NUMBERS = 20 };

struct play {
    void *step; /* the learner's function */
    struct sweep_table table;
    struct sweep sweep;
    int n_kernels;
    struct study_kernel kernels[STUDY_KERNELS]; /* in the table's order */
    struct study_gpu gpu;
    int n_numbers;
    double number[PLAY_NUMBERS];
    FILE *answers;
};

/* Each asks and writes; the numbers that it takes stand above it. */
void play_map(struct play *play);
void play_cause(struct play *play);
void play_tune(struct play *play);
void play_rules(struct play *play);
void play_tree(struct play *play);

#endif
