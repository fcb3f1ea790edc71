// SPDX-License-Identifier: MIT
/*
 * graph_params.c: what a node of a graph does.
 *
 *   cudaGraphKernelNodeGetParams, -MemcpyNodeGetParams, -MemsetNodeGetParams,
 *   -HostNodeGetParams, -ChildGraphNodeGetGraph, -EventRecordNodeGetEvent,
 *   -EventWaitNodeGetEvent
 *
 * The arguments of a kernel that a program gets belong to the node: they are
 * valid until the node is changed or goes.
 */
#include "graph.h"

#include <stdlib.h>

static bool is_of(cudaGraphNode_t node, enum rt_work_kind kind)
{
    return node && node->work.kind == kind;
}

/* Pointers to the arguments in the node's parameter block. */
static cudaError_t point_at_args(cudaGraphNode_t node,
                                 const struct rt_kernel *kernel)
{
    const struct rt_launch *l = &node->work.launch;
    size_t n = kernel->info.n_params;
    void **args = realloc(node->args, (n + 1) * sizeof *args);
    if (!args)
        return cudaErrorMemoryAllocation;
    for (size_t i = 0; i < n; i++)
        args[i] = l->params + kernel->params[i].offset;
    node->args = args;
    return cudaSuccess;
}

static dim3 size_of(const uint32_t n[3])
{
    return (dim3){n[0], n[1], n[2]};
}

cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node,
                                         struct cudaKernelNodeParams *p)
{
    if (!is_of(node, RT_LAUNCH) || !p)
        return DONE(cudaErrorInvalidValue);
    const struct rt_launch *l = &node->work.launch;
    struct rt_kernel *kernel;
    cudaError_t error = rt_find_kernel(l->function, &kernel);
    if (!error)
        error = point_at_args(node, kernel);
    if (!error)
        *p = (struct cudaKernelNodeParams){
            .func = (void *)(uintptr_t)kernel->host,
            .gridDim = size_of(l->shape.grid),
            .blockDim = size_of(l->shape.block),
            .sharedMemBytes = (unsigned)l->shared,
            .kernelParams = node->args};
    return DONE(error);
}

cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t node,
                                         struct cudaMemcpy3DParms *p)
{
    if (!is_of(node, RT_COPY) || !p)
        return DONE(cudaErrorInvalidValue);
    const struct rt_copy *c = &node->work.copy;
    *p = (struct cudaMemcpy3DParms){
        .srcPtr = {(void *)(uintptr_t)c->from, c->from_pitch, c->width,
                   c->from_height},
        .dstPtr = {c->to, c->to_pitch, c->width, c->to_height},
        .extent = {c->width, c->height, c->depth},
        .kind = c->kind};
    return DONE(cudaSuccess);
}

cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t node,
                                         struct cudaMemsetParams *p)
{
    if (!is_of(node, RT_FILL) || !p)
        return DONE(cudaErrorInvalidValue);
    const struct rt_fill *f = &node->work.fill;
    *p = (struct cudaMemsetParams){
        .dst = f->to, .pitch = f->pitch, .value = f->value,
        .elementSize = f->element, .width = f->width, .height = f->height};
    return DONE(cudaSuccess);
}

cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t node,
                                       struct cudaHostNodeParams *p)
{
    if (!is_of(node, RT_HOST) || !p)
        return DONE(cudaErrorInvalidValue);
    *p = (struct cudaHostNodeParams){.fn = node->work.host.call,
                                     .userData = node->work.host.data};
    return DONE(cudaSuccess);
}

cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t node,
                                            cudaGraph_t *pGraph)
{
    if (!is_of(node, RT_GRAPH) || !pGraph)
        return DONE(cudaErrorInvalidValue);
    *pGraph = node->work.graph;
    return DONE(cudaSuccess);
}

cudaError_t cudaGraphEventRecordNodeGetEvent(cudaGraphNode_t node,
                                             cudaEvent_t *event_out)
{
    if (!is_of(node, RT_EVENT_RECORD) || !event_out)
        return DONE(cudaErrorInvalidValue);
    *event_out = node->work.event;
    return DONE(cudaSuccess);
}

cudaError_t cudaGraphEventWaitNodeGetEvent(cudaGraphNode_t node,
                                           cudaEvent_t *event_out)
{
    if (!is_of(node, RT_EVENT_WAIT) || !event_out)
        return DONE(cudaErrorInvalidValue);
    *event_out = node->work.event;
    return DONE(cudaSuccess);
}
