// SPDX-License-Identifier: MIT
// Stage 23, shape map: step 4, a dispatcher by rules.
// New: which kernel runs is decided per shape, by what the map has shown.
// Before: step 3; it measured before each decision.
// Counter: regret_mean_percent falls below half of the best single kernel's.

#include "op/study.h"

#include <string.h>

// The index of a kernel by its name; 0 if there is none of this name.
static int named(const char *name, const struct study_kernel *kernels, int n)
{
    for (int i = 0; i < n; i++)
        if (strcmp(kernels[i].name, name) == 0)
            return i;
    return 0;
}

int study_rules(struct study_shape s, const struct study_kernel *kernels, int n,
                const struct study_gpu *gpu)
{
    //> todo rules (about 10 lines)
    double tiles = ceil(s.M / 64.0) * ceil(s.N / 64.0);
    double room = 4.0 * gpu->multiprocessors; // blocks of ring64 at a time

    if (s.K <= 160) // splitting a short k costs more than it brings
        return named("ring64", kernels, n);
    if (s.M >= 1024 && s.N >= 1024 && s.K >= 1024) // large tiles, less traffic
        return named("share256", kernels, n);
    if (tiles >= room && s.K < 1024) // enough blocks without a split
        return named("ring64", kernels, n);
    return named("share64", kernels, n);
    //< todo
}
