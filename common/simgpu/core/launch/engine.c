// SPDX-License-Identifier: MIT
/*
 * engine.c: opening and closing a simulated GPU, and its memory as the host
 * sees it. Interface: engine.h.
 */
#include <stdlib.h>
#include <string.h>

#include "simgpu/core/exec/heap.h"
#include "simgpu/core/lanes/ops.h"
#include "simgpu/core/memory/freed.h"
#include "simgpu/core/memory/mapped_pages.h"
#include "simgpu/core/memory/pieces.h"
#include "simgpu/core/race/detect.h"
#include "simgpu/core/race/streams.h"
#include "simgpu/host/threads.h"

struct engine *engine_open(const struct engine_config *config)
{
    struct engine *e = calloc(1, sizeof *e);
    if (!e)
        return NULL;
    e->config = *config;
    e->lanes = lane_table(config->isa);
    if (memory_open(&e->memory, config->memory_bytes
                                    ? config->memory_bytes
                                    : config->gpu->memory_bytes)) {
        e->streams = streams_open(&e->memory);
        e->wide = lock_new();
        e->watched = lock_new();
        return e;
    }
    free(e);
    return NULL;
}

void engine_close(struct engine *engine)
{
    if (!engine)
        return;
    while (engine->modules)
        engine_unload(engine, engine->modules);
    heap_close(engine);
    if (engine->streams->n_works)
        ledger_forget(engine->streams, DEVICE_BASE, engine->memory.opened);
    streams_close(engine->streams);
    memory_close(&engine->memory);
    race_engine_close(engine);
    lock_free(engine->wide);
    lock_free(engine->watched);
    free(engine);
}

void engine_configure(struct engine *engine, const struct engine_config *c)
{
    const struct gpu_model *gpu = engine->config.gpu;
    engine->config = *c;
    engine->config.gpu = gpu; /* memory has its size already */
}

uint64_t engine_alloc(struct engine *engine, size_t bytes)
{
    return memory_alloc(&engine->memory, bytes, false);
}

uint64_t engine_alloc_mapped(struct engine *engine, size_t bytes,
                             enum allocation_kind kind)
{
    return mapped_alloc(&engine->memory, bytes, kind, 0);
}

uint64_t engine_register(struct engine *engine, uint64_t host, size_t bytes)
{
    uint64_t address =
        mapped_alloc(&engine->memory, bytes, ALLOCATION_PINNED, host);
    engine->registered |= address != 0;
    return address;
}

void engine_pool(struct engine *engine, uint64_t address)
{
    struct allocation *a =
        (struct allocation *)memory_find(&engine->memory, address);
    if (a)
        a->pooled = true;
}

enum mem_status engine_free(struct engine *engine, uint64_t address)
{
    const struct allocation *a = memory_find(&engine->memory, address);
    if (a && a->live && a->address == address && engine->streams->n_works)
        ledger_forget(engine->streams, address, a->bytes);
    if (a && a->live && a->address == address && a->kind)
        mapped_drop(&engine->memory, (struct allocation *)a);
    enum mem_status status = memory_free(&engine->memory, address);
    if (freed_is_due(&engine->memory))
        freed_return(&engine->memory, race_forget, engine);
    return status;
}

enum mem_status engine_revive(struct engine *engine, uint64_t address)
{
    return memory_revive(&engine->memory, address);
}

bool engine_in_heap(const struct engine *engine, uint64_t address)
{
    struct piece piece;
    return heap_find(engine->heap, address, &piece);
}

/* The bytes of a range that lies in one live allocation, or NULL. */
static uint8_t *any_range(struct engine *engine, uint64_t address, size_t n)
{
    const struct allocation *a = memory_find(&engine->memory, address);
    if (!a || !a->live || n > a->address + a->bytes - address)
        return NULL;
    return memory_host(&engine->memory, address);
}

