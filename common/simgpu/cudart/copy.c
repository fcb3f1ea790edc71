// SPDX-License-Identifier: MIT
/*
 * copy.c: implements memcpy and memset.
 *
 *   rt_do_copy, rt_do_fill, rt_is_host   see runtime.h
 *
 * cudaMemcpyAsync to pinned memory completes when the program waits
 * (deferred.c); all other forms complete before they return, as CUDA permits
 * for pageable memory. A host address is checked against this process's
 * mappings before it is used, so that a pointer of the wrong side is an error
 * and not a crash.
 */
#include "runtime.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PIECE = 8 << 20 }; /* bytes per message; see SIMWIRE_MAX_PAYLOAD */

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
    if (rt_is_device(p))
        return rt_fail(cudaErrorInvalidValue, "%s %p is memory of the GPU",
                       role, p);
    return rt_fail(cudaErrorInvalidValue,
                   "%s %p is no memory of this program: not allocated, or too "
                   "many bytes?", role, p);
}

static cudaError_t upload(uint64_t to, const char *from, size_t n,
                          uint64_t on)
{
    if (!rt_is_host(from, n))
        return not_host(from, "source");
    rt_finish_copies_in(from, n); /* of earlier copies */
    for (size_t done = 0; done < n; done += PIECE) {
        struct simwire_header m = {.op = OP_WRITE, .stream = on,
                                   .a = {to + done}};
        m.data = n - done < PIECE ? n - done : PIECE;
        cudaError_t error = rt_ask(&m, from + done, NULL, 0);
        if (error)
            return error;
    }
    return cudaSuccess;
}

/* mapped: the device's address of the final destination, if the device maps
 * it; else 0. *queued: from which byte on the device itself will write it,
 * because the copy's turn has not come; n: it has. */
static cudaError_t download(char *to, uint64_t from, size_t n, uint64_t on,
                            uint64_t mapped, size_t *queued)
{
    if (!rt_is_host(to, n))
        return not_host(to, "destination");
    for (size_t done = 0; done < n; done += PIECE) {
        size_t piece = n - done < PIECE ? n - done : PIECE;
        struct simwire_header m = {.op = OP_READ, .stream = on,
                                   .a = {from + done, piece,
                                         mapped ? mapped + done : 0,
                                         mapped ? 1 + (*queued < n) : 0}};
        cudaError_t error = rt_ask(&m, NULL, to + done, piece);
        if (error)
            return error;
        if (m.a[0])
            rt_note_accused();
        if (m.stream && done < *queued)
            *queued = done;
    }
    return cudaSuccess;
}

/* The direction that the caller names, or, for cudaMemcpyDefault, the one that
 * follows from the addresses. Mapped memory counts as the device's, so that
 * the copy runs in order with its other work. */
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
    to_host &= !rt_mapped(to);
    from_host &= !rt_mapped(from);
    return to_host ? from_host ? cudaMemcpyHostToHost : cudaMemcpyDeviceToHost
           : from_host ? cudaMemcpyHostToDevice
                       : cudaMemcpyDeviceToDevice;
}

/* The host does not wait for a copy within device memory. */
static uint64_t on_device(uint64_t on, const void *to, const void *from)
{
    return rt_mapped(to) || rt_mapped(from) ? on : on & ~SIMWIRE_WAITED;
}

static cudaError_t copy(void *to, const void *from, size_t n,
                        enum cudaMemcpyKind kind, uint64_t on)
{
    struct simwire_header m = {.op = OP_COPY,
                               .a = {rt_address(to), rt_address(from), n}};
    if (n == 0)
        return cudaSuccess;
    m.stream = on_device(on, to, from);
    rt_finish_copies_in(to, n); /* either may be a target of earlier copies */
    rt_finish_copies_in(from, n);
    switch (kind_of(to, from, n, kind)) {
    case cudaMemcpyHostToDevice:
        return upload((uintptr_t)to, from, n, on);
    case cudaMemcpyDeviceToHost:
        return download(to, (uintptr_t)from, n, on | SIMWIRE_WAITED, 0, &n);
    case cudaMemcpyDeviceToDevice:
        return rt_ask(&m, NULL, NULL, 0);
    case cudaMemcpyHostToHost:
        if (!rt_is_host(to, n) || !rt_is_host(from, n))
            return not_host(rt_is_host(to, n) ? from : to, "address");
        memmove(to, from, n);
        return cudaSuccess;
    default:
        return cudaErrorInvalidMemcpyDirection;
    }
}

static cudaError_t copy_deferred(void *to, const void *from, size_t n,
                             uint64_t on)
{
    uint64_t mapped = rt_mapped(to) ? rt_address(to) : 0;
    size_t queued = n;
    void *bytes = malloc(n);
    cudaError_t error =
        !rt_is_host(to, n) ? not_host(to, "destination")
        : bytes ? download(bytes, (uintptr_t)from, n, on, mapped, &queued)
                : cudaErrorMemoryAllocation;
    if (queued < n)
        rt_early_open(to, n);
    if (!error && queued < n)
        memcpy(to, bytes, queued);
    else if (!error && !rt_defer_copy(to, bytes, n, on))
        error = cudaErrorMemoryAllocation;
    if (error || queued < n)
        free(bytes);
    return error;
}

