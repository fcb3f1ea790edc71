// SPDX-License-Identifier: MIT
/*
 * explain.c: see explain.h.
 */
#include "explain.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check/base/ceiling.h"
#include "check/base/fair.h"
#include "nvcc_words.h"

void explain_machine(struct build *b, const char *words)
{
    b->machines_fault = true;
    text_add(&b->words, "%s", words);
}

/* What the shell that nvcc calls a part by says of its end. */
static const char killed[] = "Killed\n";

bool explain_endless(const struct build *b, const struct proc_result *end)
{
    static const char *const last_words[] = {
        "died due to signal", "memory exhausted", "out of memory", killed};
    bool endless = end->end == PROC_TIMED_OUT;

    for (size_t i = 0; i < sizeof last_words / sizeof *last_words; i++)
        endless |= end->end == PROC_EXITED && end->code != 0 &&
                   strstr(text_get(&b->words), last_words[i]) != NULL;
    return endless;
}

/* A toolkit that is too old is the machine's fault, a typing error is not. */
static void judge_arch(struct build *b)
{
    int wanted = atoi(b->request.arch + strlen("compute_"));

    if (!strstr(text_get(&b->words), "Unsupported gpu architecture"))
        return;
    b->unknown_arch = wanted <= toolkit_sm(b->request.toolkit, INT_MAX);
    b->machines_fault = !b->unknown_arch;
    text_add(&b->words, "chapter.conf says arch = %s\n", b->request.arch);
}

/* No source, however wrong, may do that to a compiler. */
static void blame_crash(struct build *b)
{
    explain_machine(b, "A part of nvcc crashed: a defect of the CUDA "
                       "toolkit\n");
    b->advice = "Write the newest lines another way, or use another release "
                "of the CUDA toolkit.";
}

/* A part of nvcc, by a system without memory. */
static bool was_killed(const struct build *b)
{
    return (strstr(text_get(&b->words), "died due to signal 9") ||
            strstr(text_get(&b->words), killed)) &&
           !fair_memory_was();
}

void explain_end(struct build *b, const struct proc_result *end)
{
    struct text limit = {0};

    if (nvcc_crashed(text_get(&b->words)))
        blame_crash(b);
    else if (end->unfair || was_killed(b))
        explain_machine(b, "nvcc was ended: it waited for a processor most of "
                        "the time, or the system ran out of memory\n");
    else if (explain_endless(b, end) && ceiling_say(&limit))
        explain_machine(b, limit.s);
    else if (explain_endless(b, end))
        text_add(&b->words, "nvcc was stopped: it may use %d seconds of "
                 "processors and %zu GiB. Does a template or a macro grow "
                 "without end?\n",
                 NVCC_SECONDS, NVCC_BYTES >> 30);
    else if (end->end != PROC_EXITED)
        explain_machine(b, "nvcc was ended by a signal (out of memory?)\n");
    if (!b->words.n)
        explain_machine(b, "nvcc failed without a word: is the disk full?\n");
    if (nvcc_blames_disk(text_get(&b->words)))
        b->machines_fault = true;
    judge_arch(b);
    text_free(&limit);
}

static void find_ptxas_error(struct build *b)
{
    struct text source = {0};

    if (file_read(b->request.source, &source) &&
        nvcc_ptxas_error(text_get(&b->words), text_get(&source),
                         &b->first_line, b->first_error,
                         sizeof b->first_error))
        path_set(b->first_file, "%s", b->request.source);
    else {
        if (!b->advice)
            b->advice = nvcc_advice(b->first_error);
        b->first_error[0] = '\0';
    }
    text_free(&source);
}

static void advise_line(struct build *b)
{
    struct text source = {0};

    if (!b->advice && strcmp(b->first_file, b->request.source) == 0 &&
        file_read(b->request.source, &source))
        b->advice = nvcc_line_advice(text_get(&source), b->first_line);
    text_free(&source);
}

/* An error deep in a header, of a template that the source uses: its line is
 * the source's, and the templates in between tell a beginner nothing. */
static void find_origin(struct build *b)
{
    const char *source = b->request.source;
    struct text cut = {0}, error = {0};
    int line;

    if (strcmp(b->first_file, source) == 0 ||
        !nvcc_origin(text_get(&b->words), source, &line))
        return;
    text_add(&error, "%s (in %s)", b->first_error,
             b->first_file);
    snprintf(b->first_error, sizeof b->first_error, "%s", error.s);
    path_set(b->first_file, "%s", source);
    b->first_line = line;
    nvcc_cut(text_get(&b->words), source, &cut);
    text_free(&b->words);
    text_free(&error);
    b->words = cut;
}

void explain_error(struct build *b)
{
    if (nvcc_first_error(text_get(&b->words), b->first_file,
                         sizeof b->first_file, &b->first_line, b->first_error,
                         sizeof b->first_error)) {
        find_origin(b);
        advise_line(b);
    } else {
        find_ptxas_error(b);
    }
}
