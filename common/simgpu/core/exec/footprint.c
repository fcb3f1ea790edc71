// SPDX-License-Identifier: MIT
/* footprint.c: see footprint.h. */
#include "footprint.h"

#include "simgpu/core/state/access.h"
#include "simgpu/core/state/finding.h"
#include "simgpu/host/pages.h"

bool worker_over_footprint(struct worker *k)
{
    uint64_t most = k->run->engine->config.host_bytes;
    return most && pages_beyond(most, &k->weighed);
}

bool warp_judge_footprint(struct worker *k, struct warp *w)
{
    struct finding x = {0};
    struct node *leaf = w->leaves;
    if (!leaf || !worker_over_footprint(k))
        return false;
    snprintf(x.detail, sizeof x.detail,
             "with its records it touches more than %llu MiB",
             (unsigned long long)(k->run->engine->config.host_bytes >> 20));
    w->leaf = leaf;
    finding_add(w, leaf->pc, first_lane(leaf->mask), FIND_FOOTPRINT, &x);
    fault_raise(w, FAULT_FOOTPRINT);
    return true;
}
