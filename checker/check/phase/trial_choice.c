// SPDX-License-Identifier: MIT
/*
 * trial_choice.c: dispatchers, graded by their regret; see trial.h.
 *
 *   trial_rules   the held-out shapes, whose times stay here; and shapes beside
 *                 them, for which no table of answers can have been made
 *   trial_tree    two sets that a small tree fits exactly; then the sweep
 *
 * A tree is fitted twice to the same training shapes, beside other times of
 * the held-out ones. If it then chooses otherwise, it was fitted to them, too.
 * And it is fitted to times that nobody can have fitted a tree to beforehand.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "op/study.h"
#include "trial.h"

enum { SETS_OF_TIMES = 2 };
static const int graded_depth = 5;

static void say_shape(struct text *text, const struct sweep_table *table,
                      int shape)
{
    const int *dim = table->shapes[shape].dim;

    text_add(text, "M%d N%d K%d", dim[0], dim[1], dim[2]);
}

static int best_at(const struct sweep_table *table, int shape)
{
    int best = -1;

    for (int k = 0; k < table->n_kernels; k++)
        if (table->shapes[shape].ms[k] > 0 &&
            (best < 0 ||
             table->shapes[shape].ms[k] < table->shapes[shape].ms[best]))
            best = k;
    return best;
}

static void say_regret(struct trial *t, const char *name,
                       const struct regret *r)
{
    text_add(t->table, "  %-20s %7.2f %9.1f %9.1f %9.1f\n", name,
             100 * r->mean, 100 * r->p95, 100 * r->p99, 100 * r->worst);
}

static void say_worst(struct trial *t, const struct sweep_table *table,
                      const struct regret *r, const int *choice)
{
    if (r->worst_shape < 0)
        return;
    text_add(t->table, "  the worst is at ");
    say_shape(t->table, table, r->worst_shape);
    text_add(t->table, ": %s, where %s is the fastest\n",
             table->kernel[choice[r->worst_shape]],
             table->kernel[best_at(table, r->worst_shape)]);
}

static void keep_regret(struct trial *t, const struct regret *r)
{
    trial_metric(t, "regret_mean_percent", 100 * r->mean);
    trial_metric(t, "regret_p95_percent", 100 * r->p95);
    trial_metric(t, "regret_p99_percent", 100 * r->p99);
    trial_metric(t, "regret_worst_percent", 100 * r->worst);
}

/* What the step sees of a table: ms(i, k) of each shape. */
static struct sweep seen(struct trial *t, const struct sweep_table *table,
                         double (*ms)(const struct trial *,
                                      const struct sweep_table *, int, int))
{
    struct sweep made = trial_sweep(t);

    for (int i = 0; i < table->n_shapes; i++)
        for (int k = 0; k < table->n_kernels; k++) {
            struct sweep_row row = {.set = table->shapes[i].set};

            memcpy(row.dim, table->shapes[i].dim, sizeof row.dim);
            snprintf(row.kernel, sizeof row.kernel, "%s", table->kernel[k]);
            row.ms = ms(t, table, i, k);
            row.outcome = row.ms > 0 ? SWEEP_ok : SWEEP_launch;
            trial_row(&made, &row);
        }
    return made;
}

/* No time: all alike. */
static double hidden(const struct trial *t, const struct sweep_table *table,
                     int shape, int kernel)
{
    (void)t, (void)table, (void)shape, (void)kernel;
    return 1;
}

/* Choices for all shapes; false: the step is blamed. */
static bool read_choices(struct trial *t, const struct sweep_table *table,
                         int *choice)
{
    struct text *words;

    for (int i = 0; i < table->n_shapes; i++) {
        double said = trial_number(t);

        if (isnan(said))
            return false;
        choice[i] = (int)said;
        if (said >= 0 && said < table->n_kernels)
            continue;
        if ((words = trial_wrong(t))) {
            text_add(words, "it answers %.0f at ", said);
            say_shape(words, table, i);
            text_add(words, "; the kernels are 0 to %d\n",
                     table->n_kernels - 1);
        }
        return false;
    }
    return true;
}

/* Another size with as many tiles of 32, `by` away from this one. */
static int size_beside(int size, int by)
{
    enum { TILE = 32 };
    int over = (size - 1) % TILE + 1; /* of the last tile */

    return over <= by ? size + by : size - by;
}

/* Moves each size that is not small, where a little more or less may matter.
 * Rows of A, B and C stay aligned as they are. False: all sizes are small. */
