// SPDX-License-Identifier: MIT
/*
 * main.c: analyses a chapter from files that check wrote.
 *
 *   analyze shapes CHAPTER        the shapes to count at, one per line
 *   analyze kernels CHAPTER       the timed kernels: lines NAME OPERATOR SHAPE
 *   analyze print|data CHAPTER --report FILE --roofs FILE [--counts FOLDER]
 *           [--nsight FILE] [--out FOLDER] [--results]
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

static void print_shape(const struct op *op, const struct op_shape *shape)
{
    char text[128];

    op_format_shape(op, shape, text, sizeof text);
    printf("%s\n", text);
}

static void list_timed(const char *chapter, bool shapes)
{
    read_conf(chapter);
    for (int i = 0; i < analysis.conf.n_kernels; i++) {
        const struct kernel_conf *k = &analysis.conf.kernels[i];
        struct model_shapes at;
        if (k->host || !k->has_time_shape)
            continue;
        if (!shapes) {
            printf("%s %s ", k->name, k->op->name);
            print_shape(k->op, &k->time_shape);
        } else if (model_shapes(k->op, &k->time_shape, &at)) {
            print_shape(k->op, &at.small);
            print_shape(k->op, &at.big);
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
    struct analysis_files files = {"", "", "", ""};
    const char *out = "";
    bool results = false;
    const struct {
        const char *name;
        const char **to;
    } options[] = {{"--report", &files.report}, {"--roofs", &files.roofs},
                   {"--counts", &files.counts}, {"--nsight", &files.nsight},
                   {"--out", &out}};
    enum analysis_status status;

    if (argc < 3)
        return usage();
    if (strcmp(argv[1], "shapes") == 0 || strcmp(argv[1], "kernels") == 0) {
        list_timed(argv[2], argv[1][0] == 's');
        return 0;
    }
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
    status = analysis_read(&analysis, argv[2], &files, results);
    if (status != ANALYSIS_OK)
        return (int)status;
    if (!(analysis.roofs.bandwidth > 0 && analysis.roofs.flops > 0))
        give_up("%s holds no ceilings", files.roofs);
    if (strcmp(argv[1], "print") == 0)
        analysis_print(&analysis);
    else if (strcmp(argv[1], "data") == 0)
        analysis_data(&analysis, out);
    else
        return usage();
    return 0;
}
