// SPDX-License-Identifier: MIT
/*
 * roofs.c: see roofs.h. The cache is one JSON file per GPU, named after it,
 * with a key for each ceiling that was needed so far; delete it to measure
 * again.
 */
#include "roofs.h"

#include <ctype.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "check/run/fill.h"
#include "op/roof.h"
#include "simgpu/gpu.h"
#include "timing.h"

enum {
    CACHE_VERSION = 1,
    COPY_ELEMENTS = 1 << 27, /* 1 GiB moved: many times any L2 */
    COPY_L2_SHARE = 8,       /* at least this many times L2, each way */
    FMA_ELEMENTS = 1 << 23,  /* fills every SM many times over */
    FMA_ROUNDS = 4096,       /* 64 KFLOP per 16 bytes: only arithmetic */
    MMA_WAVES = 8,           /* of blocks; whole ones, so that no SM idles */
    MMA_BLOCK = 2 * ROOF_GROUP,
};

static const char copy_key[] = "copy_bytes_per_second";

static const char *const op_names[PIPES] = {
    [PIPE_FP32] = "roof_fma",
    [PIPE_FP64] = "roof_fma_fp64",
    [PIPE_FP16] = "roof_fma_fp16",
    [PIPE_BF16] = "roof_fma_bf16",
    [PIPE_INT8] = "roof_dp4a",
    [PIPE_FP64_TENSOR] = "roof_mma_fp64",
    [PIPE_TF32_TENSOR] = "roof_mma_tf32",
    [PIPE_FP16_TENSOR] = "roof_mma_fp16",
    [PIPE_BF16_TENSOR] = "roof_mma_bf16",
    [PIPE_FP8_TENSOR] = "roof_mma_fp8",
    [PIPE_INT8_TENSOR] = "roof_mma_int8",
};

static bool is_tensor(enum pipe pipe)
{
    return pipe >= PIPE_FP64_TENSOR;
}

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

/* What was measured so far; without one, or with nonsense in its place, an
 * empty one. */
static json_t *read_cache(const char *path)
{
    json_t *root = json_load_file(path, 0, NULL);
    int version = 0;

    if (root && json_unpack(root, "{s:i}", "version", &version) == 0 &&
        version == CACHE_VERSION)
        return root;
    json_decref(root);
    return json_object();
}

/* A cache that cannot be written costs time later, nothing else. */
static void write_cache(const struct roofs_config *config, const char *path,
                        const char *gpu, json_t *root)
{
    char part[4200];

    json_object_set_new(root, "version", json_integer(CACHE_VERSION));
    json_object_set_new(root, "gpu", json_string(gpu));
    mkdir(config->cache, 0777);
    snprintf(part, sizeof part, "%s.part", path);
    if (json_dump_file(root, part, JSON_INDENT(2)) == 0)
        rename(part, path);
    else
        remove(part);
}

/* Loads a ceiling's kernel and gives it inputs; they are drawn at random,
 * since zeros move fewer bits and run faster. */
static enum runner_status prepare(const struct roofs_config *config,
                                  const struct op *op, const char *stage,
                                  const struct op_shape *shape,
                                  struct runner_failure *failure)
{
    struct runner_case c = {.op = op, .shape = *shape, .stage = stage};
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
    fill_input(op, &problem, 0, given[0]);
    status = runner_upload(config->runner, given, problem.scalar, failure);
    free(given[0]);
    return status;
}

static enum runner_status median_time(const struct roofs_config *config,
                                      const struct op *op, bool tensor,
                                      const struct op_shape *shape,
                                      double *seconds,
                                      struct runner_failure *failure)
{
    struct timing_config t = {.runner = {[TIMING_CURRENT] = config->runner},
                              .op = op, .shape = *shape, .seconds = 3};
    struct timing timing;
    enum runner_status status;
    char stage[4200];

    snprintf(stage, sizeof stage, "%s/%s.so", config->stages,
             tensor ? "tensor_roofs" : "roofs");
    status = prepare(config, op, stage, shape, failure);
    if (status == RUNNER_OK)
        status = timing_compare(&t, &timing, failure);
    if (status != RUNNER_OK)
        return status;
    if (timing.refused) {
        snprintf(failure->message, sizeof failure->message, "%s: %s", op->name,
                 timing.message);
        return RUNNER_REFUSED;
    }
    *seconds = timing.seconds[TIMING_CURRENT].median;
    return RUNNER_OK;
}

