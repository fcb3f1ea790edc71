// SPDX-License-Identifier: MIT
/*
 * memory_calls.c: messages about the device's memory.
 *
 *   reply_alloc, reply_alloc_mapped, reply_map, reply_free
 *   reply_write, reply_read, reply_copy, reply_fill
 *   reply_locate, reply_heap, reply_memory
 *
 * When a call refuses an address, the message says why: null, freed, no device
 * address, or too many bytes.
 */
#include "reply.h"

#include <driver_types.h>
#include <stdlib.h>

#include "simgpu/host/pages.h"

static void fail_room(struct device *dev, struct reply *reply, uint64_t bytes)
{
    reply_fail(reply, cudaErrorMemoryAllocation,
               "%llu bytes asked for, %zu are free",
               (unsigned long long)bytes, engine_memory_free(dev->engine));
}

void reply_alloc(struct device *dev, const struct simwire_header *m,
                 const uint8_t *data, struct reply *reply)
{
    (void)data;
    bool node = m->a[1] == SIMWIRE_ALLOC_NODE;
    enum mem_status status =
        node ? engine_revive(dev->engine, m->a[2]) : MEM_OK;
    uint64_t address = !node              ? engine_alloc(dev->engine, m->a[0])
                       : status == MEM_OK ? m->a[2] : 0;
    reply->head.a[0] = address;
    if (status == MEM_DOUBLE_FREE) {
        reply_fail(reply, cudaErrorInvalidValue,
                   "the graph's memory was not freed since its last launch");
        return;
    }
    if (address && m->a[1] == SIMWIRE_ALLOC_ADDRESS) {
        engine_free(dev->engine, address);
    } else if (address && m->a[1]) {
        reply_begin(dev, m, "cudaMallocAsync");
        engine_pool(dev->engine, address);
        engine_touch(dev->engine, address, m->a[0], true, NULL);
    }
    if (!address)
        fail_room(dev, reply, m->a[0]);
}

void reply_alloc_mapped(struct device *dev, const struct simwire_header *m,
                        const uint8_t *data, struct reply *reply)
{
    (void)data;
    enum allocation_kind kind = m->a[1] ? ALLOCATION_PINNED
                                        : ALLOCATION_MANAGED;
    reply->head.a[0] =
        m->a[1] == 2 ? engine_register(dev->engine, m->a[2], m->a[0])
                     : engine_alloc_mapped(dev->engine, m->a[0], kind);
    if (!reply->head.a[0])
        fail_room(dev, reply, m->a[0]);
}

/* The allocation that contains address (end excluded); prefers live ones. */
static const struct allocation *locate(const struct device *dev,
                                       uint64_t address)
{
    const struct allocation *list, *dead = NULL;
    size_t n = engine_allocations(dev->engine, &list);
    for (size_t i = 0; i < n; i++) {
        if (address - list[i].address >= list[i].bytes)
            continue;
        if (list[i].live)
            return &list[i];
        dead = &list[i];
    }
    return dead;
}

/* Fails with the reason why a call refused this address. */
static void fail_address(struct device *dev, struct reply *reply,
                         uint64_t address, uint64_t bytes)
{
    const struct allocation *a = locate(dev, address);
    if (!address)
        reply_fail(reply, cudaErrorInvalidValue,
                   "a null pointer where device memory belongs: not "
                   "allocated?");
    else if (!a)
        reply_fail(reply, cudaErrorInvalidValue,
                   "0x%llx is not an address of the device",
                   (unsigned long long)address);
    else if (engine_in_heap(dev->engine, address))
        reply_fail(reply, cudaErrorInvalidValue,
                   "0x%llx is memory of malloc in a kernel, which only kernels "
                   "can copy", (unsigned long long)address);
    else if (!a->live)
        reply_fail(reply, cudaErrorInvalidValue,
                   "0x%llx was freed (allocation %lld, %zu bytes)",
                   (unsigned long long)address, (long long)a->id, a->bytes);
    else
        reply_fail(reply, cudaErrorInvalidValue,
                   "%llu bytes from offset %llu of allocation %lld, which has "
                   "%zu", (unsigned long long)bytes,
                   (unsigned long long)(address - a->address),
                   (long long)a->id, a->bytes);
}

void reply_map(struct device *dev, const struct simwire_header *m,
               const uint8_t *data, struct reply *reply)
{
    (void)data;
    const struct allocation *a = locate(dev, m->a[0]);
    if (!a || !a->pages) {
        reply_fail(reply, cudaErrorInvalidValue,
                   "not in memory that the host can map");
        return;
    }
    reply->head.a[0] = a->address;
    reply->head.a[1] = a->bytes;
    reply->descriptor = a->pages;
}

