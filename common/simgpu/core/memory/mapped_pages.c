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
 * the device sends its descriptor to the client. Who wrote a byte cannot be
 * seen; but a page that nobody has touched is a hole of that file. So before
 * each launch and copy the touched pages count as initialised, and the others
 * do not. The file is sealed: a client that cut it short would kill the
 * device.
 */
#include "mapped_pages.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

static size_t page_bytes(void)
{
    return (size_t)sysconf(_SC_PAGESIZE);
}

static size_t round_up(size_t n, size_t to)
{
    return (n + to - 1) / to * to;
}

/* Where an allocation's pages begin: registered memory lies in its pages as it
 * does in the client's. */
static size_t lead_of(const struct allocation *a)
{
    return a->host % page_bytes();
}

static uint8_t *pages_of(struct memory *m, const struct allocation *a)
{
    return memory_host(m, a->address - lead_of(a));
}

static size_t span_of(const struct allocation *a)
{
    return round_up(lead_of(a) + a->bytes, page_bytes());
}

static int make_file(size_t bytes)
{
    int fd = memfd_create("simgpu", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (fd < 0)
        return -1;
    if (ftruncate(fd, (off_t)bytes) == 0 &&
        fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0)
        return fd;
    close(fd);
    return -1;
}

static struct allocation *own(struct memory *m, uint64_t address)
{
    return (struct allocation *)memory_find(m, address);
}

/* The pages of an allocation that has the address space already. */
static bool put_pages(struct memory *m, struct allocation *a)
{
    size_t span = span_of(a);
    if ((a->address - lead_of(a)) % page_bytes())
        return false; /* reused space, of an ordinary allocation */
    int fd = make_file(span);
    if (fd < 0)
        return false;
    if (mmap(pages_of(m, a), span, PROT_READ | PROT_WRITE,
             MAP_SHARED | MAP_FIXED, fd, 0) == MAP_FAILED) {
        close(fd);
        return false;
    }
    a->pages = fd;
    m->n_mapped++;
    return true;
}

uint64_t mapped_alloc(struct memory *m, size_t bytes,
                      enum allocation_kind kind, uint64_t host)
{
    m->next = round_up(m->next, page_bytes()) + host % page_bytes();
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
    if (mmap(pages_of(m, a), span_of(a), PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1,
             0) == MAP_FAILED)
        abort();
    close(a->pages);
    a->pages = 0;
    m->n_mapped--;
}

static void note_writes(struct memory *m, const struct allocation *a)
{
    off_t at = 0, end = (off_t)span_of(a);
    uint64_t start = a->address - lead_of(a) - DEVICE_BASE;
    while (at < end && (at = lseek(a->pages, at, SEEK_DATA)) >= 0) {
        off_t hole = lseek(a->pages, at, SEEK_HOLE);
        if (hole < 0 || hole > end)
            hole = end;
        if (at < hole)
            bits_set(m->init, start + (uint64_t)at,
                     (uint64_t)(hole - at));
        at = hole;
    }
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
