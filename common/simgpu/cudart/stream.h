// SPDX-License-Identifier: MIT
/*
 * stream.h: streams and events, for stream.c, event.c and capture.c.
 *
 *   stream_find               the object of a handle; NULL: invalid handle
 *   stream_next, event_next   iterate: NULL gives the first; NULL after the
 *                             last
 */
#ifndef SIMGPU_STREAM_H
#define SIMGPU_STREAM_H

#include "graph.h"

enum { STREAM_ATTRIBUTES = 4 }; /* that a program can set: attribute.c */

struct CUstream_st {
    struct CUstream_st *next;
    unsigned flags;
    int priority;
    unsigned long long id;
    struct capture *capture; /* NULL: not under capture */
    struct nodes tail;       /* captured last: the next node waits for these */
    cudaStreamAttrValue attributes[STREAM_ATTRIBUTES];
};

struct CUevent_st {
    struct CUevent_st *next;
    unsigned flags;
    bool recorded;
    uint64_t time;           /* ns; 0: not known yet */
    uint64_t number;         /* on the device */
    uint64_t busy;           /* rt_busy_since, when it was recorded */
    bool asked;              /* a query said "not ready" */
    struct capture *capture; /* in which it was recorded, or NULL */
    struct nodes after;      /* the nodes that it follows there */
};

/* What a stream begins with. */
extern const cudaStreamAttrValue stream_attributes[STREAM_ATTRIBUTES];

struct CUstream_st *stream_find(cudaStream_t stream);
struct CUstream_st *stream_next(struct CUstream_st *stream);
bool stream_is_default(cudaStream_t stream);
struct CUevent_st *event_next(struct CUevent_st *event);

/* capture.c: record and wait, by which a capture spreads to other streams.
 * capture_event returns false if the stream is not under capture. */
bool capture_event(cudaEvent_t event, cudaStream_t stream);
cudaError_t capture_wait(cudaStream_t stream, cudaEvent_t event);
/* Invalidates the capture in which the event was recorded; false: none. */
bool capture_invalidate(cudaEvent_t event);

#endif
