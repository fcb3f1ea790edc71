// SPDX-License-Identifier: MIT
/* race_graph.c: see race_graph.h. */
#include "race_graph.h"

#include <stdlib.h>

#include "simgpu/core/memory/own.h"

enum { NODES_MOST = 1 << 20, CHUNK = 1024, LISTS_FIRST = 64 };

struct chunk {
    struct chunk *next;
    struct release nodes[CHUNK];
};

/* Releases that cover more of a thread, a warp or a block than all before
 * them. */
struct first_list {
    uint64_t block;
    uint32_t part;         /* see below */
    uint32_t n, room;
    struct first { uint32_t below, number; } *first;
    struct first_list *next;
};

/* Parts of a block: its threads, its warps, itself. */
enum { PART_WARP = MAX_WARPS * LANES, PART_BLOCK = PART_WARP + MAX_WARPS };

/* The first release of each part ------------------------------------------ */

static size_t place_of(const struct race_graph *g, uint64_t block,
                       uint32_t part)
{
    uint64_t h = (block * 2048 + part) * 0x9e3779b97f4a7c15u;
    return (size_t)(h >> 32) & (g->n_heads - 1);
}

static struct first_list *list_of(const struct race_graph *g, uint64_t block,
                                  uint32_t part)
{
    struct first_list *x =
        g->n_heads ? g->lists[place_of(g, block, part)] : NULL;
    while (x && (x->block != block || x->part != part))
        x = x->next;
    return x;
}

static void grow_table(struct race_graph *g)
{
    struct race_graph had = *g;
    g->n_heads = had.n_heads ? 2 * had.n_heads : LISTS_FIRST;
    g->lists = own_not_null(calloc(g->n_heads, sizeof *g->lists));
    for (size_t n = 0; n < had.n_heads; n++)
        for (struct first_list *x = had.lists[n], *next; x; x = next) {
            struct first_list **head =
                &g->lists[place_of(g, x->block, x->part)];
            next = x->next;
            x->next = *head;
            *head = x;
        }
    free(had.lists);
}

static struct first_list *list_new(struct race_graph *g, uint64_t block,
                                   uint32_t part)
{
    if (g->n_lists++ == g->n_heads)
        grow_table(g);
    struct first_list *x = own_not_null(calloc(1, sizeof *x));
    struct first_list **head = &g->lists[place_of(g, block, part)];
    *x = (struct first_list){.block = block, .part = part, .next = *head};
    return *head = x;
}

/* The release covers what the part did below the stamp. */
static void note(struct race_graph *g, const struct release *r, uint32_t part,
                 uint32_t below)
{
    if (!below)
        return;
    struct first_list *x = list_of(g, r->block, part);
    if (!x)
        x = list_new(g, r->block, part);
    if (x->n && x->first[x->n - 1].below >= below)
        return;
    if (x->n == x->room) {
        x->room = x->room ? 2 * x->room : 2;
        x->first = own_not_null(realloc(x->first,
                                        x->room * sizeof *x->first));
    }
    x->first[x->n++] = (struct first){below, r->number};
}

static void note_all(struct race_graph *g, const struct release *r)
{
    const struct fenced *f = r->fenced;
    if (!f) {
        uint32_t itself = r->stamp + 1; /* the flag's own write */
        note(g, r, r->thread, r->fence.own > itself ? r->fence.own : itself);
        note(g, r, PART_WARP + r->thread / LANES, r->fence.warp);
        note(g, r, PART_BLOCK, r->fence.block);
        return;
    }
    for (uint32_t n = 0; n < MAX_WARPS; n++) {
        uint32_t own = f->lanes[n] ? f->own[n] : 0;
        note(g, r, PART_WARP + n, own > f->warp[n] ? own : f->warp[n]);
    }
    note(g, r, PART_BLOCK, f->floor);
}

/* The number of the first release that covers what the part did at the stamp;
 * or SIZE_MAX. */
static size_t first_of(const struct race_graph *g, uint64_t block,
                       uint32_t part, uint32_t stamp)
{
    const struct first_list *x = list_of(g, block, part);
    uint32_t from = 0, to = x ? x->n : 0, n = to;
    while (from < to) {
        uint32_t middle = from + (to - from) / 2;
        if (x->first[middle].below > stamp)
            to = middle;
        else
            from = middle + 1;
    }
    return from < n ? x->first[from].number : SIZE_MAX;
}

