// SPDX-License-Identifier: MIT
/*
 * quota.c: setmaxnreg. Interface: quota.h.
 *
 * A block's registers are what it was launched with. Who wants more than others
 * have left waits until they give some back; those of a warp that exits stay
 * its own. How many a thread begins with is ptxas's choice: with bounds on
 * threads and blocks, or on registers, as many as they allow, and without them
 * ptxas ignores the instruction. The warps of a warpgroup do it together
 * (group_judge).
 */
#include "quota.h"

#include "control.h"
#include "group.h"
#include "simgpu/core/state/finding.h"
#include "sync.h"

enum {
    REGISTERS = 65536, /* of a multiprocessor */
    UNIT = 8, MOST = 248, /* per thread: what ptxas gives at most, rounded */
};

uint32_t quota_at_launch(uint32_t maxnreg, uint32_t threads, uint32_t blocks)
{
    uint32_t whole = (threads + LANES - 1) / LANES * LANES;
    uint32_t n = maxnreg ? maxnreg
                 : blocks && whole ? REGISTERS / (blocks * whole) : 0;
    return n < MOST ? n / UNIT * UNIT : MOST;
}

static uint32_t quota_of(const struct warp *w)
{
    return w->quota ? w->quota : run_of(w)->kernel->info.registers;
}

/* Of all warps of the block, a lane's each. */
static uint32_t left(const struct block *b)
{
    uint32_t all = b->n_warps * run_of(b->warps)->kernel->info.registers;
    for (uint32_t k = 0; k < b->n_warps; k++)
        all -= quota_of(&b->warps[k]);
    return all;
}

static bool grant(struct warp *w, uint32_t n)
{
    if (n > quota_of(w) && n - quota_of(w) > left(w->block))
        return false;
    w->quota = n;
    return true;
}

/* Those that wait, as long as there are enough. */
static void wake(struct block *b)
{
    for (uint32_t k = 0; k < b->n_warps; k++)
        for (struct node *n = b->warps[k].leaves; n; n = n->next)
            if (n->state == NODE_QUOTA &&
                grant(&b->warps[k], (uint32_t)n->pc->imm)) {
                n->state = NODE_RUN;
                n->pc++;
            }
}

/* imm: how many; p0: no fewer than now. */
const struct inst *op_quota(struct warp *w, const struct inst *i,
                            uint32_t mask)
{
    uint32_t n = (uint32_t)i->imm, now = quota_of(w);
    struct finding x = {0};
    if (mask != (uint32_t)FULL)
        return sync_whole(w, i, mask);
    if (!now)
        return i + 1;
    group_did(w, &w->resize, i);
    if (i->p0 ? n < now : n > now) {
        snprintf(x.detail, sizeof x.detail,
                 "setmaxnreg.%s to %u registers per thread, which has %u",
                 i->p0 ? "inc" : "dec", n, now);
        finding_add(w, i, 0, FIND_ILLEGAL, &x);
        return fault_raise(w, FAULT_ILLEGAL);
    }
    if (!grant(w, n)) {
        leaf_block(w, i, mask, NODE_QUOTA);
        return leaf_choose(w);
    }
    wake(w->block);
    return i + 1;
}
