// SPDX-License-Identifier: MIT
/*
 * mapped.c: memory that the program and the device both map.
 *
 *   cudaMallocManaged, cudaMemPrefetchAsync, cudaMemAdvise
 *   cudaStreamAttachMemAsync
 *   rt_alloc_mapped, rt_map, rt_register, rt_address, rt_mapped,
 *   rt_own_pages, rt_unmap, rt_unmap_all   see runtime.h
 *
 * The device owns the pages and sends their descriptor; this file maps them at
 * the device's own address, so that a pointer means the same on both sides.
 * (Registered memory keeps its host address: rt_address translates.) Hints
 * about where pages should live are checked and have no effect. As with a GPU,
 * a host that reads before it waits for the kernel reads whatever is there.
 */
#include "runtime.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct mapping {
    struct mapping *next;
    char *start;
    size_t bytes;
    enum rt_mapped_kind kind;
    uint64_t registered; /* registered memory: the device's address; else 0 */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct mapping *mappings;

static size_t span(size_t bytes)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    return (bytes + page - 1) / page * page;
}

static bool holds(const struct mapping *m, uintptr_t p)
{
    return p - (uintptr_t)m->start < m->bytes ||
           (m->registered && p - m->registered < m->bytes);
}

/* The link to the mapping that contains p; the lock is held. */
static struct mapping **find(const void *p)
{
    struct mapping **link = &mappings;
    while (*link && !holds(*link, (uintptr_t)p))
        link = &(*link)->next;
    return link;
}

uint64_t rt_address(const void *p)
{
    uint64_t address = (uintptr_t)p;
    pthread_mutex_lock(&lock);
    const struct mapping *m = *find(p);
    if (m && m->registered && address - (uintptr_t)m->start < m->bytes)
        address = m->registered + (address - (uintptr_t)m->start);
    pthread_mutex_unlock(&lock);
    return address;
}

enum rt_mapped_kind rt_mapped(const void *p)
{
    pthread_mutex_lock(&lock);
    const struct mapping *m = *find(p);
    enum rt_mapped_kind kind = m ? m->kind : RT_NOT_MAPPED;
    pthread_mutex_unlock(&lock);
    return kind;
}

static void add(struct mapping *mapping, const struct mapping *what)
{
    pthread_mutex_lock(&lock);
    *mapping = *what;
    mapping->next = mappings;
    mappings = mapping;
    pthread_mutex_unlock(&lock);
}

static cudaError_t map(void *start, size_t bytes, int fd,
                       enum rt_mapped_kind kind)
{
    struct mapping *mapping = malloc(sizeof *mapping);
    void *p = mmap(start, span(bytes), PROT_READ | PROT_WRITE,
                   MAP_SHARED | MAP_FIXED_NOREPLACE, fd, 0);
    if (!mapping || p != start) {
        free(mapping);
        if (p != MAP_FAILED)
            munmap(p, span(bytes)); /* Linux before 4.17 ignores the flag */
        return rt_fail(cudaErrorMemoryAllocation,
                       "%p is not free in this program: %s", start,
                       strerror(errno));
    }
    add(mapping, &(struct mapping){NULL, start, bytes, kind, 0});
    return cudaSuccess;
}

/* Registered memory -------------------------------------------------------- */

/* The whole pages that cover [p, p + bytes); *n: their bytes. */
static char *pages_of(const char *p, size_t bytes, size_t *n)
{
    size_t lead = (uintptr_t)p % span(1);
    *n = span(lead + bytes);
    return (char *)p - lead;
}

/* Replaces these pages by a new mapping with the same contents. */
static bool replace_pages(char *pages, size_t n, int flags, int fd)
{
    char *new = mmap(NULL, n, PROT_READ | PROT_WRITE, flags, fd, 0);
    if (new == MAP_FAILED)
        return false;
    memcpy(new, pages, n);
    if (mremap(new, n, n, MREMAP_MAYMOVE | MREMAP_FIXED, pages) == pages)
        return true;
    munmap(new, n);
    return false;
}

/* Does this line of /proc/self/maps describe pages that may be replaced?
 * Private and writable ones, except the stack that this function runs on. */
static bool is_plain(const char *line, uintptr_t from, uintptr_t to)
{
    uintptr_t here = (uintptr_t)&line;
    return strstr(line, " rw-p ") && !(here >= from && here < to);
}

