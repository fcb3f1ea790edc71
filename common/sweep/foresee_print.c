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
            "its errors are line step[1] of them.\n"
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

static void print_errors(FILE *out, const struct foresee *f)
{
    int kernels = f->model.about.n_kernels;

    fprintf(out, "// log(time over the model's), 0: that of 1/%g, %d: of %g.\n"
            "static const unsigned char forest_error[][%d] = {\n",
            f->settings.most, FORESEE_BYTE, f->settings.most, kernels);
    for (int i = 0; i < f->n_nodes; i++) {
        if (f->node[i].feature >= 0)
            continue;
        for (int k = 0; k < kernels; k++)
            fprintf(out, "%s%d", k ? "," : "{", f->node[i].error[k]);
        fprintf(out, "},\n");
    }
    fprintf(out, "};\n\n");
}

/* A kernel's rule, and the first of its rows of constants. */
static void print_model(FILE *out, const struct model *m)
{
    static const char *const kind[] = {"PLAN_WHOLE", "PLAN_PARTS",
                                       "PLAN_DOUBLED", "PLAN_FEW",
                                       "PLAN_VECTOR"};

    fprintf(out, "// How each kernel shares out a product, and the first line "
            "of its constants.\nstatic const struct {\n"
            "    struct plan_rule rule;\n    int first;\n"
            "} forest_kernel[] = {\n");
    for (int k = 0; k < m->about.n_kernels; k++) {
        const struct plan_rule *r = &m->about.rule[k];

        fprintf(out, "{{%s,%d,%d,%d,%d,%d,%d},%d},\n", kind[r->kind],
                r->tile_m, r->tile_n, r->blocks, r->most, r->least, r->fill,
                m->first[k]);
    }
    fprintf(out, "};\n\n// A line per class of alignment, and per regime.\n"
            "static const double forest_constant[][PLAN_TERMS] = {\n");
    for (int row = 0; row < m->n_rows; row++) {
        for (int i = 0; i < PLAN_TERMS; i++)
            fprintf(out, "%s%.17g", i ? "," : "{", m->constant[row][i]);
        fprintf(out, "},\n");
    }
    fprintf(out, "};\n\n");
}

void foresee_print(FILE *out, const struct foresee *f,
                   const char *const *names)
{
    const struct model_about *about = &f->model.about;

    print_model(out, &f->model);
    print_nodes(out, f);
    print_errors(out, f);
    fprintf(out, "static int dispatch(int M, int N, int K)\n{\n"
            "    enum { TREES = %d, KERNELS = %d, QUESTIONS = %d };\n"
            "    int at[TREES] = {", f->trees, about->n_kernels,
            most_questions(f));
    for (int t = 0; t < f->trees; t++)
        fprintf(out, "%s%d", t ? ", " : "", f->root[t]);
    fprintf(out, "}, sums[KERNELS] = {0}, best = 0;\n"
            "    double feature[STUDY_FEATURES], least = INFINITY;\n\n"
            "    study_features((struct study_shape){M, N, K}, feature);\n"
            "    for (int i = 0; i < QUESTIONS; i++)\n"
            "        for (int t = 0; t < TREES; t++)\n"
            "            at[t] += forest_node[at[t]].step[\n"
            "                !(feature[forest_node[at[t]].of] <=\n"
            "                  forest_node[at[t]].threshold)];\n"
            "    for (int t = 0; t < TREES; t++)\n"
            "        for (int k = 0; k < KERNELS; k++)\n"
            "            sums[k] +=\n"
            "                forest_error[forest_node[at[t]].step[1]][k];\n"
            "    for (int k = 0; k < KERNELS; k++) {\n"
            "        double ms = plan_ms(forest_kernel[k].rule,\n"
            "                            forest_constant +\n"
            "                                forest_kernel[k].first,\n"
            "                            M, N, K, %d, %d) *\n"
            "                    exp(%.17g * sums[k]);\n\n"
            "        if (ms < least) {\n"
            "            least = ms;\n"
            "            best = k;\n"
            "        }\n"
            "    }\n"
            "    switch (best) {\n", about->processors, about->element_bytes,
            foresee_unit(f));
    for (int k = 0; k < about->n_kernels; k++)
        fprintf(out, "    case %d:\n        return %d; // %s\n", k, k,
                names[k]);
    fprintf(out, "    }\n    return best;\n}\n");
}
