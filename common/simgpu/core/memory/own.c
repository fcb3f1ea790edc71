// SPDX-License-Identifier: MIT
/* own.c: memory of this process. Interface: own.h. */
#include "own.h"

#include <stdlib.h>
#include <sys/mman.h>

void *own_map(size_t bytes)
{
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED)
        abort();
    return p;
}

void *not_null(void *p)
{
    if (!p)
        abort();
    return p;
}
