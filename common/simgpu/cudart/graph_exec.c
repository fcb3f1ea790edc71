// SPDX-License-Identifier: MIT
/*
 * graph_exec.c: instantiates graphs and runs them.
 *
 *   cudaGraphInstantiate, -InstantiateWithFlags, cudaGraphUpload
 *   cudaGraphLaunch, cudaGraphExecDestroy, cudaGraphExecUpdate
 *   cudaGraphNodeSetEnabled, -GetEnabled
 *   rt_do_graph   see runtime.h
 *
 * An executable graph is a topologically sorted clone. It runs in that order,
 * which is one of the orders that a device may choose. Race detection still
 * sees the graph's own order: each branch runs as a stream of its own, and
 * events carry the edges between branches.
 */
#include "graph.h"

#include <stdatomic.h>
#include <stdlib.h>

/* Each node depends on the one before it: the stream's order is enough. */
static bool is_chain(cudaGraph_t graph)
{
    bool chain = true;
    for (size_t i = 0; i < graph->nodes.n; i++) {
        const struct nodes *before = &graph->nodes.list[i]->before;
        chain &= i == 0 ? before->n == 0
                        : before->n == 1 &&
                              before->list[0] == graph->nodes.list[i - 1];
    }
    return chain;
}

static cudaError_t do_node(cudaGraphNode_t node, uint64_t on)
{
    return node->disabled ? cudaSuccess : rt_do(&node->work, on);
}

static cudaError_t do_chain(cudaGraph_t graph, uint64_t on)
{
    cudaError_t error = cudaSuccess;
    for (size_t i = 0; i < graph->nodes.n && !error; i++)
        error = do_node(graph->nodes.list[i], on);
    return error;
}

/* Branches so far of the graph that this thread runs, child graphs included. */
static _Thread_local uint64_t branches;

#define BRANCHES ((1ull << (SIMWIRE_THREAD - SIMWIRE_PART)) - 1)

/* What all branches of a graph have in common that runs on this stream, or as a
 * node of another graph on this branch. */
static uint64_t graph_on(uint64_t on)
{
    if (on & SIMWIRE_BRANCH)
        return on & ~(BRANCHES << SIMWIRE_PART);
    return (on & UINT32_MAX) | SIMWIRE_BRANCH |
           (on >> SIMWIRE_PART & 1023) << SIMWIRE_THREAD;
}

/* The branch of the first dependency that no other node has continued yet;
 * else a new branch. */
static uint64_t branch_of(cudaGraphNode_t node, uint64_t on)
{
    for (size_t k = 0; k < node->before.n; k++) {
        cudaGraphNode_t before = node->before.list[k];
        if (!before->seen) {
            before->seen = true;
            return before->branch;
        }
    }
    return graph_on(on) | (++branches & BRANCHES) << SIMWIRE_PART;
}

static cudaError_t wait_for_before(cudaGraphNode_t node, uint64_t fork)
{
    cudaError_t error = node->before.n ? cudaSuccess
                                       : rt_event_wait(fork, node->branch);
    for (size_t k = 0; k < node->before.n && !error; k++)
        error = rt_event_wait(node->before.list[k]->event, node->branch);
    return error;
}

/* Each node records an event; its dependents wait for that event, and the
 * launching stream waits for all of them. */
static cudaError_t do_branches(cudaGraph_t graph, uint64_t on)
{
    const struct nodes *nodes = &graph->nodes;
    uint64_t fork = rt_event_number(), time;
    cudaError_t error = rt_event_record(fork, on, &time);
    for (size_t i = 0; i < nodes->n; i++) {
        nodes->list[i]->seen = false;
        nodes->list[i]->event = rt_event_number();
    }
    for (size_t i = 0; i < nodes->n && !error; i++) {
        cudaGraphNode_t node = nodes->list[i];
        node->branch = branch_of(node, on);
        error = wait_for_before(node, fork);
        if (!error)
            error = do_node(node, node->branch);
        if (!error)
            error = rt_event_record(node->event, node->branch, &time);
    }
    for (size_t i = 0; i < nodes->n; i++) {
        if (!error)
            error = rt_event_wait(nodes->list[i]->event, on);
        rt_event_done(nodes->list[i]->event);
    }
    rt_event_done(fork);
    return error;
}

