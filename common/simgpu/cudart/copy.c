// SPDX-License-Identifier: MIT
/*
 * copy.c: memcpy and memset, all their forms with plain pointers.
 *
 *   cudaMemcpy, cudaMemcpyAsync, cudaMemcpy2D[Async]
 *   cudaMemcpyToSymbol[Async], cudaMemcpyFromSymbol[Async]
 *   cudaMemset[Async], cudaMemset2D[Async]
 *
 * cudaMemcpyAsync to pinned memory lands when the program waits (late.c); all
 * other forms end before they return, as copies of pageable memory may.
 * A host address is looked up in this program's own map before it is used,
 * so that a pointer of the wrong side is an error and not a crash.
 */
#include "runtime.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PIECE = 8 << 20 }; /* bytes a message; see SIMWIRE_MAX_PAYLOAD */

bool rt_is_host(const void *p, size_t n)
{
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t first = (uintptr_t)p / page * page;
    uintptr_t end = (uintptr_t)p + n;
    if (!p || end < (uintptr_t)p)
        return false;
    /* Only asks whether the pages are mapped: MS_ASYNC starts no writing. */
    return msync((void *)first, end - first, MS_ASYNC) == 0 || errno != ENOMEM;
}

static cudaError_t not_host(const void *p, const char *role)
{
    return rt_fail(cudaErrorInvalidValue,
                   "%s %p is no memory of this program: a device pointer, or "
                   "too many bytes?", role, p);
}

static cudaError_t upload(uint64_t to, const char *from, size_t n)
{
    if (!rt_is_host(from, n))
        return not_host(from, "source");
    rt_land(); /* the source may be the target of an earlier copy */
    for (size_t done = 0; done < n; done += PIECE) {
        struct simwire_header m = {.op = OP_WRITE, .a = {to + done}};
        m.data = n - done < PIECE ? n - done : PIECE;
        cudaError_t error = rt_ask(&m, from + done, NULL, 0);
        if (error)
            return error;
    }
    return cudaSuccess;
}

static cudaError_t download(char *to, uint64_t from, size_t n)
{
    if (!rt_is_host(to, n))
        return not_host(to, "destination");
    for (size_t done = 0; done < n; done += PIECE) {
        size_t piece = n - done < PIECE ? n - done : PIECE;
        struct simwire_header m = {.op = OP_READ, .a = {from + done, piece}};
        cudaError_t error = rt_ask(&m, NULL, to + done, piece);
        if (error)
            return error;
    }
    return cudaSuccess;
}

/* What the caller says, or, for cudaMemcpyDefault, what these two are. What
 * both sides see is the device's to copy, after what it was told before. */
static enum cudaMemcpyKind kind_of(const void *to, const void *from, size_t n,
                                   enum cudaMemcpyKind kind)
{
    bool to_host = kind == cudaMemcpyDeviceToHost ||
                   kind == cudaMemcpyHostToHost;
    bool from_host = kind == cudaMemcpyHostToDevice ||
                     kind == cudaMemcpyHostToHost;
    if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault)
        return kind;
    if (kind == cudaMemcpyDefault) {
        to_host = rt_is_host(to, n);
        from_host = rt_is_host(from, n);
    }
    to_host &= !rt_shared(to);
    from_host &= !rt_shared(from);
    return to_host ? from_host ? cudaMemcpyHostToHost : cudaMemcpyDeviceToHost
           : from_host ? cudaMemcpyHostToDevice
                       : cudaMemcpyDeviceToDevice;
}

