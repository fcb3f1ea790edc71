// SPDX-License-Identifier: MIT
/*
 * workbook.c: finds the parts of one check; see workbook.h.
 */
#include "workbook.h"

#include <errno.h>
#include <glob.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check/base/proc.h"

bool chapter_folder(const char *kind, int number, char path[PATH_BYTES])
{
    char pattern[PATH_BYTES];
    glob_t found;
    bool ok;

    path_set(pattern, "%s/%02d-*", kind, number);
    ok = glob(pattern, GLOB_ONLYDIR, NULL, &found) == 0 && found.gl_pathc == 1;
    if (ok)
        path_set(path, "%s", found.gl_pathv[0]);
    globfree(&found);
    return ok;
}

static void no_chapter(const char *kind, int number)
    __attribute__((noreturn));
static void no_chapter(const char *kind, int number)
{
    char pattern[PATH_BYTES];
    glob_t found;

    path_set(pattern, "%s/[0-9][0-9]-*", kind);
    fprintf(stderr, "check: there is no chapter %d in %s/. There are:\n",
            number, kind);
    if (glob(pattern, GLOB_ONLYDIR, NULL, &found) == 0)
        for (size_t i = 0; i < found.gl_pathc; i++)
            fprintf(stderr, "  %s\n", found.gl_pathv[i]);
    exit(2);
}

/* The folder above the one this program lies in: build/bin/check -> build. */
static void own_build(char path[PATH_BYTES])
{
    char *self = realpath("/proc/self/exe", NULL);
    char *slash = self ? strrchr(self, '/') : NULL;

    if (slash)
        *slash = '\0';
    if (slash && (slash = strrchr(self, '/')))
        *slash = '\0';
    path_set(path, "%s", slash ? self : "build");
    free(self);
}

/* "build" where "/home/me/warpbook/build" says no more. */
static void shorten(char path[PATH_BYTES])
{
    char *root = realpath(".", NULL), *real = realpath(path, NULL);
    size_t n = root ? strlen(root) : 0;

    if (real && root && strncmp(real, root, n) == 0 && real[n] == '/')
        path_set(path, "%s", real + n + 1);
    free(root);
    free(real);
}

static bool is_folder(const char *path)
{
    struct stat st;

    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/* A hand-in's folder holds the .cu files, or the chapter's folder. */
static void find_hand_in(struct workbook *w)
{
    const char *slash = strrchr(w->chapter, '/');

    path_set(w->source, "%s/%s", w->options->src, slash ? slash + 1 : "");
    if (!file_exists(w->source))
        path_set(w->source, "%s", w->options->src);
    if (!file_exists(w->source)) {
        fprintf(stderr, "check: there is no folder %s\n", w->source);
        exit(2);
    }
    if (!is_folder(w->source)) {
        fprintf(stderr, "check: %s is no folder; SRC= names the folder that "
                "holds the .cu files\n", w->source);
        exit(2);
    }
    shorten(w->source);
}

/* Different hand-ins may be checked at once; their stages lie apart. */
static uint64_t digest(const char *text)
{
    uint64_t h = 0xcbf29ce484222325u; /* FNV-1a */

    for (; *text; text++)
        h = (h ^ (unsigned char)*text) * 0x100000001b3u;
    return h;
}

static void find_sources(struct workbook *w)
{
    const struct options *o = w->options;
    const char *kind = o->solution ? "solution" : "chapter";

    if (!chapter_folder("chapters", o->number, w->chapter))
        no_chapter("chapters", o->number);
    path_set(w->stages, "%s/stage/%s/%02d", w->build, kind, o->number);
    path_set(w->report, "%s/report/%s-%02d.json", w->build, kind, o->number);
    if (o->src[0]) {
        find_hand_in(w);
        path_set(w->stages, "%s/stage/src-%016" PRIx64 "/%02d", w->build,
                 digest(o->src), o->number);
        path_set(w->report, "%s/report/src-%02d.json", w->build, o->number);
    } else if (!o->solution) {
        path_set(w->source, "%s", w->chapter);
    } else if (!chapter_folder("solutions", o->number, w->source)) {
        no_chapter("solutions", o->number);
    }
    if (o->json[0])
        path_set(w->report, "%s", o->json);
}

static void find_programs(struct workbook *w)
{
    const char *missing = NULL;

    path_set(w->runner, "%s/bin/runner", w->build);
    path_set(w->device, "%s/bin/simgpu-device", w->build);
    path_set(w->sim_lib, "%s/simgpu", w->build);
    if (!file_exists(w->runner))
        missing = w->runner;
    if (!file_exists(w->device))
        missing = w->device;
    if (missing)
        give_up("there is no %s; run make check-chapter again to build it",
             missing);
}

/* A misspelt GPU= would be noticed only when a time is predicted. */
static void refuse_unknown_gpu(const struct workbook *w)
{
    const char *const argv[] = {w->device, "--knows", w->options->gpu, NULL};
    struct text words = {0};
    const char *list;

    if (!w->options->gpu[0] || proc_capture(argv, &words))
        return;
    list = strstr(text_get(&words), "there are");
    fprintf(stderr, "check: GPU (--gpu) %s is unknown; %s%s", w->options->gpu,
            list ? list : "see common/simgpu/README.md", list ? "" : "\n");
    exit(2);
}

static void make_absolute(char path[PATH_BYTES])
{
    char *real = realpath(path, NULL);

    if (real)
        path_set(path, "%s", real);
    free(real);
}

void workbook_open(struct workbook *w, const struct options *options,
                   const char *scratch)
{
    char conf[PATH_BYTES], error[512];

    *w = (struct workbook){.options = options, .sm = 90};
    path_set(w->scratch, "%s", scratch);
    path_set(w->build, "%s", options->build);
    if (!w->build[0])
        own_build(w->build);
    if (chdir(options->root) != 0)
        give_up("%s: %s", options->root, strerror(errno));
    shorten(w->build);
    find_sources(w);
    find_programs(w);
    make_absolute(w->runner);
    make_absolute(w->device);
    refuse_unknown_gpu(w);
    make_absolute(w->sim_lib);
    path_set(conf, "%s/chapter.conf", w->chapter);
    if (!conf_read(conf, &w->conf, error, sizeof error))
        give_up("%s", error);
    toolkit_find(&w->toolkit);
}
