// SPDX-License-Identifier: MIT
/*
 * trial.h: one trial of a step of a study, and how its answers are judged.
 *
 *   trial_play      the step in a process of its own; false: it is blamed
 *   trial_number    the next of its answers
 *   trial_word      the rest of a line of them
 *   trial_wrong     WRONG, once, and the trial has failed
 *   trial_metric    a value that gates may name
 *   trial_of_set    a recorded sweep's shapes of one set
 *   trial_map, trial_cause, trial_tune, trial_rules, trial_tree
 *
 * A trial is a sweep (sweep.h), whose times the step may see, and what is
 * known here alone: the right answer, or the times of held-out shapes.
 */
#ifndef CHECK_TRIAL_H
#define CHECK_TRIAL_H

#include "phase.h"
#include "sweep/kernels.h"
#include "sweep/regret.h"

struct trial {
    const struct phase *phase;
    struct kernel_result *result;
    struct run *run;
    const struct test_case *c;
    int number;               /* from 1 */
    uint64_t seed;
    struct sweep recorded;    /* the chapter's sweep */
    struct sweep_kernels kernels;
    char input[PATH_BYTES], answers[PATH_BYTES], output[PATH_BYTES];
    char kernels_path[PATH_BYTES];
    struct text said;         /* the answers */
    const char *next;         /* the first that was not read yet */
    struct text *table;       /* lines for the report */
    json_t *metrics;
    bool failed;
};

/* table: what the step sees, in the recorded sweep's format. */
bool trial_play(struct trial *t, const struct sweep *sweep,
                const double *numbers, int n);
/* NAN: there is none. */
double trial_number(struct trial *t);
void trial_line(struct trial *t, char *line, size_t size);
/* NULL: an earlier verdict stands. */
struct text *trial_wrong(struct trial *t);
void trial_metric(struct trial *t, const char *name, double value);

/* A number in [0, 1) that follows from the seed and i. */
double trial_draw(const struct trial *t, uint64_t i);
/* The caller frees rows. */
struct sweep trial_of_set(const struct trial *t, enum sweep_set set);
/* Appends a row to a sweep that is being made. */
void trial_row(struct sweep *sweep, const struct sweep_row *row);
/* An empty sweep with the recorded one's ceilings. */
struct sweep trial_sweep(const struct trial *t);

void trial_map(struct trial *t);
void trial_cause(struct trial *t);
void trial_tune(struct trial *t);
void trial_rules(struct trial *t);
void trial_tree(struct trial *t);

#endif