static cudaError_t copy(void *to, const void *from, size_t n,
                        enum cudaMemcpyKind kind)
{
    struct simwire_header m = {.op = OP_COPY,
                               .a = {(uintptr_t)to, (uintptr_t)from, n}};
    if (n == 0)
        return cudaSuccess;
    switch (kind_of(to, from, n, kind)) {
    case cudaMemcpyHostToDevice:
        return upload((uintptr_t)to, from, n);
    case cudaMemcpyDeviceToHost:
        return download(to, (uintptr_t)from, n);
    case cudaMemcpyDeviceToDevice:
        return rt_ask(&m, NULL, NULL, 0);
    case cudaMemcpyHostToHost:
        if (!rt_is_host(to, n) || !rt_is_host(from, n))
            return not_host(rt_is_host(to, n) ? from : to, "address");
        rt_land();
        memmove(to, from, n);
        return cudaSuccess;
    default:
        return cudaErrorInvalidMemcpyDirection;
    }
}

static cudaError_t copy_rows(void *to, size_t to_pitch, const void *from,
                             size_t from_pitch, size_t width, size_t height,
                             enum cudaMemcpyKind kind)
{
    if (width > to_pitch || width > from_pitch)
        return cudaErrorInvalidPitchValue;
    if (width == to_pitch && width == from_pitch)
        return copy(to, from, width * height, kind);
    for (size_t row = 0; row < height; row++) {
        cudaError_t error = copy((char *)to + row * to_pitch,
                                 (const char *)from + row * from_pitch, width,
                                 kind);
        if (error)
            return error;
    }
    return cudaSuccess;
}

static cudaError_t fill_rows(void *to, size_t pitch, int value, size_t width,
                             size_t height)
{
    if (height > 1 && width > pitch)
        return cudaErrorInvalidPitchValue;
    if (width == pitch) {
        width *= height;
        height = 1;
    }
    for (size_t row = 0; row < height && width > 0; row++) {
        struct simwire_header m = {
            .op = OP_FILL,
            .a = {(uintptr_t)to + row * pitch, (uint8_t)value, 1, width}};
        cudaError_t error = rt_ask(&m, NULL, NULL, 0);
        if (error)
            return error;
    }
    return cudaSuccess;
}

/* The address of n bytes at offset of a variable of the device. */
static cudaError_t symbol_bytes(const void *symbol, size_t n, size_t offset,
                                void **address)
{
    uint64_t base = 0;
    size_t bytes = 0;
    cudaError_t error = rt_find_symbol(symbol, &base, &bytes);
    if (error)
        return error;
    if (offset > bytes || n > bytes - offset)
        return rt_fail(cudaErrorInvalidValue,
                       "%zu bytes from offset %zu of a variable of %zu", n,
                       offset, bytes);
    *address = (void *)(uintptr_t)(base + offset);
    return cudaSuccess;
}

static cudaError_t copy_to_symbol(const void *symbol, const void *src,
                                  size_t count, size_t offset,
                                  enum cudaMemcpyKind kind)
{
    void *to;
    cudaError_t error = symbol_bytes(symbol, count, offset, &to);
    return error ? error : copy(to, src, count, kind);
}

static cudaError_t copy_from_symbol(void *dst, const void *symbol,
                                    size_t count, size_t offset,
                                    enum cudaMemcpyKind kind)
{
    void *from;
    cudaError_t error = symbol_bytes(symbol, count, offset, &from);
    return error ? error : copy(dst, from, count, kind);
}

static cudaError_t copy_late(void *to, const void *from, size_t n)
{
    void *bytes = malloc(n);
    cudaError_t error =
        !rt_is_host(to, n) ? not_host(to, "destination")
        : bytes            ? download(bytes, (uintptr_t)from, n)
                           : cudaErrorMemoryAllocation;
    if (!error && !rt_late(to, bytes, n))
        error = cudaErrorMemoryAllocation;
    if (error)
        free(bytes);
    return error;
}

static bool comes_from_device(const void *from, size_t n,
                              enum cudaMemcpyKind kind)
{
    return kind == cudaMemcpyDeviceToHost ||
           (kind == cudaMemcpyDefault && !rt_is_host(from, n));
}

static cudaError_t on_stream(cudaStream_t stream)
{
    return rt_is_stream(stream) ? cudaSuccess : cudaErrorInvalidResourceHandle;
}