static bool move_beside(struct sweep_shape *s)
{
    enum { SMALL = 64 };
    static const int by[] = {1, 8, 8}; /* of M, N, K */
    bool moved = false;

    for (int d = 0; d < 3; d++)
        if (s->dim[d] >= SMALL) {
            s->dim[d] = size_beside(s->dim[d], by[d]);
            moved = true;
        }
    return moved;
}

/* The same shapes with sizes a little more or less, and as many tiles, in an
 * order that is drawn: to a good dispatcher they are the same, and a table
 * finds none of them, by whichever sizes it looks. Small shapes leave the set.
 */
static struct sweep_table shapes_beside(const struct trial *t,
                                        const struct sweep_table *table)
{
    struct sweep_table beside = *table;

    beside.shapes = check_alloc((size_t)table->n_shapes + 1,
                                sizeof *beside.shapes);
    for (int i = 0; i < table->n_shapes; i++) {
        struct sweep_shape *s = &beside.shapes[i];

        *s = table->shapes[i];
        if (!move_beside(s))
            s->set = SWEEP_map;
    }
    for (int i = table->n_shapes - 1; i > 0; i--) {
        int j = (int)(trial_draw(t, (uint64_t)i) * (i + 1));
        struct sweep_shape other = beside.shapes[i];

        beside.shapes[i] = beside.shapes[j];
        beside.shapes[j] = other;
    }
    return beside;
}

/* The choices for a table's shapes, whose times stay here. */
static bool ask(struct trial *t, const struct sweep_table *table, int *choice)
{
    struct sweep shown = seen(t, table, hidden);
    bool ok = trial_play(t, &shown, NULL, 0) && read_choices(t, table, choice);

    sweep_free(&shown);
    return ok;
}

/* Answers that are right for the recorded shapes alone. The gate is about the
 * worse of both means. */
static void look_beside(struct trial *t, const struct sweep_table *table,
                        struct regret *r, int *choice)
{
    static const double twice = 2, more = 0.02;
    struct sweep_table beside = shapes_beside(t, table);

    if (ask(t, &beside, choice)) {
        struct regret other = regret_of(&beside, SWEEP_held_out, choice);

        if (other.mean > twice * r->mean + more) {
            say_regret(t, "sizes beside these", &other);
            *r = other;
        }
    }
    free(beside.shapes);
}

void trial_rules(struct trial *t)
{
    struct sweep held = trial_of_set(t, SWEEP_held_out);
    struct sweep_table table = sweep_table(&held);
    struct sweep_table all = sweep_table(&t->recorded);
    int *choice = calloc((size_t)table.n_shapes + 1, sizeof *choice), same;
    struct regret r, always = regret_always(&all, SWEEP_held_out, &same);

    if (choice && ask(t, &table, choice)) {
        r = regret_of(&table, SWEEP_held_out, choice);
        text_add(t->table, "  regret, %%; %3d shapes%7s %9s %9s %9s\n", r.n,
                 "mean", "95th", "99th", "worst");
        say_regret(t, "your rules", &r);
        say_regret(t, "always the same one", &always);
        say_worst(t, &table, &r, choice);
        look_beside(t, &table, &r, choice);
        keep_regret(t, &r);
    }
    free(choice);
    free(all.shapes);
    free(table.shapes);
    sweep_free(&held);
}

/* A tree ----------------------------------------------------------------- */

/* From K = 64 on kernel 1 is the fastest, below it kernel 0. Trial 2: below it
 * kernel 2 is, for tall matrices, and kernel 0 does not run above. */
static double made_up(const struct trial *t, const struct sweep_table *table,
                      int shape, int kernel)
{
    const int *dim = table->shapes[shape].dim;
    bool deep = dim[2] >= 64, tall = dim[0] > dim[1];
    int best = deep ? 1 : t->number == 2 && tall ? 2 : 0;

    if (t->number == 2 && kernel == 0 && deep)
        return NAN;
    return kernel == best ? 1 : 1.5 + 0.25 * kernel + (deep ? 0 : 0.1);
}

/* Up to a tenth more than a size, so that no two shapes are alike. */
static int near(const struct trial *t, int size, uint64_t i)
{
    return size + (int)(0.1 * size * trial_draw(t, i));
}

/* Every pair of different sides, at four depths: as many tall shapes as wide
 * ones at each, so that no question about one side alone does better. */
