// SPDX-License-Identifier: MIT
/*
 * capture.c: stream capture, which turns the calls on a stream into a graph.
 *
 *   cudaStreamBeginCapture, cudaStreamEndCapture, cudaStreamIsCapturing
 *   cudaThreadExchangeStreamCaptureMode
 *   rt_captured, rt_is_capturing, rt_refuse_*         see runtime.h
 *   capture_event, capture_wait, capture_invalidate   see stream.h
 *
 * A node depends on the nodes captured last on its stream. A stream that waits
 * for an event of a captured stream joins the capture, and the origin stream
 * must wait for it before the capture ends. A call that would wait for work
 * under capture invalidates the capture.
 */
#include "stream.h"

#include <pthread.h>
#include <stdlib.h>

struct capture {
    cudaStream_t origin;
    enum cudaStreamCaptureMode mode;
    pthread_t thread;        /* which began the capture */
    cudaGraph_t graph;
    bool invalidated;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int captures; /* under way */
static _Thread_local enum cudaStreamCaptureMode thread_mode =
    cudaStreamCaptureModeGlobal;

static struct capture *capture_of(cudaStream_t stream)
{
    return captures && !stream_is_default(stream) ? stream->capture : NULL;
}

static bool add(struct capture *c, struct nodes *tail,
                const struct rt_work *work)
{
    cudaGraphNode_t node = graph_add(c->graph, work, tail->list, tail->n);
    nodes_free(tail);
    return node && nodes_add(tail, node);
}

/* The lock is held. */
static cudaError_t forbid_implicit(void)
{
    cudaError_t error = cudaSuccess;
    struct CUstream_st *s = captures ? stream_next(NULL) : NULL;
    for (; s; s = stream_next(s))
        if (s->capture && !(s->flags & cudaStreamNonBlocking)) {
            s->capture->invalidated = true;
            error = cudaErrorStreamCaptureImplicit;
        }
    return error;
}

bool rt_captured(const struct rt_work *work, cudaStream_t stream,
                 cudaError_t *error)
{
    *error = cudaSuccess;
    pthread_mutex_lock(&lock);
    struct capture *c = capture_of(stream);
    if (!c && stream_is_default(stream))
        *error = forbid_implicit();
    else if (c && c->invalidated)
        *error = cudaErrorStreamCaptureInvalidated;
    else if (c && !add(c, &stream->tail, work))
        *error = cudaErrorMemoryAllocation;
    pthread_mutex_unlock(&lock);
    return c || *error;
}

bool rt_is_capturing(cudaStream_t stream)
{
    pthread_mutex_lock(&lock);
    bool capturing = capture_of(stream) != NULL;
    pthread_mutex_unlock(&lock);
    return capturing;
}

/* Does c's mode forbid this thread a call that may wait for captured work? */
static bool forbids_waiting(const struct capture *c)
{
    if (thread_mode == cudaStreamCaptureModeRelaxed ||
        c->mode == cudaStreamCaptureModeRelaxed)
        return false;
    return c->mode == cudaStreamCaptureModeGlobal ||
           pthread_equal(c->thread, pthread_self());
}

cudaError_t rt_refuse_while_capturing(void)
{
    cudaError_t error = cudaSuccess;
    pthread_mutex_lock(&lock);
    struct CUstream_st *s = captures ? stream_next(NULL) : NULL;
    for (; s; s = stream_next(s))
        if (s->capture && forbids_waiting(s->capture)) {
            s->capture->invalidated = true;
            error = cudaErrorStreamCaptureUnsupported;
        }
    pthread_mutex_unlock(&lock);
    return error;
}

cudaError_t rt_refuse_implicit(void)
{
    pthread_mutex_lock(&lock);
    cudaError_t error = forbid_implicit();
    pthread_mutex_unlock(&lock);
    return error;
}

cudaError_t rt_refuse_if_captured(cudaStream_t stream)
{
    pthread_mutex_lock(&lock);
    struct capture *c = capture_of(stream);
    if (c)
        c->invalidated = true;
    pthread_mutex_unlock(&lock);
    return c ? cudaErrorStreamCaptureUnsupported : cudaSuccess;
}

bool capture_invalidate(cudaEvent_t event)
{
    pthread_mutex_lock(&lock);
    struct capture *c = captures ? event->capture : NULL;
    if (c)
        c->invalidated = true;
    pthread_mutex_unlock(&lock);
    return c != NULL;
}

static bool copy_nodes(struct nodes *to, const struct nodes *from)
{
    bool ok = true;
    for (size_t i = 0; i < from->n; i++)
        ok &= nodes_hold(to, from->list[i]) || nodes_add(to, from->list[i]);
    return ok;
}

bool capture_event(cudaEvent_t event, cudaStream_t stream)
{
    pthread_mutex_lock(&lock);
    struct capture *c = capture_of(stream);
    event->capture = c;
    nodes_free(&event->after);
    if (c)
        c->invalidated |= !copy_nodes(&event->after, &stream->tail);
    pthread_mutex_unlock(&lock);
    return c != NULL;
}

/* The lock is held. */
static cudaError_t join(cudaStream_t stream, cudaEvent_t event,
                        struct capture *mine, struct capture *its)
{
    if (mine != its && mine)
        return cudaErrorStreamCaptureIsolation;
    if (!its)
        return cudaSuccess;
    if (stream_is_default(stream))
        return cudaErrorStreamCaptureImplicit;
    stream->capture = its;
    return copy_nodes(&stream->tail, &event->after)
               ? cudaSuccess : cudaErrorMemoryAllocation;
}

cudaError_t capture_wait(cudaStream_t stream, cudaEvent_t event)
{
    pthread_mutex_lock(&lock);
    struct capture *its = captures ? event->capture : NULL;
    struct capture *mine = capture_of(stream);
    cudaError_t error = join(stream, event, mine, its);
    if (mine && error)
        mine->invalidated = true;
    pthread_mutex_unlock(&lock);
    return error;
}

/* The lock is held, here, in detach_all and in end. */
static cudaError_t begin(cudaStream_t stream, enum cudaStreamCaptureMode mode)
{
    if (!rt_is_stream(stream) || (int)mode < cudaStreamCaptureModeGlobal ||
        mode > cudaStreamCaptureModeRelaxed)
        return cudaErrorInvalidValue;
    if (stream_is_default(stream))
        return cudaErrorStreamCaptureUnsupported;
    if (stream->capture)
        return cudaErrorIllegalState;
    struct capture *c = malloc(sizeof *c);
    cudaGraph_t graph = graph_new();
    if (!c || !graph) {
        free(c);
        graph_free(graph);
        return cudaErrorMemoryAllocation;
    }
    *c = (struct capture){stream, mode, pthread_self(), graph, false};
    stream->capture = c;
    captures++;
    return cudaSuccess;
}

cudaError_t cudaStreamBeginCapture(cudaStream_t stream,
                                   enum cudaStreamCaptureMode mode)
{
    pthread_mutex_lock(&lock);
    cudaError_t error = begin(stream, mode);
    pthread_mutex_unlock(&lock);
    return DONE(error);
}
TWIN(cudaStreamBeginCapture, _ptsz)

/* Removes all streams and events from c. false: a stream holds work that the
 * origin stream does not wait for. */
static bool detach_all(struct capture *c)
{
    bool joined = true;
    const struct nodes *last = &c->origin->tail;
    for (struct CUstream_st *s = stream_next(NULL); s; s = stream_next(s)) {
        if (s->capture != c || s == c->origin)
            continue;
        for (size_t i = 0; i < s->tail.n; i++)
            joined &= graph_reaches(last, s->tail.list[i]);
        s->capture = NULL;
        nodes_free(&s->tail);
    }
    for (struct CUevent_st *e = event_next(NULL); e; e = event_next(e))
        if (e->capture == c) {
            e->capture = NULL;
            nodes_free(&e->after);
        }
    return joined;
}

static cudaError_t end(cudaStream_t stream, cudaGraph_t *graph)
{
    struct capture *c = stream_find(stream) ? stream->capture : NULL;
    if (!c)
        return cudaErrorIllegalState;
    if (c->origin != stream)
        return cudaErrorStreamCaptureUnmatched;
    cudaError_t error = !detach_all(c)   ? cudaErrorStreamCaptureUnjoined
                        : c->invalidated
                            ? cudaErrorStreamCaptureInvalidated
                            : cudaSuccess;
    stream->capture = NULL;
    nodes_free(&stream->tail);
    if (error)
        graph_free(c->graph);
    *graph = error ? NULL : c->graph;
    free(c);
    captures--;
    return error;
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *pGraph)
{
    if (!pGraph)
        return DONE(cudaErrorInvalidValue);
    pthread_mutex_lock(&lock);
    cudaError_t error = end(stream, pGraph);
    pthread_mutex_unlock(&lock);
    return DONE(error);
}
TWIN(cudaStreamEndCapture, _ptsz)

cudaError_t cudaStreamIsCapturing(cudaStream_t stream,
                                  enum cudaStreamCaptureStatus *pCaptureStatus)
{
    if (!rt_is_stream(stream))
        return DONE(cudaErrorInvalidResourceHandle);
    pthread_mutex_lock(&lock);
    const struct capture *c = capture_of(stream);
    *pCaptureStatus = !c               ? cudaStreamCaptureStatusNone
                      : c->invalidated ? cudaStreamCaptureStatusInvalidated
                                       : cudaStreamCaptureStatusActive;
    pthread_mutex_unlock(&lock);
    return DONE(cudaSuccess);
}
TWIN(cudaStreamIsCapturing, _ptsz)

cudaError_t
cudaThreadExchangeStreamCaptureMode(enum cudaStreamCaptureMode *mode)
{
    enum cudaStreamCaptureMode old = thread_mode;
    if (!mode || (int)*mode < cudaStreamCaptureModeGlobal ||
        *mode > cudaStreamCaptureModeRelaxed)
        return DONE(cudaErrorInvalidValue);
    thread_mode = *mode;
    *mode = old;
    return DONE(cudaSuccess);
}
