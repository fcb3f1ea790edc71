// SPDX-License-Identifier: MIT
/* finding.h: a worker's findings, and how they become the report's. */
#ifndef SIMGPU_FINDING_H
#define SIMGPU_FINDING_H

#include "state.h"

enum { MAX_FOUND = 256 }; /* different accusations kept per launch */

struct found {
    size_t n;
    struct finding list[MAX_FOUND];
    uint64_t order[MAX_FOUND]; /* of the first block that each was seen in */
};

/* Like finding_add, but without a warp; order: number of the block. */
void found_add(struct worker *k, const struct finding *f, uint64_t order);
/* Like found_add, for findings outside a kernel launch. */
void found_put(struct found *f, const struct finding *x);
void found_merge(const struct worker *workers, int n, size_t max,
                 struct launch_report *report);

void finding_add(struct warp *w, const struct inst *i, int lane,
                 enum finding_kind kind, struct finding *f);
/* Like finding_add, for an access. */
void access_finding(const struct access *a, int lane, enum finding_kind kind,
                    struct finding *f);
const struct inst *fault_raise(struct warp *w, enum engine_fault fault);
void finding_thread(const struct warp *w, int lane, uint32_t thread[3]);
/* A site without a thread. */
struct site finding_site(const struct source *s);
const struct source *finding_source(const struct function *f,
                                    const struct inst *i);

#endif
