// SPDX-License-Identifier: MIT
/*
 * remembered.c: what was predicted before; see remembered.h.
 *
 * The model reads the stage's code and ptxas's words about its registers; the
 * programs that predict are in the digest too, so that a rebuilt one starts
 * afresh.
 */
#include "remembered.h"

#include <glob.h>
#include <stdlib.h>
#include <string.h>

#include "check/base/sha256.h"
#include "check/compile/build.h"

const char *remembered_programs(const struct workbook *w)
{
    static char sum[65];
    char runtime[PATH_BYTES];
    const char *files[] = {w->device, w->runner, runtime};
    glob_t found;

    path_set(runtime, "%s/libcudart.so.*", w->sim_lib);
    if (sum[0] || glob(runtime, 0, NULL, &found) != 0)
        return sum;
    path_set(runtime, "%s", found.gl_pathv[0]); /* one: the toolkit's */
    globfree(&found);
    source_sum(files, (int)(sizeof files / sizeof *files), sum);
    return sum;
}

/* Of the stage and ptxas's words. */
static bool stage_sum(const struct watched_stage *stage, char sum[SHA256_HEX])
{
    struct sha256 s;

    sha256_begin(&s);
    if (!sha256_file(&s, stage->path))
        return false;
    sha256_add(&s, stage->words, strlen(stage->words));
    sha256_end(&s, sum);
    return true;
}

/* False: these reports are not kept, or a file cannot be read. */
static bool path_of(const struct workbook *w, const struct watched_stage *s,
                    char path[PATH_BYTES])
{
    char shape[128], folder[PATH_BYTES], sum[65];
    const char *programs;

    path_set(folder, "%s/predicted", w->build);
    if (w->options->remember[0])
        path_set(folder, "%s", w->options->remember);
    else if (w->options->grade || w->options->src[0])
        return false;
    programs = remembered_programs(w);
    if (!programs[0] || !stage_sum(s, sum))
        return false;
    op_format_shape(s->op, &s->shape, shape, sizeof shape);
    for (char *c = shape; *c; c++)
        *c = *c == ' ' ? '-' : *c;
    path_set(path, "%s/%s-%s-%s-%.8s-%.16s.json", folder, s->op->name, shape,
             w->options->gpu[0] ? w->options->gpu : "default", programs, sum);
    return true;
}

json_t *remembered_report(const struct workbook *w,
                          const struct watched_stage *stage)
{
    char path[PATH_BYTES];

    return path_of(w, stage, path) ? json_load_file(path, 0, NULL) : NULL;
}

void remember_report(const struct workbook *w,
                     const struct watched_stage *stage, const json_t *report)
{
    char path[PATH_BYTES];
    char *text = NULL;

    if (path_of(w, stage, path) && dir_make_for(path))
        text = json_dumps(report, JSON_COMPACT);
    if (text)
        file_write(path, text, strlen(text));
    free(text);
}
