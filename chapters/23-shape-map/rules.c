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
    (void)s;
    (void)gpu;
    return named("small32", kernels, n);
    //< todo
}
