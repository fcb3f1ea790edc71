// SPDX-License-Identifier: MIT
/*
 * lanes_run.c: the loop that executes a warp, and the table of handlers of
 * one vector width.
 *
 *   run_warp       from an instruction until the warp has nothing to run
 *   run_followed   the same, and tells an observer of each instruction
 */
#include "lanes.h"
#include "simgpu/core/state/observe.h"

#define X(name) handler OF(name);
LANE_OPS(X)
#undef X
group_product OF(group_product);

/* to: who follows each instruction; NULL: nobody, and the compiler leaves
 * out what is for it. */
static inline __attribute__((always_inline)) void
run(struct warp *w, const struct inst *i, const struct observer *to)
{
    uint64_t warps = 0, lanes = 0, flops = 0;
    if (to)
        to->resume(w);
    while (i) {
        uint32_t mask = w->mask;
        if (to && to->pauses(w)) {
            w->leaf->pc = i; /* the leaf stays where it is */
            break;
        }
        if (i->guard) {
            uint32_t p = *(uint32_t *)slot(w, i->guard - 1);
            mask &= p ^ i->guard_xor;
            if (!mask) {
                i++;
                continue;
            }
        }
        unsigned n = (unsigned)__builtin_popcount(mask);
        warps++;
        lanes += n;
        flops += n * i->flops;
        if (!to || i->unnamed) {
            i = i->fn(w, i, mask);
            continue;
        }
        const struct inst *now = i;
        to->issue(w, now, mask);
        i = now->fn(w, now, mask);
        to->issued(w, now);
    }
    struct engine_counters *c = &w->worker->counters;
    c->warp_instructions += warps;
    c->lane_instructions += lanes;
    c->flops += flops;
}

static void OF(run_warp)(struct warp *w, const struct inst *first)
{
    run(w, first, NULL);
}

static void OF(run_followed)(struct warp *w, const struct inst *first)
{
    run(w, first, w->follower ? w->follower : run_of(w)->traffic);
}

extern const struct lane_table OF(lane_table);
#define TEXT2(x) #x
#define TEXT(x) TEXT2(x)
const struct lane_table OF(lane_table) = {
    TEXT(LANES_ISA), OF(run_warp), OF(run_followed), OF(group_product), {
#define X(name) [OP_##name] = OF(name),
    LANE_OPS(X)
#undef X
}};
