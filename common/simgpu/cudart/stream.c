// SPDX-License-Identifier: MIT
/*
 * stream.c: streams and events.
 *
 *   cudaStreamCreate*, cudaStreamDestroy, cudaStreamSynchronize, -Query,
 *   -WaitEvent, -GetFlags, -GetPriority, -GetId, -IsCapturing, -AddCallback
 *   cudaLaunchHostFunc, cudaDeviceGetStreamPriorityRange
 *   cudaEventCreate*, cudaEventRecord*, -Synchronize, -Query, -ElapsedTime
 *   cudaEventDestroy
 *
 * All streams run in the order of the calls, one legal order of a real
 * device's; so an event is a time of the device's clock, and waiting for one
 * stream is waiting for all. Times are the simulation's own: they say nothing
 * about a GPU. A host function is called by the calling thread.
 */
#include "runtime.h"

#include <pthread.h>
#include <stdlib.h>

enum { LEAST_PRIORITY = 0, GREATEST_PRIORITY = -5 };

struct CUstream_st {
    struct CUstream_st *next;
    unsigned flags;
    int priority;
    unsigned long long id;
};

struct CUevent_st {
    struct CUevent_st *next;
    unsigned flags;
    bool recorded;
    uint64_t time; /* ns */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct CUstream_st *streams;
static struct CUevent_st *events;
static unsigned long long last_id = SIMWIRE_FIRST_STREAM - 1;

static bool is_default(cudaStream_t stream)
{
    return !stream || stream == cudaStreamLegacy ||
           stream == cudaStreamPerThread;
}

bool rt_is_stream(cudaStream_t stream)
{
    pthread_mutex_lock(&lock);
    struct CUstream_st *s = streams;
    while (s && s != stream)
        s = s->next;
    pthread_mutex_unlock(&lock);
    return s || is_default(stream);
}

uint64_t rt_stream_id(cudaStream_t stream)
{
    return is_default(stream) ? 1 : stream->id;
}

static bool is_event(cudaEvent_t event)
{
    pthread_mutex_lock(&lock);
    struct CUevent_st *e = events;
    while (e && e != event)
        e = e->next;
    pthread_mutex_unlock(&lock);
    return e != NULL;
}

static cudaError_t wait_for_device(void)
{
    struct simwire_header m = {.op = OP_SYNC};
    return rt_ask(&m, NULL, NULL, 0);
}

static cudaError_t create_stream(cudaStream_t *stream, unsigned flags,
                                 int priority)
{
    cudaError_t error = wait_for_device();
    if (!stream || flags & ~(unsigned)cudaStreamNonBlocking)
        return cudaErrorInvalidValue;
    struct CUstream_st *s = error ? NULL : calloc(1, sizeof *s);
    if (!s)
        return error ? error : cudaErrorMemoryAllocation;
    s->flags = flags;
    s->priority = priority < GREATEST_PRIORITY ? GREATEST_PRIORITY
                  : priority > LEAST_PRIORITY  ? LEAST_PRIORITY
                                               : priority;
    pthread_mutex_lock(&lock);
    s->id = ++last_id;
    s->next = streams;
    streams = s;
    pthread_mutex_unlock(&lock);
    *stream = s;
    return cudaSuccess;
}

cudaError_t cudaStreamCreate(cudaStream_t *pStream)
{
    return DONE(create_stream(pStream, cudaStreamDefault, LEAST_PRIORITY));
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *pStream,
                                      unsigned int flags)
{
    return DONE(create_stream(pStream, flags, LEAST_PRIORITY));
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *pStream,
                                         unsigned int flags, int priority)
{
    return DONE(create_stream(pStream, flags, priority));
}

cudaError_t cudaDeviceGetStreamPriorityRange(int *leastPriority,
                                             int *greatestPriority)
{
    if (leastPriority)
        *leastPriority = LEAST_PRIORITY;
    if (greatestPriority)
        *greatestPriority = GREATEST_PRIORITY;
    return DONE(cudaSuccess);
}

cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    pthread_mutex_lock(&lock);
    struct CUstream_st **link = &streams, *s;
    while (*link && *link != stream)
        link = &(*link)->next;
    s = *link;
    if (s)
        *link = s->next;
    pthread_mutex_unlock(&lock);
    free(s);
    return DONE(s ? cudaSuccess : cudaErrorInvalidResourceHandle);
}

