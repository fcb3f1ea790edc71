// SPDX-License-Identifier: MIT
/*
 * event.c: events.
 *
 *   cudaEventCreate*, cudaEventDestroy, cudaEventRecord*, -Synchronize,
 *   -Query, -ElapsedTime, cudaStreamWaitEvent
 *   rt_record, rt_wait_for, rt_event_*   see runtime.h
 *
 * An event is a time of the device's clock: as a rule that of the call, because
 * streams run in the order of the calls. Times are the simulator's: they say
 * nothing about a GPU.
 */
#include "stream.h"

#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct CUevent_st *events;
static uint64_t *free_numbers, n_numbers; /* n_numbers: allocated so far */
static size_t n_free;

struct CUevent_st *event_next(struct CUevent_st *event)
{
    pthread_mutex_lock(&lock);
    struct CUevent_st *next = event ? event->next : events;
    pthread_mutex_unlock(&lock);
    return next;
}

/* The object of a handle; NULL: invalid handle. */
static struct CUevent_st *event_find(cudaEvent_t event)
{
    struct CUevent_st *e = event_next(NULL);
    while (e && e != event)
        e = event_next(e);
    return e;
}

uint64_t rt_event_number(void)
{
    pthread_mutex_lock(&lock);
    uint64_t number = n_free ? free_numbers[--n_free] : n_numbers++;
    pthread_mutex_unlock(&lock);
    return number;
}

void rt_event_done(uint64_t number)
{
    pthread_mutex_lock(&lock);
    uint64_t *grown =
        realloc(free_numbers, (n_free + 1) * sizeof *free_numbers);
    if (grown) { /* else this number is never used again */
        free_numbers = grown;
        free_numbers[n_free++] = number;
    }
    pthread_mutex_unlock(&lock);
}

cudaError_t rt_event_record(uint64_t number, uint64_t on, uint64_t *time)
{
    struct simwire_header m = {.op = OP_TIME, .stream = on,
                               .a = {1 + number}};
    cudaError_t error = rt_ask(&m, NULL, NULL, 0);
    *time = m.stream ? 0 : m.a[0]; /* queued: not yet */
    return error;
}

cudaError_t rt_event_wait(uint64_t number, uint64_t on)
{
    struct simwire_header m = {.op = OP_WAIT, .stream = on, .a = {number}};
    return rt_ask(&m, NULL, NULL, 0);
}

static cudaError_t create_event(cudaEvent_t *event, unsigned flags)
{
    struct CUevent_st *e = event ? calloc(1, sizeof *e) : NULL;
    if (!e)
        return event ? cudaErrorMemoryAllocation : cudaErrorInvalidValue;
    e->flags = flags;
    e->number = rt_event_number();
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
    if (e) {
        nodes_free(&e->after);
        rt_event_done(e->number);
    }
    free(e);
    return DONE(e ? cudaSuccess : cudaErrorInvalidResourceHandle);
}

cudaError_t rt_record(cudaEvent_t event, uint64_t on)
{
    if (!event_find(event))
        return cudaErrorInvalidResourceHandle;
    cudaError_t error = rt_event_record(event->number, on, &event->time);
    event->recorded = error == cudaSuccess;
    event->busy = rt_busy_since(on);
    event->asked = false;
    return error;
}

cudaError_t rt_wait_for(cudaEvent_t event, uint64_t on)
{
    return event_find(event) ? rt_event_wait(event->number, on)
                             : cudaErrorInvalidResourceHandle;
}

static cudaError_t record(cudaEvent_t event, cudaStream_t stream)
{
    if (!event_find(event) || !rt_is_stream(stream))
        return cudaErrorInvalidResourceHandle;
    return capture_event(event, stream)
               ? cudaSuccess : rt_record(event, rt_stream_id(stream));
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    return DONE(record(event, stream));
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream,
                                     unsigned int flags)
{
    struct rt_work work = {.kind = RT_EVENT_RECORD, .event = event};
    bool external = flags & cudaEventRecordExternal;
    return DONE(external && event_find(event) && rt_is_capturing(stream)
                    ? rt_submit(&work, stream)
                    : record(event, stream));
}

/* An event that was recorded during a capture cannot be waited for. */
static cudaError_t sync_event(cudaEvent_t event, bool only_asks)
{
    if (!event_find(event))
        return cudaErrorInvalidResourceHandle;
    if (capture_invalidate(event))
        return cudaErrorCapturedEvent;
    struct simwire_header m = {.op = OP_SYNC,
                               .a = {1 + event->number, only_asks}};
    return rt_ask(&m, NULL, NULL, 0);
}

cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
    return DONE(sync_event(event, false));
}

/* ready.c says why. */
static bool is_pending(cudaEvent_t event)
{
    return event->busy && rt_still_busy(event->busy);
}

cudaError_t cudaEventQuery(cudaEvent_t event)
{
    if (!event_find(event) || event->capture || event->asked ||
        !is_pending(event))
        return DONE(sync_event(event, true));
    event->asked = true;
    return DONE(cudaErrorNotReady);
}

/* The time of an event whose record was queued; 0: it waits still. */
static cudaError_t find_time(cudaEvent_t event)
{
    struct simwire_header m = {.op = OP_TIME, .a = {1 + event->number, 1}};
    if (event->time)
        return cudaSuccess;
    cudaError_t error = rt_ask(&m, NULL, NULL, 0);
    event->time = error ? 0 : m.a[0];
    return error || event->time ? error : cudaErrorNotReady;
}

cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t start, cudaEvent_t end)
{
    const double ns_per_ms = 1e6;
    if (!event_find(start) || !event_find(end) || !start->recorded ||
        !end->recorded || (start->flags | end->flags) & cudaEventDisableTiming)
        return DONE(cudaErrorInvalidResourceHandle);
    if (is_pending(start) || is_pending(end))
        return DONE(cudaErrorNotReady);
    cudaError_t error = find_time(start);
    if (!error)
        error = find_time(end);
    if (error)
        return DONE(error);
    *ms = (float)(((double)end->time - (double)start->time) / ns_per_ms);
    return DONE(cudaSuccess);
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event,
                                unsigned int flags)
{
    if (!rt_is_stream(stream) || !event_find(event))
        return DONE(cudaErrorInvalidResourceHandle);
    struct rt_work work = {.kind = RT_EVENT_WAIT, .event = event};
    if (flags & cudaEventWaitExternal && rt_is_capturing(stream))
        return DONE(rt_submit(&work, stream));
    cudaError_t error = capture_wait(stream, event);
    if (!error && !event->capture)
        error = rt_event_wait(event->number, rt_stream_id(stream));
    return DONE(error);
}
