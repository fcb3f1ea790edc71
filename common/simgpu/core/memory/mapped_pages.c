// SPDX-License-Identifier: MIT
/*
 * mapped_pages.c: memory that the client maps too, at the same address.
 *
 *   mapped_alloc       managed memory, pinned memory, __managed__ variables;
 *                      what the client registers, beside its own address
 *   mapped_at          registered memory by the client's address
 *   mapped_drop        before its allocation is freed
 *   mapped_note_writes what the client may have written counts as written
 *
 * The hard idea: the allocation's pages come from a file without a name, and
 * the device sends its descriptor to the client. The device cannot see which
 * bytes the client wrote, but it can see which pages anybody touched. So
 * before each launch and copy the touched pages count as initialised, and the
 * others do not.
 */
#include "mapped_pages.h"

#include "simgpu/host/pages.h"

static size_t round_up(size_t n, size_t to)
{
    return (n + to - 1) / to * to;
}

/* Where an allocation's pages begin: registered memory lies in its pages as it
 * does in the client's. */
static size_t lead_of(const struct allocation *a)
{
    return a->host % pages_bytes();
}

static uint8_t *pages_of(struct memory *m, const struct allocation *a)
{
    return memory_host(m, a->address - lead_of(a));
}

static size_t span_of(const struct allocation *a)
{
    return round_up(lead_of(a) + a->bytes, pages_bytes());
}

static struct allocation *own(struct memory *m, uint64_t address)
{
    return (struct allocation *)memory_find(m, address);
}

/* The pages of an allocation that has the address space already. */
static bool put_pages(struct memory *m, struct allocation *a)
{
    if ((a->address - lead_of(a)) % pages_bytes())
        return false; /* reused space, of an ordinary allocation */
    int file = pages_map(pages_of(m, a), span_of(a));
    if (file < 0)
        return false;
    a->pages = file;
    m->n_mapped++;
    return true;
}

uint64_t mapped_alloc(struct memory *m, size_t bytes,
                      enum allocation_kind kind, uint64_t host)
{
    m->next = round_up(m->next, pages_bytes()) + host % pages_bytes();
    uint64_t address = memory_alloc(m, bytes, kind == ALLOCATION_MODULE);
    m->next = round_up(m->next, ALIGNMENT);
    if (!address)
        return 0;
    struct allocation *a = own(m, address);
    a->kind = kind;
    a->host = host;
    if (kind == ALLOCATION_PINNED)
        m->used -= bytes; /* the host's memory, not the GPU's */
    if (put_pages(m, a))
        return address;
    a->module = false;
    mapped_drop(m, a);
    memory_free(m, address);
    return 0;
}

void mapped_drop(struct memory *m, struct allocation *a)
{
    if (a->kind == ALLOCATION_PINNED)
        m->used += a->bytes; /* memory_free takes it off again */
    if (!a->pages)
        return;
    pages_unmap(pages_of(m, a), span_of(a), a->pages);
    a->pages = 0;
    m->n_mapped--;
}

static void note_writes(struct memory *m, const struct allocation *a)
{
    size_t first = 0, end, bytes = span_of(a);
    uint64_t start = a->address - lead_of(a) - DEVICE_BASE;
    for (; pages_touched(a->pages, bytes, &first, &end); first = end)
        bits_set(m->init, start + first, end - first);
}

void mapped_note_writes(struct memory *m)
{
    size_t left = m->n_mapped;
    for (size_t n = 0; left && n < m->n; n++)
        if (m->list[n].live && m->list[n].pages) {
            note_writes(m, &m->list[n]);
            left--;
        }
}

uint64_t mapped_at(const struct memory *m, uint64_t host)
{
    uint64_t dead = 0;
    for (size_t n = 0; n < m->n; n++) {
        const struct allocation *a = &m->list[n];
        uint64_t lead = a->host ? lead_of(a) : 0;
        if (!a->host || host - (a->host - lead) >= span_of(a))
            continue;
        if (a->live)
            return a->address + (host - a->host);
        dead = a->address + (host - a->host);
    }
    return dead ? dead : host;
}
