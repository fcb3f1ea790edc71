// SPDX-License-Identifier: MIT
/*
 * memory.h: the simulated GPU's memory, exact to the byte.
 *
 *   memory_open, memory_close
 *   memory_alloc, memory_free
 *   memory_revive    a freed allocation lives again, at its address
 *   memory_find      the allocation that holds an address, live or freed
 *   memory_near      the nearest one, for a message
 *   memory_after     the first one behind an address
 *   bits_set, bits_clear, bits_all   ranges of "initialised" bits
 *
 * Device addresses are a range of their own, mapped nowhere in a client; a
 * constant turns one into a pointer of this process. Each byte has a bit that
 * says whether it was ever written. Allocations lie far apart, so that a
 * stray index meets a gap and not a neighbour, and freed ones are not used
 * again while there is room.
 */
#ifndef SIMGPU_MEMORY_H
#define SIMGPU_MEMORY_H

#include "simgpu/core/engine.h"

/* Above what Linux gives programs without address hints on x86-64 (PIE at
 * 0x55..., mmap at 0x7f...) and below both. */
#define DEVICE_BASE 0x200000000000ull

enum {
    ALIGNMENT = 256,          /* of cudaMalloc */
    GAP_MIN = 4 << 10,        /* after an allocation, at least */
    GAP_MAX = 16 << 20,       /* and at most; between: its own size */
    RESERVE_FACTOR = sizeof(void *) > 4 ? 8 : 2, /* address space, in
                                 multiples of capacity */
};

struct memory {
    uint8_t *host, *init;     /* of DEVICE_BASE: the bytes and their bits */
    size_t reserved, opened;  /* opened: readable prefix of the reserve */
    size_t capacity, used;
    uint64_t next;            /* offset of free address space */
    struct allocation *list;  /* in address order */
    size_t n, room;
    int64_t ids;
    size_t n_mapped;          /* allocations that a client maps */
    struct freed {            /* and not given back as a whole: freed.h */
        uint64_t first, last; /* addresses of allocations */
        size_t bytes;         /* 0: none */
    } freed;
};

/* Bounds of what an instruction last touched. Biased: the byte at address a
 * is at host + a, its init bit is bit a & 7 of byte init + (a >> 3). */
struct window {
    _Alignas(64) uint64_t lo; /* on one cache line */
    uint64_t hi;
    uintptr_t host, init;
    bool constant; /* no store of this launch reaches it */
};

/* false: the process has no address space for so much. */
bool memory_open(struct memory *m, uint64_t capacity);
void memory_close(struct memory *m);
uint64_t memory_alloc(struct memory *m, size_t bytes, bool module);
enum mem_status memory_free(struct memory *m, uint64_t address);
/* Its bytes count as never written. MEM_DOUBLE_FREE: it lives. */
enum mem_status memory_revive(struct memory *m, uint64_t address);
/* Like memory_free, for a module's variable. */
void memory_drop(struct memory *m, uint64_t address);
/* Nobody has written these bytes, from offset on. */
void memory_undefine(struct memory *m, size_t offset, size_t bytes);
const struct allocation *memory_find(const struct memory *m, uint64_t address);
const struct allocation *memory_near(const struct memory *m, uint64_t address);
/* Index in the list; m->n: there is none. */
size_t memory_after(const struct memory *m, uint64_t address);
void memory_window(const struct memory *m, const struct allocation *a,
                   struct window *w);

static inline uint8_t *memory_host(const struct memory *m, uint64_t address)
{
    return m->host + (address - DEVICE_BASE);
}

/* Bit ranges: byte i of what bits describes is bit i & 7 of bits[i >> 3]. */
void bits_set(uint8_t *bits, uint64_t first, uint64_t n);
void bits_clear(uint8_t *bits, uint64_t first, uint64_t n);
bool bits_all(const uint8_t *bits, uint64_t first, uint64_t n);
/* The same, where another thread may change neighbouring bits. */
void bits_set_atomic(uint8_t *bits, uint64_t first, uint64_t n);
void bits_clear_atomic(uint8_t *bits, uint64_t first, uint64_t n);

#endif
