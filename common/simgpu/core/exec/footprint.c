// SPDX-License-Identifier: MIT
/* footprint.c: see footprint.h. */
#include "footprint.h"

#include "simgpu/core/state/access.h"
#include "simgpu/core/state/finding.h"
#include "simgpu/host/pages.h"
#include "simgpu/host/threads.h"

/* Asking the host costs as much as many instructions, so it is asked after some
 * time, in which no thread can touch much. */
enum { SELDOM_NS = 2 * 1000 * 1000 };

bool footprint_over(struct worker *k)
{
    struct run *r = k->run;
    uint64_t most = r->engine->config.host_bytes, now;
    if (!most)
        return false;
    if (atomic_load_explicit(&r->too_large, memory_order_relaxed))
        return true;
    now = host_nanoseconds();
    if (now - k->weighed < SELDOM_NS)
        return false;
    k->weighed = now;
    if (pages_resident() <= most)
        return false;
    atomic_store(&r->too_large, true);
    return true;
}

bool footprint_judge(struct worker *k, struct warp *w)
{
    struct finding x = {0};
    struct node *leaf = w->leaves;
    if (!leaf || !footprint_over(k))
        return false;
    snprintf(x.detail, sizeof x.detail,
             "what it has touched, with the records of it, takes more than "
             "%llu MiB",
             (unsigned long long)(k->run->engine->config.host_bytes >> 20));
    w->leaf = leaf;
    finding_add(w, leaf->pc, first_lane(leaf->mask), FIND_FOOTPRINT, &x);
    fault_raise(w, FAULT_FOOTPRINT);
    return true;
}