static _Thread_local int depth;        /* of the graphs that this thread runs */
static _Thread_local uint64_t running; /* number of that launch, and whether it
                                          is a replay */

uint64_t rt_in_graph(void)
{
    return depth > 0 ? running : 0;
}

cudaError_t rt_do_graph(cudaGraph_t graph, uint64_t on)
{
    static atomic_uint launches;
    if (depth == 0) {
        branches = 0;
        running = (uint64_t)atomic_fetch_add(&launches, 1) + 1;
        running |= graph->launched ? SIMWIRE_REPLAY : 0;
        graph->launched = true;
    }
    depth++;
    cudaError_t error = is_chain(graph) ? do_chain(graph, on)
                                        : do_branches(graph, on);
    depth--;
    return error;
}

/* Child graphs too. */
static bool sort_all(cudaGraph_t graph)
{
    bool ok = graph_sort(graph);
    for (size_t i = 0; ok && i < graph->nodes.n; i++)
        if (graph->nodes.list[i]->work.kind == RT_GRAPH)
            ok = sort_all(graph->nodes.list[i]->work.graph);
    return ok;
}

static cudaError_t instantiate(cudaGraphExec_t *exec, cudaGraph_t graph,
                               unsigned long long flags)
{
    if (!exec || !graph)
        return cudaErrorInvalidValue;
    if (!graph_memory_own(graph))
        return graph_refuse_memory();
    *exec = malloc(sizeof **exec);
    cudaGraph_t clone = *exec ? graph_clone(graph) : NULL;
    if (clone && sort_all(clone)) {
        (*exec)->graph = clone;
        (*exec)->last = 0;
        (*exec)->frees = flags & cudaGraphInstantiateFlagAutoFreeOnLaunch;
        return cudaSuccess;
    }
    cudaError_t error = clone ? rt_fail(cudaErrorInvalidValue,
                                        "nodes wait for each other in a circle")
                              : cudaErrorMemoryAllocation;
    graph_memory_disown(graph);
    graph_free(clone);
    free(*exec);
    *exec = NULL;
    return error;
}

