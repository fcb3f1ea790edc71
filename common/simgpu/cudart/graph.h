// SPDX-License-Identifier: MIT
/*
 * graph.h: graphs, as graph*.c, work.c and capture.c share them.
 *
 *   graph_new, graph_clone, graph_free
 *   graph_add       a node that owns a copy of the work
 *   graph_find, graph_sort, graph_reaches
 *   nodes_add, nodes_hold, nodes_free
 */
#ifndef SIMGPU_GRAPH_H
#define SIMGPU_GRAPH_H

#include "runtime.h"

struct nodes {
    cudaGraphNode_t *list;
    size_t n;
};

struct CUgraphNode_st {
    cudaGraph_t graph;
    enum cudaGraphNodeType type;
    struct rt_work work;
    struct nodes before;    /* those it waits for */
    cudaGraphNode_t origin; /* in a clone: the node it was made from */
    bool disabled, seen;    /* seen: by a walk over the graph */
    uint64_t branch, event; /* while it runs: where, and what it ends with */
};

struct CUgraph_st {
    struct nodes nodes;     /* as they were added */
};

struct CUgraphExec_st {
    cudaGraph_t graph;      /* a clone, in an order that may be run */
    uint64_t last;          /* stream that it was launched on, or 0 */
};

cudaGraph_t graph_new(void);
/* NULL: no memory. */
cudaGraph_t graph_clone(cudaGraph_t graph);
void graph_free(cudaGraph_t graph);
/* NULL: no memory, or one of before is no node of the graph. */
cudaGraphNode_t graph_add(cudaGraph_t graph, const struct rt_work *work,
                          const cudaGraphNode_t *before, size_t n);
/* The clone's node that was made from node, or NULL. */
cudaGraphNode_t graph_find(cudaGraph_t clone, cudaGraphNode_t node);
/* Puts each node behind all that it waits for; false: they wait in a circle. */
bool graph_sort(cudaGraph_t graph);
/* Is node one of nodes, or does one of them wait for it? */
bool graph_reaches(const struct nodes *nodes, cudaGraphNode_t node);

bool nodes_add(struct nodes *nodes, cudaGraphNode_t node);
bool nodes_hold(const struct nodes *nodes, cudaGraphNode_t node);
void nodes_free(struct nodes *nodes);

#endif