/* Of what the host can copy: the heap of kernels is theirs alone. */
static uint8_t *range(struct engine *engine, uint64_t address, size_t n)
{
    return engine_in_heap(engine, address) ? NULL
                                           : any_range(engine, address, n);
}

static void defined(struct engine *engine, uint64_t address, size_t n)
{
    bits_set(engine->memory.init, address - DEVICE_BASE, n);
}

enum mem_status engine_write(struct engine *engine, uint64_t to,
                             const void *from, size_t n)
{
    if (n == 0)
        return MEM_OK;
    uint8_t *p = range(engine, to, n);
    if (!p)
        return MEM_BAD_ADDRESS;
    memcpy(p, from, n);
    defined(engine, to, n);
    return MEM_OK;
}

enum mem_status engine_read(struct engine *engine, void *to, uint64_t from,
                            size_t n)
{
    if (n == 0)
        return MEM_OK;
    const uint8_t *p = range(engine, from, n);
    if (!p)
        return MEM_BAD_ADDRESS;
    memcpy(to, p, n);
    return MEM_OK;
}

/* What was never written stays so in the copy. */
static void copy_bits(struct engine *engine, uint64_t to, uint64_t from,
                      size_t n)
{
    uint8_t *bits = engine->memory.init;
    uint64_t t = to - DEVICE_BASE, f = from - DEVICE_BASE;
    for (size_t k = 0; k < n; k++) {
        if (bits[(f + k) >> 3] >> ((f + k) & 7) & 1)
            bits_set(bits, t + k, 1);
        else
            bits_clear(bits, t + k, 1);
    }
}

enum mem_status engine_copy(struct engine *engine, uint64_t to, uint64_t from,
                            size_t n)
{
    if (n == 0)
        return MEM_OK;
    uint8_t *p = range(engine, to, n);
    const uint8_t *q = range(engine, from, n);
    if (!p || !q)
        return MEM_BAD_ADDRESS;
    mapped_note_writes(&engine->memory);
    memmove(p, q, n);
    if (bits_all(engine->memory.init, from - DEVICE_BASE, n))
        defined(engine, to, n);
    else
        copy_bits(engine, to, from, n);
    return MEM_OK;
}

enum mem_status engine_fill(struct engine *engine, uint64_t to, uint32_t value,
                            int width, size_t n_values)
{
    size_t n;
    if (n_values == 0)
        return MEM_OK;
    if (__builtin_mul_overflow(n_values, (size_t)width, &n))
        return MEM_BAD_ADDRESS;
    uint8_t *p = any_range(engine, to, n);
    if (!p)
        return MEM_BAD_ADDRESS;
    if (width == 1)
        memset(p, (int)value, n);
    else
        for (size_t k = 0; k < n_values; k++)
            memcpy(p + k * (size_t)width, &value, (size_t)width);
    defined(engine, to, n);
    return MEM_OK;
}

enum mem_status engine_undefine(struct engine *engine, uint64_t to, size_t n)
{
    if (n == 0)
        return MEM_OK;
    if (!range(engine, to, n))
        return MEM_BAD_ADDRESS;
    memory_undefine(&engine->memory, to - DEVICE_BASE, n);
    return MEM_OK;
}

bool engine_written(const struct engine *engine, uint64_t address, size_t n)
{
    uint64_t first = address - DEVICE_BASE;
    const uint8_t *bits = engine->memory.init;
    for (uint64_t k = first; k < first + n;) {
        bool whole = !(k & 7) && k + 8 <= first + n;
        if (whole ? bits[k >> 3] : bits[k >> 3] >> (k & 7) & 1)
            return true;
        k += whole ? 8 : 1;
    }
    return false;
}

size_t engine_allocations(const struct engine *engine,
                          const struct allocation **list)
{
    *list = engine->memory.list;
    return engine->memory.n;
}

size_t engine_memory_free(const struct engine *engine)
{
    return engine->memory.capacity - engine->memory.used;
}
