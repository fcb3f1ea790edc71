// SPDX-License-Identifier: MIT
/*
 * traffic_pause.c: instructions that make a warp wait, and the clock that it
 * reads. Interface: traffic.h.
 *
 *   traffic_pause   after an instruction
 *   traffic_now     what a clock says
 *
 * A fence of the GPU's or the system's scope waits until what its warp did to
 * global memory so far is done, which stores are when L2 has answered. Then it
 * empties L1: sm_90's code of __threadfence() is MEMBAR, ERRBAR, a barrier for
 * errors, and CCTL.IVALL. A load that acquires ends with the same CCTL, and a
 * store that releases begins with the fence. Also with nothing to wait for, a
 * fence takes its time, and a multiprocessor has few under way at once: what an
 * H200 needs is in tests/hardware/trials/verdict/costs.cu.
 *
 * A thread that watches a clock goes on when it shows enough. So that it waits
 * as long as it would on a GPU, the clocks of a launch whose time is predicted
 * are the warp's own.
 */
#include "traffic.h"

enum { LONGEST_SLEEP = 1000 * 1000 };

/* By an H200: clocks that a warp waits at the least, and issue slots of its
 * multiprocessor, four per clock, per warp where many do it. In these the unit
 * that empties L1 does nothing else. */
static const struct fence_cost {
    uint64_t clocks;
    uint64_t slots;
} fence_costs[] = {
    [SCOPE_GPU] = {265, 37},
    [SCOPE_SYSTEM] = {983, 104},
};

/* Nanoseconds of the lane that sleeps longest. The PTX ISA promises a duration
 * between none and twice what is asked, a millisecond at most: the model takes
 * what is asked. */
static uint32_t asleep(const struct warp *w, const struct inst *i,
                       uint32_t mask)
{
    const uint32_t *ns = slot(w, i->a);
    uint32_t most = 0;
    for (uint32_t rest = mask; rest; rest &= rest - 1)
        most = ns[first_lane(rest)] > most ? ns[first_lane(rest)] : most;
    return most < LONGEST_SLEEP ? most : LONGEST_SLEEP;
}

static double per_nanosecond(const struct traffic_probe *t)
{
    return t->run->engine->config.gpu->clock_khz * 1e-6;
}

/* Of another multiprocessor's threads, too. */
static bool is_far(uint8_t scope)
{
    return scope == SCOPE_GPU || scope == SCOPE_SYSTEM;
}

static void wait_for_accesses(struct traffic_probe *t)
{
    if (t->board)
        scoreboard_pause(t->board, t->board->pending);
}

static void orders(struct traffic_probe *t, struct worker *k,
                   const struct inst *i)
{
    const struct access_form *a = &i->detail->access;
    bool fence = i->detail->fence && is_far(i->p0);
    bool far = is_far(a->scope) && t->done > 0;
    if (fence || (far && a->release))
        wait_for_accesses(t);
    if (fence || (far && a->acquire))
        traffic_empty_l1(t, k);
    if (fence && t->board)
        scoreboard_pause(t->board, t->at + fence_costs[i->p0].clocks);
    if (fence && t->counted)
        t->traffic->fence_slots += fence_costs[i->p0].slots - 1;
}

void traffic_pause(struct traffic_probe *t, struct warp *w,
                   const struct inst *i)
{
    const struct form *form = t->source->form;
    if (t->board && t->pause)
        scoreboard_pause(t->board, t->at + t->pause);
    if (t->board && t->done)
        scoreboard_pending(t->board, t->at + t->port + t->done);
    if (t->board && form && form->flags & FORM_SLEEPS)
        scoreboard_sleep(t->board, (uint64_t)(asleep(w, i, t->mask) *
                                              per_nanosecond(t)));
    if (i->detail)
        orders(t, w->worker, i);
}

uint64_t traffic_now(struct warp *w, bool nanoseconds)
{
    struct traffic_probe *t = run_of(w)->probe;
    const struct traffic_slot *s = t->slot;
    uint64_t clock = !s ? w->worker->counters.warp_instructions
                     : s->start + (t->board ? t->at
                                   : s->scoreboard[w->index].latest);
    if (nanoseconds)
        clock = (uint64_t)((double)clock / per_nanosecond(t));
    uint64_t *latest = &t->run->engine->clock;
    *latest = t->began + clock > *latest ? t->began + clock : *latest;
    return t->began + clock;
}