static enum runner_status measure_copy(const struct roofs_config *config,
                                       double *bandwidth,
                                       struct runner_failure *failure)
{
    const struct op *op = op_find("roof_copy");
    struct op_shape shape = {.dim = {1, 1}};
    double one = op_bytes_once(op, &shape) / 2;
    double l2 = (double)runner_device(config->runner)->l2_bytes / one;
    enum runner_status status;
    double seconds;

    shape.dim[0] =
        (int)fmin(fmax(COPY_ELEMENTS, l2 * COPY_L2_SHARE), 1 << 30);
    status = median_time(config, op, false, &shape, &seconds, failure);
    if (status == RUNNER_OK)
        *bandwidth = op_bytes_once(op, &shape) / seconds;
    return status;
}

static enum runner_status measure_pipe(const struct roofs_config *config,
                                       enum pipe pipe, double *flops,
                                       struct runner_failure *failure)
{
    const struct op *op = op_find(op_names[pipe]);
    struct op_shape shape = {.dim = {FMA_ELEMENTS, FMA_ROUNDS}};
    enum runner_status status;
    double seconds;

    if (is_tensor(pipe))
        shape.dim[0] = MMA_BLOCK * MMA_WAVES *
                       (int)fmax(1, runner_device(config->runner)->sms);
    status = median_time(config, op, is_tensor(pipe), &shape, &seconds,
                         failure);
    if (status == RUNNER_OK)
        *flops = op->flops(&shape) / seconds;
    return status;
}

bool roofs_unsupported(enum runner_status status,
                       const struct runner_failure *failure)
{
    return status == RUNNER_LAUNCH &&
           strcmp(failure->error_name, "cudaErrorNotSupported") == 0;
}

/* From the cache, else measured; `measured` says which. */
static enum runner_status get_copy(const struct roofs_config *config,
                                   json_t *cache, struct roofs *roofs,
                                   bool *measured,
                                   struct runner_failure *failure)
{
    enum runner_status status;

    roofs->bandwidth = json_number_value(json_object_get(cache, copy_key));
    if (roofs->bandwidth > 0)
        return RUNNER_OK;
    status = measure_copy(config, &roofs->bandwidth, failure);
    if (status != RUNNER_OK)
        return status;
    *measured = true;
    json_object_set_new(cache, copy_key, json_real(roofs->bandwidth));
    return RUNNER_OK;
}

static enum runner_status get_pipe(const struct roofs_config *config,
                                   enum pipe pipe, json_t *cache,
                                   struct roofs *roofs, bool *measured,
                                   struct runner_failure *failure)
{
    const struct gpu_model *model =
        gpu_named(runner_device(config->runner)->name);
    double peak = model ? gpu_peak(model, pipe_name(pipe)) : 0.0;
    enum runner_status status;
    char key[64];

    snprintf(key, sizeof key, "%s_flops_per_second", pipe_name(pipe));
    roofs->flops = json_number_value(json_object_get(cache, key));
    if (roofs->flops > 0)
        return RUNNER_OK;
    status = measure_pipe(config, pipe, &roofs->flops, failure);
    if (status == RUNNER_OK) {
        *measured = true;
        json_object_set_new(cache, key, json_real(roofs->flops));
    }
    if (!roofs_unsupported(status, failure) || !(peak > 0.0))
        return status;
    roofs->flops = peak;
    roofs->datasheet = true;
    return RUNNER_OK;
}

enum runner_status roofs_get(const struct roofs_config *config,
                             enum pipe pipe, struct roofs *roofs,
                             struct runner_failure *failure)
{
    const char *gpu = runner_device(config->runner)->name;
    bool measured = false;
    char path[4096];
    enum runner_status status;
    json_t *cache;

    *roofs = (struct roofs){0};
    cache_path(config, gpu, path, sizeof path);
    cache = read_cache(path);
    status = get_copy(config, cache, roofs, &measured, failure);
    if (status == RUNNER_OK)
        status = get_pipe(config, pipe, cache, roofs, &measured, failure);
    if (measured)
        write_cache(config, path, gpu, cache);
    json_decref(cache);
    return status;
}
