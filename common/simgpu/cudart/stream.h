// SPDX-License-Identifier: MIT
/*
 * stream.h: streams and events, as stream.c, event.c and capture.c share them.
 *
 *   stream_find, event_find   is the handle one? NULL: no
 *   stream_next, event_next   from the first, with NULL; NULL behind the last
 */
#ifndef SIMGPU_STREAM_H
#define SIMGPU_STREAM_H

#include "graph.h"

struct CUstream_st {
    struct CUstream_st *next;
    unsigned flags;
    int priority;
    unsigned long long id;
    struct capture *capture; /* NULL: what it is told is done at once */
    struct nodes tail;       /* captured last: what the next node waits for */
};

struct CUevent_st {
    struct CUevent_st *next;
    unsigned flags;
    bool recorded;
    uint64_t time;           /* ns */
    uint64_t number;         /* by which the device knows it */
    struct capture *capture; /* it was recorded in, or NULL */
    struct nodes after;      /* what it stands behind there */
};

struct CUstream_st *stream_find(cudaStream_t stream);
struct CUstream_st *stream_next(struct CUstream_st *stream);
bool stream_is_default(cudaStream_t stream);
struct CUevent_st *event_find(cudaEvent_t event);
struct CUevent_st *event_next(struct CUevent_st *event);

/* capture.c: the two ways in which events tie streams together in a capture.
 * capture_event is false where the stream is not captured. */
bool capture_event(cudaEvent_t event, cudaStream_t stream);
cudaError_t capture_wait(cudaStream_t stream, cudaEvent_t event);
/* Spoils the capture that the event was recorded in; false: in none. */
bool capture_spoil(cudaEvent_t event);

#endif
