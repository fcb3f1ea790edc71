// SPDX-License-Identifier: MIT
/*
 * count.h: the access counters of engine.h, from events.
 *
 *   count_access    one access of one warp
 *   count_inputs    what it loads of certain arrays
 *   count_asked     its latest polls, if they were none: at its end, too
 *   count_forget    a new warp begins
 *
 * Inline, as the vector code of lanes_memory.c and what executes lane by lane
 * both count here, each in its own vector width. The usual shapes (one
 * address, consecutive ones, rising ones, no bank twice) are told apart in a
 * few vector operations; the rest is left to memory/cost.c.
 */
#ifndef SIMGPU_COUNT_H
#define SIMGPU_COUNT_H

#include "simgpu/core/memory/cost.h"
#include "simgpu/core/state/access.h"

/* A shared access whose cost is known: distances from the first address. */
struct pattern {
    uint32_t mask;            /* 0: none yet */
    uint32_t offset[LANES];
    struct wavefronts cost;
};

ACCESS_INLINE uint32_t count_sectors(const struct access *a, int bytes)
{
    uint64_t first = a->addr[0] >> 5;
    if (a->uniform)
        return 1;
    if (a->unit)
        return (uint32_t)(((a->addr[0] + (uint64_t)(LANES * bytes) - 1) >> 5) -
                          first) + 1;
    uint64_t up = 0, down = 0, changes = 0;
    for (int l = 1; l < LANES; l++) {
        uint64_t d = (a->addr[l] >> 5) - (a->addr[l - 1] >> 5);
        up |= d;
        down |= -d;
        changes += d != 0;
    }
    if ((int64_t)up >= 0 || (int64_t)down >= 0)
        return (uint32_t)changes + 1;
    return access_sectors(a->addr, a->mask);
}

/* No bank is asked for two words: one wavefront per pass. */
ACCESS_INLINE bool no_conflict(const struct access *a)
{
    uint32_t word[LANES], clash = 0, banks = 0;
    if (a->spread < LANES * 4)
        return true;
    for (int l = 0; l < LANES; l++)
        banks |= 1u << (a->addr[l] >> 2 & (LANES - 1));
    if (banks == (uint32_t)FULL)
        return true;
    __builtin_memset(word, 0xff, sizeof word);
    for (int l = 0; l < LANES; l++) {
        uint32_t at = (uint32_t)(a->addr[l] >> 2), old = word[at % LANES];
        clash |= (old + 1) && old != at;
        word[at % LANES] = at;
    }
    return !clash;
}

/* Banks go round, so that the distances between addresses are all that
 * counts: p remembers the last ones. */
ACCESS_INLINE struct wavefronts count_wavefronts(struct pattern *p,
                                                 const struct access *a,
                                                 int bytes)
{
    uint32_t words = bytes < 4 ? 1 : (uint32_t)bytes / 4, mask = a->mask;
    bool merges = access_merges(a);
    if (a->unit || (bytes <= 4 && (a->uniform || no_conflict(a))))
        return (struct wavefronts){words, 0};
    if (a->uniform && mask == (uint32_t)FULL && (bytes == 8 || bytes == 16))
        return (struct wavefronts){merges ? words / 2 : words, 0};
    if (!p)
        return access_wavefronts(a->addr, mask, (uint32_t)bytes, merges);
    uint32_t differ = p->mask ^ mask;
    for (int l = 0; l < LANES; l++)
        differ |= p->offset[l] ^ (uint32_t)(a->addr[l] - a->addr[0]);
    if (differ) {
        p->mask = mask;
        for (int l = 0; l < LANES; l++)
            p->offset[l] = (uint32_t)(a->addr[l] - a->addr[0]);
        p->cost = access_wavefronts(a->addr, mask, (uint32_t)bytes, merges);
    }
    return p->cost;
}

ACCESS_INLINE void count_global(struct engine_counters *c,
                                const struct access *a, int bytes, bool write)
{
    uint64_t asked = (uint64_t)__builtin_popcount(a->mask) * (uint64_t)bytes;
    uint32_t n = count_sectors(a, bytes);
    if (write) {
        c->global_store_requests++;
        c->global_store_sectors += n;
        c->global_store_bytes += asked;
    } else {
        c->global_load_requests++;
        c->global_load_sectors += n;
        c->global_load_bytes += asked;
    }
}

/* p: where the instruction keeps its last pattern; or NULL. */
ACCESS_INLINE void count_shared(struct engine_counters *c, struct pattern *p,
                                const struct access *a, int bytes, bool write)
{
    struct wavefronts n = count_wavefronts(p, a, bytes);
    if (write) {
        c->shared_store_requests++;
        c->shared_store_wavefronts += n.wavefronts;
        c->shared_store_conflicts += n.conflicts;
    } else {
        c->shared_load_requests++;
        c->shared_load_wavefronts += n.wavefronts;
        c->shared_load_conflicts += n.conflicts;
    }
}

/* The constant cache gives one address at a time. */
ACCESS_INLINE void count_constant(struct engine_counters *c,
                                  const struct access *a)
{
    c->constant_load_requests++;
    if (!a->uniform)
        c->constant_load_replays += access_addresses(a->addr, a->mask) - 1;
}

/* Of any kind and space. p: as of count_shared. */
void count_access(struct engine_counters *c, struct pattern *p,
                  const struct access *a);
/* in: ENGINE_INPUTS of them, or up to one without bytes. */
void count_inputs(struct engine_counters *c, const struct engine_input *in,
                  const struct access *a);
void count_asked(struct engine_counters *c, struct warp *w);
void count_forget(struct warp *w);

#endif
