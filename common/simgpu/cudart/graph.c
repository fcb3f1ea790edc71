// SPDX-License-Identifier: MIT
/*
 * graph.c: graphs: nodes of work and their dependencies.
 *
 *   cudaGraphCreate, cudaGraphDestroy, cudaGraphClone, cudaGraphDestroyNode
 *   cudaGraphNodeFindInClone, cudaGraphNodeGetType
 *   graph_*, nodes_*   see graph.h
 */
#include "graph.h"

#include <stdlib.h>

bool nodes_add(struct nodes *nodes, cudaGraphNode_t node)
{
    cudaGraphNode_t *grown =
        realloc(nodes->list, (nodes->n + 1) * sizeof *grown);
    if (!grown)
        return false;
    nodes->list = grown;
    grown[nodes->n++] = node;
    return true;
}

bool nodes_hold(const struct nodes *nodes, cudaGraphNode_t node)
{
    size_t i = 0;
    while (i < nodes->n && nodes->list[i] != node)
        i++;
    return i < nodes->n;
}

void nodes_free(struct nodes *nodes)
{
    free(nodes->list);
    *nodes = (struct nodes){0};
}

cudaGraph_t graph_new(void)
{
    return calloc(1, sizeof(struct CUgraph_st));
}

static void free_node(cudaGraphNode_t node)
{
    rt_work_free(&node->work);
    nodes_free(&node->before);
    free(node->args);
    free(node);
}

void graph_free(cudaGraph_t graph)
{
    if (!graph)
        return;
    for (size_t i = 0; i < graph->nodes.n; i++)
        free_node(graph->nodes.list[i]);
    nodes_free(&graph->nodes);
    free(graph);
}

static const enum cudaGraphNodeType types[] = {
    [RT_LAUNCH] = cudaGraphNodeTypeKernel,
    [RT_COPY] = cudaGraphNodeTypeMemcpy,
    [RT_FILL] = cudaGraphNodeTypeMemset,
    [RT_HOST] = cudaGraphNodeTypeHost,
    [RT_EVENT_RECORD] = cudaGraphNodeTypeEventRecord,
    [RT_EVENT_WAIT] = cudaGraphNodeTypeWaitEvent,
    [RT_EMPTY] = cudaGraphNodeTypeEmpty,
    [RT_GRAPH] = cudaGraphNodeTypeGraph,
    [RT_ALLOC] = cudaGraphNodeTypeMemAlloc,
    [RT_FREE] = cudaGraphNodeTypeMemFree,
};

cudaGraphNode_t graph_add(cudaGraph_t graph, const struct rt_work *work,
                          const cudaGraphNode_t *before, size_t n)
{
    cudaGraphNode_t node = calloc(1, sizeof *node);
    if (!node)
        return NULL;
    *node = (struct CUgraphNode_st){.graph = graph, .work = *work,
                                    .type = types[work->kind]};
    bool ok = rt_work_own(&node->work);
    for (size_t i = 0; ok && i < n; i++)
        ok = nodes_hold(&graph->nodes, before[i]) &&
             nodes_add(&node->before, before[i]);
    if (ok && nodes_add(&graph->nodes, node))
        return node;
    free_node(node);
    return NULL;
}

cudaGraphNode_t graph_find(cudaGraph_t clone, cudaGraphNode_t node)
{
    for (size_t i = 0; i < clone->nodes.n; i++)
        if (clone->nodes.list[i]->origin == node)
            return clone->nodes.list[i];
    return NULL;
}

static bool clone_nodes(cudaGraph_t clone, cudaGraph_t graph)
{
    for (size_t i = 0; i < graph->nodes.n; i++) {
        cudaGraphNode_t old = graph->nodes.list[i];
        cudaGraphNode_t node = graph_add(clone, &old->work, NULL, 0);
        if (!node)
            return false;
        node->origin = old;
        node->disabled = old->disabled;
    }
    return true;
}