static bool comes_from_device(const void *from, size_t n,
                              enum cudaMemcpyKind kind)
{
    return kind == cudaMemcpyDeviceToHost ||
           (kind == cudaMemcpyDefault && !rt_is_host(from, n));
}

static bool may_be_deferred(const struct rt_copy *c)
{
    return c->width > 0 && c->height == 1 && c->depth == 1 &&
           rt_is_pinned(c->to) &&
           comes_from_device(c->from, c->width, c->kind);
}

/* A copy to the device that the host does not wait for. */
static bool may_be_rewritten(const struct rt_copy *c)
{
    return c->width > 0 && c->height == 1 && c->depth == 1 &&
           rt_is_pinned(c->from) &&
           (c->kind == cudaMemcpyHostToDevice ||
            (c->kind == cudaMemcpyDefault && !rt_is_host(c->to, c->width)));
}

static cudaError_t copy_rows(const struct rt_copy *c, char *to,
                             const char *from, uint64_t on)
{
    if (c->width == c->to_pitch && c->width == c->from_pitch)
        return copy(to, from, c->width * c->height, c->kind, on);
    for (size_t row = 0; row < c->height; row++) {
        cudaError_t error = copy(to + row * c->to_pitch,
                                 from + row * c->from_pitch, c->width,
                                 c->kind, on);
        if (error)
            return error;
    }
    return cudaSuccess;
}

static bool within_device(const struct rt_copy *c)
{
    bool hosts = rt_mapped(c->to) == RT_PINNED &&
                 rt_mapped(c->from) == RT_PINNED;
    return !hosts && c->width && c->height && c->depth &&
           kind_of(c->to, c->from, c->width, c->kind) ==
               cudaMemcpyDeviceToDevice;
}

/* A direction that is not the pointers' is the usual reason. */
static void say_direction(enum cudaMemcpyKind kind)
{
    static const char *const words[] = {
        [cudaMemcpyHostToHost] = "; the call says cudaMemcpyHostToHost",
        [cudaMemcpyHostToDevice] = "; the call says cudaMemcpyHostToDevice: "
                                   "from the host to the device",
        [cudaMemcpyDeviceToHost] = "; the call says cudaMemcpyDeviceToHost: "
                                   "from the device to the host",
        [cudaMemcpyDeviceToDevice] = "; the call says cudaMemcpyDeviceToDevice",
    };
    if (rt_why()[0] && (unsigned)kind < cudaMemcpyDefault)
        rt_fail_also(words[kind]);
}

static cudaError_t copy_all(const struct rt_copy *c, uint64_t on)
{
    bool rows = c->height > 1 || c->depth > 1;
    if (rows && (c->width > c->to_pitch || c->width > c->from_pitch))
        return cudaErrorInvalidPitchValue;
    if (!(on & SIMWIRE_WAITED) && may_be_deferred(c))
        return copy_deferred(c->to, c->from, c->width, on);
    for (size_t slice = 0; slice < c->depth; slice++) {
        cudaError_t error =
            copy_rows(c, c->to + slice * c->to_pitch * c->to_height,
                      c->from + slice * c->from_pitch * c->from_height, on);
        if (error)
            return error;
    }
    if (within_device(c))
        rt_tell_overlap(c);
    if (!(on & SIMWIRE_WAITED) && may_be_rewritten(c))
        rt_watch_source((void *)(uintptr_t)c->from, c->width, on);
    return cudaSuccess;
}

cudaError_t rt_do_copy(const struct rt_copy *c, uint64_t on)
{
    cudaError_t error = copy_all(c, on);
    if (error == cudaErrorInvalidValue)
        say_direction(c->kind);
    return error;
}

cudaError_t rt_do_fill(const struct rt_fill *f, uint64_t on)
{
    if (on == SIMWIRE_LEGACY && rt_mapped(f->to))
        on |= SIMWIRE_WAITED;
    if (rt_mapped(f->to))
        rt_finish_copies();
    size_t bytes = f->width * f->element, height = f->height;
    size_t width = f->width;
    if (height > 1 && bytes > f->pitch)
        return cudaErrorInvalidValue;
    if (bytes == f->pitch) {
        width *= height;
        height = 1;
    }
    for (size_t row = 0; row < height && width > 0; row++) {
        struct simwire_header m = {
            .op = OP_FILL,
            .stream = on,
            .a = {rt_address(f->to) + row * f->pitch, f->value, f->element,
                  width}};
        cudaError_t error = rt_ask(&m, NULL, NULL, 0);
        if (error)
            return error;
        if (m.a[0])
            rt_note_accused();
    }
    return cudaSuccess;
}
