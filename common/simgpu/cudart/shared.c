// SPDX-License-Identifier: MIT
/*
 * shared.c: memory that the program and the device both see, at one address.
 *
 *   cudaMallocManaged, cudaMemPrefetchAsync, cudaMemAdvise
 *   cudaStreamAttachMemAsync
 *   rt_share, rt_map, rt_unmap, rt_shared, rt_unmap_all   see runtime.h
 *
 * The device owns the pages and hands over their descriptor; they are mapped
 * here where the device has them, so that a pointer means the same on both
 * sides. Hints about where pages should live are checked and change nothing.
 * As on a device, a host that reads before it waits for the kernel reads
 * whatever is there.
 */
#include "runtime.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct mapping {
    struct mapping *next;
    char *start;
    size_t bytes;
    enum rt_shared_kind kind;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct mapping *mappings;

static size_t span(size_t bytes)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    return (bytes + page - 1) / page * page;
}

/* The link to the mapping that holds p; the lock is held. */
static struct mapping **find(const void *p)
{
    struct mapping **link = &mappings;
    while (*link &&
           (uintptr_t)p - (uintptr_t)(*link)->start >= (*link)->bytes)
        link = &(*link)->next;
    return link;
}

enum rt_shared_kind rt_shared(const void *p)
{
    pthread_mutex_lock(&lock);
    const struct mapping *m = *find(p);
    enum rt_shared_kind kind = m ? m->kind : RT_NOT_SHARED;
    pthread_mutex_unlock(&lock);
    return kind;
}

static cudaError_t map(void *start, size_t bytes, int fd,
                       enum rt_shared_kind kind)
{
    struct mapping *mapping = malloc(sizeof *mapping);
    void *p = mmap(start, span(bytes), PROT_READ | PROT_WRITE,
                   MAP_SHARED | MAP_FIXED_NOREPLACE, fd, 0);
    if (!mapping || p != start) {
        free(mapping);
        if (p != MAP_FAILED)
            munmap(p, span(bytes)); /* an old kernel took it for a hint */
        return rt_fail(cudaErrorMemoryAllocation,
                       "%p is not free in this program: %s", start,
                       strerror(errno));
    }
    pthread_mutex_lock(&lock);
    *mapping = (struct mapping){mappings, start, bytes, kind};
    mappings = mapping;
    pthread_mutex_unlock(&lock);
    return cudaSuccess;
}

cudaError_t rt_map(uint64_t address, enum rt_shared_kind kind)
{
    struct simwire_header m = {.op = OP_MAP, .a = {address}};
    cudaError_t error = rt_ask(&m, NULL, NULL, 0);
    if (error)
        return error;
    int fd = (int)m.a[3];
    error = map((void *)(uintptr_t)m.a[0], m.a[1], fd, kind);
    close(fd);
    return error;
}

cudaError_t rt_share(void **p, size_t bytes, enum rt_shared_kind kind)
{
    struct simwire_header m = {.op = OP_SHARE,
                               .a = {bytes, kind == RT_PINNED}};
    cudaError_t error = rt_ask(&m, NULL, NULL, 0);
    if (error)
        return error;
    uint64_t address = m.a[0];
    error = rt_map(address, kind);
    if (error) {
        m = (struct simwire_header){.op = OP_FREE, .a = {address}};
        rt_ask(&m, NULL, NULL, 0);
        return error;
    }
    *p = (void *)(uintptr_t)address;
    return cudaSuccess;
}

bool rt_unmap(const void *p)
{
    pthread_mutex_lock(&lock);
    struct mapping **link = find(p), *gone = *link;
    bool found = gone && gone->start == p;
    if (found)
        *link = gone->next;
    pthread_mutex_unlock(&lock);
    if (!found)
        return false;
    munmap(gone->start, span(gone->bytes));
    free(gone);
    return true;
}

void rt_unmap_all(void)
{
    while (mappings)
        rt_unmap(mappings->start);
}

static cudaError_t allocate(void **p, size_t size, unsigned flags)
{
    if (!p || (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost))
        return cudaErrorInvalidValue;
    *p = NULL;
    if (size == 0)
        return cudaSuccess;
    cudaError_t error = rt_unless_capturing();
    return error ? error : rt_share(p, size, RT_MANAGED);
}

cudaError_t cudaMallocManaged(void **devPtr, size_t size, unsigned int flags)
{
    return DONE(allocate(devPtr, size, flags));
}

static cudaError_t check_managed(const void *p, size_t count)
{
    pthread_mutex_lock(&lock);
    const struct mapping *m = *find(p);
    bool good = m && m->kind == RT_MANAGED && count > 0 &&
                count <= m->bytes - (size_t)((const char *)p - m->start);
    pthread_mutex_unlock(&lock);
    return good ? cudaSuccess
                : rt_fail(cudaErrorInvalidValue,
                          "%zu bytes at %p are not managed memory", count, p);
}

static cudaError_t check_place(int device)
{
    return device == 0 || device == cudaCpuDeviceId ? cudaSuccess
                                                    : cudaErrorInvalidDevice;
}

/* 13 says where by a struct, as the _v2 of 12 does; the others by a number. */
#if CUDART_VERSION >= 12020
static cudaError_t check_location(struct cudaMemLocation at)
{
    return at.type == cudaMemLocationTypeHost ? cudaSuccess
                                              : check_place(at.id);
}
#endif

static cudaError_t prefetch(const void *p, size_t count, cudaError_t place,
                            cudaStream_t stream)
{
    if (!rt_is_stream(stream))
        return cudaErrorInvalidResourceHandle;
    cudaError_t error = check_managed(p, count);
    return error ? error : place;
}

#if CUDART_VERSION >= 13000
cudaError_t cudaMemPrefetchAsync(const void *devPtr, size_t count,
                                 struct cudaMemLocation location,
                                 unsigned int flags, cudaStream_t stream)
{
    (void)flags;
    return DONE(prefetch(devPtr, count, check_location(location), stream));
}

cudaError_t cudaMemAdvise(const void *devPtr, size_t count,
                          enum cudaMemoryAdvise advice,
                          struct cudaMemLocation location)
{
    (void)advice, (void)location;
    return DONE(check_managed(devPtr, count));
}
#else
cudaError_t cudaMemPrefetchAsync(const void *devPtr, size_t count,
                                 int dstDevice, cudaStream_t stream)
{
    return DONE(prefetch(devPtr, count, check_place(dstDevice), stream));
}

cudaError_t cudaMemAdvise(const void *devPtr, size_t count,
                          enum cudaMemoryAdvise advice, int device)
{
    (void)advice, (void)device;
    return DONE(check_managed(devPtr, count));
}
#if CUDART_VERSION >= 12020
cudaError_t cudaMemPrefetchAsync_v2(const void *devPtr, size_t count,
                                    struct cudaMemLocation location,
                                    unsigned int flags, cudaStream_t stream)
{
    (void)flags;
    return DONE(prefetch(devPtr, count, check_location(location), stream));
}
TWIN(cudaMemPrefetchAsync_v2, _ptsz)

cudaError_t cudaMemAdvise_v2(const void *devPtr, size_t count,
                             enum cudaMemoryAdvise advice,
                             struct cudaMemLocation location)
{
    (void)advice, (void)location;
    return DONE(check_managed(devPtr, count));
}
#endif
#endif
TWIN(cudaMemPrefetchAsync, _ptsz)

cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void *devPtr,
                                     size_t length, unsigned int flags)
{
    (void)flags;
    return DONE(prefetch(devPtr, length ? length : 1, cudaSuccess, stream));
}
TWIN(cudaStreamAttachMemAsync, _ptsz)
