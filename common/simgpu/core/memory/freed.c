// SPDX-License-Identifier: MIT
/*
 * freed.c: gives back what freed allocations still take. Interface: freed.h.
 *
 * The hard idea: to give back one array's share costs some dozens of calls of
 * the system, and a small array's share fills no page. So frees are gathered
 * until they are worth it, and neighbours that are all freed are given back as
 * one range, with the gaps between them.
 */
#include "freed.h"

#include "simgpu/host/pages.h"

/* Bytes that are worth the calls. */
enum { MUCH = 1 << 20 };

bool freed_is_due(const struct memory *m)
{
    return m->freed.bytes >= MUCH;
}

static void drop_pages(uint8_t *from, uint8_t *end)
{
    uintptr_t page = pages_bytes();
    uintptr_t lo = ((uintptr_t)from + page - 1) / page * page;
    uintptr_t hi = (uintptr_t)end / page * page;
    if (lo < hi)
        pages_drop((void *)lo, hi - lo);
}

/* Of allocations [i, k) of the list none lives. */
static void give_back(struct memory *m, size_t i, size_t k, freed_drop *drop,
                      void *context)
{
    uint64_t address = m->list[i].address;
    uint64_t end = k < m->n ? m->list[k].address : DEVICE_BASE + m->next;
    drop_pages(memory_host(m, address), memory_host(m, end));
    drop_pages(m->init + (address - DEVICE_BASE + 7) / 8,
               m->init + (end - DEVICE_BASE) / 8);
    drop(context, address, end);
}

void freed_return(struct memory *m, freed_drop *drop, void *context)
{
    const struct freed f = m->freed;
    size_t i = f.bytes ? memory_after(m, f.first - 1) : m->n, k;
    m->freed = (struct freed){0};
    for (; i < m->n && m->list[i].address <= f.last; i = k + 1) {
        bool any = false;
        for (k = i; k < m->n && !m->list[k].live; k++) {
            any |= m->list[k].kept;
            m->list[k].kept = false;
        }
        if (any)
            give_back(m, i, k, drop, context);
    }
}
