// SPDX-License-Identifier: MIT
/*
 * traffic_local.c: threads' own memory, and what ptxas keeps there because a
 * thread has too few registers. Interface: traffic.h.
 *
 *   traffic_local    an access of PTX
 *   traffic_spills   accesses that ptxas adds to a kernel's instructions
 *   traffic_spill    those that an instruction makes
 *   traffic_free_registers   what is left for loads under way
 *
 * Spilled registers are no part of PTX: of them ptxas says how many bytes its
 * stores and loads move, each counted once, and how many a thread's frame has.
 * Where they stand it does not say. So the model assumes that they run as often
 * as the kernel's instructions do on average, 4 bytes at a time, and go through
 * the frame from one end to the other; and that the instruction at hand waits
 * for what it loads, since there is no register in which it could wait. Where
 * registers are few, in a hot loop, there are more: 16's `turned` for two
 * blocks per multiprocessor has 375 in a turn of its loop by ptxas 13.0, where
 * the model has about 100. Its times of such a kernel are rather too short.
 */
#include "traffic.h"

enum { A_FEW = 4 }; /* words */

static uint64_t words_of(size_t bytes)
{
    return (bytes + DIRTY_WORD - 1) / DIRTY_WORD;
}

/* Words of a thread's frame that are not PTX's: each is stored somewhere. */
static uint64_t spilled_words(const struct run *r)
{
    const struct launch_spills *s = &r->launch->spills;
    return words_of(s->frame < s->stores ? s->frame : s->stores);
}

/* The line of a word of one lane's: a lane's local words lie side by side with
 * the other lanes'. Behind those that PTX has come those that are spilled. */
static uint64_t local_line(const struct traffic_probe *t, uint64_t word)
{
    const struct run *r = t->run;
    uint64_t warp = (uint64_t)(t->slot - t->slots) * MAX_WARPS + t->warp;
    uint64_t all = words_of(r->kernel->local_bytes) + spilled_words(r) + 1;
    return TRAFFIC_LOCAL_LINES + warp * all + word;
}

static void add_lane(struct lines *x, uint64_t line, int lane)
{
    uint8_t sector = (uint8_t)(1u << lane * DIRTY_WORD / SECTOR);
    uint32_t k = x->n;
    while (k > 0 && x->line[k - 1] != line)
        k--;
    if (k == 0) {
        x->line[x->n] = line;
        x->sectors[x->n++] = 0;
        k = x->n;
    }
    x->n_sectors += !(x->sectors[k - 1] & sector);
    x->sectors[k - 1] |= sector;
}

/* Of whole words: what is smaller takes as long. */
void traffic_local(struct traffic_probe *t, const struct access *a)
{
    uint32_t latency = 1;
    for (uint64_t word = 0; word < words_of(a->bytes); word++) {
        struct lines x = {.n = 0};
        for (uint32_t rest = a->mask; rest; rest &= rest - 1) {
            int lane = first_lane(rest);
            add_lane(&x, local_line(t, a->addr[lane] / DIRTY_WORD + word),
                     lane);
        }
        uint32_t then = traffic_touch(t, a->warp->worker, &x, a->form->write);
        latency = then > latency ? then : latency;
    }
    t->latency = latency;
}

uint64_t traffic_spills(const struct run *r)
{
    const struct launch_spills *s = &r->launch->spills;
    return spilled_words(r) ? words_of(s->stores) + words_of(s->loads) : 0;
}

/* What is spilled had no register, so that none is free for loads under way. A
 * word or two may be spilled where nothing is loaded. */
int traffic_free_registers(const struct run *r)
{
    return spilled_words(r) > A_FEW ? 0 : r->probe->traffic->registers;
}

/* Whether the nth access stores: as many of all as ptxas says. */
static bool stores(const struct launch_spills *s, uint64_t n)
{
    uint64_t every = s->stores + s->loads;
    return (n + 1) * s->stores / every > n * s->stores / every;
}

void traffic_spill(struct traffic_probe *t, struct warp *w, uint32_t mask)
{
    const struct launch_spills *s = &t->run->launch->spills;
    struct traffic_spilled *x = &t->slot->spilled[t->warp];
    uint64_t first = words_of(t->run->kernel->local_bytes);
    uint64_t share = t->run->kernel->function->n_insts;
    for (x->due += t->spills; x->due >= share; x->due -= share, x->n++) {
        struct lines one = {.n = 0};
        bool write = stores(s, x->n);
        uint64_t word = first + x->n % spilled_words(t->run);
        for (uint32_t rest = mask; rest; rest &= rest - 1)
            add_lane(&one, local_line(t, word), first_lane(rest));
        uint32_t latency = traffic_touch(t, w->worker, &one, write);
        t->at = scoreboard_spill(t->board, t->at, t->port, write ? 0 : latency);
        if (t->counted) {
            t->traffic->unit_clocks += t->port;
            t->traffic->issue_slots++;
            t->traffic->spilled++;
        }
        t->port = t->latency = 0;
    }
}
