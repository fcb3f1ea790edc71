// SPDX-License-Identifier: MIT
/*
 * pieces.h: the device heap's memory, as malloc in kernels gave it.
 *
 *   heap_new, heap_delete
 *   heap_take     address of a new piece; 0: the heap is full
 *   heap_release  a piece is free
 *   heap_find     the piece that an address is in, or the nearest one
 *   heap_begin    all pieces are gone, if all were freed
 */
#ifndef SIMGPU_PIECES_H
#define SIMGPU_PIECES_H

#include "memory.h"

struct piece {
    uint64_t address;
    uint64_t bytes;
    bool live;
};

/* NULL: the GPU's memory is full. */
struct heap *heap_new(struct memory *m, uint64_t bytes);
void heap_delete(struct memory *m, struct heap *h);
bool heap_in_use(const struct heap *h);
uint64_t heap_take(struct memory *m, struct heap *h, uint64_t bytes);
/* false: heap_take did not give this address, or it is free. */
bool heap_release(struct heap *h, uint64_t address);
/* false: the address is not in the heap (h may be NULL). Before the first
 * malloc the piece has no bytes. */
bool heap_find(const struct heap *h, uint64_t address, struct piece *found);
void heap_begin(struct heap *h);

#endif
