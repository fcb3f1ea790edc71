// SPDX-License-Identifier: MIT
/*
 * memory.c: device memory and its "initialised" bits. Interface: memory.h.
 *
 * Hard idea: the whole address space is reserved once without being
 * accessible; a growing prefix of it is opened as allocations come, so that
 * untouched memory costs nothing and the translation is one addition.
 */
#include "memory.h"

#include <stdlib.h>
#include <string.h>

#include "simgpu/host/pages.h"

static const size_t step = 2 << 20; /* opened in steps of a huge page */
enum { MUCH = 256 << 20 };          /* bytes whose bits are worth a call */

static size_t round_up(size_t n, size_t to)
{
    return (n + to - 1) / to * to;
}

/* Address space for so much memory; 0: this process has not so much. */
static size_t reserve_for(uint64_t capacity)
{
    uint64_t most = SIZE_MAX / 2;
    if (capacity > (most - 2 * step) / RESERVE_FACTOR)
        return 0;
    return round_up((size_t)capacity, step) * RESERVE_FACTOR + step;
}

bool memory_open(struct memory *m, uint64_t capacity)
{
    *m = (struct memory){.capacity = (size_t)capacity, .next = step,
                         .reserved = reserve_for(capacity)};
    if (!m->reserved)
        return false;
    m->host = pages_reserve(m->reserved);
    m->init = pages_reserve(m->reserved / 8);
    if (m->host && m->init)
        return true;
    memory_close(m);
    return false;
}

void memory_close(struct memory *m)
{
    pages_free(m->host, m->reserved);
    pages_free(m->init, m->reserved / 8);
    free(m->list);
    *m = (struct memory){0};
}

static bool open_prefix(struct memory *m, size_t bytes)
{
    if (bytes <= m->opened)
        return true;
    size_t end = round_up(bytes, step);
    if (end > m->reserved)
        return false;
    if (!pages_open(m->host, end) || !pages_open(m->init, end / 8))
        return false;
    m->opened = end;
    return true;
}

