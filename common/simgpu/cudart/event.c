// SPDX-License-Identifier: MIT
/*
 * event.c: events.
 *
 *   cudaEventCreate*, cudaEventDestroy, cudaEventRecord*, -Synchronize,
 *   -Query, -ElapsedTime, cudaStreamWaitEvent
 *
 * As streams run in the order of the calls, an event is a time of the device's
 * clock. Times are the simulation's own: they say nothing about a GPU.
 */
#include "stream.h"

#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct CUevent_st *events;

struct CUevent_st *event_next(struct CUevent_st *event)
{
    pthread_mutex_lock(&lock);
    struct CUevent_st *next = event ? event->next : events;
    pthread_mutex_unlock(&lock);
    return next;
}

struct CUevent_st *event_find(cudaEvent_t event)
{
    struct CUevent_st *e = event_next(NULL);
    while (e && e != event)
        e = event_next(e);
    return e;
}

static cudaError_t create_event(cudaEvent_t *event, unsigned flags)
{
    struct CUevent_st *e = event ? calloc(1, sizeof *e) : NULL;
    if (!e)
        return event ? cudaErrorMemoryAllocation : cudaErrorInvalidValue;
    e->flags = flags;
    pthread_mutex_lock(&lock);
    e->next = events;
    events = e;
    pthread_mutex_unlock(&lock);
    *event = e;
    return cudaSuccess;
}

cudaError_t cudaEventCreate(cudaEvent_t *event)
{
    return DONE(create_event(event, cudaEventDefault));
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int flags)
{
    return DONE(create_event(event, flags));
}

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    pthread_mutex_lock(&lock);
    struct CUevent_st **link = &events, *e;
    while (*link && *link != event)
        link = &(*link)->next;
    e = *link;
    if (e)
        *link = e->next;
    pthread_mutex_unlock(&lock);
    if (e)
        nodes_free(&e->after);
    free(e);
    return DONE(e ? cudaSuccess : cudaErrorInvalidResourceHandle);
}

cudaError_t rt_record(cudaEvent_t event, cudaStream_t stream)
{
    struct simwire_header m = {.op = OP_TIME};
    if (!event_find(event) || !rt_is_stream(stream))
        return cudaErrorInvalidResourceHandle;
    cudaError_t error = rt_ask(&m, NULL, NULL, 0);
    event->time = m.a[0];
    event->recorded = error == cudaSuccess;
    return error;
}

static cudaError_t record(cudaEvent_t event, cudaStream_t stream)
{
    if (!event_find(event) || !rt_is_stream(stream))
        return cudaErrorInvalidResourceHandle;
    return capture_event(event, stream) ? cudaSuccess
                                        : rt_record(event, stream);
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    return DONE(record(event, stream));
}
TWIN(cudaEventRecord, _ptsz)

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream,
                                     unsigned int flags)
{
    (void)flags;
    return DONE(record(event, stream));
}
TWIN(cudaEventRecordWithFlags, _ptsz)

/* For an event of a graph that is being made nobody can wait. */
static cudaError_t sync_event(cudaEvent_t event)
{
    if (!event_find(event))
        return cudaErrorInvalidResourceHandle;
    return capture_spoil(event) ? cudaErrorCapturedEvent : rt_wait();
}

cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
    return DONE(sync_event(event));
}

cudaError_t cudaEventQuery(cudaEvent_t event)
{
    return DONE(sync_event(event));
}

cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t start, cudaEvent_t end)
{
    const double ns_a_ms = 1e6;
    if (!event_find(start) || !event_find(end) || !start->recorded ||
        !end->recorded || (start->flags | end->flags) & cudaEventDisableTiming)
        return DONE(cudaErrorInvalidResourceHandle);
    *ms = (float)(((double)end->time - (double)start->time) / ns_a_ms);
    return DONE(cudaSuccess);
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event,
                                unsigned int flags)
{
    (void)flags;
    if (!rt_is_stream(stream) || !event_find(event))
        return DONE(cudaErrorInvalidResourceHandle);
    return DONE(capture_wait(stream, event));
}
TWIN(cudaStreamWaitEvent, _ptsz)
