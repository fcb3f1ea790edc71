// SPDX-License-Identifier: MIT
/*
 * lanes_run.c: the loop that executes a warp, and the table of handlers of
 * one vector width.
 *
 *   run_warp   from the warp's current state until it has nothing to run
 */
#include "lanes.h"
#include "simgpu/core/exec/control.h"

#define X(name) handler OF(name);
LANE_OPS(X)
#undef X

static void OF(run_warp)(struct warp *w)
{
    const struct inst *i = leaf_choose(w);
    uint64_t warps = 0, lanes = 0, flops = 0;
    while (i) {
        uint32_t mask = w->mask;
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
        i = i->fn(w, i, mask);
    }
    struct engine_counters *c = &w->worker->counters;
    c->warp_instructions += warps;
    c->lane_instructions += lanes;
    c->flops += flops;
}

extern const struct lane_table OF(lane_table);
#define TEXT2(x) #x
#define TEXT(x) TEXT2(x)
const struct lane_table OF(lane_table) = {
    TEXT(LANES_ISA), OF(run_warp), {
#define X(name) [OP_##name] = OF(name),
    LANE_OPS(X)
#undef X
}};