/* cudaFree waits for all work, except on memory of cudaMallocAsync.
 * cudaFreeHost is not documented to wait, so a copy from pinned memory may
 * still be pending, which is harmless; only a copy into it is a race. Hence
 * freeing counts as a write, and as a read for pinned memory. */
static void begin_free(struct device *dev, const struct simwire_header *m)
{
    const struct allocation *a = locate(dev, m->a[0]);
    if (!a || !a->live || a->address != m->a[0])
        return;
    bool pinned = a->kind == ALLOCATION_PINNED;
    reply_begin(dev, m, m->a[1]   ? "cudaFreeAsync"
                        : a->host ? "cudaHostUnregister"
                        : pinned ? "cudaFreeHost"
                                 : "cudaFree");
    if (m->a[1] || a->pooled || pinned)
        engine_touch(dev->engine, a->address, a->bytes, !pinned, NULL);
    else
        engine_sync(dev->engine, STREAM_HOST);
}

void reply_free(struct device *dev, const struct simwire_header *m,
                const uint8_t *data, struct reply *reply)
{
    (void)data;
    begin_free(dev, m);
    enum mem_status status = engine_free(dev->engine, m->a[0]);
    const struct allocation *a = locate(dev, m->a[0]);
    if (status == MEM_DOUBLE_FREE)
        reply_fail(reply, cudaErrorInvalidValue,
                   "allocation %lld (%zu bytes) is already free",
                   (long long)(a ? a->id : 0), a ? a->bytes : 0);
    else if (status != MEM_OK)
        reply_fail(reply, cudaErrorInvalidValue,
                   "0x%llx is not the start of an allocation",
                   (unsigned long long)m->a[0]);
}

/* A call that touches so many bytes keeps within config.host_bytes; where they
 * were touched before, they count twice. */
static bool has_room(const struct device *dev, struct reply *reply,
                     uint64_t bytes)
{
    uint64_t most = dev->config.host_bytes;
    if (!most || (bytes <= most && pages_resident() <= most - bytes))
        return true;
    reply_fail(reply, cudaErrorMemoryAllocation,
               "too much memory: %llu more bytes to touch, and the simulated "
               "GPU has room for %llu in all", (unsigned long long)bytes,
               (unsigned long long)most);
    return false;
}

/* A word that is written while kernels poll is perhaps what they poll. */
static void touch_written(struct device *dev, uint64_t address, uint64_t n,
                          const uint32_t *value)
{
    bool word = n <= 8 && n && !(n & (n - 1)) && address % n == 0;
    if (word && dev->beside)
        engine_touch_signal(dev->engine, address, n);
    else
        engine_touch(dev->engine, address, n, true, value);
}

void reply_write(struct device *dev, const struct simwire_header *m,
                 const uint8_t *data, struct reply *reply)
{
    if (!has_room(dev, reply, m->data))
        return;
    if (engine_write(dev->engine, m->a[0], data, m->data) != MEM_OK) {
        fail_address(dev, reply, m->a[0], m->data);
        return;
    }
    reply_begin(dev, m, "memcpy from the host");
    touch_written(dev, m->a[0], m->data, NULL);
}

static bool inside(const struct device *dev, uint64_t address, uint64_t n)
{
    const struct allocation *a = locate(dev, address);
    return a && a->live && n <= a->bytes - (address - a->address) &&
           !engine_in_heap(dev->engine, address);
}

/* Nobody ever wrote to the allocation that the program reads from. Of one that
 * was written in part, a copy may well take in the rest. */
static bool accuse_unwritten(struct device *dev, uint64_t address, uint64_t n)
{
    const struct allocation *a = locate(dev, address);
    char text[160];
    if (!dev->bye || dev->observe.sample || !a || a->module ||
        a->kind != ALLOCATION_PLAIN || !(dev->config.checks & CHECK_MEMORY) ||
        engine_written(dev->engine, address, n) ||
        engine_written(dev->engine, a->address, a->bytes))
        return false;
    snprintf(text, sizeof text,
             "uninitialised: nothing ever wrote to allocation %lld (%zu "
             "bytes), of which it reads %llu", (long long)a->id, a->bytes,
             (unsigned long long)n);
    dev_log_api_error(&dev->log, "memcpy to the host", 0, text, 0, true);
    return true;
}

