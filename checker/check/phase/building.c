// SPDX-License-Identifier: MIT
/*
 * building.c: see building.h.
 *
 * The hard idea: whose fault it is that something was not built. The lines of
 * the message, and where they point to, tell the learner's mistake from an edit
 * of the workbook, a name in chapter.conf, and a machine that lacks something.
 */
#include "building.h"

#include <string.h>

#include "check/base/proc.h"
#include "check/base/progress.h"
#include "check/compile/nvcc_words.h"
#include "check/conf/holes.h"

/* A grade lets no compiler work beside the stage, which might write into what
 * that says. */
void building_start(const struct workbook *w, struct kernel_result *r)
{
    struct build_request request = {
        .toolkit = &w->toolkit, .source = r->source, .out = w->stages,
        .name = r->conf->name, .arch = w->conf.arch, .sm = w->sm,
        .program = r->conf->host, .prebuilt = w->options->prebuilt,
        .machine_code = w->gpu[0] || conf_is_c(r->conf) || w->options->grade,
        .ahead = w->options->jobs > 1,
        .scratch = w->scratch};

    build_start(&r->build, &request);
}

/* nvcc often sees a beginner's mistake and builds nevertheless. That nobody
 * uses what an empty hole should use, or yet uses what is given outside the
 * holes, is no news. */
static void note_warning(struct kernel_result *r)
{
    const char *next = text_get(&r->build.words);
    char file[PATH_BYTES], message[256];
    struct hole hole;
    int line;

    if (holes_first_empty(r->source, &hole))
        return;
    while ((next = nvcc_warning(next, file, sizeof file, &line, message,
                                sizeof message))) {
        if (strstr(message, "never referenced") &&
            !holes_around(r->source, line))
            continue;
        text_add(&r->notes, "nvcc warns of line %d: %s\n", line, message);
        return;
    }
}

/* An error in one of our headers comes from an edit there, or from the line
 * right above the #include. */
static bool is_the_workbooks(const char *file)
{
    return strncmp(file, "common/", strlen("common/")) == 0 ||
           strncmp(file, "./common/", strlen("./common/")) == 0;
}

static void advise_build(const struct workbook *w, struct kernel_result *r)
{
    const char *advice = r->build.advice
                             ? r->build.advice
                             : nvcc_advice(r->build.first_error);

    if (is_the_workbooks(r->build.first_file)) {
        text_add(&r->advice, "That file is the workbook's. Was it edited? `git "
                 "diff %s` shows it, `git checkout %s` undoes it. If not, look "
                 "right above your #include of it.", r->build.first_file,
                 r->build.first_file);
        return;
    }
    if (r->build.advice)
        ;
    else if (r->build.unknown_arch)
        advice = "Is arch in chapter.conf misspelt? `nvcc --list-gpu-arch` "
                 "prints what this nvcc knows.";
    else if (r->build.machines_fault)
        advice = "Put right what the last lines above name, then run it "
                 "again.";
    else if (!file_exists(r->source))
        advice = "The folder has to hold that file, under that name, beside "
                 "the chapter's others. Is it misspelt, or a folder deeper?";
    if (advice)
        text_add(&r->advice, "%s", advice);
    if (!file_exists(r->source) && !w->options->src[0])
        text_add(&r->advice, " `git checkout %s` brings the starter back.",
                 r->source);
}

static enum owner build_owner(const struct build *b)
{
    if (b->unknown_arch)
        return OWNER_WORKBOOK;
    return b->machines_fault ? OWNER_MACHINE : OWNER_YOU;
}

static void blame_build(const struct workbook *w, struct kernel_result *r)
{
    struct text *t = result_blame(r, VERDICT_BUILD, build_owner(&r->build), -1);

    if (!t)
        return;
    text_add(t, "%s", text_get(&r->build.words));
    advise_build(w, r);
}

bool building_finish(const struct workbook *w, struct kernel_result *r)
{
    progress_step("nvcc %s.%s", r->conf->name, conf_extension(r->conf));
    build_finish(&r->build);
    if (r->build.ok) {
        note_warning(r);
        return true;
    }
    blame_build(w, r);
    return false;
}

/* Is it still open what the verdict is, as far as ptxas is concerned? It knows
 * why code that only it refuses cannot be launched, or is not supported; a
 * kernel that is wrong is so with any number of registers, and one that misses
 * a gate, too: there they are for information. */
static bool asks_ptxas(enum verdict verdict, bool brief)
{
    return verdict == VERDICT_PASS ||
           (verdict == VERDICT_TECHNIQUE && !brief) ||
           verdict == VERDICT_LAUNCH || verdict == VERDICT_UNSUPPORTED;
}

bool building_assemble(const struct workbook *w, struct kernel_result *r)
{
    if (!asks_ptxas(r->verdict, w->options->brief)) {
        build_drop(&r->build);
        return true;
    }
    build_assemble(&r->build);
    if (r->build.ok)
        return true;
    result_forget_runs(r);
    blame_build(w, r);
    return false;
}
