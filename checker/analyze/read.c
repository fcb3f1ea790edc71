// SPDX-License-Identifier: MIT
/*
 * read.c: reads reports into an analysis; see analysis.h. A number that a
 * report lacks is NAN, and so is every result computed from it.
 */
#include "analysis.h"

#include <ctype.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "check/compile/build.h"
#include "simgpu/gpu.h"

static double number(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);

    return json_is_number(value) ? json_number_value(value) : NAN;
}

static struct interval interval(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);

    return (struct interval){number(value, "median"), number(value, "low"),
                             number(value, "high")};
}

static const json_t *named(const json_t *report, const char *kernel)
{
    size_t i;
    const json_t *k;

    json_array_foreach(json_object_get(report, "kernels"), i, k)
        if (strcmp(json_string_value(json_object_get(k, "name")), kernel) == 0)
            return k;
    return NULL;
}

static const json_t *run_of(const json_t *kernel, const char *kind)
{
    size_t i;
    const json_t *run;

    json_array_foreach(json_object_get(kernel, "runs"), i, run) {
        const json_t *device = json_object_get(run, "device");
        if (strcmp(json_string_value(json_object_get(device, "kind")), kind) ==
            0)
            return run;
    }
    return NULL;
}

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));

    return text ? text : "";
}

/* Are the sources of the report's kernels still the report's? */
static bool is_of(const json_t *report, const struct conf *conf)
{
    char paths[CONF_KERNELS][PATH_BYTES], sum[65];
    const char *list[CONF_KERNELS];
    int n = 0;

    for (int i = 0; i < conf->n_kernels; i++) {
        if (!named(report, conf->kernels[i].name))
            continue;
        path_set(paths[n], "%s/%s.cu", text_of(report, "source"),
                 conf->kernels[i].name);
        list[n] = paths[n];
        n++;
    }
    source_sum(list, n, sum);
    return sum[0] && strcmp(sum, text_of(report, "source_sha256")) == 0;
}

/* Does a report of this kernel alone have the source that is there now? */
static bool is_of_one(const json_t *report, const char *source,
                      const char *kernel)
{
    char path[PATH_BYTES], sum[65];
    const char *list[] = {path};

    path_set(path, "%s/%s.cu", source, kernel);
    source_sum(list, 1, sum);
    return sum[0] && strcmp(sum, text_of(report, "source_sha256")) == 0;
}

static double sectors(const json_t *counters)
{
    return number(counters, "global_load_sectors") +
           number(counters, "global_store_sectors") +
           number(counters, "async_copy_sectors");
}

/* Sectors counted in FOLDER/KERNEL/B512-H128-L48-K48.json; NAN if that is
 * missing or of another source. */
static double counted(const char *folder, const struct op *op,
                      const struct op_shape *shape, const json_t *report,
                      const char *kernel)
{
    char name[128], path[PATH_BYTES];
    double result = NAN;
    json_t *counts;

    op_format_shape(op, shape, name, sizeof name);
    for (char *at = name; *at; at++)
        if (isspace((unsigned char)*at))
            *at = '-';
    path_set(path, "%s/%s/%s.json", folder, kernel, name);
    counts = json_load_file(path, 0, NULL);
    if (counts && is_of_one(counts, text_of(report, "source"), kernel))
        result = sectors(json_object_get(
            run_of(named(counts, kernel), "sim"), "counters"));
    json_decref(counts);
    return result;
}

static void read_nsight(struct analysed *k, const char *path)
{
    FILE *file = path[0] ? fopen(path, "r") : NULL;
    char line[256], name[64];
    double seen, dram;

    k->nsight_bytes = k->nsight_dram = NAN;
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "%63s %lf %lf", name, &seen, &dram) == 3 &&
            strcmp(name, k->conf->name) == 0) {
            k->nsight_bytes = 32 * seen;
            k->nsight_dram = dram;
        }
    if (file)
        fclose(file);
}

static void read_times(struct analysis *a, struct analysed *k,
                       const json_t *kernel)
{
    const json_t *run = run_of(kernel, "gpu");
    const json_t *times = json_object_get(run, "time_ms");
    const json_t *line = json_object_get(run, "roofline");
    const json_t *predicted = json_object_get(kernel, "predicted");
    double bytes = number(line, "bytes");

    k->ms = interval(times, "this");
    k->previous_ms = interval(times, "previous");
    k->copy_ms = number(line, "copy_ms");
    k->predicted_ms = number(predicted, "ms");
    snprintf(k->binds, sizeof k->binds, "%.31s", text_of(predicted, "bound"));
    k->measured = k->ms.median > 0;
    if (k->measured) {
        a->measured = true;
        snprintf(a->gpu, sizeof a->gpu, "%s",
                 text_of(json_object_get(run, "device"), "name"));
        k->timed = model_timed(k->conf->op, k->timed, bytes);
    }
    if (json_is_object(predicted))
        snprintf(a->predicted_gpu, sizeof a->predicted_gpu, "%.79s",
                 text_of(predicted, "gpu"));
}