void reply_read(struct device *dev, const struct simwire_header *m,
                const uint8_t *data, struct reply *reply)
{
    (void)data;
    size_t n = m->a[1];
    void *bytes = n <= SIMWIRE_MAX_PAYLOAD ? malloc(n + 1) : NULL;
    if (!bytes) {
        reply_full(reply);
    } else if (engine_read(dev->engine, bytes, m->a[0], n) != MEM_OK) {
        free(bytes);
        fail_address(dev, reply, m->a[0], n);
    } else {
        reply->data = reply->owned = bytes;
        reply->head.data = n;
        reply->head.a[0] = n > 0 && accuse_unwritten(dev, m->a[0], n);
        reply_begin(dev, m, "memcpy to the host");
        engine_touch(dev->engine, m->a[0], n, false, NULL);
        if (inside(dev, m->a[2], n))
            engine_touch(dev->engine, m->a[2], n, true, NULL);
        if (m->a[3] == 2)
            engine_write(dev->engine, m->a[2], bytes, n);
    }
}

void reply_copy(struct device *dev, const struct simwire_header *m,
                const uint8_t *data, struct reply *reply)
{
    (void)data;
    if (!has_room(dev, reply, m->a[2]))
        return;
    if (engine_copy(dev->engine, m->a[0], m->a[1], m->a[2]) != MEM_OK) {
        fail_address(dev, reply, m->a[inside(dev, m->a[1], m->a[2]) ? 0 : 1],
                     m->a[2]);
        return;
    }
    dev->log.copied += m->a[2];
    reply_begin(dev, m, "memcpy");
    engine_touch(dev->engine, m->a[1], m->a[2], false, NULL);
    touch_written(dev, m->a[0], m->a[2], NULL);
}

/* An H200 does it (and refuses copies); the programming guide forbids both. */
static bool accuse_heap(struct device *dev, uint64_t bytes)
{
    char text[160];
    if (!dev->bye || !(dev->config.checks & CHECK_MEMORY))
        return false;
    snprintf(text, sizeof text,
             "%llu bytes of memory of malloc in a kernel, which no call of the "
             "host may be given, so CUDA leaves undefined what it does",
             (unsigned long long)bytes);
    dev_log_api_error(&dev->log, "memset", 0, text, 0, true);
    return true;
}

void reply_fill(struct device *dev, const struct simwire_header *m,
                const uint8_t *data, struct reply *reply)
{
    (void)data;
    int width = (int)m->a[2];
    uint64_t bytes = m->a[3] * (uint64_t)width;
    static const uint32_t each[] = {
        [1] = 0x01010101, [2] = 0x00010001, [4] = 1};
    if (width != 1 && width != 2 && width != 4) {
        reply_fail(reply, cudaErrorInvalidValue, "memset of %d-byte values",
                   width);
    } else if (!has_room(dev, reply, bytes)) {
        return;
    } else if (m->a[3] > SIZE_MAX / (size_t)width ||
               engine_fill(dev->engine, m->a[0], (uint32_t)m->a[1], width,
                           m->a[3]) != MEM_OK) {
        fail_address(dev, reply, m->a[0], bytes);
    } else {
        uint32_t value = (uint32_t)m->a[1] * each[width];
        dev->log.filled += bytes;
        reply_begin(dev, m, "memset");
        if (engine_in_heap(dev->engine, m->a[0]))
            reply->head.a[0] = accuse_heap(dev, bytes);
        else
            touch_written(dev, m->a[0], bytes, &value);
    }
}

void reply_locate(struct device *dev, const struct simwire_header *m,
                  const uint8_t *data, struct reply *reply)
{
    (void)data;
    const struct allocation *a = locate(dev, m->a[0]);
    if (!a || !a->live)
        return;
    reply->head.a[0] = (uint64_t)a->id;
    reply->head.a[1] = a->address;
    reply->head.a[2] = a->bytes;
}

void reply_memory(struct device *dev, const struct simwire_header *m,
                  const uint8_t *data, struct reply *reply)
{
    (void)m, (void)data;
    reply->head.a[0] = engine_memory_free(dev->engine);
}

void reply_heap(struct device *dev, const struct simwire_header *m,
                const uint8_t *data, struct reply *reply)
{
    (void)data;
    if (!engine_heap(dev->engine, m->a[0]))
        reply_fail(reply, cudaErrorInvalidValue,
                   "a heap of %llu bytes, while kernels hold memory of the "
                   "present one, or with less memory left",
                   (unsigned long long)m->a[0]);
}
