// SPDX-License-Identifier: MIT
/*
 * previous.c: finds the stage before; see previous.h.
 */
#include "previous.h"

#include <jansson.h>
#include <pthread.h>
#include <string.h>

#include "check/compile/build.h"

/* Whether the last report on the learner's chapter says PASS of sources that
 * are still the same. */
static bool still_passes(const struct workbook *w, int number,
                         const char *folder, const struct conf *conf)
{
    char paths[CONF_KERNELS][PATH_BYTES], report[PATH_BYTES], sum[65];
    const char *list[CONF_KERNELS];
    const char *verdict, *was;
    json_t *j;
    bool ok;

    path_set(report, "%s/report/chapter-%02d.json", w->build, number);
    j = json_load_file(report, 0, NULL);
    verdict = json_string_value(json_object_get(j, "verdict"));
    was = json_string_value(json_object_get(j, "source_sha256"));
    ok = verdict && was && strcmp(verdict, "PASS") == 0;
    for (int i = 0; ok && i < conf->n_kernels; i++) {
        path_set(paths[i], "%s/%s.%s", folder, conf->kernels[i].name,
                 conf_extension(&conf->kernels[i]));
        list[i] = paths[i];
    }
    if (ok) {
        source_sum(list, conf->n_kernels, sum);
        ok = sum[0] && strcmp(was, sum) == 0;
    }
    json_decref(j);
    return ok;
}

static bool build(const struct workbook *w, const char *kind, int number,
                  const char *folder, const struct conf *conf,
                  const char *kernel, struct previous *previous)
{
    char source[PATH_BYTES], out[PATH_BYTES];
    struct build_request request = {
        .toolkit = &w->toolkit, .source = source, .out = out, .name = kernel,
        .arch = conf->arch, .sm = w->sm, .prebuilt = w->options->prebuilt,
        .machine_code = w->gpu[0] || w->options->grade, .scratch = w->scratch};
    struct build b;
    bool ok;

    path_set(source, "%s/%s.cu", folder, kernel);
    path_set(out, "%s/stage/%s/%02d", w->build, kind, number);
    build_start(&b, &request);
    build_finish(&b);
    if (b.ok)
        build_assemble(&b);
    ok = b.ok;
    if (ok)
        path_set(previous->stage, "%s", b.result);
    build_free(&b);
    return ok;
}

static bool learners(const struct workbook *w, int number, const char *chapter,
                     const struct conf *conf, const char *kernel,
                     struct previous *previous)
{
    if (w->options->solution || w->options->src[0] ||
        !still_passes(w, number, chapter, conf) ||
        !build(w, "chapter", number, chapter, conf, kernel, previous))
        return false;
    path_set(previous->whose, "your %s", chapter);
    return true;
}

static bool reference(const struct workbook *w, int number,
                      const struct conf *conf, const char *kernel,
                      struct previous *previous)
{
    char folder[PATH_BYTES];

    if (!chapter_folder("solutions", number, folder) ||
        !build(w, "solution", number, folder, conf, kernel, previous))
        return false;
    path_set(previous->whose, "%s", folder);
    return true;
}

static bool brought_along(const struct workbook *w, int number,
                          const char *kernel, struct previous *previous)
{
    path_set(previous->stage, "%s/stage/solution/%02d/%s.so", w->build,
             number, kernel);
    path_set(previous->whose, "the reference stage %02d", number);
    return file_exists(previous->stage);
}

/* The chapter and the kernel that a kernel's conf names; 0: none. */
static int stage_before(const struct workbook *w, const struct kernel_conf *k,
                        const char **name)
{
    *name = k->previous_kernel[0] ? k->previous_kernel : k->name;
    if (k->previous)
        return k->previous;
    return k->previous_kernel[0] ? w->options->number : w->conf.previous;
}

bool previous_is_named(const struct workbook *w,
                       const struct kernel_conf *kernel)
{
    const char *name;

    return stage_before(w, kernel, &name) != 0;
}

/* A kernel of another name is said: "solutions/08-x/block.cu". */
static void name_kernel(const struct kernel_conf *kernel,
                        struct previous *previous)
{
    char whose[PATH_BYTES];

    path_set(whose, "%s", previous->whose);
    if (kernel->previous_kernel[0])
        path_set(previous->whose, "%s/%s.cu", whose, kernel->previous_kernel);
}

/* The operator that a kernel of a chapter computes. */
static const struct op *op_of(const struct conf *conf, const char *kernel)
{
    for (int i = 0; i < conf->n_kernels; i++)
        if (strcmp(conf->kernels[i].name, kernel) == 0)
            return conf->kernels[i].op;
    return NULL;
}

static bool same_shapes(const struct op *a, const struct op *b)
{
    return a->n_dims == b->n_dims && a->n_buffers == b->n_buffers &&
           a->n_scalars == b->n_scalars && a->shape_error == b->shape_error;
}

static bool find(const struct workbook *w, const struct kernel_conf *kernel,
                 struct previous *previous)
{
    const char *name;
    int number = stage_before(w, kernel, &name);
    char chapter[PATH_BYTES], path[PATH_BYTES], error[512];
    struct conf conf;

    if (number == 0 || !chapter_folder("chapters", number, chapter))
        return false;
    path_set(path, "%s/chapter.conf", chapter);
    if (!conf_read(path, &conf, error, sizeof error))
        give_up("%s", error);
    previous->op = op_of(&conf, name);
    if (!previous->op && kernel->previous_kernel[0])
        give_up("%s: [%s] has previous = %s, which is no kernel of chapter "
                "%02d", w->chapter, kernel->name, name, number);
    if (!previous->op)
        return false;
    if (!same_shapes(previous->op, kernel->op))
        give_up("%s cannot be timed against %s of chapter %02d: %s and %s take "
                "different shapes", kernel->name, name, number,
                kernel->op->name, previous->op->name);
    if (!learners(w, number, chapter, &conf, name, previous) &&
        !reference(w, number, &conf, name, previous) &&
        !brought_along(w, number, name, previous))
        return false;
    name_kernel(kernel, previous);
    return true;
}

/* One at a time: two may ask for the same stage, which is built where it lies.
 */
bool previous_stage(const struct workbook *w, const struct kernel_conf *kernel,
                    struct previous *previous)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    bool found;

    pthread_mutex_lock(&lock);
    found = find(w, kernel, previous);
    pthread_mutex_unlock(&lock);
    return found;
}

/* This chapter's own stages are being built already. */
void previous_ahead(const struct workbook *w, const struct kernel_conf *kernel)
{
    struct previous previous;
    const char *name;

    if (stage_before(w, kernel, &name) != w->options->number)
        previous_stage(w, kernel, &previous);
}
