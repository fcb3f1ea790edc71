// SPDX-License-Identifier: MIT
/*
 * foresee_print.c: trees that predict, as C; see foresee.h.
 *
 *   foresee_print
 */
#include "sweep/foresee.h"

/* In print, an answer is a question too: all say yes to it, and it leads to
 * itself. So trees can be asked side by side, each as often as the deepest one
 * has questions: no step waits for another tree's, and no branch is guessed. */
static void print_nodes(FILE *out, const struct foresee *f)
{
    int leaves = 0;

    fprintf(out, "// A question: is feature[of] <= threshold? Yes leads "
            "step[0] lines on, no step[1].\n// An answer stays where it is; "
            "its losses are line step[1] of them.\n"
            "static const struct {\n    float threshold;\n"
            "    int step[2], of;\n} forest_node[] = {\n");
    for (int i = 0; i < f->n_nodes; i++)
        if (f->node[i].feature < 0)
            fprintf(out, "{INFINITY,{0,%d},0},\n", leaves++);
        else
            fprintf(out, "{%.9g,{1,%d},%d},\n", (double)f->node[i].threshold,
                    f->node[i].no - i, f->node[i].feature);
    fprintf(out, "};\n\n");
}

/* The most questions one after the other, from node `at` on. */
static int questions(const struct foresee *f, int at)
{
    int yes, no;

    if (f->node[at].feature < 0)
        return 0;
    yes = questions(f, at + 1);
    no = questions(f, f->node[at].no);
    return 1 + (yes > no ? yes : no);
}

static int most_questions(const struct foresee *f)
{
    int most = 0;

    for (int t = 0; t < f->trees; t++) {
        int here = questions(f, f->root[t]);

        most = here > most ? here : most;
    }
    return most;
}

static void print_losses(FILE *out, const struct foresee *f)
{
    fprintf(out, "// log(time over the fastest one's), %d: that of %g times as "
            "long or more.\nstatic const unsigned char forest_loss[][%d] = "
            "{\n", FORESEE_BYTE, f->settings.most, f->n_kernels);
    for (int i = 0; i < f->n_nodes; i++) {
        if (f->node[i].feature >= 0)
            continue;
        for (int k = 0; k < f->n_kernels; k++)
            fprintf(out, "%s%d", k ? "," : "{", f->node[i].loss[k]);
        fprintf(out, "},\n");
    }
    fprintf(out, "};\n\n");
}

void foresee_print(FILE *out, const struct foresee *f,
                   const char *const *names)
{
    print_nodes(out, f);
    print_losses(out, f);
    fprintf(out, "static int dispatch(int M, int N, int K)\n{\n"
            "    enum { TREES = %d, KERNELS = %d, QUESTIONS = %d };\n"
            "    int at[TREES] = {", f->trees, f->n_kernels,
            most_questions(f));
    for (int t = 0; t < f->trees; t++)
        fprintf(out, "%s%d", t ? ", " : "", f->root[t]);
    fprintf(out, "}, sums[KERNELS] = {0}, best = 0;\n"
            "    double feature[STUDY_FEATURES];\n\n"
            "    study_features((struct study_shape){M, N, K}, feature);\n"
            "    for (int i = 0; i < QUESTIONS; i++)\n"
            "        for (int t = 0; t < TREES; t++)\n"
            "            at[t] += forest_node[at[t]].step[\n"
            "                !(feature[forest_node[at[t]].of] <=\n"
            "                  forest_node[at[t]].threshold)];\n"
            "    for (int t = 0; t < TREES; t++)\n"
            "        for (int k = 0; k < KERNELS; k++)\n"
            "            sums[k] +=\n"
            "                forest_loss[forest_node[at[t]].step[1]][k];\n"
            "    for (int k = 1; k < KERNELS; k++)\n"
            "        if (sums[k] < sums[best])\n"
            "            best = k;\n"
            "    switch (best) {\n");
    for (int k = 0; k < f->n_kernels; k++)
        fprintf(out, "    case %d:\n        return %d; // %s\n", k, k,
                names[k]);
    fprintf(out, "    }\n    return best;\n}\n");
}
