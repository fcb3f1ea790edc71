// SPDX-License-Identifier: MIT
/*
 * graph.h: graphs, for graph*.c, work.c and capture.c.
 *
 *   graph_new, graph_clone, graph_free
 *   graph_add       a node that owns a copy of the work
 *   graph_find, graph_sort, graph_reaches
 *   graph_has_memory, graph_refuse_memory, graph_memory_*
 *                   allocations and frees (graph_memory.c)
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
    struct nodes before;    /* its dependencies */
    void **args;            /* handed out by -KernelNodeGetParams; or NULL */
    cudaGraphNode_t origin; /* in a clone: the node it was made from */
    bool disabled, seen;    /* seen: visited by a walk over the graph */
    uint64_t branch, event; /* while it runs: the stream number, and the event
                               recorded after the node */
};

struct CUgraph_st {
    struct nodes nodes;     /* in the order in which they were added */
    bool launched;          /* of an executable graph: what runs is a replay */
};

struct CUgraphExec_st {
    cudaGraph_t graph;      /* a clone, topologically sorted */
    uint64_t last;          /* stream of its last launch, or 0 */
    bool frees;             /* at a launch: what the last one left allocated */
};

cudaGraph_t graph_new(void);
/* NULL: out of memory. */
cudaGraph_t graph_clone(cudaGraph_t graph);
void graph_free(cudaGraph_t graph);
/* NULL: out of memory, or before names a node of another graph. */
cudaGraphNode_t graph_add(cudaGraph_t graph, const struct rt_work *work,
                          const cudaGraphNode_t *before, size_t n);
/* The clone's node that was made from node, or NULL. */
cudaGraphNode_t graph_find(cudaGraph_t clone, cudaGraphNode_t node);
/* Sorts topologically; false: the dependencies form a cycle. */
bool graph_sort(cudaGraph_t graph);
/* Is node one of nodes, or does one of nodes depend on it? */
bool graph_reaches(const struct nodes *nodes, cudaGraphNode_t node);

bool graph_has_memory(cudaGraph_t graph);
/* The error of what CUDA does not allow for a graph with memory nodes. */
cudaError_t graph_refuse_memory(void);
/* One executable graph at a time owns the memory; false: another does. */
bool graph_memory_own(cudaGraph_t graph);
void graph_memory_disown(cudaGraph_t graph);
/* Before a launch: nothing of the last one may be left, or else is freed. */
cudaError_t graph_memory_begin(cudaGraphExec_t exec, uint64_t on);

bool nodes_add(struct nodes *nodes, cudaGraphNode_t node);
bool nodes_hold(const struct nodes *nodes, cudaGraphNode_t node);
void nodes_free(struct nodes *nodes);

#endif
