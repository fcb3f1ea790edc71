// SPDX-License-Identifier: MIT
/*
 * arena.c: allocates memory in blocks that are freed together.
 *
 *   arena_open, arena_close, arena_alloc
 *
 * A request larger than half a block gets a block of its own, so that a large
 * array wastes no space.
 */
#include "arena.h"

#include <stdint.h>
#include <stdlib.h>

enum { BLOCK_BYTES = 1 << 16 }; /* a small module fits in one or two */

struct block {
    struct block *next;
    size_t used, size;
    _Alignas(max_align_t) unsigned char bytes[];
};

struct arena {
    struct block *current; /* head of the list of all blocks */
};

struct arena *arena_open(void)
{
    return calloc(1, sizeof(struct arena));
}

void arena_close(struct arena *arena)
{
    if (!arena)
        return;
    for (struct block *b = arena->current, *next; b; b = next) {
        next = b->next;
        free(b);
    }
    free(arena);
}

static struct block *new_block(size_t size)
{
    struct block *b = calloc(1, sizeof *b + size);
    if (b)
        b->size = size;
    return b;
}

/* Inserted after the head, whose free space thus stays in use. */
static void *alloc_large(struct arena *arena, size_t bytes)
{
    struct block *b = new_block(bytes);
    if (!b)
        return NULL;
    b->used = bytes;
    if (arena->current) {
        b->next = arena->current->next;
        arena->current->next = b;
    } else {
        arena->current = b;
    }
    return b->bytes;
}

void *arena_alloc(struct arena *arena, size_t count, size_t size)
{
    const size_t align = _Alignof(max_align_t);
    if (size && count > (SIZE_MAX / 2) / size)
        return NULL;
    size_t bytes = (count * size + align - 1) / align * align;
    if (bytes > BLOCK_BYTES / 2)
        return alloc_large(arena, bytes);
    struct block *b = arena->current;
    if (!b || b->size - b->used < bytes) {
        b = new_block(BLOCK_BYTES);
        if (!b)
            return NULL;
        b->next = arena->current;
        arena->current = b;
    }
    void *p = b->bytes + b->used;
    b->used += bytes;
    return p;
}
