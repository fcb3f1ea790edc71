// SPDX-License-Identifier: MIT
/*
 * progress.c: a line for who waits for a long kernel.
 *
 *   dev_print_progress   how far it is, if it is time to say so
 *
 * The first line comes after dev->progress seconds, each other one after twice
 * the time of the one before, so that there are few.
 */
#include "device.h"

#include <inttypes.h>
#include <stdlib.h>

void dev_print_progress(struct device *dev, FILE *out)
{
    struct engine_progress p;
    if (!engine_progress(dev->engine, &p) ||
        p.seconds < dev->progress_next / 4) /* another launch */
        dev->progress_next = dev->progress;
    if (!p.kernel || p.seconds < dev->progress_next)
        return;
    char *name = dev_demangle(p.kernel);
    fprintf(out, "simgpu: %s runs for %.0f s: %" PRIu64 " of %" PRIu64
            " blocks begun, %.3g million warp instructions", name, p.seconds,
            p.blocks, p.n_blocks, 1e-6 * (double)p.warp_instructions);
    if (dev->config.instruction_budget)
        fprintf(out, " of %.3g million (SIMGPU_BUDGET)",
                1e-6 * (double)dev->config.instruction_budget);
    fputc('\n', out);
    free(name);
    while (dev->progress_next <= p.seconds)
        dev->progress_next *= 2;
}