cudaError_t cudaMemcpy(void *dst, const void *src, size_t count,
                       enum cudaMemcpyKind kind)
{
    rt_land(); /* it waits for what was begun before */
    return DONE(copy(dst, src, count, kind));
}
TWIN(cudaMemcpy, _ptds)

cudaError_t cudaMemcpyAsync(void *dst, const void *src, size_t count,
                            enum cudaMemcpyKind kind, cudaStream_t stream)
{
    cudaError_t error = on_stream(stream);
    if (!error && count > 0 && rt_is_pinned(dst) &&
        comes_from_device(src, count, kind))
        return DONE(copy_late(dst, src, count));
    return DONE(error ? error : copy(dst, src, count, kind));
}
TWIN(cudaMemcpyAsync, _ptsz)

cudaError_t cudaMemcpy2D(void *dst, size_t dpitch, const void *src,
                         size_t spitch, size_t width, size_t height,
                         enum cudaMemcpyKind kind)
{
    rt_land();
    return DONE(copy_rows(dst, dpitch, src, spitch, width, height, kind));
}
TWIN(cudaMemcpy2D, _ptds)

cudaError_t cudaMemcpy2DAsync(void *dst, size_t dpitch, const void *src,
                              size_t spitch, size_t width, size_t height,
                              enum cudaMemcpyKind kind, cudaStream_t stream)
{
    cudaError_t error = on_stream(stream);
    return DONE(error ? error
                      : copy_rows(dst, dpitch, src, spitch, width, height,
                                  kind));
}
TWIN(cudaMemcpy2DAsync, _ptsz)

cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *src,
                               size_t count, size_t offset,
                               enum cudaMemcpyKind kind)
{
    return DONE(copy_to_symbol(symbol, src, count, offset, kind));
}
TWIN(cudaMemcpyToSymbol, _ptds)

cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *src,
                                    size_t count, size_t offset,
                                    enum cudaMemcpyKind kind,
                                    cudaStream_t stream)
{
    cudaError_t error = on_stream(stream);
    return DONE(error ? error
                      : copy_to_symbol(symbol, src, count, offset, kind));
}
TWIN(cudaMemcpyToSymbolAsync, _ptsz)

cudaError_t cudaMemcpyFromSymbol(void *dst, const void *symbol, size_t count,
                                 size_t offset, enum cudaMemcpyKind kind)
{
    rt_land();
    return DONE(copy_from_symbol(dst, symbol, count, offset, kind));
}
TWIN(cudaMemcpyFromSymbol, _ptds)

cudaError_t cudaMemcpyFromSymbolAsync(void *dst, const void *symbol,
                                      size_t count, size_t offset,
                                      enum cudaMemcpyKind kind,
                                      cudaStream_t stream)
{
    cudaError_t error = on_stream(stream);
    return DONE(error ? error
                      : copy_from_symbol(dst, symbol, count, offset, kind));
}
TWIN(cudaMemcpyFromSymbolAsync, _ptsz)

cudaError_t cudaMemset(void *devPtr, int value, size_t count)
{
    return DONE(fill_rows(devPtr, count, value, count, 1));
}
TWIN(cudaMemset, _ptds)

cudaError_t cudaMemsetAsync(void *devPtr, int value, size_t count,
                            cudaStream_t stream)
{
    cudaError_t error = on_stream(stream);
    return DONE(error ? error : fill_rows(devPtr, count, value, count, 1));
}
TWIN(cudaMemsetAsync, _ptsz)

cudaError_t cudaMemset2D(void *devPtr, size_t pitch, int value, size_t width,
                         size_t height)
{
    return DONE(fill_rows(devPtr, pitch, value, width, height));
}
TWIN(cudaMemset2D, _ptds)

cudaError_t cudaMemset2DAsync(void *devPtr, size_t pitch, int value,
                              size_t width, size_t height,
                              cudaStream_t stream)
{
    cudaError_t error = on_stream(stream);
    return DONE(error ? error
                      : fill_rows(devPtr, pitch, value, width, height));
}
TWIN(cudaMemset2DAsync, _ptsz)
