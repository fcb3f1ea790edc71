// SPDX-License-Identifier: MIT
/*
 * roofs.c: see roofs.h. The cache is one JSON file a GPU, named after it;
 * delete it to measure again.
 */
#include "roofs.h"

#include <ctype.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "timing.h"

enum {
    CACHE_VERSION = 1,
    COPY_ELEMENTS = 1 << 27, /* 1 GiB moved: many times any L2 */
    COPY_L2_SHARE = 8,       /* at least this many times L2, each way */
    FMA_ELEMENTS = 1 << 23,  /* fills every SM many times over */
    FMA_ROUNDS = 4096,       /* 64 KFLOP a 16 bytes: nothing but arithmetic */
};

/* "roofs/NVIDIA_H200.json" */
static void cache_path(const struct roofs_config *config, const char *gpu,
                       char *path, size_t size)
{
    int n = snprintf(path, size, "%s/%s.json", config->cache, gpu);

    if (n < 0 || (size_t)n >= size)
        abort(); /* longer than any path that check was given */
    for (char *at = path + strlen(config->cache) + 1; *at; at++)
        if (!isalnum((unsigned char)*at) && *at != '.' && *at != '-')
            *at = '_';
}

static bool read_cache(const char *path, struct roofs *roofs)
{
    json_t *root = json_load_file(path, 0, NULL);
    int version = 0;
    bool ok = root &&
              json_unpack(root, "{s:i, s:F, s:F}", "version", &version,
                          "copy_bytes_per_second", &roofs->bandwidth,
                          "fp32_flops_per_second", &roofs->flops) == 0 &&
              version == CACHE_VERSION && roofs->bandwidth > 0 &&
              roofs->flops > 0;

    json_decref(root);
    return ok;
}

/* A cache that cannot be written costs time later, nothing else. */
static void write_cache(const struct roofs_config *config, const char *path,
                        const char *gpu, const struct roofs *roofs)
{
    char part[4200];
    json_t *root = json_pack("{s:i, s:s, s:f, s:f}", "version", CACHE_VERSION,
                             "gpu", gpu, "copy_bytes_per_second",
                             roofs->bandwidth, "fp32_flops_per_second",
                             roofs->flops);

    mkdir(config->cache, 0777);
    snprintf(part, sizeof part, "%s.part", path);
    if (root && json_dump_file(root, part, JSON_INDENT(2)) == 0)
        rename(part, path);
    else
        remove(part);
    json_decref(root);
}

/* Loads a ceiling's kernel and gives it inputs; they are drawn at random,
 * since zeros move fewer bits and run faster. */
static enum runner_status prepare(const struct roofs_config *config,
                                  const struct op *op,
                                  const struct op_shape *shape,
                                  struct runner_failure *failure)
{
    struct runner_case c = {.op = op, .shape = *shape, .stage = config->stage};
    struct runner_layout layout;
    struct op_problem problem = op_timed(op, shape, 1);
    void *given[OP_MAX_BUFFERS] = {NULL};
    enum runner_status status =
        runner_load(config->runner, &c, &layout, failure);

    if (status != RUNNER_OK)
        return status;
    given[0] = malloc(layout.bytes[0]);
    if (!given[0]) {
        snprintf(failure->message, sizeof failure->message,
                 "no memory for %.1f MB of inputs",
                 (double)layout.bytes[0] * 1e-6);
        return RUNNER_DEVICE;
    }
    op_fill(op, &problem, 0, given[0]);
    status = runner_upload(config->runner, given, problem.scalar, failure);
    free(given[0]);
    return status;
}

static enum runner_status median_time(const struct roofs_config *config,
                                      const char *name,
                                      const struct op_shape *shape,
                                      double *seconds,
                                      struct runner_failure *failure)
{
    const struct op *op = op_find(name);
    struct timing_config t = {.runner = {[TIMING_CURRENT] = config->runner},
                              .op = op, .shape = *shape, .seconds = 3};
    struct timing timing;
    enum runner_status status = prepare(config, op, shape, failure);

    if (status == RUNNER_OK)
        status = timing_compare(&t, &timing, failure);
    if (status != RUNNER_OK)
        return status;
    if (timing.refused) {
        snprintf(failure->message, sizeof failure->message, "%s: %s", name,
                 timing.message);
        return RUNNER_REFUSED;
    }
    *seconds = timing.seconds[TIMING_CURRENT].median;
    return RUNNER_OK;
}

static enum runner_status measure(const struct roofs_config *config,
                                  struct roofs *roofs,
                                  struct runner_failure *failure)
{
    size_t l2 = runner_device(config->runner)->l2_bytes /
                type_row[TYPE_FP32].bytes;
    struct op_shape copy = {.dim = {COPY_ELEMENTS, 1}};
    struct op_shape fma = {.dim = {FMA_ELEMENTS, FMA_ROUNDS}};
    double seconds;
    enum runner_status status;

    if (l2 * COPY_L2_SHARE > COPY_ELEMENTS)
        copy.dim[0] = (int)fmin((double)l2 * COPY_L2_SHARE, 1 << 30);
    status = median_time(config, "roof_copy", &copy, &seconds, failure);
    if (status != RUNNER_OK)
        return status;
    roofs->bandwidth = op_bytes_once(op_find("roof_copy"), &copy) / seconds;
    status = median_time(config, "roof_fma", &fma, &seconds, failure);
    if (status == RUNNER_OK)
        roofs->flops = op_find("roof_fma")->flops(&fma) / seconds;
    return status;
}

enum runner_status roofs_get(const struct roofs_config *config,
                             struct roofs *roofs,
                             struct runner_failure *failure)
{
    const char *gpu = runner_device(config->runner)->name;
    char path[4096];
    enum runner_status status;

    cache_path(config, gpu, path, sizeof path);
    if (read_cache(path, roofs))
        return RUNNER_OK;
    status = measure(config, roofs, failure);
    if (status == RUNNER_OK)
        write_cache(config, path, gpu, roofs);
    return status;
}
