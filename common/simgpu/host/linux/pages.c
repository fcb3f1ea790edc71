// SPDX-License-Identifier: MIT
/*
 * pages.c: large memory from Linux. Interface: host/pages.h.
 *
 * Nothing is reserved in swap: only pages that are touched cost memory.
 */
#include "simgpu/host/pages.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

/* An array of a gigabyte, of which some blocks touch a part, costs what is
 * touched: where the system gives large pages to all, it would cost hundreds
 * of times that. Small ones may have them, and are quicker for it. */
static void keep_sparse(void *p, size_t bytes)
{
    enum { LARGE = 32 << 20 };

    if (bytes >= LARGE)
        madvise(p, bytes, MADV_NOHUGEPAGE); /* a kernel may have none */
}

size_t pages_bytes(void)
{
    return (size_t)sysconf(_SC_PAGESIZE);
}

static void *map(size_t bytes, int access)
{
    return mmap(NULL, bytes, access,
                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
}

void *pages_reserve(size_t bytes)
{
    void *p = map(bytes, PROT_NONE);
    return p == MAP_FAILED ? NULL : p;
}

bool pages_open(void *reserve, size_t bytes)
{
    size_t page = pages_bytes();
    size_t whole = (bytes + page - 1) / page * page;
    if (mprotect(reserve, whole, PROT_READ | PROT_WRITE))
        return false;
    keep_sparse(reserve, whole);
    return true;
}

void *pages_zero(size_t bytes)
{
    void *p = map(bytes, PROT_READ | PROT_WRITE);
    if (p == MAP_FAILED)
        abort();
    keep_sparse(p, bytes);
    return p;
}

void *pages_grow(void *old, size_t from, size_t to)
{
    if (!old)
        return pages_zero(to);
    void *p = mremap(old, from, to, MREMAP_MAYMOVE);
    if (p == MAP_FAILED)
        abort();
    keep_sparse(p, to);
    return p;
}

void pages_drop(void *p, size_t bytes)
{
    if (madvise(p, bytes, MADV_DONTNEED))
        abort();
}

void pages_free(void *p, size_t bytes)
{
    if (p && munmap(p, bytes))
        abort();
}

/* Sealed: a client that cut the file short would kill this process. */
static int make_file(size_t bytes)
{
    int file = memfd_create("simgpu", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (file < 0)
        return -1;
    if (ftruncate(file, (off_t)bytes) == 0 &&
        fcntl(file, F_ADD_SEALS,
              F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0)
        return file;
    close(file);
    return -1;
}

int pages_map(void *p, size_t bytes)
{
    int file = make_file(bytes);
    if (file < 0)
        return -1;
    if (mmap(p, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file,
             0) != MAP_FAILED)
        return file;
    close(file);
    return -1;
}

void pages_unmap(void *p, size_t bytes, int file)
{
    if (mmap(p, bytes, PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1,
             0) == MAP_FAILED)
        abort();
    close(file);
}

/* A page that nobody touched is a hole of the file. */
bool pages_touched(int file, size_t bytes, size_t *first, size_t *end)
{
    off_t at = *first < bytes ? lseek(file, (off_t)*first, SEEK_DATA) : -1;
    if (at < 0)
        return false;
    off_t hole = lseek(file, at, SEEK_HOLE);
    *first = (size_t)at;
    *end = hole < 0 || (size_t)hole > bytes ? bytes : (size_t)hole;
    return *first < *end;
}

uint64_t pages_resident(void)
{
    unsigned long long pages = 0;
    char text[128];
    int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    ssize_t n = file < 0 ? -1 : read(file, text, sizeof text - 1);
    if (file >= 0)
        close(file);
    text[n > 0 ? n : 0] = '\0';
    return sscanf(text, "%*u %llu", &pages) == 1 ? pages * pages_bytes() : 0;
}

/* As of the system's last tick, at most 10 ms ago; the exact time costs many
 * times as much, and this is asked each time that a warp runs. */
static uint64_t nanoseconds_at_tick(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC_COARSE, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

bool pages_beyond(uint64_t most, uint64_t *asked)
{
    enum { SELDOM_NS = 2 * 1000 * 1000 };
    uint64_t now = nanoseconds_at_tick();
    bool is_beyond;
    if (now - *asked < SELDOM_NS)
        return false;
    is_beyond = pages_resident() > most;
    *asked = is_beyond ? 0 : now;
    return is_beyond;
}
