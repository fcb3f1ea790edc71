// SPDX-License-Identifier: MIT
// Stage 23, shape map: step 4, a dispatcher by rules.
// New: which kernel runs is decided per shape, by what the map has shown.
// Before: step 3; it measured before each decision.
// Counter: regret_mean_percent falls below half of the best single kernel's.

#include "op/study.h"

#include <string.h>

// The index of a kernel by its name; -1, which is no answer, if there is none
// of this name.
static int named(const char *name, const struct study_kernel *kernels, int n)
{
    for (int i = 0; i < n; i++)
        if (strcmp(kernels[i].name, name) == 0)
            return i;
    return -1;
}

int study_rules(struct study_shape s, const struct study_kernel *kernels, int n,
                const struct study_gpu *gpu)
{
    //> todo rules (about 12 lines)
    double cells = (double)s.M * s.N;

    (void)gpu;
    if (cells <= 1000) // long dot products, a block for each
        return named("vector", kernels, n);
    if (s.K <= 50 && cells <= 100e3) // little work
        return named("shared16", kernels, n);
    if (s.K <= 50 || (s.K <= 200 && cells > 200e3)) // C is most of the bytes
        return named(cells <= 2e6 ? "panel_small" : "panel_low", kernels, n);
    if (cells <= 500e3 && s.N <= 13) // a few columns
        return named("dots", kernels, n);
    return named(cells <= 500e3 ? "small32" : "slab96_two", kernels, n);
    //< todo
}