static cudaError_t sync_stream(cudaStream_t stream)
{
    return rt_is_stream(stream) ? wait_for_device()
                                : cudaErrorInvalidResourceHandle;
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
    return DONE(sync_stream(stream));
}
TWIN(cudaStreamSynchronize, _ptsz)

/* Waits: "not ready" would be as true, and a loop around it as long. */
cudaError_t cudaStreamQuery(cudaStream_t stream)
{
    return DONE(sync_stream(stream));
}
TWIN(cudaStreamQuery, _ptsz)

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event,
                                unsigned int flags)
{
    (void)flags;
    return DONE(rt_is_stream(stream) && is_event(event)
                    ? cudaSuccess
                    : cudaErrorInvalidResourceHandle);
}
TWIN(cudaStreamWaitEvent, _ptsz)

cudaError_t cudaStreamGetFlags(cudaStream_t hStream, unsigned int *flags)
{
    if (!rt_is_stream(hStream))
        return DONE(cudaErrorInvalidResourceHandle);
    *flags = is_default(hStream) ? cudaStreamDefault : hStream->flags;
    return DONE(cudaSuccess);
}
TWIN(cudaStreamGetFlags, _ptsz)

cudaError_t cudaStreamGetPriority(cudaStream_t hStream, int *priority)
{
    if (!rt_is_stream(hStream))
        return DONE(cudaErrorInvalidResourceHandle);
    *priority = is_default(hStream) ? LEAST_PRIORITY : hStream->priority;
    return DONE(cudaSuccess);
}
TWIN(cudaStreamGetPriority, _ptsz)

cudaError_t cudaStreamGetId(cudaStream_t hStream, unsigned long long *streamId)
{
    if (!rt_is_stream(hStream))
        return DONE(cudaErrorInvalidResourceHandle);
    *streamId = rt_stream_id(hStream);
    return DONE(cudaSuccess);
}
TWIN(cudaStreamGetId, _ptsz)

cudaError_t cudaStreamIsCapturing(cudaStream_t stream,
                                  enum cudaStreamCaptureStatus *pCaptureStatus)
{
    if (!rt_is_stream(stream))
        return DONE(cudaErrorInvalidResourceHandle);
    *pCaptureStatus = cudaStreamCaptureStatusNone;
    return DONE(cudaSuccess);
}
TWIN(cudaStreamIsCapturing, _ptsz)

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t fn,
                               void *userData)
{
    cudaError_t error = sync_stream(stream);
    if (error == cudaSuccess)
        fn(userData);
    return DONE(error);
}
TWIN(cudaLaunchHostFunc, _ptsz)

cudaError_t cudaStreamAddCallback(cudaStream_t stream,
                                  cudaStreamCallback_t callback,
                                  void *userData, unsigned int flags)
{
    cudaError_t error = sync_stream(stream);
    (void)flags;
    if (error != cudaErrorInvalidResourceHandle)
        callback(stream, error, userData);
    return DONE(error);
}
TWIN(cudaStreamAddCallback, _ptsz)

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
    free(e);
    return DONE(e ? cudaSuccess : cudaErrorInvalidResourceHandle);
}

static cudaError_t record(cudaEvent_t event, cudaStream_t stream)
{
    struct simwire_header m = {.op = OP_TIME};
    if (!is_event(event) || !rt_is_stream(stream))
        return cudaErrorInvalidResourceHandle;
    cudaError_t error = rt_ask(&m, NULL, NULL, 0);
    event->time = m.a[0];
    event->recorded = error == cudaSuccess;
    return error;
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

static cudaError_t sync_event(cudaEvent_t event)
{
    return is_event(event) ? wait_for_device()
                           : cudaErrorInvalidResourceHandle;
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
    if (!is_event(start) || !is_event(end) || !start->recorded ||
        !end->recorded || (start->flags | end->flags) & cudaEventDisableTiming)
        return DONE(cudaErrorInvalidResourceHandle);
    *ms = (float)(((double)end->time - (double)start->time) / ns_a_ms);
    return DONE(cudaSuccess);
}