#if CUDART_VERSION >= 12000
cudaError_t cudaGraphInstantiate(cudaGraphExec_t *pGraphExec,
                                 cudaGraph_t graph, unsigned long long flags)
{
    return DONE(instantiate(pGraphExec, graph, flags));
}
#else
cudaError_t cudaGraphInstantiate(cudaGraphExec_t *pGraphExec,
                                 cudaGraph_t graph,
                                 cudaGraphNode_t *pErrorNode,
                                 char *pLogBuffer, size_t bufferSize)
{
    if (pErrorNode)
        *pErrorNode = NULL;
    if (pLogBuffer && bufferSize)
        *pLogBuffer = '\0';
    return DONE(instantiate(pGraphExec, graph, 0));
}
#endif

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *pGraphExec,
                                          cudaGraph_t graph,
                                          unsigned long long flags)
{
    return DONE(instantiate(pGraphExec, graph, flags));
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t graphExec)
{
    if (graphExec) {
        graph_memory_disown(graphExec->graph);
        graph_free(graphExec->graph);
    }
    free(graphExec);
    return DONE(graphExec ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaGraphUpload(cudaGraphExec_t graphExec, cudaStream_t stream)
{
    return DONE(graphExec && rt_is_stream(stream) ? cudaSuccess
                                                  : cudaErrorInvalidValue);
}
TWIN(cudaGraphUpload, _ptsz)

/* Launches of one executable graph are ordered, even on different streams. */
static cudaError_t follow_last(cudaGraphExec_t exec, uint64_t on)
{
    uint64_t event, time, last = exec->last;
    exec->last = on;
    if (!last || last == on)
        return cudaSuccess;
    event = rt_event_number();
    cudaError_t error = rt_event_record(event, last, &time);
    if (!error)
        error = rt_event_wait(event, on);
    rt_event_done(event);
    return error;
}

/* On a captured stream it becomes a child graph. */
cudaError_t cudaGraphLaunch(cudaGraphExec_t graphExec, cudaStream_t stream)
{
    if (!graphExec)
        return DONE(cudaErrorInvalidValue);
    if (!rt_is_stream(stream))
        return DONE(cudaErrorInvalidResourceHandle);
    struct rt_work work = {.kind = RT_GRAPH, .graph = graphExec->graph};
    uint64_t on = rt_stream_id(stream);
    if (rt_is_capturing(stream) && graph_has_memory(graphExec->graph))
        return DONE(graph_refuse_memory());
    cudaError_t error = follow_last(graphExec, on);
    if (!error)
        error = graph_memory_begin(graphExec, on);
    return DONE(error ? error : rt_submit(&work, stream));
}

static bool same_shape(cudaGraph_t exec, cudaGraph_t graph)
{
    bool same = exec->nodes.n == graph->nodes.n;
    for (size_t i = 0; same && i < graph->nodes.n; i++) {
        const struct CUgraphNode_st *a = exec->nodes.list[i];
        const struct CUgraphNode_st *b = graph->nodes.list[i];
        same = a->work.kind == b->work.kind && a->before.n == b->before.n;
        if (a->work.kind == RT_ALLOC || a->work.kind == RT_FREE)
            same &= a->work.memory.address == b->work.memory.address;
    }
    return same;
}

/* Replaces exec's graph by one of the same shape, whose node handles are valid
 * for exec afterwards. */
static bool update(cudaGraphExec_t exec, cudaGraph_t graph)
{
    cudaGraph_t clone = graph_clone(graph);
    if (!clone || !sort_all(clone) || !same_shape(exec->graph, clone)) {
        graph_free(clone);
        return false;
    }
    graph_free(exec->graph);
    exec->graph = clone;
    return true;
}

#if CUDART_VERSION >= 12000
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t hGraphExec, cudaGraph_t hGraph,
                                cudaGraphExecUpdateResultInfo *resultInfo)
{
    bool ok = hGraphExec && hGraph && update(hGraphExec, hGraph);
    if (resultInfo)
        *resultInfo = (cudaGraphExecUpdateResultInfo){
            .result = ok ? cudaGraphExecUpdateSuccess
                         : cudaGraphExecUpdateErrorTopologyChanged};
    return DONE(ok ? cudaSuccess : cudaErrorGraphExecUpdateFailure);
}
#else
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t hGraphExec, cudaGraph_t hGraph,
                                cudaGraphNode_t *hErrorNode_out,
                                enum cudaGraphExecUpdateResult *result)
{
    bool ok = hGraphExec && hGraph && update(hGraphExec, hGraph);
    if (hErrorNode_out)
        *hErrorNode_out = NULL;
    if (result)
        *result = ok ? cudaGraphExecUpdateSuccess
                     : cudaGraphExecUpdateErrorTopologyChanged;
    return DONE(ok ? cudaSuccess : cudaErrorGraphExecUpdateFailure);
}
#endif

cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t hGraphExec,
                                    cudaGraphNode_t hNode,
                                    unsigned int isEnabled)
{
    cudaGraphNode_t node = hGraphExec ? graph_find(hGraphExec->graph, hNode)
                                      : NULL;
    if (node)
        node->disabled = !isEnabled;
    return DONE(node ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t hGraphExec,
                                    cudaGraphNode_t hNode,
                                    unsigned int *isEnabled)
{
    cudaGraphNode_t node = hGraphExec ? graph_find(hGraphExec->graph, hNode)
                                      : NULL;
    if (node && isEnabled)
        *isEnabled = !node->disabled;
    return DONE(node && isEnabled ? cudaSuccess : cudaErrorInvalidValue);
}
