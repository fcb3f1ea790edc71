// SPDX-License-Identifier: MIT
/*
 * pages.c: large memory by malloc, for hosts without an operating system.
 * Interface: host/pages.h.
 *
 * There is no address space without memory here, so a reserve costs all its
 * bytes: whoever opens an engine asks for a small GPU memory
 * (engine_config.memory_bytes). No client exists that could map anything.
 */
#include "simgpu/host/pages.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { PAGE = 4096 };

size_t pages_bytes(void)
{
    return PAGE;
}

static void *zeroed(size_t bytes)
{
    if (bytes > SIZE_MAX - PAGE)
        return NULL;
    size_t whole = (bytes + PAGE - 1) / PAGE * PAGE;
    void *p = aligned_alloc(PAGE, whole ? whole : PAGE);
    return p ? memset(p, 0, whole) : NULL;
}

void *pages_reserve(size_t bytes)
{
    return zeroed(bytes);
}

bool pages_open(void *reserve, size_t bytes)
{
    (void)reserve, (void)bytes;
    return true;
}

void *pages_zero(size_t bytes)
{
    void *p = zeroed(bytes);
    if (!p)
        abort();
    return p;
}

void *pages_grow(void *old, size_t from, size_t to)
{
    void *p = pages_zero(to);
    if (old)
        memcpy(p, old, from < to ? from : to);
    free(old);
    return p;
}

void pages_drop(void *p, size_t bytes)
{
    memset(p, 0, bytes);
}

void pages_free(void *p, size_t bytes)
{
    (void)bytes;
    free(p);
}

enum { NO_FILE = 1 };

int pages_map(void *p, size_t bytes)
{
    memset(p, 0, bytes);
    return NO_FILE;
}

void pages_unmap(void *p, size_t bytes, int file)
{
    (void)file;
    memset(p, 0, bytes);
}

bool pages_touched(int file, size_t bytes, size_t *first, size_t *end)
{
    (void)file, (void)bytes, (void)first, (void)end;
    return false;
}

uint64_t pages_resident(void)
{
    return 0;
}

bool pages_beyond(uint64_t most, uint64_t *asked)
{
    (void)most;
    (void)asked;
    return false;
}
