// SPDX-License-Identifier: MIT
/*
 * stream.c: streams.
 *
 *   cudaStreamCreate*, cudaStreamDestroy, cudaStreamSynchronize, -Query,
 *   -GetFlags, -GetPriority, -GetId, -GetDevice, -AddCallback
 *   cudaLaunchHostFunc, cudaDeviceGetStreamPriorityRange
 *   stream_*   see stream.h
 *
 * All streams run in the order of the calls, one of the orders that a GPU may
 * choose, so a wait for one stream waits for all, but for what comes beside a
 * kernel that polls. For race detection only the stream that the program waited
 * for counts as done.
 */
#include "stream.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST_PRIORITY = 0, GREATEST_PRIORITY = -5 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct CUstream_st *streams;
static atomic_uint next_id = SIMWIRE_FIRST_STREAM;

bool stream_is_default(cudaStream_t stream)
{
    return !stream || stream == cudaStreamLegacy ||
           stream == cudaStreamPerThread;
}

struct CUstream_st *stream_next(struct CUstream_st *stream)
{
    pthread_mutex_lock(&lock);
    struct CUstream_st *next = stream ? stream->next : streams;
    pthread_mutex_unlock(&lock);
    return next;
}

struct CUstream_st *stream_find(cudaStream_t stream)
{
    struct CUstream_st *s = stream_next(NULL);
    while (s && s != stream)
        s = stream_next(s);
    return s;
}

static bool is_stream(cudaStream_t stream)
{
    return stream_is_default(stream) || stream_find(stream);
}

static void accuse(cudaStream_t stream)
{
    char text[160];
    snprintf(text, sizeof text,
             "%p was destroyed, or never created: CUDA leaves undefined what a "
             "call does with it, and an H200's crashes", (void *)stream);
    rt_accuse("a stream that does not exist", text);
}

bool rt_is_stream(cudaStream_t stream)
{
    if (is_stream(stream))
        return true;
    accuse(stream);
    return false;
}

enum stream_notice { DESTROYED, CREATED, CREATED_NON_BLOCKING };

static cudaError_t notify(uint64_t id, enum stream_notice notice)
{
    struct simwire_header m = {.op = OP_STREAM, .stream = id, .a = {notice}};
    return rt_ask(&m, NULL, NULL, 0);
}

/* Each thread has a default stream of its own. */
static uint64_t per_thread(void)
{
    static atomic_uint threads;
    static _Thread_local uint64_t mine;
    if (!mine) {
        mine = SIMWIRE_PER_THREAD |
               (uint64_t)atomic_fetch_add(&threads, 1) << SIMWIRE_PART;
        notify(mine, CREATED);
    }
    return mine;
}

uint64_t rt_stream_id(cudaStream_t stream)
{
    if (stream == cudaStreamPerThread)
        return per_thread();
    return stream_is_default(stream) ? SIMWIRE_LEGACY : stream->id;
}

cudaError_t rt_wait(uint64_t on)
{
    struct simwire_header m = {.op = OP_SYNC, .stream = on};
    return rt_ask(&m, NULL, NULL, 0);
}

cudaError_t rt_query(uint64_t on)
{
    struct simwire_header m = {.op = OP_SYNC, .stream = on, .a = {0, 1}};
    return rt_ask(&m, NULL, NULL, 0);
}

static cudaError_t create_stream(cudaStream_t *stream, unsigned flags,
                                 int priority)
{
    if (!stream || flags & ~(unsigned)cudaStreamNonBlocking)
        return cudaErrorInvalidValue;
    struct CUstream_st *s = calloc(1, sizeof *s);
    if (!s)
        return cudaErrorMemoryAllocation;
    s->flags = flags;
    memcpy(s->attributes, stream_attributes, sizeof s->attributes);
    s->priority = priority < GREATEST_PRIORITY ? GREATEST_PRIORITY
                  : priority > LEAST_PRIORITY  ? LEAST_PRIORITY
                                               : priority;
    s->id = atomic_fetch_add(&next_id, 1);
    cudaError_t error =
        notify(s->id, flags & cudaStreamNonBlocking ? CREATED_NON_BLOCKING
                                                    : CREATED);
    if (error) {
        free(s);
        return error;
    }
    pthread_mutex_lock(&lock);
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
    if (s) {
        nodes_free(&s->tail);
        notify(s->id, DESTROYED);
    } else if (!stream_is_default(stream)) {
        accuse(stream);
    }
    free(s);
    return DONE(s ? cudaSuccess : cudaErrorInvalidResourceHandle);
}

static cudaError_t with_stream(cudaStream_t stream,
                               cudaError_t what(uint64_t on))
{
    if (!rt_is_stream(stream))
        return cudaErrorInvalidResourceHandle;
    cudaError_t error = rt_refuse_if_captured(stream);
    return error ? error : what(rt_stream_id(stream));
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
    return DONE(with_stream(stream, rt_wait));
}

cudaError_t cudaStreamQuery(cudaStream_t stream)
{
    bool ready = !is_stream(stream) || rt_is_capturing(stream) ||
                 !rt_ask_stream(rt_stream_id(stream));
    return DONE(ready ? with_stream(stream, rt_query) : cudaErrorNotReady);
}

cudaError_t cudaStreamGetFlags(cudaStream_t hStream, unsigned int *flags)
{
    if (!rt_is_stream(hStream))
        return DONE(cudaErrorInvalidResourceHandle);
    *flags = stream_is_default(hStream) ? cudaStreamDefault : hStream->flags;
    return DONE(cudaSuccess);
}
TWIN(cudaStreamGetFlags, _ptsz)

cudaError_t cudaStreamGetPriority(cudaStream_t hStream, int *priority)
{
    if (!rt_is_stream(hStream))
        return DONE(cudaErrorInvalidResourceHandle);
    *priority = stream_is_default(hStream) ? LEAST_PRIORITY : hStream->priority;
    return DONE(cudaSuccess);
}
TWIN(cudaStreamGetPriority, _ptsz)

cudaError_t cudaStreamGetId(cudaStream_t hStream, unsigned long long *streamId)
{
    if (!rt_is_stream(hStream))
        return DONE(cudaErrorInvalidResourceHandle);
    *streamId = rt_stream_id(hStream) & UINT32_MAX;
    return DONE(cudaSuccess);
}
TWIN(cudaStreamGetId, _ptsz)

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t fn,
                               void *userData)
{
    struct rt_work work = {.kind = RT_HOST, .host = {fn, userData}};
    return DONE(fn ? rt_submit(&work, stream) : cudaErrorInvalidValue);
}

cudaError_t cudaStreamAddCallback(cudaStream_t stream,
                                  cudaStreamCallback_t callback,
                                  void *userData, unsigned int flags)
{
    (void)flags;
    if (!rt_is_stream(stream))
        return DONE(cudaErrorInvalidResourceHandle);
    cudaError_t error = rt_refuse_if_captured(stream);
    struct rt_call call = {.callback = callback, .stream = stream,
                           .data = userData};
    return DONE(error ? error : rt_call_host(&call, rt_stream_id(stream)));
}

cudaError_t cudaStreamGetDevice(cudaStream_t hStream, int *device)
{
    if (!rt_is_stream(hStream) || !device)
        return DONE(cudaErrorInvalidResourceHandle);
    *device = 0;
    return DONE(cudaSuccess);
}
TWIN(cudaStreamGetDevice, _ptsz)
