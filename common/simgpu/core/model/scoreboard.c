// SPDX-License-Identifier: MIT
/*
 * scoreboard.c: a warp's own time, by dataflow. Interface: scoreboard.h.
 *
 * Hard idea: ptxas reorders. Within a stretch of code it moves loads ahead
 * and what needs them behind, so an instruction is taken to issue when its
 * operands are ready, one a clock, whatever its place. A stretch ends where
 * code cannot move on: at a backward branch, a barrier, a call. A short
 * forward branch does not end it, since ptxas makes predicates of it. What is
 * still under way at the end of a stretch stays so.
 */
#include "scoreboard.h"

#include <stdlib.h>
#include <string.h>

#include "simgpu/core/exec/async.h"

enum { REGISTER = 4 }; /* bytes: the smallest slot, a predicate */

void scoreboard_begin(struct scoreboard *p, const struct function *f)
{
    size_t n = f->frame_bytes / REGISTER + 1;
    if (n > p->n) {
        free(p->ready);
        p->ready = malloc(n * sizeof *p->ready);
        p->n = n;
    }
    if (!p->ready)
        abort();
    memset(p->ready, 0, p->n * sizeof *p->ready);
    p->begin = p->latest = p->port = p->copied = p->groups = 0;
    p->position = 0;
}

void scoreboard_close(struct scoreboard *p)
{
    free(p->ready);
}

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static uint64_t ready(const struct scoreboard *p, uint32_t slot)
{
    return slot / REGISTER < p->n ? p->ready[slot / REGISTER] : 0;
}

static bool is_access(enum issue_class class)
{
    return class == ISSUE_GLOBAL || class == ISSUE_SHARED ||
           class == ISSUE_LOCAL;
}

/* When what a wait for copies waits for is there; imm: groups that may stay
 * under way. */
static uint64_t waited_for(const struct scoreboard *p, const struct inst *i)
{
    uint64_t stay = (uint64_t)i->imm;
    if (i->p0)
        return p->copied;
    if (stay >= p->groups || stay >= SCOREBOARD_GROUPS)
        return 0;
    return p->group[(p->groups - 1 - stay) % SCOREBOARD_GROUPS];
}

uint64_t scoreboard_issue(struct scoreboard *p, const struct inst *i,
                          enum issue_class class)
{
    uint64_t at = later(p->begin + p->position++, ready(p, i->a));
    const struct detail *t = i->detail;
    if (i->guard)
        at = later(at, ready(p, i->guard - 1));
    if (!is_access(class) || !t || t->access.kind == ACCESS_COPY) {
        at = later(at, later(ready(p, i->b), ready(p, i->c)));
    } else if (t->access.write) {
        for (int e = 0; e < t->n; e++)
            at = later(at, ready(p, t->slot[e]));
    }
    if (i->fn == op_async_wait)
        at = later(at, waited_for(p, i));
    p->latest = later(p->latest, at);
    return at;
}

static void set_ready(struct scoreboard *p, uint32_t slot, uint64_t at)
{
    if (slot / REGISTER < p->n)
        p->ready[slot / REGISTER] = at;
}

/* Nothing moves across. */
static void end_stretch(struct scoreboard *p, uint32_t clocks)
{
    p->begin = later(p->latest, p->begin + p->position) + clocks;
    p->latest = p->begin;
    p->position = 0;
}

void scoreboard_done(struct scoreboard *p, const struct inst *i,
                     enum issue_class class, uint64_t issued, uint32_t port,
                     uint32_t latency)
{
    const struct detail *t = i->detail;
    bool jumps_back = class == ISSUE_CONTROL && i->target && i->target <= i;
    if (i->fn == op_async_commit)
        p->group[p->groups++ % SCOREBOARD_GROUPS] = p->copied;
    if (class == ISSUE_BARRIER || jumps_back || i->fn == op_async_wait) {
        end_stretch(p, issue_clocks(class));
        return;
    }
    if (class == ISSUE_CONTROL)
        return;
    p->port = later(p->port, issued) + port;
    uint64_t done = port ? p->port + latency : issued + issue_clocks(class);
    if (t && t->access.kind == ACCESS_COPY)
        p->copied = later(p->copied, done);
    if (!is_access(class) || !t) {
        set_ready(p, i->d, done);
        return;
    }
    for (int e = 0; e < t->n && !t->access.write; e++)
        if (t->slot[e] != NO_SLOT)
            set_ready(p, t->slot[e], done);
}
