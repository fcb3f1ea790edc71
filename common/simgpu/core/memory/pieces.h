// SPDX-License-Identifier: MIT
/*
 * pieces.h: the device heap's memory, as malloc in kernels gave it.
 *
 *   heap_new, heap_delete
 *   heap_take     address of a new piece; 0: the heap is full
 *   heap_release  a piece is free
 *   heap_find     the piece that an address is in, or the nearest one
 *   heap_begin    all pieces are gone, if all were freed
 *   heap_forget   lines of programs are no more
 *   heap_freed_at words for the line that freed it
 */
#ifndef SIMGPU_PIECES_H
#define SIMGPU_PIECES_H

#include "memory.h"

struct piece {
    uint64_t address;
    uint64_t bytes;
    bool live;
    const char *file; /* where it was freed; NULL: unknown */
    int line;
};

/* NULL: the GPU's memory is full. */
struct heap *heap_new(struct memory *m, uint64_t bytes);
void heap_delete(struct memory *m, struct heap *h);
bool heap_in_use(const struct heap *h);
uint64_t heap_take(struct memory *m, struct heap *h, uint64_t bytes);
/* *piece: the one that begins there. false: heap_take did not give this
 * address, or it is free. */
bool heap_release(struct heap *h, uint64_t address, const char *file,
                  int line, struct piece *piece);
/* false: the address is not in the heap (h may be NULL). Before the first
 * malloc the piece has no bytes. */
bool heap_find(const struct heap *h, uint64_t address, struct piece *found);
void heap_begin(struct heap *h);
void heap_forget(struct heap *h);
/* "freed at FILE:LINE" behind a text, or nothing. */
void heap_freed_at(const struct piece *p, const char *before, char *text,
                   size_t size);

#endif
