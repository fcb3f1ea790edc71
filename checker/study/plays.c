// SPDX-License-Identifier: MIT
/*
 * plays.c: what each step of a study is asked; see study.h.
 *
 *   play_map, play_cause, play_tune, play_rules, play_tree
 */
#include "study/study.h"

#include <stdlib.h>
#include <string.h>

#include "sweep/tree.h"

static struct study_shape shape_of(const int *dim)
{
    return (struct study_shape){dim[0], dim[1], dim[2]};
}

/* Numbers: down, across, repeats. Answers: share and cliff of each cell. */
void play_map(struct play *p)
{
    void (*map)(const struct study_point *, int, int, const struct study_gpu *,
                struct study_cell *);
    int down = (int)p->number[0], across = (int)p->number[1];
    size_t cells = (size_t)down * (size_t)across;
    struct study_point *points = calloc(cells, sizeof *points);
    struct study_cell *answer = calloc(cells, sizeof *answer);

    memcpy(&map, &p->step, sizeof map);
    for (size_t i = 0; i < cells; i++) {
        struct study_point *point = &points[i];

        point->shape = shape_of(p->table.shapes[i].dim);
        point->n_kernels = p->n_kernels;
        point->n_repeats = (int)p->number[2];
        for (int k = 0; k < STUDY_KERNELS; k++)
            for (int r = 0; r < STUDY_REPEATS; r++)
                point->ms[k][r] = NAN;
    }
    for (int i = 0; i < p->sweep.n_rows; i++) {
        const struct sweep_row *row = &p->sweep.rows[i];
        int k = 0;
        size_t at = 0;

        while (k < p->n_kernels && strcmp(p->kernels[k].name, row->kernel))
            k++;
        while (at < cells &&
               memcmp(p->table.shapes[at].dim, row->dim, sizeof row->dim))
            at++;
        if (k < p->n_kernels && at < cells && row->repeat < STUDY_REPEATS)
            points[at].ms[k][row->repeat] = row->ms;
    }
    map(points, down, across, &p->gpu, answer);
    for (size_t i = 0; i < cells; i++)
        fprintf(p->answers, "%.9g %d\n", answer[i].share, answer[i].cliff);
    free(answer);
    free(points);
}

static struct study_run read_run(const struct play *p, const double *n)
{
    return (struct study_run){
        .shape = {(int)n[0], (int)n[1], (int)n[2]},
        .kernel = &p->kernels[(int)n[3]], .ms = n[4], .other_ms = n[5],
        .bytes_asked = n[6], .sector_bytes = n[7], .memory_bytes = n[8]};
}

/* Numbers: two runs, nine each. Answer: the cause. */
void play_cause(struct play *p)
{
    enum { RUN = 9 };
    enum study_cause (*cause)(const struct study_run *,
                              const struct study_run *,
                              const struct study_gpu *);
    struct study_run good = read_run(p, p->number);
    struct study_run bad = read_run(p, p->number + RUN);

    memcpy(&cause, &p->step, sizeof cause);
    fprintf(p->answers, "%d\n", cause(&good, &bad, &p->gpu));
}

/* The sweep stands in for a GPU. The tuner is the first member, so that
 * measure() finds what is around it. */
struct stand {
    struct study_tuner tuner;
    const struct sweep_shape *shape;
    enum study_end end[STUDY_KERNELS]; /* of what is broken at this shape */
    int asked[STUDY_KERNELS];
    int late; /* measured after the budget was used up */
};

static const double hang_ms = 2000, launch_share = 20; /* launches a time */

static void measure(struct study_tuner *tuner, int i)
{
    struct stand *s = (struct stand *)tuner;

    if (i < 0 || i >= tuner->n)
        return;
    s->late += tuner->spent_ms >= tuner->budget_ms;
    s->asked[i]++;
    tuner->log[i].end = s->end[i];
    tuner->log[i].ms = s->end[i] == STUDY_OK ? s->shape->ms[i] : NAN;
    tuner->spent_ms += s->end[i] == STUDY_HUNG ? hang_ms
                       : s->end[i] == STUDY_OK
                           ? launch_share * s->shape->ms[i]
                           : launch_share * tuner->gpu->launch_ms;
}

