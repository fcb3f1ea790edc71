// SPDX-License-Identifier: MIT
/*
 * graph_edges.c: queries for a graph's nodes and edges; new edges.
 *
 *   cudaGraphGetNodes, -GetRootNodes, -GetEdges, -AddDependencies
 *   cudaGraphNodeGetDependencies, -GetDependentNodes
 *
 * The queries return lists as CUDA does: without an array they return the
 * list's length; unused elements of the array become NULL.
 */
#include "graph.h"

#include <string.h>

struct answer {
    cudaGraphNode_t *to; /* NULL: only count */
    size_t room, n;
};

static void give(struct answer *a, cudaGraphNode_t node)
{
    if (a->to && a->n < a->room)
        a->to[a->n] = node;
    a->n++;
}

static size_t given(const struct answer *a)
{
    for (size_t i = a->n; a->to && i < a->room; i++)
        a->to[i] = NULL;
    return a->to && a->n > a->room ? a->room : a->n;
}

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes,
                              size_t *numNodes)
{
    if (!graph || !numNodes)
        return DONE(cudaErrorInvalidValue);
    struct answer a = {nodes, *numNodes, 0};
    for (size_t i = 0; i < graph->nodes.n; i++)
        give(&a, graph->nodes.list[i]);
    *numNodes = given(&a);
    return DONE(cudaSuccess);
}

cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph,
                                  cudaGraphNode_t *pRootNodes,
                                  size_t *pNumRootNodes)
{
    if (!graph || !pNumRootNodes)
        return DONE(cudaErrorInvalidValue);
    struct answer a = {pRootNodes, *pNumRootNodes, 0};
    for (size_t i = 0; i < graph->nodes.n; i++)
        if (graph->nodes.list[i]->before.n == 0)
            give(&a, graph->nodes.list[i]);
    *pNumRootNodes = given(&a);
    return DONE(cudaSuccess);
}

static cudaError_t get_edges(cudaGraph_t graph, cudaGraphNode_t *from,
                             cudaGraphNode_t *to, size_t *number)
{
    if (!graph || !number || !from != !to)
        return cudaErrorInvalidValue;
    struct answer begins = {from, *number, 0}, ends = {to, *number, 0};
    for (size_t i = 0; i < graph->nodes.n; i++) {
        cudaGraphNode_t node = graph->nodes.list[i];
        for (size_t k = 0; k < node->before.n; k++) {
            give(&begins, node->before.list[k]);
            give(&ends, node);
        }
    }
    given(&begins);
    *number = given(&ends);
    return cudaSuccess;
}

static cudaError_t get_before(cudaGraphNode_t node, cudaGraphNode_t *to,
                              size_t *number)
{
    if (!node || !number)
        return cudaErrorInvalidValue;
    struct answer a = {to, *number, 0};
    for (size_t k = 0; k < node->before.n; k++)
        give(&a, node->before.list[k]);
    *number = given(&a);
    return cudaSuccess;
}

static cudaError_t get_behind(cudaGraphNode_t node, cudaGraphNode_t *to,
                              size_t *number)
{
    if (!node || !number)
        return cudaErrorInvalidValue;
    struct answer a = {to, *number, 0};
    const struct nodes *all = &node->graph->nodes;
    for (size_t i = 0; i < all->n; i++)
        if (nodes_hold(&all->list[i]->before, node))
            give(&a, all->list[i]);
    *number = given(&a);
    return cudaSuccess;
}

static cudaError_t add_edges(cudaGraph_t graph, const cudaGraphNode_t *from,
                             const cudaGraphNode_t *to, size_t n)
{
    if (!graph || (n && (!from || !to)))
        return cudaErrorInvalidValue;
    for (size_t i = 0; i < n; i++)
        if (!nodes_hold(&graph->nodes, from[i]) ||
            !nodes_hold(&graph->nodes, to[i]) || from[i] == to[i] ||
            nodes_hold(&to[i]->before, from[i]))
            return cudaErrorInvalidValue;
    for (size_t i = 0; i < n; i++)
        if (!nodes_add(&to[i]->before, from[i]))
            return cudaErrorMemoryAllocation;
    return cudaSuccess;
}

/* CUDA 13 adds a parameter for edges with data; 12 has that form as _v2. */
#if CUDART_VERSION >= 13000
cudaError_t cudaGraphAddDependencies(cudaGraph_t graph,
                                     const cudaGraphNode_t *from,
                                     const cudaGraphNode_t *to,
                                     const cudaGraphEdgeData *edgeData,
                                     size_t numDependencies)
{
    return DONE(edgeData ? rt_fail(cudaErrorNotSupported,
                                   "edges with data are not simulated")
                         : add_edges(graph, from, to, numDependencies));
}

static cudaError_t blank(cudaError_t error, cudaGraphEdgeData *edges,
                         const size_t *n)
{
    if (error == cudaSuccess && edges)
        memset(edges, 0, *n * sizeof *edges);
    return error;
}

cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t *from,
                              cudaGraphNode_t *to, cudaGraphEdgeData *edgeData,
                              size_t *numEdges)
{
    cudaError_t error = get_edges(graph, from, to, numEdges);
    return DONE(blank(error, edgeData, numEdges));
}

cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node,
                                         cudaGraphNode_t *pDependencies,
                                         cudaGraphEdgeData *edgeData,
                                         size_t *pNumDependencies)
{
    cudaError_t error = get_before(node, pDependencies, pNumDependencies);
    return DONE(blank(error, edgeData, pNumDependencies));
}

cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node,
                                           cudaGraphNode_t *pDependentNodes,
                                           cudaGraphEdgeData *edgeData,
                                           size_t *pNumDependentNodes)
{
    cudaError_t error = get_behind(node, pDependentNodes, pNumDependentNodes);
    return DONE(blank(error, edgeData, pNumDependentNodes));
}
#else
cudaError_t cudaGraphAddDependencies(cudaGraph_t graph,
                                     const cudaGraphNode_t *from,
                                     const cudaGraphNode_t *to,
                                     size_t numDependencies)
{
    return DONE(add_edges(graph, from, to, numDependencies));
}

cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t *from,
                              cudaGraphNode_t *to, size_t *numEdges)
{
    return DONE(get_edges(graph, from, to, numEdges));
}

cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node,
                                         cudaGraphNode_t *pDependencies,
                                         size_t *pNumDependencies)
{
    return DONE(get_before(node, pDependencies, pNumDependencies));
}

cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node,
                                           cudaGraphNode_t *pDependentNodes,
                                           size_t *pNumDependentNodes)
{
    return DONE(get_behind(node, pDependentNodes, pNumDependentNodes));
}
#endif
