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

/* Of instructions; 20000 is not 2e+04. */
static void print_millions(FILE *out, uint64_t n)
{
    double millions = 1e-6 * (double)n;
    fprintf(out, millions < 100 ? "%.3g million" : "%.0f million", millions);
}

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
            " blocks begun, ", name, p.seconds, p.blocks, p.n_blocks);
    print_millions(out, p.warp_instructions);
    fputs(" warp instructions", out);
    if (dev->config.instruction_budget) {
        fputs(" of ", out);
        print_millions(out, dev->config.instruction_budget);
        fputs(" (SIMGPU_BUDGET)", out);
    }
    fputc('\n', out);
    free(name);
    while (dev->progress_next <= p.seconds)
        dev->progress_next *= 2;
}