static bool clone_edges(cudaGraph_t clone, cudaGraph_t graph)
{
    for (size_t i = 0; i < graph->nodes.n; i++) {
        const struct nodes *before = &graph->nodes.list[i]->before;
        for (size_t k = 0; k < before->n; k++)
            if (!nodes_add(&clone->nodes.list[i]->before,
                           graph_find(clone, before->list[k])))
                return false;
    }
    return true;
}

cudaGraph_t graph_clone(cudaGraph_t graph)
{
    cudaGraph_t clone = graph_new();
    if (clone && clone_nodes(clone, graph) && clone_edges(clone, graph))
        return clone;
    graph_free(clone);
    return NULL;
}

static void forget_seen(cudaGraph_t graph)
{
    for (size_t i = 0; i < graph->nodes.n; i++)
        graph->nodes.list[i]->seen = false;
}

static bool reaches(const struct nodes *nodes, cudaGraphNode_t node)
{
    for (size_t i = 0; i < nodes->n; i++) {
        cudaGraphNode_t from = nodes->list[i];
        bool seen = from->seen;
        from->seen = true;
        if (from == node || (!seen && reaches(&from->before, node)))
            return true;
    }
    return false;
}

bool graph_reaches(const struct nodes *nodes, cudaGraphNode_t node)
{
    forget_seen(node->graph);
    return reaches(nodes, node);
}

static bool is_ready(cudaGraphNode_t node)
{
    for (size_t i = 0; i < node->before.n; i++)
        if (!node->before.list[i]->seen)
            return false;
    return !node->seen;
}

bool graph_sort(cudaGraph_t graph)
{
    struct nodes sorted = {0};
    forget_seen(graph);
    for (bool moved = true; moved;) {
        moved = false;
        for (size_t i = 0; i < graph->nodes.n; i++) {
            cudaGraphNode_t node = graph->nodes.list[i];
            if (is_ready(node) && nodes_add(&sorted, node))
                moved = node->seen = true;
        }
    }
    bool all = sorted.n == graph->nodes.n;
    nodes_free(all ? &graph->nodes : &sorted);
    if (all)
        graph->nodes = sorted;
    return all;
}

cudaError_t cudaGraphCreate(cudaGraph_t *pGraph, unsigned int flags)
{
    if (!pGraph || flags)
        return DONE(cudaErrorInvalidValue);
    *pGraph = graph_new();
    return DONE(*pGraph ? cudaSuccess : cudaErrorMemoryAllocation);
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph)
{
    graph_free(graph);
    return DONE(graph ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaGraphClone(cudaGraph_t *pGraphClone, cudaGraph_t originalGraph)
{
    if (!pGraphClone || !originalGraph)
        return DONE(cudaErrorInvalidValue);
    if (graph_has_memory(originalGraph))
        return DONE(graph_refuse_memory());
    *pGraphClone = graph_clone(originalGraph);
    return DONE(*pGraphClone ? cudaSuccess : cudaErrorMemoryAllocation);
}

cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t *pNode,
                                     cudaGraphNode_t originalNode,
                                     cudaGraph_t clonedGraph)
{
    if (!pNode || !clonedGraph)
        return DONE(cudaErrorInvalidValue);
    *pNode = graph_find(clonedGraph, originalNode);
    return DONE(*pNode ? cudaSuccess : cudaErrorInvalidValue);
}

static void take_out(struct nodes *nodes, cudaGraphNode_t node)
{
    size_t kept = 0;
    for (size_t i = 0; i < nodes->n; i++)
        if (nodes->list[i] != node)
            nodes->list[kept++] = nodes->list[i];
    nodes->n = kept;
}

cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node)
{
    if (!node)
        return DONE(cudaErrorInvalidValue);
    if (graph_has_memory(node->graph))
        return DONE(graph_refuse_memory());
    struct nodes *all = &node->graph->nodes;
    take_out(all, node);
    for (size_t i = 0; i < all->n; i++)
        take_out(&all->list[i]->before, node);
    free_node(node);
    return DONE(cudaSuccess);
}

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node,
                                 enum cudaGraphNodeType *pType)
{
    if (!node || !pType)
        return DONE(cudaErrorInvalidValue);
    *pType = node->type;
    return DONE(cudaSuccess);
}