static struct sweep_table made_up_shapes(const struct trial *t)
{
    enum { SIDES = 4, DEPTHS = 4, SHAPES = SIDES * (SIDES - 1) * DEPTHS };
    static const int side[SIDES] = {16, 64, 256, 1024};
    static const int depth[DEPTHS] = {8, 16, 200, 400};
    struct sweep_table table = {.n_dims = 3, .n_kernels = 1 + t->number,
                                .n_shapes = SHAPES};

    table.shapes = check_alloc(SHAPES, sizeof *table.shapes);
    for (int k = 0; k < table.n_kernels; k++)
        snprintf(table.kernel[k], SWEEP_NAME, "%s", t->kernels.kernel[k].name);
    for (int i = 0; i < SHAPES; i++) {
        struct sweep_shape *s = &table.shapes[i];
        int down = i % SIDES, across = i / SIDES % (SIDES - 1);

        s->set = SWEEP_train;
        s->dim[0] = near(t, side[down], 3u * i);
        s->dim[1] = near(t, side[across + (across >= down)], 3u * i + 1);
        s->dim[2] = near(t, depth[i / (SIDES * (SIDES - 1))], 3u * i + 2);
        for (int k = 0; k < table.n_kernels; k++)
            s->ms[k] = made_up(t, &table, i, k);
    }
    return table;
}

/* The choices of the tree of one depth; *nodes: how many it has. */
static bool read_tree(struct trial *t, const struct sweep_table *table,
                      int depth, int *nodes, int *choice)
{
    double said = trial_number(t);
    char defect[128];
    struct text *words;

    if (isnan(said))
        return false;
    *nodes = (int)said;
    if (said >= 1)
        return read_choices(t, table, choice);
    trial_line(t, defect, sizeof defect);
    if ((words = trial_wrong(t)))
        text_add(words, "at depth %d, this is no tree: %s\n", depth, defect);
    return false;
}

static void tree_made_up(struct trial *t)
{
    struct sweep_table table = made_up_shapes(t);
    struct sweep sweep = seen(t, &table, made_up);
    double depth = t->number;
    int *choice = check_alloc((size_t)table.n_shapes, sizeof *choice), nodes;
    struct text *words;

    if (trial_play(t, &sweep, &depth, 1) &&
        read_tree(t, &table, (int)depth, &nodes, choice)) {
        struct regret r = regret_of(&table, SWEEP_train, choice);

        if (!(r.worst <= 0) && (words = trial_wrong(t))) {
            text_add(words, "%s the fastest kernel at all %d shapes, but this "
                     "tree picks\n%s at ",
                     t->number == 1
                         ? "one question tells" : "two questions tell",
                     table.n_shapes, table.kernel[choice[r.worst_shape]]);
            say_shape(words, &table, r.worst_shape);
            text_add(words, ",\nwhere %s is the fastest\n",
                     table.kernel[best_at(&table, r.worst_shape)]);
            text_add(&t->result->advice, "%s",
                     nodes == 1 ? "It asks nothing: no question loses less "
                                  "than none. Look at best_question, and at "
                                  "best_answer, which both sides use."
                                : "Print each question that is kept: feature, "
                                  "threshold, and how many examples go to "
                                  "each side. Is the answer of a side the one "
                                  "that loses least there?");
        }
    }
    free(choice);
    free(table.shapes);
    sweep_free(&sweep);
}

static uint64_t other_times; /* which set of them */

/* The recorded times of training shapes, any others of held-out ones. */
static double scrambled(const struct trial *t, const struct sweep_table *table,
                        int shape, int kernel)
{
    uint64_t i = (other_times * 4096 + (uint64_t)shape) * STUDY_KERNELS +
                 (uint64_t)kernel;

    return table->shapes[shape].set == SWEEP_held_out
               ? 0.001 + trial_draw(t, i)
               : table->shapes[shape].ms[kernel];
}

static void say_depth(struct trial *t, const struct sweep_table *table,
                      int depth, int nodes, const int *choice)
{
    struct regret train = regret_of(table, SWEEP_train, choice);
    struct regret held = regret_of(table, SWEEP_held_out, choice);

    text_add(t->table, "  %5d %6d %9.2f %9.2f %9.1f %9.1f\n", depth, nodes,
             100 * train.mean, 100 * held.mean, 100 * held.p95,
             100 * held.worst);
    if (depth == graded_depth) {
        keep_regret(t, &held);
        trial_metric(t, "regret_training_percent", 100 * train.mean);
    }
}

