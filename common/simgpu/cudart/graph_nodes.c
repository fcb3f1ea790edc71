// SPDX-License-Identifier: MIT
/*
 * graph_nodes.c: nodes that a program adds itself, and their parameters.
 *
 *   cudaGraphAddKernelNode, -AddMemcpyNode[1D], -AddMemsetNode, -AddHostNode,
 *   -AddEmptyNode, -AddChildGraphNode, -AddEventRecordNode, -AddEventWaitNode
 *   cudaGraphKernelNodeSetParams, -MemcpyNodeSetParams[1D],
 *   -MemsetNodeSetParams, -HostNodeSetParams
 *   cudaGraphExecKernelNodeSetParams and so on: the same for an executable
 *   graph
 */
#include "graph.h"

/* CUDA's parameter structs -> work. args holds a launch's parameter block. */
struct arguments {
    uint8_t bytes[SIMWIRE_MAX_PARAM_BYTES];
};

static cudaError_t kernel_work(const struct cudaKernelNodeParams *p,
                               struct arguments *args, struct rt_work *work)
{
    if (!p || p->extra)
        return cudaErrorInvalidValue;
    work->kind = RT_LAUNCH;
    return rt_pack_launch(&work->launch, p->func, p->gridDim, p->blockDim,
                     p->kernelParams, p->sharedMemBytes, args->bytes);
}

static cudaError_t box_work(const struct cudaMemcpy3DParms *p,
                            struct rt_work *work)
{
    work->kind = RT_COPY;
    return rt_copy_3d(p, &work->copy);
}

static struct rt_work line_work(void *to, const void *from, size_t n,
                                enum cudaMemcpyKind kind)
{
    return (struct rt_work){
        .kind = RT_COPY,
        .copy = {.to = to, .from = from, .to_pitch = n, .from_pitch = n,
                 .width = n, .height = 1, .depth = 1, .kind = kind}};
}

static cudaError_t fill_work(const struct cudaMemsetParams *p,
                             struct rt_work *work)
{
    if (!p || (p->elementSize != 1 && p->elementSize != 2 &&
               p->elementSize != 4))
        return cudaErrorInvalidValue;
    *work = (struct rt_work){
        .kind = RT_FILL,
        .fill = {.to = p->dst, .pitch = p->pitch, .width = p->width,
                 .height = p->height, .value = p->value,
                 .element = p->elementSize}};
    return cudaSuccess;
}

static cudaError_t host_work(const struct cudaHostNodeParams *p,
                             struct rt_work *work)
{
    if (!p || !p->fn)
        return cudaErrorInvalidValue;
    *work = (struct rt_work){.kind = RT_HOST, .host = {p->fn, p->userData}};
    return cudaSuccess;
}

static cudaError_t add(cudaGraphNode_t *node, cudaGraph_t graph,
                       const cudaGraphNode_t *before, size_t n,
                       const struct rt_work *work)
{
    if (!node || !graph || (n && !before))
        return cudaErrorInvalidValue;
    *node = graph_add(graph, work, before, n);
    return *node ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *pGraphNode,
                                   cudaGraph_t graph,
                                   const cudaGraphNode_t *pDependencies,
                                   size_t numDependencies,
                                   const struct cudaKernelNodeParams *p)
{
    struct arguments args;
    struct rt_work work;
    cudaError_t error = kernel_work(p, &args, &work);
    return DONE(error ? error : add(pGraphNode, graph, pDependencies,
                                    numDependencies, &work));
}

cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t *pGraphNode,
                                   cudaGraph_t graph,
                                   const cudaGraphNode_t *pDependencies,
                                   size_t numDependencies,
                                   const struct cudaMemcpy3DParms *pCopyParams)
{
    struct rt_work work;
    cudaError_t error = box_work(pCopyParams, &work);
    return DONE(error ? error : add(pGraphNode, graph, pDependencies,
                                    numDependencies, &work));
}

cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t *pGraphNode,
                                     cudaGraph_t graph,
                                     const cudaGraphNode_t *pDependencies,
                                     size_t numDependencies, void *dst,
                                     const void *src, size_t count,
                                     enum cudaMemcpyKind kind)
{
    struct rt_work work = line_work(dst, src, count, kind);
    return DONE(add(pGraphNode, graph, pDependencies, numDependencies, &work));
}

cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t *pGraphNode,
                                   cudaGraph_t graph,
                                   const cudaGraphNode_t *pDependencies,
                                   size_t numDependencies,
                                   const struct cudaMemsetParams *p)
{
    struct rt_work work;
    cudaError_t error = fill_work(p, &work);
    return DONE(error ? error : add(pGraphNode, graph, pDependencies,
                                    numDependencies, &work));
}

cudaError_t cudaGraphAddHostNode(cudaGraphNode_t *pGraphNode,
                                 cudaGraph_t graph,
                                 const cudaGraphNode_t *pDependencies,
                                 size_t numDependencies,
                                 const struct cudaHostNodeParams *pNodeParams)
{
    struct rt_work work;
    cudaError_t error = host_work(pNodeParams, &work);
    return DONE(error ? error : add(pGraphNode, graph, pDependencies,
                                    numDependencies, &work));
}

cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t *pGraphNode,
                                  cudaGraph_t graph,
                                  const cudaGraphNode_t *pDependencies,
                                  size_t numDependencies)
{
    struct rt_work work = {.kind = RT_EMPTY};
    return DONE(add(pGraphNode, graph, pDependencies, numDependencies, &work));
}

cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t *pGraphNode,
                                       cudaGraph_t graph,
                                       const cudaGraphNode_t *pDependencies,
                                       size_t numDependencies,
                                       cudaGraph_t childGraph)
{
    struct rt_work work = {.kind = RT_GRAPH, .graph = childGraph};
    if (childGraph && graph_has_memory(childGraph))
        return DONE(graph_refuse_memory());
    return DONE(!childGraph ? cudaErrorInvalidValue
                            : add(pGraphNode, graph, pDependencies,
                                  numDependencies, &work));
}

cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t *pGraphNode,
                                        cudaGraph_t graph,
                                        const cudaGraphNode_t *pDependencies,
                                        size_t numDependencies,
                                        cudaEvent_t event)
{
    struct rt_work work = {.kind = RT_EVENT_RECORD, .event = event};
    return DONE(add(pGraphNode, graph, pDependencies, numDependencies, &work));
}

cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t *pGraphNode,
                                      cudaGraph_t graph,
                                      const cudaGraphNode_t *pDependencies,
                                      size_t numDependencies,
                                      cudaEvent_t event)
{
    struct rt_work work = {.kind = RT_EVENT_WAIT, .event = event};
    return DONE(add(pGraphNode, graph, pDependencies, numDependencies, &work));
}

/* Replaces a node's work by other work of the same kind. */
static cudaError_t change(cudaGraphNode_t node, const struct rt_work *work)
{
    struct rt_work fresh = *work;
    if (!node || node->work.kind != work->kind)
        return cudaErrorInvalidValue;
    if (!rt_work_own(&fresh))
        return cudaErrorMemoryAllocation;
    rt_work_free(&node->work);
    node->work = fresh;
    return cudaSuccess;
}

static cudaGraphNode_t exec_node(cudaGraphExec_t exec, cudaGraphNode_t node)
{
    return exec ? graph_find(exec->graph, node) : NULL;
}

cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node,
                                         const struct cudaKernelNodeParams *p)
{
    struct arguments args;
    struct rt_work work;
    cudaError_t error = kernel_work(p, &args, &work);
    return DONE(error ? error : change(node, &work));
}

cudaError_t
cudaGraphExecKernelNodeSetParams(cudaGraphExec_t hGraphExec,
                                 cudaGraphNode_t node,
                                 const struct cudaKernelNodeParams *p)
{
    struct arguments args;
    struct rt_work work;
    cudaError_t error = kernel_work(p, &args, &work);
    return DONE(error ? error : change(exec_node(hGraphExec, node), &work));
}

cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node,
                                         const struct cudaMemcpy3DParms *p)
{
    struct rt_work work;
    cudaError_t error = box_work(p, &work);
    return DONE(error ? error : change(node, &work));
}

cudaError_t
cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t hGraphExec,
                                 cudaGraphNode_t node,
                                 const struct cudaMemcpy3DParms *p)
{
    struct rt_work work;
    cudaError_t error = box_work(p, &work);
    return DONE(error ? error : change(exec_node(hGraphExec, node), &work));
}

cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void *dst,
                                           const void *src, size_t count,
                                           enum cudaMemcpyKind kind)
{
    struct rt_work work = line_work(dst, src, count, kind);
    return DONE(change(node, &work));
}

cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t hGraphExec,
                                               cudaGraphNode_t node, void *dst,
                                               const void *src, size_t count,
                                               enum cudaMemcpyKind kind)
{
    struct rt_work work = line_work(dst, src, count, kind);
    return DONE(change(exec_node(hGraphExec, node), &work));
}

cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t node,
                                         const struct cudaMemsetParams *p)
{
    struct rt_work work;
    cudaError_t error = fill_work(p, &work);
    return DONE(error ? error : change(node, &work));
}

cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t hGraphExec,
                                             cudaGraphNode_t node,
                                             const struct cudaMemsetParams *p)
{
    struct rt_work work;
    cudaError_t error = fill_work(p, &work);
    return DONE(error ? error : change(exec_node(hGraphExec, node), &work));
}

cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t node,
                                       const struct cudaHostNodeParams *p)
{
    struct rt_work work;
    cudaError_t error = host_work(p, &work);
    return DONE(error ? error : change(node, &work));
}

cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t hGraphExec,
                                           cudaGraphNode_t node,
                                           const struct cudaHostNodeParams *p)
{
    struct rt_work work;
    cudaError_t error = host_work(p, &work);
    return DONE(error ? error : change(exec_node(hGraphExec, node), &work));
}
