// SPDX-License-Identifier: MIT
/*
 * race_alone.c: words of global memory that a launch's blocks left to each
 * other; see race_blocks.c, which judges the rest.
 *
 *   race_alone_clear   forgets the records of groups in which no block wrote
 *                      what another one touched
 *
 * Those are nearly all groups of nearly all kernels. Each worker has records of
 * its own, and a large output has millions of words, so one thread would take
 * longer to go through them than all threads took for the launch: groups are
 * looked at by as many threads as there are workers, and of each only the
 * workers whose blocks touched it. The records of the others were never
 * written: to read them would cost a page each.
 */
#include <stdatomic.h>
#include <stdlib.h>

#include "race.h"
#include "simgpu/core/memory/own.h"
#include "simgpu/host/threads.h"

/* Groups are taken so many at a time; below FEW no thread is worth it. */
enum { AT_ONCE = 16, FEW = 64 };

/* Who touched words or bytes: a block counted from 1, or 0; bit 0 of how: one
 * of them wrote; bit 1: there were several. */
enum { WROTE = 1, SEVERAL = 2, MET = WROTE | SEVERAL };
struct touchers {
    uint32_t block[RACE_GROUP * RACE_WORD];
    uint8_t how[RACE_GROUP * RACE_WORD];
};

static void touched_by(struct touchers *t, size_t at, uint64_t tag)
{
    uint32_t block = (uint32_t)(tag >> TAG_STAMP);
    if (t->block[at] && t->block[at] != block)
        t->how[at] |= SEVERAL;
    t->block[at] = block;
}

/* A reader in read[0] has noted something at that unit, or, of a byte, at its
 * word. Neighbours' readers are most often of one warp. */
static void add_class(struct touchers *t, size_t at, const struct race *r,
                      const struct shadow *s, unsigned class, size_t group)
{
    const uint64_t *first = s->first[class] + group * RACE_GROUP;
    const uint64_t *last = s->last[class] + group * RACE_GROUP;
    const uint64_t *read = s->read[0] + group * RACE_GROUP;
    bool writes = class == RACE_WRITE || class == RACE_STRONG_WRITE;
    uint64_t before = 0, reader = 0;
    for (size_t n = 0; n < RACE_GROUP; n++) {
        if (!last[n])
            continue;
        if ((read[n] ^ before) & ~THREAD_MASK) {
            before = read[n];
            reader = race_last_reader(r, before);
        }
        touched_by(t, at + n, last[n]);
        touched_by(t, at + n, ~first[n]);
        touched_by(t, at + n, reader ? reader : last[n]);
        t->how[at + n] |= writes ? WROTE : 0;
    }
}

/* What one worker's blocks did to a group; t: from unit `at` on. */
static void add_group(struct touchers *t, size_t at, const struct race *r,
                      const struct shadow *s, size_t group)
{
    for (unsigned class = 0; class < RACE_CLASSES; class++)
        if (s->touched[group] >> class & 1)
            add_class(t, at, r, s, class, group);
}

/* Of the workers' launch. */
struct alone {
    struct worker *workers;
    int n;
    bool narrow;
    size_t *group, n_groups, room; /* of words: somebody touched it or its
                                      bytes */
    atomic_size_t next;
};

static bool words_met(const struct alone *x, size_t group, struct touchers *t)
{
    unsigned met = 0;
    for (size_t n = 0; n < RACE_GROUP; n++) {
        t->block[n] = 0;
        t->how[n] = 0;
    }
    for (int k = 0; k < x->n; k++) {
        const struct race *r = x->workers[k].race;
        if (r->global[0].touched[group])
            add_group(t, 0, r, &r->global[0], group);
    }
    for (size_t n = 0; n < RACE_GROUP; n++)
        met |= t->how[n] == MET;
    return met;
}

/* What was done to a word was done to its bytes. words: of the group. */
static void spread(const struct touchers *words, struct touchers *t)
{
    for (size_t n = 0; n < RACE_GROUP * RACE_WORD; n++) {
        t->block[n] = words->block[n / RACE_WORD];
        t->how[n] = words->how[n / RACE_WORD];
    }
}