/* fresh: the report is of the sources that were counted. */
static void read_kernel(struct analysis *a, struct analysed *k,
                        const json_t *report, bool fresh,
                        const struct analysis_files *files)
{
    const struct op *op = k->conf->op;
    const char *name = k->conf->name;

    k->timed = k->conf->time_shape;
    read_times(a, k, named(report, name));
    read_nsight(k, files->nsight);
    k->sectors_small = k->sectors_big = NAN;
    if (model_shapes(op, &k->timed, &k->shapes) && fresh) {
        k->sectors_small = counted(files->counts, op, &k->shapes.small, report,
                                   name);
        k->sectors_big = counted(files->counts, op, &k->shapes.big, report,
                                 name);
    }
    k->path = (struct model_path){
        .needs = op->bytes(op, &k->timed),
        .useful = op->flops(&k->timed),
        .moves = 32 * model_extend(&k->shapes, &k->timed, k->sectors_small,
                                   k->sectors_big),
        .seconds = (k->measured ? k->ms.median : k->predicted_ms) * 1e-3,
        .copy = k->copy_ms * 1e-3,
    };
}

/* If a chapter has several kernels of one operator, the last is the step's. */
static void mark_step(struct analysis *a)
{
    for (int i = 0; i < a->n; i++) {
        a->kernels[i].in_step = true;
        for (int j = i + 1; j < a->n; j++)
            if (a->kernels[j].conf->op == a->kernels[i].conf->op)
                a->kernels[i].in_step = false;
    }
}

static const struct gpu_model *model_of(const char *gpu)
{
    const struct gpu_model *models;
    size_t n = gpu_list(&models);

    for (size_t i = 0; i < n; i++)
        if (strcmp(models[i].name, gpu) == 0)
            return &models[i];
    return NULL;
}

/* For a prediction for a GPU that was not measured here: the datasheet's
 * ceilings. */
static void datasheet_roofs(struct analysis *a, const struct gpu_model *model)
{
    for (int i = 0; i < a->n; i++)
        a->kernels[i].roofs =
            (struct roofs){model->bandwidth,
                           gpu_peak(model,
                                    pipe_name(a->kernels[i].conf->op->pipe)),
                           true};
    snprintf(a->roofs_gpu, sizeof a->roofs_gpu, "%.60s (datasheet)",
             model->name);
}

/* A pipe that was not measured has the datasheet's peak. */
static void read_roofs(struct analysis *a, const char *path)
{
    json_t *roofs = json_load_file(path, 0, NULL);
    const struct gpu_model *model = model_of(text_of(roofs, "gpu"));
    char key[64];

    snprintf(a->roofs_gpu, sizeof a->roofs_gpu, "%.79s", text_of(roofs, "gpu"));
    for (int i = 0; i < a->n; i++) {
        const char *pipe = pipe_name(a->kernels[i].conf->op->pipe);
        struct roofs *of = &a->kernels[i].roofs;
        snprintf(key, sizeof key, "%s_flops_per_second", pipe);
        *of = (struct roofs){number(roofs, "copy_bytes_per_second"),
                             number(roofs, key), false};
        if (isnan(of->flops) && model) {
            of->flops = gpu_peak(model, pipe);
            of->datasheet = true;
        }
    }
    json_decref(roofs);
}

/* Chooses the ceilings of the GPU of these times, then places each path. */
static void place(struct analysis *a)
{
    const struct gpu_model *other = model_of(a->predicted_gpu);

    if (!a->measured && other && strcmp(other->name, a->roofs_gpu) != 0)
        datasheet_roofs(a, other);
    for (int i = 0; i < a->n; i++)
        a->kernels[i].place =
            model_place(&a->kernels[i].path, &a->kernels[i].roofs);
}

bool analysis_wants(const struct kernel_conf *k, const char *kernel)
{
    return !k->host && k->has_time_shape && /* a whole program is not timed */
           (!kernel[0] || strcmp(k->name, kernel) == 0);
}

enum analysis_status analysis_read(struct analysis *a, const char *chapter,
                                   const struct analysis_files *files,
                                   bool of_results)
{
    char path[PATH_BYTES], error[512];
    json_t *report = json_load_file(files->report, 0, NULL);
    bool any = false, fresh;

    *a = (struct analysis){.measured = false};
    path_set(path, "%s/chapter.conf", chapter);
    if (!conf_read(path, &a->conf, error, sizeof error))
        give_up("%s", error);
    fresh = report && is_of(report, &a->conf);
    if (!report || (!of_results && !fresh)) {
        json_decref(report);
        return ANALYSIS_STALE;
    }
    path_set(a->source, "%s", text_of(report, "source"));
    for (int i = 0; i < a->conf.n_kernels; i++) {
        const struct kernel_conf *conf = &a->conf.kernels[i];
        struct analysed *k = &a->kernels[a->n];
        if (!analysis_wants(conf, files->kernel) || !named(report, conf->name))
            continue;
        k->conf = conf;
        read_kernel(a, k, report, fresh, files);
        any |= k->measured || !isnan(k->path.moves);
        a->n++;
    }
    read_roofs(a, files->roofs);
    mark_step(a);
    place(a);
    json_decref(report);
    return any ? ANALYSIS_OK : ANALYSIS_EMPTY;
}
