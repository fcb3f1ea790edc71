// SPDX-License-Identifier: MIT
/*
 * lean.c: a host compiler for nvcc that leaves out of the headers what a source
 * does not name.
 *
 *   nvcc -ccbin build/bin/lean -D_GLIBCXX_BITS_SPECFUN_H=1 ...
 *
 * cuda_runtime.h and what it includes are 900 KB, which nvcc's parts read one
 * after the other: five sixths of its time for a kernel of the book, which uses
 * a twentieth of that. This program is g++, but for one thing: what g++ -E
 * writes loses the declarations in headers of which no name occurs in the
 * source, nor in another declaration that is kept. Lines and columns stay.
 *
 * It does so where check tries a source without rare headers, and leaves others
 * alone. tests/lean/run.sh compares what becomes of kernels with it.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "items.h"
#include "prefix.h"
#include "tokens.h"

/* What cudafe++ writes names these; lists in braces do, the first one. */
static const char *const by_nvcc[] = {
    "initializer_list",
    "cudaLaunchKernel", "dim3", "exit", "free", "__cudaPushCallConfiguration",
    "__cudaPopCallConfiguration", "__cudaLaunchKernel", "__cudaGetKernel",
    "__cudaLaunchKernel_helper", "__cudaLaunchKernel_ptsz", NULL};

static void write_mark(FILE *f, const struct token *t)
{
    const char *name = strchr(t->mark, '"'), *end = name;

    fprintf(f, "\n# %d ", t->line);
    if (name && (end = strchr(name + 1, '"')))
        fprintf(f, "%.*s%s", (int)(end + 1 - name), name,
                t->header ? " 3" : "");
    fputc('\n', f);
}

/* Behind the end of the line before s; a text begins with one. */
static const char *line_begin(const char *s)
{
    while (s[-1] != '\n')
        s--;
    return s;
}

/* Lines and columns stay, since they stand in what is compiled. */
static void write_kept(FILE *f)
{
    const struct token *last = NULL;

    for (int k = 0; k < items_n; k++) {
        const struct token *a = tokens_list + items_list[k].first;
        const struct token *b = tokens_list + items_list[k].end - 1;
        bool near = last && last->mark == a->mark && a->line - last->line < 8;

        if (!items_list[k].kept)
            continue;
        if (!near)
            write_mark(f, a);
        else
            for (int i = last->line; i < a->line; i++)
                fputc('\n', f);
        fprintf(f, "%*s", near && last->line == a->line ? 1
                          : (int)(a->s - line_begin(a->s)), "");
        fwrite(a->s, 1, (size_t)(b->s + b->n - a->s), f);
        last = b;
    }
    fputc('\n', f);
}

/* By its first line nvcc's other parts, and this program, know such a text. */
static const char mark[] = "extern int headers_are_lean;";

/* What stands before the text of a file may be kept elsewhere. */
static int shorten(const char *before, const char *path)
{
    char *text = prefix_read(path);
    FILE *f;

    if (!text)
        return 1;
    if (before)
        tokens_read(before);
    tokens_read(text);
    items_choose(by_nvcc);
    f = fopen(path, "w");
    if (!f)
        return 1;
    fputs(mark, f);
    write_kept(f);
    return fclose(f) != 0;
}

static bool is_shortened(const char *path)
{
    char begin[4096];
    FILE *f = fopen(path, "r");
    size_t n = f ? fread(begin, 1, sizeof begin - 1, f) : 0;

    if (f)
        fclose(f);
    begin[n] = '\0';
    return strstr(begin, "headers_are_lean") != NULL;
}

static int run(char **argv)
{
    argv[0] = "g++"; /* by which it finds its parts */
    execvp(argv[0], argv);
    perror("g++");
    return 127;
}

/* nvcc's stub includes CUDA's host versions of its functions once more. */
static int compile(int argc, char **argv)
{
    char **all = calloc((size_t)argc + 2, sizeof *all);

    if (!all)
        return 1;
    memcpy(all, argv, (size_t)argc * sizeof *all);
    all[argc] = "-D__COMMON_FUNCTIONS_H__";
    return run(all);
}

static int preprocess(int argc, char **argv, const char *out)
{
    const char *before = prefix_take(argc, argv);
    pid_t child = fork();
    int status;

    if (child == 0)
        _exit(run(argv));
    if (child < 0 || waitpid(child, &status, 0) < 0 || !WIFEXITED(status))
        return 1;
    return status ? WEXITSTATUS(status) : shorten(before, out);
}

int main(int argc, char **argv)
{
    bool preprocesses = false, quick = false;
    const char *out = NULL;

    for (int i = 1; i < argc; i++) {
        preprocesses |= strcmp(argv[i], "-E") == 0;
        quick |= strstr(argv[i], "_GLIBCXX_BITS_SPECFUN_H=1") != NULL;
        if (strcmp(argv[i], "-o") == 0)
            out = argv[i + 1];
        if (strstr(argv[i], ".cudafe1.cpp") && is_shortened(argv[i]))
            return compile(argc, argv);
    }
    return preprocesses && quick && out ? preprocess(argc, argv, out)
                                        : run(argv);
}
