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
    if (cells > 350e3) // enough tiles without a split, until k is long
        return named(s.K <= 64    ? "column64"
                     : s.K <= 300 ? "ring64"
                                  : "share256", kernels, n);
    if (s.K <= 128) // to split a short k costs more than it brings
        return named("shared16", kernels, n);
    if (cells > 60e3) // not thin, but too few tiles for all multiprocessors
        return named(s.K <= 300 ? "shared16" : "share256", kernels, n);
    return named(s.M <= 4 && s.N >= 512   ? "thin_flat"
                 : s.N <= 4 && s.M >= 512 ? "thin_tall"
                                          : "thin", kernels, n);
    //< todo
}
