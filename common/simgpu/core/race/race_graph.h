// SPDX-License-Identifier: MIT
/*
 * race_graph.h: releases, and what each had seen.
 *
 *   race_graph_add     one more; NULL: there is no room
 *   race_graph_see     what has seen a release has seen another, too
 *   race_graph_search  a release that was seen, and covers an access
 *   race_graph_search_since  one that is not older than a time; NULL, too, if
 *                      it is not among the first `most` nodes
 *   race_graph_free
 *
 * A release is a write that raises a flag, or a barrier behind fences; a node
 * joins two of which neither knows of the other. A search for an access ends at
 * releases that are older than the first one that can cover it. That one is
 * looked up: by thread, by warp and by block the graph has a list of stamps
 * below which releases cover accesses, each with the first release that covers
 * so much. So a search that fails because nobody released what it is for takes
 * no time, and one behind a lock takes as many steps as the lock has changed
 * hands since.
 */
#ifndef SIMGPU_RACE_GRAPH_H
#define SIMGPU_RACE_GRAPH_H

#include "race.h"

/* What the threads of a block had fenced when they met: of a warp, the lanes
 * that fenced, the stamp that all their fences cover of themselves, and of the
 * warp; and what they cover of the block. */
struct fenced {
    struct fenced *next;
    uint32_t lanes[MAX_WARPS], own[MAX_WARPS], warp[MAX_WARPS], floor;
};

struct release {
    uint64_t block;        /* index; UINT64_MAX: it joins two */
    uint32_t thread, stamp; /* of the write that raised the flag */
    struct fence fence;
    const struct release *before[2]; /* what its writer had seen, and the flag
                                        said before */
    const struct fenced *fenced;     /* of threads that met; or NULL */
    uint64_t mark;         /* of the search that came here last */
    uint32_t number;       /* as they were added: before[] have lower ones */
    uint32_t time;         /* its writer's, where that counts */
};

struct race_graph {
    struct chunk *chunks;
    size_t n;              /* nodes */
    struct first_list **lists; /* a table */
    size_t n_lists, n_heads;
    uint64_t mark;
    const struct release **stack;
    size_t room;
};

/* A copy of x, which has no number yet. */
const struct release *race_graph_add(struct race_graph *g,
                                     const struct release *x);
bool race_graph_see(struct race_graph *g, const struct release **seen,
                    const struct release *r);
/* before: the tag of an access of that block. */
bool race_graph_covers(const struct release *r, uint64_t block,
                       uint64_t before);
const struct release *race_graph_search(struct race_graph *g,
                                        const struct release *from,
                                        uint64_t block, uint64_t before);
const struct release *race_graph_search_since(struct race_graph *g,
                                              const struct release *from,
                                              uint64_t block, uint64_t before,
                                              uint32_t time, size_t most);
void race_graph_free(struct race_graph *g);

#endif
