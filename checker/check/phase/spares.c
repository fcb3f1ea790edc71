// SPDX-License-Identifier: MIT
/*
 * spares.c: see spares.h.
 */
#include "spares.h"

enum { MOST = 8 }; /* each takes half a gigabyte of a GPU's memory */

static struct runner *spare[MOST]; /* the first to be begun comes first */
static int n_spares;

/* kept: another process has its arrays (runner_client.h). */
static struct runner *begin(const struct workbook *w, bool kept,
                            struct runner_failure *failure)
{
    static int begun; /* what each prints is its own */
    char output[PATH_BYTES];
    struct runner_config config = {.program = w->runner,
                                   .cuda_lib = w->toolkit.lib,
                                   .kept = kept,
                                   .device_fd = -1,
                                   .seconds = w->options->patience,
                                   .output_path = output};

    path_set(output, "%s/gpu-%d.out", w->scratch, begun++);
    return runner_begin(&config, failure);
}

/* Who fails to begin is begun again by who needs it, and that says why. */
void spares_begin(const struct workbook *w, int n)
{
    struct runner_failure failure;

    while (!w->options->grade && n_spares < n && n_spares < MOST) {
        spare[n_spares] = begin(w, false, &failure);
        if (!spare[n_spares])
            return;
        n_spares++;
    }
}

struct runner *spare_begun(void)
{
    struct runner *first = spare[0];

    if (n_spares == 0)
        return NULL;
    n_spares--;
    for (int i = 0; i < n_spares; i++)
        spare[i] = spare[i + 1];
    return first;
}

struct runner *spare_own(const struct workbook *w,
                         struct runner_failure *failure)
{
    struct runner *runner = spare_begun();

    if (!runner)
        runner = begin(w, false, failure);
    return runner ? runner_greet(runner, failure) : NULL;
}

struct runner *spare_take(const struct workbook *w,
                          struct runner_failure *failure)
{
    struct runner *runner;

    if (!w->options->grade)
        return spare_own(w, failure);
    runner = begin(w, true, failure);
    return runner ? runner_greet(runner, failure) : NULL;
}

void spares_drop(void)
{
    for (int i = 0; i < n_spares; i++)
        runner_kill(spare[i]);
    while (n_spares > 0)
        runner_stop(spare[--n_spares]);
}