/* No release before this one covers the access. */
static size_t oldest(const struct race_graph *g, uint64_t block,
                     uint64_t before)
{
    uint32_t stamp = before >> TAG_STAMP, thread = tag_thread(before);
    const uint32_t parts[] = {thread, PART_WARP + thread / LANES, PART_BLOCK};
    size_t first = SIZE_MAX;
    for (int k = 0; k < 3; k++) {
        size_t n = first_of(g, block, parts[k], stamp);
        first = n < first ? n : first;
    }
    return first;
}

/* The graph --------------------------------------------------------------- */

const struct release *race_graph_add(struct race_graph *g,
                                     const struct release *x)
{
    if (g->n == NODES_MOST)
        return NULL;
    if (g->n % CHUNK == 0) {
        struct chunk *c = own_not_null(calloc(1, sizeof *c));
        c->next = g->chunks;
        g->chunks = c;
    }
    struct release *r = &g->chunks->nodes[g->n % CHUNK];
    *r = *x;
    r->number = (uint32_t)g->n++;
    if (r->block != UINT64_MAX)
        note_all(g, r);
    return r;
}

/* false: there was no room to say so. */
bool race_graph_see(struct race_graph *g, const struct release **seen,
                    const struct release *r)
{
    const struct release *old = *seen;
    if (!r || r == old || (old && (old->before[0] == r ||
                                   old->before[1] == r)))
        return true;
    if (!old || r->before[0] == old || r->before[1] == old) {
        *seen = r;
        return true;
    }
    const struct release both = {.block = UINT64_MAX, .before = {r, old}};
    const struct release *new = race_graph_add(g, &both);
    if (new)
        *seen = new;
    return new;
}

bool race_graph_covers(const struct release *r, uint64_t block,
                       uint64_t before)
{
    uint32_t stamp = before >> TAG_STAMP, thread = tag_thread(before);
    uint32_t warp = thread / LANES;
    if (r->block != block)
        return false;
    if (r->fenced)
        return stamp < r->fenced->floor || stamp < r->fenced->warp[warp] ||
               (r->fenced->lanes[warp] >> thread % LANES & 1 &&
                stamp < r->fenced->own[warp]);
    return stamp < r->fence.block ||
           (warp == r->thread / LANES && stamp < r->fence.warp) ||
           (thread == r->thread &&
            (stamp < r->fence.own ||
             (stamp == r->stamp && before >> TAG_CLASS & RACE_STRONG_READ)));
}

static void push(struct race_graph *g, size_t *n, const struct release *r,
                 size_t oldest)
{
    if (!r || r->number < oldest || r->mark == g->mark)
        return;
    if (*n == g->room) {
        g->room = g->room ? 2 * g->room : 256;
        g->stack = own_not_null(realloc(g->stack, g->room * sizeof *g->stack));
    }
    ((struct release *)r)->mark = g->mark;
    g->stack[(*n)++] = r;
}

const struct release *race_graph_search(struct race_graph *g,
                                        const struct release *from,
                                        uint64_t block, uint64_t before)
{
    return race_graph_search_since(g, from, block, before, 0, SIZE_MAX);
}

const struct release *race_graph_search_since(struct race_graph *g,
                                              const struct release *from,
                                              uint64_t block, uint64_t before,
                                              uint32_t time, size_t most)
{
    size_t n = 0, first = oldest(g, block, before);
    g->mark++;
    push(g, &n, from, first);
    for (; n && most; most--) {
        const struct release *r = g->stack[--n];
        if (r->time >= time && race_graph_covers(r, block, before))
            return r;
        push(g, &n, r->before[1], first);
        push(g, &n, r->before[0], first);
    }
    return NULL;
}

void race_graph_free(struct race_graph *g)
{
    while (g->chunks) {
        struct chunk *next = g->chunks->next;
        free(g->chunks);
        g->chunks = next;
    }
    for (size_t n = 0; n < g->n_heads; n++)
        while (g->lists[n]) {
            struct first_list *next = g->lists[n]->next;
            free(g->lists[n]->first);
            free(g->lists[n]);
            g->lists[n] = next;
        }
    free(g->lists);
    free(g->stack);
}
