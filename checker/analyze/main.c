// SPDX-License-Identifier: MIT
/*
 * main.c: analyses a chapter from files that check wrote.
 *
 *   analyze shapes CHAPTER        where to count: lines NAME SHAPE
 *   analyze kernels CHAPTER       the timed kernels: lines NAME OPERATOR SHAPE
 *   analyze print|data CHAPTER --report FILE --roofs FILE [--counts FOLDER]
 *           [--nsight FILE] [--out FOLDER] [--results]
 *
 * With --kernel NAME, of this kernel alone.
 *
 * CHAPTER is chapters/07-slug. --results: the report is a committed result;
 * its sources may differ. Exit code 3: there is no report of these sources; 4:
 * the report has nothing to analyse. common/cli/analyze.sh does the rest.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis.h"

static struct analysis analysis;

static void read_conf(const char *chapter)
{
    char path[PATH_BYTES], error[512];

    path_set(path, "%s/chapter.conf", chapter);
    if (!conf_read(path, &analysis.conf, error, sizeof error))
        give_up("%s", error);
}

static void print_shape(const struct kernel_conf *k, const char *of,
                        const struct op_shape *shape)
{
    char text[128];

    op_format_shape(k->op, shape, text, sizeof text);
    printf("%s %s%s\n", k->name, of, text);
}

static void list_timed(const char *chapter, bool shapes, const char *kernel)
{
    read_conf(chapter);
    for (int i = 0; i < analysis.conf.n_kernels; i++) {
        const struct kernel_conf *k = &analysis.conf.kernels[i];
        char op[64];
        struct model_shapes at;
        if (!analysis_wants(k, kernel))
            continue;
        snprintf(op, sizeof op, "%s ", k->op->name);
        if (!shapes) {
            print_shape(k, op, &k->time_shape);
        } else if (model_shapes(k->op, &k->time_shape, &at)) {
            print_shape(k, "", &at.small);
            print_shape(k, "", &at.big);
        }
    }
}

static int usage(void)
{
    fprintf(stderr, "analyze shapes|kernels|print|data CHAPTER ...\n");
    return 2;
}

int main(int argc, char **argv)
{
    struct analysis_files files = {"", "", "", "", ""};
    const char *out = "";
    bool results = false;
    const struct {
        const char *name;
        const char **to;
    } options[] = {{"--report", &files.report}, {"--roofs", &files.roofs},
                   {"--counts", &files.counts}, {"--nsight", &files.nsight},
                   {"--out", &out}, {"--kernel", &files.kernel}};
    enum analysis_status status;

    if (argc < 3)
        return usage();
    for (int i = 3; i < argc; i++) {
        bool known = strcmp(argv[i], "--results") == 0;
        results |= known;
        for (size_t j = 0; j < sizeof options / sizeof *options; j++)
            if (strcmp(argv[i], options[j].name) == 0 && i + 1 < argc) {
                *options[j].to = argv[++i];
                known = true;
                break;
            }
        if (!known)
            return usage();
    }
    if (strcmp(argv[1], "shapes") == 0 || strcmp(argv[1], "kernels") == 0) {
        list_timed(argv[2], argv[1][0] == 's', files.kernel);
        return 0;
    }
    status = analysis_read(&analysis, argv[2], &files, results);
    if (status != ANALYSIS_OK)
        return (int)status;
    for (int i = 0; i < analysis.n; i++)
        if (!(analysis.kernels[i].roofs.bandwidth > 0 &&
              analysis.kernels[i].roofs.flops > 0))
            give_up("%s holds no ceilings for %s (%s)", files.roofs,
                    analysis.kernels[i].conf->name,
                    pipe_name(analysis.kernels[i].conf->op->pipe));
    if (strcmp(argv[1], "print") == 0)
        analysis_print(&analysis);
    else if (strcmp(argv[1], "data") == 0)
        analysis_data(&analysis, out);
    else
        return usage();
    return 0;
}
