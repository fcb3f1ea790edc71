// SPDX-License-Identifier: MIT
/*
 * watched.c: a stage under the traffic observer; see watched.h.
 */
#include "watched.h"

#include <stdlib.h>

#include "apart.h"
#include "check/compile/nvcc_words.h"

bool watched_open(struct watched *b, const struct workbook *w, const char *gpu)
{
    char output[PATH_BYTES];
    struct runner_failure failure;
    struct runner_config config = {
        .program = w->runner, .cuda_lib = w->sim_lib, .simulated = true,
        .seconds = w->options->patience, .memory_bytes = RUNNER_BYTES,
        .output_path = output};

    *b = (struct watched){.device = {.pid = -1, .client_fd = -1,
                                     .control = -1}};
    path_set(output, "%s/watched.out", w->scratch);
    if (!device_start_as(&b->device, w->device, gpu, 0))
        return false;
    config.device_fd = b->device.client_fd;
    b->runner = runner_start(&config, &failure);
    return b->runner != NULL;
}

void watched_close(struct watched *b)
{
    runner_stop(b->runner);
    device_stop(&b->device);
}

/* What ptxas gave each kernel of the stage, told to the device. */
static bool tell_registers(struct watched *b, const char *words)
{
    struct nvcc_kernel k;

    while ((words = nvcc_kernel(words, &k))) {
        struct device_spills spills = {k.frame, k.stores, k.loads};

        if (!device_registers(&b->device, k.name, k.registers, &spills))
            return false;
    }
    return true;
}

static bool upload(struct watched *b, const struct data *d)
{
    struct runner_failure failure;

    return !d || runner_upload(b->runner, d->given, d->c->problem.scalar,
                               &failure) == RUNNER_OK;
}

json_t *watched_launch(struct watched *b, const struct watched_stage *stage,
                       const struct device_look *look)
{
    struct runner_failure failure;
    struct runner_case c = {.op = stage->op, .shape = stage->shape,
                            .stage = stage->path};
    enum runner_status status;

    status = runner_load(b->runner, &c, &b->layout, &failure);
    b->late = status == RUNNER_TIMEOUT;
    b->unfair = failure.unfair;
    if (status != RUNNER_OK ||
        !upload(b, stage->data) || !device_look(&b->device, look) ||
        !apart_tell(&b->device, stage->op, &stage->shape, &b->layout) ||
        !tell_registers(b, stage->words) || !device_clear(&b->device))
        return NULL;
    status = runner_launch(b->runner, &failure);
    b->late = status == RUNNER_TIMEOUT;
    b->unfair = failure.unfair;
    return status == RUNNER_OK || status == RUNNER_LAUNCH
               ? device_report(&b->device) : NULL;
}
