// SPDX-License-Identifier: MIT
/*
 * work.c: a piece of work on a stream.
 *
 *   rt_submit, rt_do, rt_work_own, rt_work_free   see runtime.h
 *
 * A graph's node and a call on a stream do the same thing, so one structure
 * describes both and one function runs both. Calls therefore go in a circle: a
 * graph is a piece of work, and consists of such pieces.
 */
#include "runtime.h"

#include "graph.h"

#include <stdlib.h>
#include <string.h>

static cudaError_t call_host(const struct rt_work *work, uint64_t on)
{
    struct rt_call call = {.call = work->host.call, .data = work->host.data};
    return rt_call_host(&call, on);
}

cudaError_t rt_do(const struct rt_work *work, uint64_t on)
{
    switch (work->kind) {
    case RT_LAUNCH: return rt_do_launch(&work->launch, on);
    case RT_COPY: return rt_do_copy(&work->copy, on);
    case RT_FILL: return rt_do_fill(&work->fill, on);
    case RT_HOST: return call_host(work, on);
    case RT_EVENT_RECORD: return rt_record(work->event, on);
    case RT_EVENT_WAIT: return rt_wait_for(work->event, on);
    case RT_GRAPH: return rt_do_graph(work->graph, on);
    case RT_ALLOC: return rt_do_alloc(&work->memory, on);
    case RT_FREE: return rt_do_free(&work->memory, on);
    default: return cudaSuccess; /* only the order matters */
    }
}

cudaError_t rt_submit(const struct rt_work *work, cudaStream_t stream)
{
    cudaError_t error;
    if (!rt_is_stream(stream))
        return cudaErrorInvalidResourceHandle;
    return rt_captured(work, stream, &error)
               ? error : rt_do(work, rt_stream_id(stream));
}

bool rt_work_own(struct rt_work *work)
{
    if (work->kind != RT_LAUNCH)
        return work->kind != RT_GRAPH ||
               (work->graph = graph_clone(work->graph)) != NULL;
    uint8_t *params = malloc(work->launch.param_bytes + 1);
    if (params)
        memcpy(params, work->launch.params, work->launch.param_bytes);
    work->launch.params = params;
    return params != NULL;
}

void rt_work_free(struct rt_work *work)
{
    if (work->kind == RT_LAUNCH)
        free(work->launch.params);
    if (work->kind == RT_GRAPH)
        graph_free(work->graph);
}
