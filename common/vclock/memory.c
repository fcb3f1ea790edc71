// SPDX-License-Identifier: MIT
/*
 * memory.c: device memory of the virtual clock.
 *
 *   cudaMalloc, cudaFree, cudaMemGetInfo, vc_bytes
 *   cudaMemset, cudaMemsetAsync, cudaMemcpy, cudaMemcpyAsync
 *
 * What cudaMalloc returns cannot be touched by the program, as on a GPU: it is
 * an address alone. The bytes are elsewhere.
 *
 * The hard idea: a memset of a whole allocation is only recorded, and applied
 * when its bytes are read. Timers flush the cache by setting a hundred
 * megabytes a thousand times, and never read them. Or they copy what nobody has
 * written: as long as both allocations are fresh, that is, all zeros, no byte
 * moves.
 */
#include "vclock/vclock.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* Similar to an H200's. Rates: bytes per nanosecond, that is, GB/s. */
enum {
    CALL_NS = 2200,      /* cost of a copy or set on the host */
    ALLOCATE_NS = 60000, /* cudaMalloc */
    FILL_NS = 2000,      /* the shortest copy or set */
    SET_RATE = 3000,
    DEVICE_RATE = 2000,  /* bytes copied; each is read and written */
    HOST_RATE = 20,
};
static const size_t device_bytes = (size_t)139 << 30;

struct allocation {
    struct allocation *next;
    char *start;   /* the device address: neither readable nor writable */
    char *content; /* its bytes */
    size_t bytes;
    bool set;  /* all bytes are to be set to value: not applied yet */
    int value;
    bool written; /* since it was allocated */
};

static struct allocation *allocations;
static size_t in_use;

/* The allocation that contains all of [p, p + n), or NULL. */
static struct allocation *find(const void *p, size_t n)
{
    for (struct allocation *a = allocations; a; a = a->next)
        if ((const char *)p >= a->start &&
            (const char *)p <= a->start + a->bytes &&
            n <= (size_t)(a->start + a->bytes - (const char *)p))
            return a;
    return NULL;
}

/* Needed before the bytes are read, or partly written. */
static void apply_set(struct allocation *a)
{
    if (a->set)
        memset(a->content, a->value, a->bytes);
    a->set = false;
}

static void *map(size_t bytes, int access)
{
    void *p = mmap(NULL, bytes, access,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    return p == MAP_FAILED ? NULL : p;
}

/* NULL: there is no memory left. */
static struct allocation *allocate(size_t bytes)
{
    struct allocation *a = calloc(1, sizeof *a);

    if (!a)
        return NULL;
    a->bytes = bytes;
    a->start = map(bytes, PROT_NONE);
    a->content = map(bytes, PROT_READ | PROT_WRITE);
    if (a->start && a->content)
        return a;
    if (a->start)
        munmap(a->start, bytes);
    free(a);
    return NULL;
}

/* Where the bytes at p are: p itself on the host. */
static void *content(const void *p)
{
    struct allocation *a = find(p, 0);

    return a ? a->content + ((const char *)p - a->start) : (void *)p;
}

cudaError_t cudaMalloc(void **devPtr, size_t size)
{
    struct allocation *a;

    vc_host(ALLOCATE_NS);
    if (!devPtr)
        return DONE(cudaErrorInvalidValue);
    *devPtr = NULL;
    if (size > device_bytes - in_use)
        return DONE(cudaErrorMemoryAllocation);
    if (size == 0)
        return DONE(cudaSuccess);
    a = allocate(size);
    if (!a)
        return DONE(cudaErrorMemoryAllocation);
    a->next = allocations;
    allocations = a;
    in_use += size;
    *devPtr = a->start;
    return DONE(cudaSuccess);
}

cudaError_t cudaFree(void *devPtr)
{
    struct allocation **link = &allocations, *a;

    vc_wait_all();
    if (!devPtr)
        return DONE(cudaSuccess);
    while (*link && (*link)->start != devPtr)
        link = &(*link)->next;
    a = *link;
    if (!a)
        return DONE(cudaErrorInvalidValue);
    *link = a->next;
    in_use -= a->bytes;
    munmap(a->start, a->bytes);
    munmap(a->content, a->bytes);
    free(a);
    return DONE(cudaSuccess);
}

cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *total)
{
    *free_bytes = device_bytes - in_use;
    *total = device_bytes;
    return DONE(cudaSuccess);
}

const void *vc_bytes(const void *p, size_t n)
{
    struct allocation *a = find(p, n);

    if (!a)
        return NULL;
    apply_set(a);
    return content(p);
}

static cudaError_t set(void *to, int value, size_t n)
{
    struct allocation *a = find(to, n);

    if (!a)
        return cudaErrorInvalidValue;
    a->written = true;
    if (n == a->bytes) {
        a->set = true;
        a->value = value;
    } else {
        apply_set(a);
        memset(content(to), value, n);
    }
    vc_enqueue(CALL_NS, FILL_NS + n / SET_RATE);
    vc_through_l2(n);
    return cudaSuccess;
}

cudaError_t cudaMemset(void *devPtr, int value, size_t count)
{
    return DONE(set(devPtr, value, count));
}

cudaError_t cudaMemsetAsync(void *devPtr, int value, size_t count,
                            cudaStream_t stream)
{
    (void)stream;
    return DONE(set(devPtr, value, count));
}

static uint64_t copy_ns(enum cudaMemcpyKind kind, size_t n)
{
    return FILL_NS + n / (kind == cudaMemcpyDeviceToDevice ? DEVICE_RATE
                                                           : HOST_RATE);
}

static enum cudaMemcpyKind true_kind(const void *to, const void *from)
{
    if (find(to, 0))
        return find(from, 0) ? cudaMemcpyDeviceToDevice
                             : cudaMemcpyHostToDevice;
    return find(from, 0) ? cudaMemcpyDeviceToHost : cudaMemcpyHostToHost;
}

static void move(void *to, const void *from, size_t n)
{
    struct allocation *target = find(to, n), *source = find(from, n);

    if (target && source && !target->written && !source->written)
        return;
    if (source)
        apply_set(source);
    if (target) {
        apply_set(target);
        target->written = true;
    }
    memmove(content(to), content(from), n);
}

/* A copy to or from the host blocks the program, as with a GPU and pageable
 * memory. */
static cudaError_t copy(void *to, const void *from, size_t n,
                        enum cudaMemcpyKind kind)
{
    enum cudaMemcpyKind real = true_kind(to, from);
    uint64_t end;

    if ((kind != cudaMemcpyDefault && kind != real) ||
        (find(to, 0) && !find(to, n)) || (find(from, 0) && !find(from, n)))
        return cudaErrorInvalidValue;
    move(to, from, n);
    end = vc_enqueue(CALL_NS, copy_ns(real, n));
    vc_through_l2(n);
    if (real != cudaMemcpyDeviceToDevice)
        vc_wait(end);
    return cudaSuccess;
}

cudaError_t cudaMemcpy(void *dst, const void *src, size_t count,
                       enum cudaMemcpyKind kind)
{
    return DONE(copy(dst, src, count, kind));
}

cudaError_t cudaMemcpyAsync(void *dst, const void *src, size_t count,
                            enum cudaMemcpyKind kind, cudaStream_t stream)
{
    (void)stream;
    return DONE(copy(dst, src, count, kind));
}