/* Of the groups of bytes of these words, those that all workers have. */
static size_t end_of_bytes(const struct alone *x, size_t group)
{
    size_t all = race_blocks_groups(x->workers, x->n, 1);
    size_t end = (group + 1) * RACE_WORD;
    return !x->narrow ? 0 : end < all ? end : all;
}

static bool any_wrote(const struct alone *x, size_t group)
{
    size_t end = end_of_bytes(x, group);
    unsigned classes = race_blocks_touched(x->workers, x->n, 0, group);
    for (size_t b = group * RACE_WORD; b < end; b++)
        classes |= race_blocks_touched(x->workers, x->n, 1, b);
    return classes & (1u << RACE_WRITE | 1u << RACE_STRONG_WRITE);
}

static bool bytes_met(const struct alone *x, size_t group,
                      const struct touchers *words)
{
    size_t begin = group * RACE_WORD, end = end_of_bytes(x, group);
    struct touchers t;
    bool any = false;
    unsigned met = 0;
    for (int k = 0; k < x->n; k++) {
        const struct race *r = x->workers[k].race;
        for (size_t b = begin; b < end; b++) {
            if (!r->global[1].touched[b])
                continue;
            if (!any)
                spread(words, &t);
            any = true;
            add_group(&t, (b - begin) * RACE_GROUP, r, &r->global[1], b);
        }
    }
    for (size_t n = 0; any && n < RACE_GROUP * RACE_WORD; n++)
        met |= t.how[n] == MET;
    return met;
}

static bool any_met(const struct alone *x, size_t group)
{
    struct touchers words;
    return words_met(x, group, &words) ||
           (x->narrow && bytes_met(x, group, &words));
}

static void look_at_group(const struct alone *x, size_t group)
{
    size_t end = end_of_bytes(x, group);
    if (any_wrote(x, group) && any_met(x, group))
        return;
    race_blocks_clear(x->workers, x->n, 0, group);
    for (size_t b = group * RACE_WORD; b < end; b++)
        race_blocks_clear(x->workers, x->n, 1, b);
}

static void look_at_some(void *context, int k)
{
    struct alone *x = context;
    size_t from;
    (void)k;
    while ((from = atomic_fetch_add(&x->next, AT_ONCE)) < x->n_groups)
        for (size_t n = from; n < from + AT_ONCE && n < x->n_groups; n++)
            look_at_group(x, x->group[n]);
}

/* From this one on; end: none. */
static size_t next_touched(const struct alone *x, size_t group, size_t end)
{
    size_t bytes = race_blocks_groups(x->workers, x->n, 1), byte;
    size_t word = race_blocks_next(x->workers, x->n, 0, group, end);
    if (!x->narrow)
        return word;
    if (bytes > word * RACE_WORD)
        bytes = word * RACE_WORD;
    if (bytes <= group * RACE_WORD)
        return word;
    byte = race_blocks_next(x->workers, x->n, 1, group * RACE_WORD, bytes);
    return byte < bytes ? byte / RACE_WORD : word;
}

static void list_group(struct alone *x, size_t group)
{
    if (x->n_groups == x->room) {
        x->room = 2 * x->room + FEW;
        x->group = own_not_null(realloc(x->group,
                                        x->room * sizeof *x->group));
    }
    x->group[x->n_groups++] = group;
}

static void list_groups(struct alone *x)
{
    size_t groups = race_blocks_groups(x->workers, x->n, 0), next = 0;
    struct reach reach = {.of = &x->workers->run->engine->memory};
    while (race_reach(&reach, RACE_GROUP * RACE_WORD)) {
        size_t end = reach.end < groups ? reach.end : groups;
        size_t g = reach.from > next ? reach.from : next; /* may share one */
        for (; (g = next_touched(x, g, end)) < end; g++)
            list_group(x, g);
        next = end > next ? end : next;
    }
}

void race_alone_clear(struct worker *workers, int n)
{
    struct alone x = {.workers = workers, .n = n,
                      .narrow = workers->run->narrow};
    list_groups(&x);
    threads_run(x.n_groups < FEW ? 1 : n, look_at_some, &x, false);
    free(x.group);
}
