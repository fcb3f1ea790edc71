// SPDX-License-Identifier: MIT
/*
 * trial_tune.c: searches for the fastest kernel; see trial.h.
 *
 *   trial_tune   1 as it is; 2 some candidates are broken; 3 little time;
 *                4 goes on after an interruption; 5 all is known already
 *
 * The times are the recorded sweep's, at shapes for training: a search is
 * played in no time.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "op/study.h"
#include "trial.h"

enum { AS_IT_IS = 1, BROKEN, LITTLE, GOES_ON, KNOWN };

/* The first trial is graded by the mean of its searches. A few of them choose a
 * kernel that takes half as long again: of 20, the mean says little. */
enum { SEARCHES = 20, GRADED = 80 };

struct search {
    int choice, measured, again, late;
};

/* Each kernel's median at some shapes that are recorded, apart from each
 * other. */
static struct sweep some_shapes(struct trial *t)
{
    struct sweep train = trial_of_set(t, SWEEP_train), made = trial_sweep(t);
    struct sweep_table table = sweep_table(&train);
    int first = (int)(trial_draw(t, 0) * table.n_shapes);
    int n = t->number == AS_IT_IS ? GRADED : SEARCHES;
    int step = table.n_shapes / n > 0 ? table.n_shapes / n : 1;

    for (int s = 0; s < n && s < table.n_shapes; s++) {
        const struct sweep_shape *at =
            &table.shapes[(first + s * step) % table.n_shapes];

        for (int k = 0; k < table.n_kernels; k++) {
            struct sweep_row row = {.set = at->set, .ms = at->ms[k]};

            memcpy(row.dim, at->dim, sizeof row.dim);
            snprintf(row.kernel, sizeof row.kernel, "%s", table.kernel[k]);
            row.outcome = row.ms > 0 ? SWEEP_ok : SWEEP_launch;
            trial_row(&made, &row);
        }
    }
    free(table.shapes);
    sweep_free(&train);
    return made;
}

/* One candidate in three, often the fastest: the first whose time is the best
 * of its shape is always among them. */
static void break_some(struct trial *t, struct sweep *sweep)
{
    static const enum sweep_outcome ends[] = {SWEEP_wrong, SWEEP_launch,
                                              SWEEP_hang};
    struct sweep_table table = sweep_table(sweep);

    for (int i = 0; i < sweep->n_rows; i++) {
        struct sweep_row *row = &sweep->rows[i];
        double best = INFINITY;

        for (int s = 0; s < table.n_shapes; s++)
            for (int k = 0; k < table.n_kernels; k++)
                if (memcmp(table.shapes[s].dim, row->dim, sizeof row->dim) ==
                        0 && table.shapes[s].ms[k] < best)
                    best = table.shapes[s].ms[k];
        if (row->ms <= best || trial_draw(t, 100u + (uint64_t)i) < 0.3) {
            row->outcome = ends[i % 3];
            row->ms = NAN;
        }
    }
    free(table.shapes);
}

static void say_where(struct text *words, const struct sweep_table *table,
                      int i)
{
    const int *dim = table->shapes[i].dim;

    text_add(words, " at M%d N%d K%d\n", dim[0], dim[1], dim[2]);
}

/* What no search may do; false: it did. */
static bool is_sound(struct trial *t, const struct sweep_table *table, int i,
                     const struct search *s, unsigned known)
{
    double regret = regret_one(table, i, s->choice);
    const char *wrong = NULL, *advice = NULL;
    struct text *words;

    if (s->again > 0) {
        wrong = "a candidate that the log knows is measured again";
        advice = "Before you measure candidate i, look at log[i].end.";
    } else if (s->late > 0) {
        wrong = "a measurement begins after the budget is used up";
        advice = "Compare spent_ms with budget_ms before each measurement.";
    } else if (s->choice >= 0 && regret >= REGRET_OF_A_FAILURE) {
        wrong = "a candidate is chosen that is broken";
        advice = "Only what ended with STUDY_OK has a time.";
    } else if (s->choice < 0 && (s->measured > 0 || known)) {
        wrong = "no candidate is chosen, though some were measured";
        advice = "A broken candidate is dropped; the search goes on.";
    } else if (known == (1u << table->n_kernels) - 1 &&
               (s->measured > 0 || regret > 0)) {
        wrong = "all candidates are in the log, but the fastest of them is "
                "not what it answers";
        advice = "What the log says counts as measured.";
    } else {
        return true;
    }
    if ((words = trial_wrong(t))) {
        text_add(words, "%s,", wrong);
        say_where(words, table, i);
        text_add(&t->result->advice, "%s", advice);
    }
    return false;
}

static bool read_search(struct trial *t, struct search *s)
{
    s->choice = (int)trial_number(t);
    s->measured = (int)trial_number(t);
    s->again = (int)trial_number(t);
    s->late = (int)trial_number(t);
    return !t->failed;
}

/* Trial 1 is the one that is graded. */
static void grade(struct trial *t, const struct sweep_table *table,
                  const int *choice, int measured)
{
    struct regret r = regret_of(table, SWEEP_train, choice);
    double all = (double)table->n_shapes * table->n_kernels;

    text_add(t->table, "  %d searches measured %.0f %% of the candidates;\n"
             "  regret: mean %.2f %%, worst %.1f %%\n", table->n_shapes,
             100 * measured / all, 100 * r.mean, 100 * r.worst);
    trial_metric(t, "regret_mean_percent", 100 * r.mean);
    trial_metric(t, "measured_percent", 100 * measured / all);
}

void trial_tune(struct trial *t)
{
    struct sweep sweep = some_shapes(t);
    struct sweep_table table;
    unsigned known = t->number == GOES_ON ? 0x5555u : 0;
    int choice[GRADED] = {0}, measured = 0;
    double numbers[2];

    if (t->number == BROKEN)
        break_some(t, &sweep);
    table = sweep_table(&sweep);
    if (t->number == KNOWN)
        known = ~0u;
    known &= (1u << table.n_kernels) - 1;
    numbers[0] = t->number == LITTLE ? 0.4 : 1e9;
    numbers[1] = known;
    if (trial_play(t, &sweep, numbers, 2))
        for (int i = 0; i < table.n_shapes && !t->failed; i++) {
            struct search s;

            if (!read_search(t, &s) || !is_sound(t, &table, i, &s, known))
                break;
            choice[i] = s.choice;
            measured += s.measured;
        }
    if (t->number == AS_IT_IS && !t->failed)
        grade(t, &table, choice, measured);
    free(table.shapes);
    sweep_free(&sweep);
}
