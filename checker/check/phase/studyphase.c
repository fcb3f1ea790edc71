// SPDX-License-Identifier: MIT
/*
 * studyphase.c: a step of a study (kind = study), put to its trials.
 *
 *   study_phase
 *   trial_play and its like (trial.h), for the files that judge a step
 *
 * The program `study` asks the step, in a process of its own; what it answers
 * is judged here. The chapter's folder holds the sweep, sweep.tsv, or, for a
 * map, map.tsv, measured or predicted; and the kernels that they are about,
 * candidates.tsv.
 */
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check/base/proc.h"
#include "check/base/progress.h"
#include "check/judge/wrong.h"
#include "study/study.h"
#include "trial.h"

static const size_t memory_limit = (size_t)4 << 30;
static const size_t file_limit = (size_t)1 << 26;

static const struct step {
    const char *op;
    void (*judge)(struct trial *);
} steps[] = {
    {"study_map", trial_map},     {"study_cause", trial_cause},
    {"study_tune", trial_tune},   {"study_rules", trial_rules},
    {"study_tree", trial_tree},
};

static struct text *blame(struct trial *t, enum verdict verdict)
{
    enum owner owner = verdict == VERDICT_UNSUPPORTED ? OWNER_WORKBOOK
                                                      : OWNER_YOU;

    t->failed = true;
    return result_blame(t->result, verdict, owner, t->c->number);
}

struct text *trial_wrong(struct trial *t)
{
    struct comparison cmp = {.kind = CELL_LOGIC, .cells = 1, .wrong = 1};

    if (t->failed)
        return NULL;
    wrong_keep(t->run, t->c, &cmp, true);
    return blame(t, VERDICT_WRONG);
}

void trial_metric(struct trial *t, const char *name, double value)
{
    json_object_set_new(t->metrics, name, json_real(value));
}

double trial_draw(const struct trial *t, uint64_t i)
{
    return (double)(seed_mix(t->seed, i) >> 11) * 0x1p-53;
}

void trial_row(struct sweep *sweep, const struct sweep_row *row)
{
    enum { STEP = 64 };

    if (sweep->n_rows % STEP == 0) {
        size_t bytes = (size_t)(sweep->n_rows + STEP) * sizeof *row;

        sweep->rows = realloc(sweep->rows, bytes);
        if (!sweep->rows)
            give_up("out of memory");
    }
    sweep->rows[sweep->n_rows++] = *row;
}

struct sweep trial_sweep(const struct trial *t)
{
    struct sweep made = t->recorded;

    made.rows = NULL;
    made.n_rows = 0;
    return made;
}

struct sweep trial_of_set(const struct trial *t, enum sweep_set set)
{
    struct sweep made = trial_sweep(t);

    for (int i = 0; i < t->recorded.n_rows; i++)
        if (t->recorded.rows[i].set == set)
            trial_row(&made, &t->recorded.rows[i]);
    return made;
}

/* Playing ---------------------------------------------------------------- */

static void write_input(struct trial *t, const struct sweep *sweep)
{
    struct sweep written;
    char error[512];
    FILE *file;

    unlink(t->input);
    file = sweep_open(t->input, sweep, &written, error, sizeof error);
    if (!file)
        give_up("%s", error);
    for (int i = 0; i < sweep->n_rows; i++)
        if (!sweep_add(file, &written, &sweep->rows[i]))
            give_up("%s cannot be written", t->input);
    fclose(file);
    sweep_free(&written);
}

static struct proc_result run_step(struct trial *t, const double *numbers,
                                   int n)
{
    enum { WORDS = 6, WORD_BYTES = 32 };
    const struct workbook *w = t->phase->workbook;
    char words[PLAY_NUMBERS][WORD_BYTES], program[PATH_BYTES];
    char step[PATH_BYTES], audit[PATH_BYTES];
    const char *argv[WORDS + PLAY_NUMBERS + 1] = {
        program, t->answers, step, t->result->conf->op->name, t->kernels_path,
        t->input};
    struct proc_config config = {.argv = argv, .output = t->output,
                                 .memory_bytes = memory_limit,
                                 .seal = true,
                                 .file_bytes = file_limit};
    char *real = realpath(t->result->build.result, NULL);

    path_set(step, "%s", real ? real : t->result->build.result);
    free(real);
    path_set(program, "%s/bin/study", w->build);
    path_set(audit, "LD_AUDIT=%s/bin/study-shut.so", w->build);
    config.env[0] = audit;
    for (int i = 0; i < n; i++) {
        snprintf(words[i], WORD_BYTES, "%.17g", numbers[i]);
        argv[WORDS + i] = words[i];
    }
    argv[WORDS + n] = NULL;
    return proc_wait(proc_start(&config), w->options->patience,
                     "the step to answer");
}

static void blame_exit(struct trial *t, int code)
{
    struct text *words;

    if (code == STUDY_EXIT_NO_LOAD) {
        words = blame(t, VERDICT_BUILD);
        if (words)
            text_add(words, "the step cannot be loaded: %s\n",
                     text_get(&t->said));
        text_add(&t->result->advice, "It is C, and must export %s as "
                 "op/study.h declares it.", t->result->conf->op->launcher);
    } else if (code == STUDY_EXIT_DATA) {
        give_up("%s", text_get(&t->said));
    } else if ((words = blame(t, VERDICT_CRASH))) {
        text_add(words, "the step ended the program, with exit code %d\n",
                 code);
    }
}