size_t memory_after(const struct memory *m, uint64_t address)
{
    size_t lo = 0, hi = m->n;
    while (lo < hi) {
        size_t mid = (lo + hi) / 2;
        if (m->list[mid].address <= address)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

const struct allocation *memory_find(const struct memory *m, uint64_t address)
{
    size_t i = memory_after(m, address);
    if (i == 0)
        return NULL;
    const struct allocation *a = &m->list[i - 1];
    return address - a->address < a->bytes ? a : NULL;
}

const struct allocation *memory_near(const struct memory *m, uint64_t address)
{
    size_t i = memory_after(m, address);
    const struct allocation *below = i ? &m->list[i - 1] : NULL;
    const struct allocation *above = i < m->n ? &m->list[i] : NULL;
    if (below && address - below->address < below->bytes)
        return below;
    uint64_t to_below =
        below ? address - (below->address + below->bytes) : UINT64_MAX;
    uint64_t to_above = above ? above->address - address : UINT64_MAX;
    uint64_t nearest = to_below < to_above ? to_below : to_above;
    if (nearest > (uint64_t)GAP_MAX)
        return NULL; /* wild: naming an array would mislead */
    return to_below <= to_above ? below : above;
}

static size_t gap_of(size_t bytes)
{
    return bytes < GAP_MIN ? GAP_MIN : bytes > GAP_MAX ? GAP_MAX : bytes;
}

/* Address space of a freed allocation, when no fresh one is left. */
static uint64_t reuse(struct memory *m, size_t bytes)
{
    for (size_t i = 0; i < m->n; i++) {
        struct allocation *a = &m->list[i];
        if (a->live || a->bytes < bytes)
            continue;
        uint64_t offset = a->address - DEVICE_BASE;
        memmove(a, a + 1, (m->n - i - 1) * sizeof *a);
        m->n--;
        return offset;
    }
    return 0;
}

static uint64_t room_for(struct memory *m, size_t bytes)
{
    size_t span = round_up(bytes, ALIGNMENT) + gap_of(bytes);
    span = round_up(span, ALIGNMENT);
    uint64_t offset = m->next;
    if (span > m->reserved - m->next)
        return reuse(m, bytes);
    if (!open_prefix(m, offset + span))
        return 0;
    m->next += span;
    return offset;
}

uint64_t memory_alloc(struct memory *m, size_t bytes, bool module)
{
    if (bytes > m->capacity - m->used)
        return 0;
    if (m->n == m->room) {
        size_t room = m->room ? 2 * m->room : 64;
        struct allocation *list = realloc(m->list, room * sizeof *list);
        if (!list)
            return 0;
        m->list = list;
        m->room = room;
    }
    uint64_t offset = room_for(m, bytes);
    if (!offset)
        return 0;
    uint64_t address = DEVICE_BASE + offset;
    size_t i = memory_after(m, address);
    memmove(&m->list[i + 1], &m->list[i], (m->n - i) * sizeof *m->list);
    m->list[i] = (struct allocation){
        .id = module ? 0 : ++m->ids, .address = address, .bytes = bytes,
        .live = true, .module = module};
    m->n++;
    m->used += bytes;
    return address;
}

/* Of much memory the bits are given back: to clear them would touch them. */
void memory_undefine(struct memory *m, size_t offset, size_t bytes)
{
    size_t unit = 8 * pages_bytes(); /* whose bits fill a page */
    size_t first = round_up(offset, unit);
    size_t last = (offset + bytes) / unit * unit;
    if (bytes < MUCH || last <= first) {
        bits_clear(m->init, offset, bytes);
        return;
    }
    bits_clear(m->init, offset, first - offset);
    pages_drop(m->init + first / 8, (last - first) / 8);
    bits_clear(m->init, last, offset + bytes - last);
}

/* What it leaves is given back later: freed.h. */
static void note_freed(struct memory *m, struct allocation *a)
{
    enum { EACH = 4 << 10 }; /* what an allocation of a byte counts */
    struct freed *f = &m->freed;
    a->kept = true;
    if (!f->bytes || a->address < f->first)
        f->first = a->address;
    if (!f->bytes || a->address > f->last)
        f->last = a->address;
    f->bytes += a->bytes + EACH;
}

static void forget(struct memory *m, struct allocation *a)
{
    a->live = false;
    m->used -= a->bytes;
    size_t offset = (size_t)(a->address - DEVICE_BASE), page = pages_bytes();
    size_t first = round_up(offset, page);
    size_t last = (offset + a->bytes) / page * page;
    if (last > first)
        pages_drop(m->host + first, last - first);
    memory_undefine(m, offset, a->bytes);
    note_freed(m, a);
}

enum mem_status memory_free(struct memory *m, uint64_t address)
{
    size_t i = memory_after(m, address);
    struct allocation *a = i ? &m->list[i - 1] : NULL;
    if (!a || a->address != address || a->module)
        return MEM_BAD_ADDRESS;
    if (!a->live)
        return MEM_DOUBLE_FREE;
    forget(m, a);
    return MEM_OK;
}

enum mem_status memory_revive(struct memory *m, uint64_t address)
{
    size_t i = memory_after(m, address);
    struct allocation *a = i ? &m->list[i - 1] : NULL;
    if (!a || a->address != address || a->bytes > m->capacity - m->used)
        return MEM_BAD_ADDRESS;
    if (a->live)
        return MEM_DOUBLE_FREE;
    a->live = true;
    m->used += a->bytes;
    return MEM_OK;
}

void memory_drop(struct memory *m, uint64_t address)
{
    size_t i = memory_after(m, address);
    if (i && m->list[i - 1].address == address && m->list[i - 1].live)
        forget(m, &m->list[i - 1]);
}

void memory_window(const struct memory *m, const struct allocation *a,
                   struct window *w)
{
    w->lo = a->address;
    w->hi = a->address + a->bytes;
    w->host = (uintptr_t)m->host - (uintptr_t)DEVICE_BASE;
    w->init = (uintptr_t)m->init - (uintptr_t)(DEVICE_BASE >> 3);
}

/* Edits the n bits from first; whole bytes in the middle go through memset. */
static void each_byte(uint8_t *bits, uint64_t first, uint64_t n, bool set)
{
    if (n == 0)
        return;
    uint64_t last = first + n - 1;
    uint8_t *p = bits + (first >> 3), *q = bits + (last >> 3);
    uint8_t head = (uint8_t)(0xff << (first & 7));
    uint8_t tail = (uint8_t)(0xff >> (7 - (last & 7)));
    if (p == q)
        head = tail = head & tail;
    *p = set ? *p | head : *p & ~head;
    if (p == q)
        return;
    *q = set ? *q | tail : *q & ~tail;
    memset(p + 1, set ? 0xff : 0, (size_t)(q - p - 1));
}

void bits_set(uint8_t *bits, uint64_t first, uint64_t n)
{
    each_byte(bits, first, n, true);
}

void bits_clear(uint8_t *bits, uint64_t first, uint64_t n)
{
    each_byte(bits, first, n, false);
}

bool bits_all(const uint8_t *bits, uint64_t first, uint64_t n)
{
    for (uint64_t i = first; i < first + n;) {
        if (!(i & 7) && i + 8 <= first + n) {
            if (bits[i >> 3] != 0xff)
                return false;
            i += 8;
        } else {
            if (!(bits[i >> 3] >> (i & 7) & 1))
                return false;
            i++;
        }
    }
    return true;
}

static inline void change_byte(uint8_t *p, uint8_t mask, bool set)
{
    uint8_t now = __atomic_load_n(p, __ATOMIC_RELAXED) & mask;
    if (set && now != mask)
        __atomic_fetch_or(p, mask, __ATOMIC_RELAXED);
    else if (!set && now)
        __atomic_fetch_and(p, (uint8_t)~mask, __ATOMIC_RELAXED);
}

static inline void each_byte_atomic(uint8_t *bits, uint64_t first, uint64_t n,
                                    bool set)
{
    uint64_t end = first + n;
    while (first < end) {
        unsigned low = first & 7;
        unsigned take = 8 - low;
        if (take > end - first)
            take = (unsigned)(end - first);
        change_byte(bits + (first >> 3),
                    (uint8_t)((0xff >> (8 - take)) << low), set);
        first += take;
    }
}

void bits_set_atomic(uint8_t *bits, uint64_t first, uint64_t n)
{
    each_byte_atomic(bits, first, n, true);
}

void bits_clear_atomic(uint8_t *bits, uint64_t first, uint64_t n)
{
    each_byte_atomic(bits, first, n, false);
}