static bool both_sets(struct trial *t, const struct sweep_table *table,
                      const double *depths, int n,
                      int *choice[SETS_OF_TIMES], int *nodes)
{
    for (int set = 0; set < SETS_OF_TIMES; set++) {
        struct sweep sweep;
        bool ok;

        other_times = (uint64_t)set;
        sweep = seen(t, table, scrambled);
        ok = trial_play(t, &sweep, depths, n);
        for (int d = 0; ok && d < n; d++)
            ok = read_tree(t, table, d, &nodes[d],
                           choice[set] + d * table->n_shapes);
        sweep_free(&sweep);
        if (!ok)
            return false;
    }
    return true;
}

/* The recorded times again, but from a depth on, drawn about the middle, the
 * kernels in the opposite order. */
static struct sweep_table exchanged(const struct trial *t,
                                    const struct sweep_table *table, int *from)
{
    enum { LEAST = 64, DRAWN = 5 };
    struct sweep_table made = *table;

    *from = (int)(LEAST * exp2(DRAWN * trial_draw(t, DRAWN)));
    made.shapes = check_alloc((size_t)table->n_shapes, sizeof *made.shapes);
    for (int i = 0; i < table->n_shapes; i++) {
        const struct sweep_shape *s = &table->shapes[i];

        made.shapes[i] = *s;
        for (int k = 0; s->dim[2] >= *from && k < table->n_kernels; k++)
            made.shapes[i].ms[k] = s->ms[table->n_kernels - 1 - k];
    }
    return made;
}

/* A tree that is fitted loses about as much as with the recorded times. One
 * that was fitted beforehand knows nothing of the exchange. usual: what it lost
 * there. */
static void look_exchanged(struct trial *t, const struct sweep_table *table,
                           double usual, int *choice)
{
    static const double twice = 2, more = 0.05;
    int from, nodes;
    struct sweep_table other = exchanged(t, table, &from);
    struct sweep sweep = seen(t, &other, scrambled);
    double depth = graded_depth;
    struct text *words;

    if (trial_play(t, &sweep, &depth, 1) &&
        read_tree(t, &other, graded_depth, &nodes, choice)) {
        struct regret r = regret_of(&other, SWEEP_train, choice);

        if (!(r.mean <= twice * usual + more) && (words = trial_wrong(t)))
            text_add(words, "with the kernels in another order from K = %d "
                     "on, the tree loses\n%.1f %% at the shapes that it is "
                     "given; with the recorded times, %.1f %%\n", from,
                     100 * r.mean, 100 * usual);
    }
    free(other.shapes);
    sweep_free(&sweep);
}

static void tree_recorded(struct trial *t)
{
    enum { DEPTHS = STUDY_DEPTH + 1 };
    struct sweep both = trial_of_set(t, SWEEP_train);
    struct sweep held = trial_of_set(t, SWEEP_held_out);
    struct sweep_table table;
    double depths[DEPTHS];
    int *choice[SETS_OF_TIMES], nodes[DEPTHS];
    size_t all;

    for (int i = 0; i < held.n_rows; i++)
        trial_row(&both, &held.rows[i]);
    table = sweep_table(&both);
    all = (size_t)table.n_shapes * DEPTHS;
    for (int i = 0; i < SETS_OF_TIMES; i++)
        choice[i] = check_alloc(all, sizeof *choice[i]);
    for (int d = 0; d < DEPTHS; d++)
        depths[d] = d;
    if (both_sets(t, &table, depths, DEPTHS, choice, nodes)) {
        text_add(t->table, "  regret, %%      training  held-out\n"
                 "  depth  nodes %9s %9s %9s %9s\n", "mean", "mean", "95th",
                 "worst");
        for (int d = 0; d < DEPTHS; d++)
            say_depth(t, &table, d, nodes[d],
                      choice[0] + d * table.n_shapes);
        trial_metric(t, "held_out_used",
                     memcmp(choice[0], choice[1],
                            all * sizeof *choice[0]) != 0);
        look_exchanged(t, &table, regret_of(&table, SWEEP_train, choice[0] +
                       graded_depth * table.n_shapes).mean, choice[1]);
    }
    for (int i = 0; i < SETS_OF_TIMES; i++)
        free(choice[i]);
    free(table.shapes);
    sweep_free(&held);
    sweep_free(&both);
}

void trial_tree(struct trial *t)
{
    if (t->number <= 2)
        tree_made_up(t);
    else
        tree_recorded(t);
}