static void outcomes(const struct play *p, struct stand *s)
{
    for (int k = 0; k < p->n_kernels; k++)
        s->end[k] = STUDY_OK;
    for (int i = 0; i < p->sweep.n_rows; i++) {
        const struct sweep_row *row = &p->sweep.rows[i];

        if (memcmp(row->dim, s->shape->dim, sizeof row->dim) != 0)
            continue;
        for (int k = 0; k < p->n_kernels; k++)
            if (strcmp(p->kernels[k].name, row->kernel) == 0)
                s->end[k] = row->outcome == SWEEP_ok      ? STUDY_OK
                            : row->outcome == SWEEP_wrong ? STUDY_WRONG
                            : row->outcome == SWEEP_hang  ? STUDY_HUNG
                                                          : STUDY_FAILED;
    }
}

/* Numbers: the budget, and a set of kernels, as bits, that an earlier run has
 * measured. Answers for each shape: the choice, how many were measured, how
 * many of them again, how many after the budget was used up. */
void play_tune(struct play *p)
{
    int (*tune)(struct study_tuner *);

    memcpy(&tune, &p->step, sizeof tune);
    for (int i = 0; i < p->table.n_shapes; i++) {
        struct stand s = {.shape = &p->table.shapes[i]};
        int known = (int)p->number[1], asked = 0, again = 0, choice;

        s.tuner = (struct study_tuner){
            .shape = shape_of(s.shape->dim), .gpu = &p->gpu,
            .kernels = p->kernels, .n = p->n_kernels,
            .budget_ms = p->number[0], .measure = measure};
        outcomes(p, &s);
        for (int k = 0; k < p->n_kernels; k++)
            if (known >> k & 1) {
                s.tuner.log[k].end = s.end[k];
                s.tuner.log[k].ms = s.shape->ms[k];
            }
        choice = tune(&s.tuner);
        for (int k = 0; k < p->n_kernels; k++) {
            asked += s.asked[k];
            again += s.asked[k] > 1 || (s.asked[k] && known >> k & 1);
        }
        fprintf(p->answers, "%d %d %d %d\n", choice, asked, again, s.late);
    }
}

/* Answers: the choice for each shape. */
void play_rules(struct play *p)
{
    int (*rules)(struct study_shape, const struct study_kernel *, int,
                 const struct study_gpu *);

    memcpy(&rules, &p->step, sizeof rules);
    for (int i = 0; i < p->table.n_shapes; i++)
        fprintf(p->answers, "%d\n",
                rules(shape_of(p->table.shapes[i].dim), p->kernels,
                      p->n_kernels, &p->gpu));
}

static void one_tree(struct play *p,
                     int (*fit)(const struct study_example *, int, int, int,
                                struct study_node *),
                     const struct study_example *examples, int depth)
{
    struct study_node *nodes = calloc(STUDY_NODES, sizeof *nodes);
    int n = fit(examples, p->table.n_shapes, p->n_kernels, depth, nodes);
    const char *defect = tree_defect(nodes, n, depth, p->n_kernels);

    fprintf(p->answers, "%d\n", defect ? -1 : n);
    if (defect)
        fprintf(p->answers, "%s\n", defect);
    for (int i = 0; !defect && i < p->table.n_shapes; i++)
        fprintf(p->answers, "%d\n", tree_choose(nodes, examples[i].feature));
    free(nodes);
}

/* Numbers: depths. Answers for each: how many nodes, and the choice for each
 * shape; or -1 and, on a line, what is wrong with the tree. */
void play_tree(struct play *p)
{
    int (*fit)(const struct study_example *, int, int, int,
               struct study_node *);
    struct study_example *examples =
        calloc((size_t)p->table.n_shapes, sizeof *examples);

    memcpy(&fit, &p->step, sizeof fit);
    for (int i = 0; i < p->table.n_shapes; i++) {
        const struct sweep_shape *s = &p->table.shapes[i];

        study_features(shape_of(s->dim), examples[i].feature);
        examples[i].held_out = s->set == SWEEP_held_out;
        memcpy(examples[i].ms, s->ms, sizeof s->ms);
    }
    for (int d = 0; d < p->n_numbers; d++)
        one_tree(p, fit, examples, (int)p->number[d]);
    free(examples);
}
