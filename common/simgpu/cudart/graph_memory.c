// SPDX-License-Identifier: MIT
/*
 * graph_memory.c: memory that a graph allocates and frees.
 *
 *   cudaGraphAddMemAllocNode, cudaGraphAddMemFreeNode
 *   cudaGraphMemAllocNodeGetParams, cudaGraphMemFreeNodeGetParams
 *   cudaDeviceGetGraphMemAttribute, -SetGraphMemAttribute,
 *   cudaDeviceGraphMemTrim
 *   rt_capture_alloc, rt_capture_free, rt_do_alloc, rt_do_free
 *                                          see runtime.h
 *   graph_has_memory, graph_memory_*       see graph.h
 *
 * An allocation node has its address from the beginning, so that other nodes
 * can name it; the memory lives from that node to its free, which may be a
 * node of the same graph, or of another, or cudaFree. Each launch makes it
 * anew, with no byte written.
 */
#include "graph.h"

#include <pthread.h>
#include <stdlib.h>

/* Of an address, which stays reserved when its graph is gone: whether any graph
 * can still free it is not known, and the device gives no address out twice. */
struct reservation {
    struct reservation *next;
    const void *address;
    bool owned; /* by an executable graph */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct reservation *reservations;

/* NULL: there is none. `lock` is held. */
static struct reservation *find(const void *address)
{
    struct reservation *r = reservations;
    while (r && r->address != address)
        r = r->next;
    return r;
}

static cudaError_t reserve(void **p, size_t bytes)
{
    struct simwire_header m = {.op = OP_ALLOC,
                               .a = {bytes, SIMWIRE_ALLOC_ADDRESS}};
    if (!p || !bytes)
        return cudaErrorInvalidValue;
    struct reservation *r = malloc(sizeof *r);
    cudaError_t error =
        r ? rt_ask(&m, NULL, NULL, 0) : cudaErrorMemoryAllocation;
    if (error) {
        free(r);
        return error;
    }
    *p = (void *)(uintptr_t)m.a[0];
    pthread_mutex_lock(&lock);
    *r = (struct reservation){reservations, *p, false};
    reservations = r;
    pthread_mutex_unlock(&lock);
    return cudaSuccess;
}

static cudaError_t check_free(const void *p)
{
    pthread_mutex_lock(&lock);
    bool reserved = find(p) != NULL;
    pthread_mutex_unlock(&lock);
    return reserved ? cudaSuccess
                    : rt_fail(cudaErrorInvalidValue,
                              "a graph can free only what a graph allocated");
}

/* The calls of a stream, as nodes --------------------------------------- */

cudaError_t rt_capture_alloc(void **p, size_t bytes, cudaStream_t stream)
{
    cudaError_t error = reserve(p, bytes);
    if (error)
        return error;
    struct rt_work work = {.kind = RT_ALLOC, .memory = {*p, bytes}};
    return rt_submit(&work, stream);
}

cudaError_t rt_capture_free(void *p, cudaStream_t stream)
{
    struct rt_work work = {.kind = RT_FREE, .memory = {p, 0}};
    cudaError_t error = check_free(p);
    return error ? error : rt_submit(&work, stream);
}

cudaError_t rt_do_alloc(const struct rt_memory *memory, uint64_t on)
{
    struct simwire_header m = {
        .op = OP_ALLOC, .stream = on,
        .a = {memory->bytes, SIMWIRE_ALLOC_NODE,
              (uintptr_t)memory->address}};
    cudaError_t error = rt_ask(&m, NULL, NULL, 0);
    if (!error &&
        !rt_pool_hold(rt_graph_pool(), memory->address, memory->bytes))
        error = cudaErrorMemoryAllocation;
    return error;
}

cudaError_t rt_do_free(const struct rt_memory *memory, uint64_t on)
{
    return rt_free(memory->address, on);
}

/* Graphs with such nodes ------------------------------------------------ */

bool graph_has_memory(cudaGraph_t graph)
{
    bool has = false;
    for (size_t i = 0; i < graph->nodes.n; i++) {
        enum rt_work_kind kind = graph->nodes.list[i]->work.kind;
        has |= kind == RT_ALLOC || kind == RT_FREE;
    }
    return has;
}

cudaError_t graph_refuse_memory(void)
{
    return rt_fail(cudaErrorNotSupported,
                   "a graph that allocates or frees memory cannot be cloned, "
                   "be a part of another graph, lose a node, or have two "
                   "executable graphs at a time");
}

static const void *allocated_by(cudaGraphNode_t node)
{
    return node->work.kind == RT_ALLOC ? node->work.memory.address : NULL;
}

/* By an executable graph, or no more; `lock` is held. */
static void set_owned(cudaGraph_t graph, bool owned)
{
    for (size_t i = 0; i < graph->nodes.n; i++) {
        struct reservation *r = find(allocated_by(graph->nodes.list[i]));
        if (r)
            r->owned = owned;
    }
}

bool graph_memory_own(cudaGraph_t graph)
{
    bool free = true;
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < graph->nodes.n; i++) {
        const struct reservation *r =
            find(allocated_by(graph->nodes.list[i]));
        free &= !r || !r->owned;
    }
    if (free)
        set_owned(graph, true);
    pthread_mutex_unlock(&lock);
    return free;
}

void graph_memory_disown(cudaGraph_t graph)
{
    pthread_mutex_lock(&lock);
    set_owned(graph, false);
    pthread_mutex_unlock(&lock);
}

