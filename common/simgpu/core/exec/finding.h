// SPDX-License-Identifier: MIT
/* finding.h: a worker's findings, and how they become the report's. */
#ifndef SIMGPU_FINDING_H
#define SIMGPU_FINDING_H

#include "core.h"

enum { MAX_FOUND = 256 }; /* different accusations a launch that are kept */

struct found {
    size_t n;
    struct finding list[MAX_FOUND];
    uint64_t order[MAX_FOUND]; /* of the first block that each was seen in */
};

/* As find, of what has no warp: seen in the order-th block. */
void found_add(struct worker *k, const struct finding *f, uint64_t order);
/* As found_add, of what is no launch's. */
void found_put(struct found *f, const struct finding *x);
void found_merge(const struct worker *workers, int n, size_t max,
                 struct launch_report *report);

/* Names the array in global memory; place.c. */
void about_global(const struct engine *engine, uint64_t address,
                  struct finding *x);

#endif
