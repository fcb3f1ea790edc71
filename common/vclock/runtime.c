// SPDX-License-Identifier: MIT
/*
 * runtime.c: streams, events, errors and properties of the virtual clock.
 *
 *   cudaStreamCreate, -WithFlags, -Destroy, -Synchronize, -Query, -WaitEvent
 *   cudaEventCreate, -WithFlags, -Record, -Synchronize, -Query, -ElapsedTime,
 *   -Destroy
 *   cudaDeviceSynchronize, cudaGetDevice, cudaSetDevice, cudaGetDeviceCount,
 *   cudaDeviceGetAttribute, cudaGetDeviceProperties
 *   cudaGetLastError, cudaPeekAtLastError, cudaGetErrorName, -String
 *
 * An event's time is rounded to half a microsecond, the resolution that CUDA
 * documents.
 */
#include "vclock/vclock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    RECORD_NS = 900,   /* cost on the host */
    RESOLUTION_NS = 500,
    CREATE_NS = 1000,
    SMS = 132,
};

struct CUstream_st {
    struct CUstream_st *next;
};

struct CUevent_st {
    struct CUevent_st *next;
    unsigned flags;
    bool recorded;
    uint64_t time;
    uint64_t moved; /* what vc_moved said */
};

static struct CUstream_st *streams;
static struct CUevent_st *events;
static cudaError_t last;
static char remark[96] = "-"; /* vclock_remark */

static const struct {
    cudaError_t error;
    const char *name, *meaning;
} errors[] = {
    {cudaSuccess, "cudaSuccess", "no error"},
    {cudaErrorInvalidValue, "cudaErrorInvalidValue", "invalid argument"},
    {cudaErrorMemoryAllocation, "cudaErrorMemoryAllocation", "out of memory"},
    {cudaErrorInvalidResourceHandle, "cudaErrorInvalidResourceHandle",
     "invalid resource handle"},
    {cudaErrorInvalidDevice, "cudaErrorInvalidDevice",
     "invalid device ordinal"},
    {cudaErrorNotReady, "cudaErrorNotReady", "device not ready"},
    {cudaErrorIllegalAddress, "cudaErrorIllegalAddress",
     "an illegal memory access was encountered"},
};

const char *cudaGetErrorName(cudaError_t error)
{
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
        if (errors[i].error == error)
            return errors[i].name;
    return "unrecognized error code";
}

const char *cudaGetErrorString(cudaError_t error)
{
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
        if (errors[i].error == error)
            return errors[i].meaning;
    return "unrecognized error code";
}

static void note(const char *call, const char *word)
{
    if (strcmp(remark, "-") == 0)
        snprintf(remark, sizeof remark, "%s%s%s", call, *call ? ":" : "",
                 word);
}

const char *vclock_remark(void)
{
    return remark;
}

cudaError_t vc_done(const char *call, cudaError_t error)
{
    if (error == cudaSuccess || error == cudaErrorNotReady)
        return error;
    if (last == cudaSuccess)
        fprintf(stderr, "%s: %s\n", call, cudaGetErrorName(error));
    note(call, cudaGetErrorName(error));
    last = error;
    return error;
}

cudaError_t cudaPeekAtLastError(void)
{
    return last;
}

cudaError_t cudaGetLastError(void)
{
    cudaError_t error = last;

    last = cudaSuccess;
    return error;
}

static bool is_stream(cudaStream_t stream)
{
    struct CUstream_st *s = streams;

    while (s && s != stream)
        s = s->next;
    return s || !stream || stream == cudaStreamLegacy ||
           stream == cudaStreamPerThread;
}

static bool is_event(cudaEvent_t event)
{
    struct CUevent_st *e = events;

    while (e && e != event)
        e = e->next;
    return e != NULL;
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *pStream,
                                      unsigned int flags)
{
    struct CUstream_st *s = pStream ? calloc(1, sizeof *s) : NULL;

    (void)flags;
    vc_host(CREATE_NS);
    if (!s)
        return DONE(cudaErrorInvalidValue);
    s->next = streams;
    *pStream = streams = s;
    return DONE(cudaSuccess);
}

cudaError_t cudaStreamCreate(cudaStream_t *pStream)
{
    return cudaStreamCreateWithFlags(pStream, cudaStreamDefault);
}

cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    struct CUstream_st **link = &streams, *s;

    while (*link && *link != stream)
        link = &(*link)->next;
    s = *link;
    if (!s)
        return DONE(cudaErrorInvalidResourceHandle);
    *link = s->next;
    free(s);
    return DONE(cudaSuccess);
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
    if (!is_stream(stream))
        return DONE(cudaErrorInvalidResourceHandle);
    vc_wait_all();
    return DONE(cudaSuccess);
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event,
                                unsigned int flags)
{
    (void)flags;
    return DONE(is_stream(stream) && is_event(event)
                    ? cudaSuccess
                    : cudaErrorInvalidResourceHandle);
}

cudaError_t cudaDeviceSynchronize(void)
{
    vc_wait_all();
    return DONE(cudaSuccess);
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int flags)
{
    struct CUevent_st *e = event ? calloc(1, sizeof *e) : NULL;

    vc_host(CREATE_NS);
    if (!e)
        return DONE(cudaErrorInvalidValue);
    e->flags = flags;
    e->next = events;
    *event = events = e;
    return DONE(cudaSuccess);
}

cudaError_t cudaEventCreate(cudaEvent_t *event)
{
    return cudaEventCreateWithFlags(event, cudaEventDefault);
}

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    struct CUevent_st **link = &events, *e;

    while (*link && *link != event)
        link = &(*link)->next;
    e = *link;
    if (!e)
        return DONE(cudaErrorInvalidResourceHandle);
    *link = e->next;
    free(e);
    return DONE(cudaSuccess);
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    if (!is_event(event) || !is_stream(stream))
        return DONE(cudaErrorInvalidResourceHandle);
    event->time = vc_record(RECORD_NS);
    event->moved = vc_moved();
    event->recorded = true;
    return DONE(cudaSuccess);
}

cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
    if (!is_event(event))
        return DONE(cudaErrorInvalidResourceHandle);
    if (event->recorded)
        vc_wait(event->time);
    return DONE(cudaSuccess);
}

cudaError_t cudaEventQuery(cudaEvent_t event)
{
    vc_host(RECORD_NS);
    if (!is_event(event))
        return DONE(cudaErrorInvalidResourceHandle);
    return DONE(!event->recorded || vc_is_past(event->time)
                    ? cudaSuccess
                    : cudaErrorNotReady);
}

static double rounded_ms(uint64_t ns)
{
    return (double)(ns / RESOLUTION_NS * RESOLUTION_NS) * 1e-6;
}

cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t start, cudaEvent_t end)
{
    if (!is_event(start) || !is_event(end) || !start->recorded ||
        !end->recorded || (start->flags | end->flags) & cudaEventDisableTiming)
        return DONE(cudaErrorInvalidResourceHandle);
    if (!vc_is_past(start->time) || !vc_is_past(end->time)) {
        note(__func__, cudaGetErrorName(cudaErrorNotReady));
        return DONE(cudaErrorNotReady);
    }
    if (end->moved != start->moved)
        note("", TRAP_MOVES_BETWEEN);
    *ms = (float)(rounded_ms(end->time) - rounded_ms(start->time));
    return DONE(cudaSuccess);
}

cudaError_t cudaGetDevice(int *device)
{
    *device = 0;
    return DONE(cudaSuccess);
}

cudaError_t cudaSetDevice(int device)
{
    return DONE(device == 0 ? cudaSuccess : cudaErrorInvalidDevice);
}

cudaError_t cudaGetDeviceCount(int *count)
{
    *count = 1;
    return DONE(cudaSuccess);
}

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attr,
                                   int device)
{
    if (!value || device != 0)
        return DONE(cudaErrorInvalidValue);
    if (attr == cudaDevAttrL2CacheSize)
        *value = VC_L2_BYTES;
    else if (attr == cudaDevAttrMultiProcessorCount)
        *value = SMS;
    else
        return DONE(cudaErrorInvalidValue);
    return DONE(cudaSuccess);
}

/* The properties that a timer may need; all others are 0. */
cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *prop, int device)
{
    if (!prop || device != 0)
        return DONE(cudaErrorInvalidValue);
    memset(prop, 0, sizeof *prop);
    snprintf(prop->name, sizeof prop->name, "virtual clock");
    prop->l2CacheSize = VC_L2_BYTES;
    prop->multiProcessorCount = SMS;
    return DONE(cudaSuccess);
}

/* nvcc's code calls these in every library, even without kernels. */
void **__cudaRegisterFatBinary(void *binary);
void __cudaRegisterFatBinaryEnd(void **handle);
void __cudaUnregisterFatBinary(void **handle);

void **__cudaRegisterFatBinary(void *binary)
{
    static void *handle;

    handle = binary;
    return &handle;
}

void __cudaRegisterFatBinaryEnd(void **handle)
{
    (void)handle;
}

void __cudaUnregisterFatBinary(void **handle)
{
    (void)handle;
}
