// SPDX-License-Identifier: MIT
/*
 * depth.c: how much time a tree loses, by its depth; from chapter 23's sweep.
 *
 *   depth_name, depth_draw
 *
 * Three lines: a tree at the shapes that it was fitted to, the same tree at
 * held-out shapes, and a forest there. The tree is the solution's (the
 * learner's, if there is none). Regret is on a logarithmic scale.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pictures.h"
#include "sketch.h"
#include "sweep/examples.h"
#include "sweep/forest.h"
#include "sweep/regret.h"

static const char path[] = "chapters/23-shape-map/sweep.tsv";

enum {
    DEPTHS = STUDY_DEPTH + 1,
    TREES = 25,
    LEFT = 50, RIGHT = 332, TOP = 44, BOTTOM = 244, DECADE = 92, /* pixels */
    STEP = (RIGHT - LEFT - 10) / STUDY_DEPTH,
    LEGEND = 150, /* from here on no line is that high */
};
static const double least = 0.4; /* per cent, at the bottom */

enum line { TRAINING, HELD_OUT, FOREST, LINES };

static struct depth {
    struct sweep sweep;
    struct sweep_table table;
    double percent[LINES][DEPTHS];
} depth;

/* Of a forest of so many trees, in per cent; 1: a tree, fitted to all. */
static void regrets(int questions, int trees, const struct study_example *e,
                    int n, double *training, double *held_out)
{
    const struct sweep_table *t = &depth.table;
    struct study_node nodes[1][STUDY_NODES];
    struct forest forest = {1, t->n_kernels, nodes};
    int *choice = calloc((size_t)t->n_shapes + 1, sizeof *choice);

    if (trees == 1)
        study_tree(e, n, t->n_kernels, questions, nodes[0]);
    else
        forest_fit(&forest, study_tree, trees, e, n, t->n_kernels, questions,
                   1);
    for (int i = 0; choice && i < t->n_shapes; i++) {
        double feature[STUDY_FEATURES];

        examples_features(&t->shapes[i], feature);
        choice[i] = forest_choose(&forest, feature);
    }
    *training = 100 * regret_of(t, SWEEP_train, choice).mean;
    *held_out = 100 * regret_of(t, SWEEP_held_out, choice).mean;
    if (trees > 1)
        forest_free(&forest);
    free(choice);
}

static void read_sweep(void)
{
    char error[512];
    double unused;
    int n;
    struct study_example *examples;

    if (!sweep_read(path, &depth.sweep, error, sizeof error)) {
        fprintf(stderr, "%s\n", error);
        exit(1);
    }
    depth.table = sweep_table(&depth.sweep);
    examples = examples_train(&depth.table, &n);
    for (int d = 0; d < DEPTHS; d++) {
        regrets(d, 1, examples, n, &depth.percent[TRAINING][d],
                &depth.percent[HELD_OUT][d]);
        regrets(d, TREES, examples, n, &unused, &depth.percent[FOREST][d]);
    }
    free(examples);
}

static int height_of(double percent)
{
    return BOTTOM - (int)lrint(DECADE * log10(fmax(percent, least) / least));
}

static void line(enum line which)
{
    static const struct {
        const char *class, *words;
    } looks[LINES] = {{"unused", "fitted to these shapes"},
                      {"warp", "held-out shapes"},
                      {"block", "the same, a forest"}};
    char d[512] = "", at[32];
    int y = TOP + 22 + 20 * (int)which;

    for (int i = 0; i < DEPTHS; i++) {
        snprintf(at, sizeof at, "%s%d %d ", i ? "L" : "M", LEFT + i * STEP,
                 height_of(depth.percent[which][i]));
        strncat(d, at, sizeof d - strlen(d) - 1);
    }
    svg_path(looks[which].class, d);
    sk_line(looks[which].class, LEGEND, y - 4, LEGEND + 30, y - 4);
    sk_words(LEGEND + 38, y, looks[which].words);
}

static void draw(void)
{
    static const double marks[] = {0.5, 1, 2, 5, 10, 20, 50};
    char text[3 * SWEEP_TEXT];

    sk_words(EDGE, 22, "mean regret, %, by the depth of the tree");
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        int y = height_of(marks[i]);

        snprintf(text, sizeof text, "%g", marks[i]);
        sk_end_at(LEFT - 8, y + 4, text);
        sk_line("thin", LEFT - 4, y, marks[i] < 10 ? RIGHT : LEGEND - 10, y);
    }
    for (int d = 0; d < DEPTHS; d++) {
        snprintf(text, sizeof text, "%d", d);
        sk_middle(LEFT + d * STEP, BOTTOM + 20, text);
    }
    for (enum line l = 0; l < LINES; l++)
        line(l);
    snprintf(text, sizeof text, "%s, %s; a forest has %d trees",
             depth.sweep.about.source, depth.sweep.about.gpu, TREES);
    sk_soft(LEFT, BOTTOM + 44, text);
}

const char *depth_name(size_t i)
{
    return i == 0 ? "23-depth" : NULL;
}

void depth_draw(size_t i)
{
    struct sketch s = {
        .name = depth_name(i),
        .title = "How much time a tree loses, by its depth",
        .text = "Mean regret over depth. At the shapes that the tree was "
                "fitted to it falls furthest; at held-out shapes each "
                "question gains less. A forest's ends in between.",
        .height = BOTTOM + 60,
        .draw = draw};

    read_sweep();
    sketch_draw(&s);
    free(depth.table.shapes);
    sweep_free(&depth.sweep);
}
