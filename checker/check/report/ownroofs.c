// SPDX-License-Identifier: MIT
/*
 * ownroofs.c: see ownroofs.h.
 */
#include "ownroofs.h"

#include <ctype.h>
#include <string.h>

static const double ms_a_s = 1e3;

/* The timed run of the kernel that measures this ceiling, or NULL. */
static const struct speed *timed(const struct outcome *o, const char *op)
{
    for (int i = 0; i < o->n; i++) {
        const struct kernel_result *r = &o->kernels[i];

        if (strcmp(r->conf->op->name, op) == 0 &&
            r->verdict == VERDICT_PASS && r->run[RUN_GPU].speed.timed)
            return &r->run[RUN_GPU].speed;
    }
    return NULL;
}

/* "roofs/yours/NVIDIA_H200.json" */
static void own_path(const struct workbook *w, char path[PATH_BYTES])
{
    char *name;

    path_set(path, "%s/roofs/yours/%s.json", w->build, w->gpu);
    name = path + strlen(path) - strlen(w->gpu) - strlen(".json");
    for (; *name; name++)
        if (!isalnum((unsigned char)*name) && *name != '.' && *name != '-')
            *name = '_';
}

void own_roofs_keep(const struct outcome *o)
{
    const struct speed *copy = timed(o, "roof_copy");
    const struct speed *fma = timed(o, "roof_fma");
    const struct options *options = o->workbook->options;
    char path[PATH_BYTES];
    json_t *j;

    if (!copy || !fma || options->solution || options->src[0])
        return;
    j = json_pack("{si ss sf sf}", "version", 1, "gpu", o->workbook->gpu,
                  "copy_bytes_per_second",
                  copy->bytes / copy->this_ms.median * ms_a_s,
                  "fp32_flops_per_second",
                  fma->flops / fma->this_ms.median * ms_a_s);
    own_path(o->workbook, path);
    if (!j || !json_write(j, path))
        give_up("cannot write %s: is the disk full?", path);
    json_decref(j);
}