cudaError_t graph_memory_begin(cudaGraphExec_t exec, uint64_t on)
{
    cudaError_t error = cudaSuccess;
    for (size_t i = 0; i < exec->graph->nodes.n && !error; i++) {
        const void *p = allocated_by(exec->graph->nodes.list[i]);
        if (!p || !rt_pool_holds(p))
            continue;
        error = exec->frees
                    ? rt_free((void *)(uintptr_t)p, on)
                    : rt_fail(cudaErrorInvalidValue,
                              "memory of the graph's last launch is still "
                              "allocated: free it, or instantiate the graph "
                              "with AutoFreeOnLaunch");
    }
    return error;
}

/* Nodes that a program adds itself -------------------------------------- */

static cudaError_t add(cudaGraphNode_t *node, cudaGraph_t graph,
                       const cudaGraphNode_t *before, size_t n,
                       enum rt_work_kind kind, struct rt_memory memory)
{
    struct rt_work work = {.kind = kind, .memory = memory};
    if (!node || !graph || (n && !before))
        return cudaErrorInvalidValue;
    *node = graph_add(graph, &work, before, n);
    return *node ? cudaSuccess : cudaErrorInvalidValue;
}

static cudaError_t add_alloc(cudaGraphNode_t *node, cudaGraph_t graph,
                             const cudaGraphNode_t *before, size_t n,
                             struct cudaMemAllocNodeParams *p)
{
    if (!p || p->poolProps.allocType != cudaMemAllocationTypePinned ||
        p->poolProps.location.type != cudaMemLocationTypeDevice)
        return cudaErrorInvalidValue;
    if (p->poolProps.location.id != 0)
        return cudaErrorInvalidDevice;
    cudaError_t error = reserve(&p->dptr, p->bytesize);
    return error ? error : add(node, graph, before, n, RT_ALLOC,
                               (struct rt_memory){p->dptr, p->bytesize});
}

cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t *pGraphNode,
                                     cudaGraph_t graph,
                                     const cudaGraphNode_t *pDependencies,
                                     size_t numDependencies,
                                     struct cudaMemAllocNodeParams *nodeParams)
{
    return DONE(add_alloc(pGraphNode, graph, pDependencies, numDependencies,
                          nodeParams));
}

cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t *pGraphNode,
                                    cudaGraph_t graph,
                                    const cudaGraphNode_t *pDependencies,
                                    size_t numDependencies, void *dptr)
{
    cudaError_t error = check_free(dptr);
    return DONE(error ? error
                      : add(pGraphNode, graph, pDependencies, numDependencies,
                            RT_FREE, (struct rt_memory){dptr, 0}));
}

cudaError_t cudaGraphMemAllocNodeGetParams(cudaGraphNode_t node,
                                           struct cudaMemAllocNodeParams *p)
{
    if (!node || !p || node->work.kind != RT_ALLOC)
        return DONE(cudaErrorInvalidValue);
    *p = (struct cudaMemAllocNodeParams){
        .poolProps = {.allocType = cudaMemAllocationTypePinned,
                      .location = {.type = cudaMemLocationTypeDevice}},
        .bytesize = node->work.memory.bytes,
        .dptr = node->work.memory.address};
    return DONE(cudaSuccess);
}

cudaError_t cudaGraphMemFreeNodeGetParams(cudaGraphNode_t node, void *dptr_out)
{
    if (!node || !dptr_out || node->work.kind != RT_FREE)
        return DONE(cudaErrorInvalidValue);
    *(void **)dptr_out = node->work.memory.address;
    return DONE(cudaSuccess);
}

/* How much they take ---------------------------------------------------- */

/* The graphs' pool counts it, under other names. */
static cudaError_t attribute_of(int device, enum cudaGraphMemAttributeType of,
                                enum cudaMemPoolAttr *attr)
{
    static const enum cudaMemPoolAttr names[] = {
        [cudaGraphMemAttrUsedMemCurrent] = cudaMemPoolAttrUsedMemCurrent,
        [cudaGraphMemAttrUsedMemHigh] = cudaMemPoolAttrUsedMemHigh,
        [cudaGraphMemAttrReservedMemCurrent] =
            cudaMemPoolAttrReservedMemCurrent,
        [cudaGraphMemAttrReservedMemHigh] = cudaMemPoolAttrReservedMemHigh,
    };
    if (device != 0)
        return cudaErrorInvalidDevice;
    if ((size_t)of >= sizeof names / sizeof *names)
        return cudaErrorInvalidValue;
    *attr = names[of];
    return cudaSuccess;
}

cudaError_t
cudaDeviceGetGraphMemAttribute(int device, enum cudaGraphMemAttributeType attr,
                               void *value)
{
    enum cudaMemPoolAttr name;
    cudaError_t error = attribute_of(device, attr, &name);
    return DONE(error ? error : rt_pool_get(rt_graph_pool(), name, value));
}

cudaError_t
cudaDeviceSetGraphMemAttribute(int device, enum cudaGraphMemAttributeType attr,
                               void *value)
{
    enum cudaMemPoolAttr name;
    cudaError_t error = attribute_of(device, attr, &name);
    return DONE(error ? error : rt_pool_set(rt_graph_pool(), name, value));
}

cudaError_t cudaDeviceGraphMemTrim(int device)
{
    if (device != 0)
        return DONE(cudaErrorInvalidDevice);
    rt_pool_trim(rt_graph_pool(), 0);
    return DONE(cudaSuccess);
}