static bool judge_end(struct trial *t, struct proc_result end)
{
    struct text *words;

    if (end.end == PROC_EXITED && end.code == STUDY_EXIT_OK)
        return true;
    if (end.end == PROC_EXITED) {
        blame_exit(t, end.code);
    } else if (end.end == PROC_TIMED_OUT) {
        if ((words = blame(t, VERDICT_TIMEOUT))) {
            result_excuse(t->result, end.unfair);
            text_add(words, "the step was still running after %.0f seconds\n",
                     t->phase->workbook->options->patience);
        }
    } else if ((words = blame(t, VERDICT_CRASH))) {
        result_excuse(t->result, end.unfair);
        text_add(words, "the step was ended by signal %d (%s)\n", end.code,
                 strsignal(end.code));
        text_add(&t->result->advice, "Print the indices: the last line that "
                 "appears stands before the fault.");
    }
    return false;
}

bool trial_play(struct trial *t, const struct sweep *sweep,
                const double *numbers, int n)
{
    struct proc_result end;

    write_input(t, sweep);
    unlink(t->answers);
    end = run_step(t, numbers, n);
    text_free(&t->said);
    file_read(t->answers, &t->said);
    t->next = text_get(&t->said);
    keep_output(t->result, t->output);
    return judge_end(t, end);
}

double trial_number(struct trial *t)
{
    char *end;
    double value = strtod(t->next, &end);
    struct text *words;

    if (end == t->next) {
        if ((words = blame(t, VERDICT_CRASH)))
            text_add(words, "the step ended the program before it "
                     "answered\n");
        return NAN;
    }
    t->next = end;
    return value;
}

void trial_line(struct trial *t, char *line, size_t size)
{
    size_t n;

    t->next += strspn(t->next, "\n");
    n = strcspn(t->next, "\n");
    snprintf(line, size, "%.*s", (int)n, t->next);
    t->next += n;
}

/* Gates ------------------------------------------------------------------ */

/* A gate is taken where its metric is known: a single trial (CASE=) may not
 * be the one. */
static void take_gates(struct trial *t)
{
    const struct kernel_conf *conf = t->result->conf;
    const struct op_shape none = {{1}, {0}};

    if (json_object_size(t->metrics) == 0)
        return;
    t->run->gates_measured = true;
    for (int i = 0; i < conf->n_gates; i++) {
        double value = gate_value(conf->gates[i].counter, t->metrics, conf->op,
                                  &none);

        t->run->gate_measured[i] = true;
        t->run->gate_value[i] = value;
        t->run->gate_ok[i] = gate_holds(&conf->gates[i], value);
    }
    blame_gates(t->phase, t->run);
}

static const struct step *step_of(const struct kernel_result *r)
{
    const struct step *step = steps;

    while (strcmp(step->op, r->conf->op->name) != 0)
        step++;
    return step;
}

static void open_trials(struct trial *t)
{
    const struct workbook *w = t->phase->workbook;
    char path[PATH_BYTES], error[512];

    path_set(t->kernels_path, "%s/candidates.tsv", w->chapter);
    path_set(path, "%s/%s.tsv", w->chapter,
             step_of(t->result)->judge == trial_map ? "map" : "sweep");
    if (!kernels_read(t->kernels_path, &t->kernels, error, sizeof error) ||
        !sweep_read(path, &t->recorded, error, sizeof error))
        give_up("%s", error);
    path_set(t->input, "%s/sweep.tsv", w->scratch);
    path_set(t->answers, "%s/answers", w->scratch);
    path_set(t->output, "%s/study.out", w->scratch);
    t->metrics = json_object();
}

/* Whether a learner can take the figures for a GPU's. */
static void say_source(struct trial *t)
{
    const struct sweep_about *a = &t->recorded.about;
    bool predicted = strcmp(a->source, "predicted") == 0;

    text_add(&t->result->table, "the sweep: %s, %s, %s\n%s",
             predicted ? "PREDICTED by the simulated GPU's model" : "measured",
             a->gpu, a->date, text_get(t->table));
}

void study_phase(const struct phase *phase)
{
    struct kernel_result *r = phase->result;
    struct text table = {0};
    struct trial t = {.phase = phase, .result = r, .table = &table,
                      .run = &r->run[RUN_SIM]};
    const struct step *step = step_of(r);

    t.run->ran = true;
    t.run->simulated = true;
    snprintf(t.run->device, sizeof t.run->device, "host");
    open_trials(&t);
    progress_begin(r->conf->name);
    for (int i = 0; i < phase->cases->n && !t.failed; i++) {
        t.c = &phase->cases->cases[i];
        t.number = t.c->problem.shape.dim[0];
        t.seed = t.c->problem.seed;
        progress_step("trial %d of %d", i + 1, phase->cases->n);
        t.run->cases++;
        step->judge(&t);
        t.run->passed += !t.failed;
    }
    progress_clear();
    if (!t.failed)
        take_gates(&t);
    if (table.n)
        say_source(&t);
    json_decref(t.metrics);
    sweep_free(&t.recorded);
    text_free(&t.said);
    text_free(&table);
}
