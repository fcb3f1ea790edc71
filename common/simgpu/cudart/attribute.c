// SPDX-License-Identifier: MIT
/*
 * attribute.c: attributes of streams.
 *
 *   cudaStreamSetAttribute, cudaStreamGetAttribute, cudaStreamCopyAttributes
 *
 * They are stored, and have no effect: they say what L2 should keep, how the
 * host waits, and which fences concern which work.
 */
#include "stream.h"

#include <string.h>

static const struct row {
    cudaStreamAttrID id;
    size_t bytes; /* of its member of the union */
} rows[STREAM_ATTRIBUTES] = {
    {cudaLaunchAttributeAccessPolicyWindow,
     sizeof(struct cudaAccessPolicyWindow)},
    {cudaLaunchAttributeSynchronizationPolicy,
     sizeof(enum cudaSynchronizationPolicy)},
#if CUDART_VERSION >= 12000
    {cudaLaunchAttributeMemSyncDomainMap, sizeof(cudaLaunchMemSyncDomainMap)},
    {cudaLaunchAttributeMemSyncDomain, sizeof(cudaLaunchMemSyncDomain)},
#endif
};

#define AT_FIRST {[1] = {.syncPolicy = cudaSyncPolicyAuto}}
const cudaStreamAttrValue stream_attributes[STREAM_ATTRIBUTES] = AT_FIRST;

/* Of the default streams. */
static cudaStreamAttrValue of_default[STREAM_ATTRIBUTES] = AT_FIRST;

static cudaStreamAttrValue *values_of(cudaStream_t stream)
{
    if (stream_is_default(stream))
        return of_default;
    struct CUstream_st *s = stream_find(stream);
    return s ? s->attributes : NULL;
}

static const struct row *find(cudaStreamAttrID id)
{
    for (size_t i = 0; i < STREAM_ATTRIBUTES; i++)
        if (rows[i].bytes && rows[i].id == id)
            return &rows[i];
    return NULL;
}

/* Where the stream's value is stored, and how large it is. */
static cudaError_t locate(cudaStream_t stream, cudaStreamAttrID id,
                          cudaStreamAttrValue **value, size_t *bytes)
{
    cudaStreamAttrValue *values = values_of(stream);
    const struct row *row = find(id);
    if (!values)
        return cudaErrorInvalidResourceHandle;
    if (!row)
        return cudaErrorInvalidValue;
    *value = &values[row - rows];
    *bytes = row->bytes;
    return cudaSuccess;
}

cudaError_t cudaStreamSetAttribute(cudaStream_t hStream, cudaStreamAttrID attr,
                                   const cudaStreamAttrValue *value)
{
    cudaStreamAttrValue *own;
    size_t bytes;
    cudaError_t error = locate(hStream, attr, &own, &bytes);
    if (!error && !value)
        error = cudaErrorInvalidValue;
    if (!error)
        memcpy(own, value, bytes);
    return DONE(error);
}
TWIN(cudaStreamSetAttribute, _ptsz)

cudaError_t cudaStreamGetAttribute(cudaStream_t hStream, cudaStreamAttrID attr,
                                   cudaStreamAttrValue *value_out)
{
    cudaStreamAttrValue *own;
    size_t bytes;
    cudaError_t error = locate(hStream, attr, &own, &bytes);
    if (!error && !value_out)
        error = cudaErrorInvalidValue;
    if (!error)
        memcpy(value_out, own, bytes);
    return DONE(error);
}
TWIN(cudaStreamGetAttribute, _ptsz)

cudaError_t cudaStreamCopyAttributes(cudaStream_t dst, cudaStream_t src)
{
    cudaStreamAttrValue *to = values_of(dst);
    const cudaStreamAttrValue *from = values_of(src);
    if (!to || !from)
        return DONE(cudaErrorInvalidResourceHandle);
    memmove(to, from, sizeof stream_attributes);
    return DONE(cudaSuccess);
}
TWIN(cudaStreamCopyAttributes, _ptsz)