/* Is all of [p, p + n) private memory of this program? */
static bool is_own(const char *p, size_t n)
{
    enum { LINE = 4200 };
    uintptr_t at = (uintptr_t)p, from, to;
    char line[LINE];
    FILE *maps = fopen("/proc/self/maps", "re");
    while (maps && at < (uintptr_t)p + n && fgets(line, sizeof line, maps))
        if (sscanf(line, "%" SCNxPTR "-%" SCNxPTR, &from, &to) == 2 &&
            at >= from && at < to)
            at = is_plain(line, from, to) ? to : UINTPTR_MAX;
    if (maps)
        fclose(maps);
    return maps && at != UINTPTR_MAX && at >= (uintptr_t)p + n;
}

/* Is none of these pages mapped already? */
static bool is_free(const char *pages, size_t n)
{
    bool is = true;
    pthread_mutex_lock(&lock);
    for (const struct mapping *m = mappings; m; m = m->next) {
        size_t bytes;
        const char *theirs = pages_of(m->start, m->bytes, &bytes);
        is &= theirs + bytes <= pages || pages + n <= theirs;
    }
    pthread_mutex_unlock(&lock);
    return is;
}

/* Puts the device's pages in the place of the program's. */
static bool take_over(char *p, size_t bytes, uint64_t address,
                      struct mapping *mapping)
{
    size_t n;
    char *pages = pages_of(p, bytes, &n);
    struct simwire_header m = {.op = OP_MAP, .a = {address}};
    if (rt_ask(&m, NULL, NULL, 0))
        return false;
    int fd = (int)m.a[3];
    bool done = replace_pages(pages, n, MAP_SHARED, fd);
    close(fd);
    if (done)
        add(mapping,
            &(struct mapping){NULL, p, bytes, RT_PINNED, address});
    return done;
}

bool rt_register(void *p, size_t bytes)
{
    size_t n;
    char *pages = pages_of(p, bytes, &n);
    struct simwire_header m = {.op = OP_ALLOC_MAPPED,
                               .a = {bytes, 2, (uintptr_t)p}};
    struct mapping *mapping = malloc(sizeof *mapping);
    if (!mapping || !is_own(pages, n) || !is_free(pages, n) ||
        rt_ask(&m, NULL, NULL, 0)) {
        free(mapping);
        return false;
    }
    uint64_t address = m.a[0];
    if (take_over(p, bytes, address, mapping))
        return true;
    m = (struct simwire_header){.op = OP_FREE, .a = {address}};
    rt_ask(&m, NULL, NULL, 0);
    free(mapping);
    return false;
}

bool rt_own_pages(const void *p, size_t bytes, char **pages, size_t *n)
{
    uintptr_t from = (uintptr_t)p, to = from + bytes, page = span(1);
    pthread_mutex_lock(&lock);
    const struct mapping *m = *find(p);
    bool own = m && m->kind == RT_PINNED && !m->registered;
    if (own && to == (uintptr_t)m->start + m->bytes)
        to = (uintptr_t)m->start + span(m->bytes);
    pthread_mutex_unlock(&lock);
    from = (from + page - 1) / page * page;
    to = to / page * page;
    *pages = (char *)from;
    *n = own && from < to ? to - from : 0;
    return *n;
}

cudaError_t rt_map(uint64_t address, enum rt_mapped_kind kind)
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

cudaError_t rt_alloc_mapped(void **p, size_t bytes, enum rt_mapped_kind kind)
{
    struct simwire_header m = {.op = OP_ALLOC_MAPPED,
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

/* Registered memory becomes the program's own again, contents kept. */
static void give_back(const struct mapping *gone)
{
    size_t n;
    char *pages = pages_of(gone->start, gone->bytes, &n);
    if (gone->registered)
        replace_pages(pages, n, MAP_PRIVATE | MAP_ANONYMOUS, -1);
    else
        munmap(pages, n);
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
    give_back(gone);
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
    cudaError_t error = rt_refuse_while_capturing();
    return error ? error : rt_alloc_mapped(p, size, RT_MANAGED);
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

/* CUDA 13 and the _v2 calls of 12 name the place by a struct, others by a
 * device number. */
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
