// SPDX-License-Identifier: MIT
/*
 * shared_pages.c: memory that the client maps too, at the same address.
 *
 *   shared_alloc       managed memory, pinned memory, __managed__ variables
 *   shared_drop        before its allocation is freed
 *   shared_note_writes what the client may have written counts as written
 *
 * The hard idea: the allocation's pages come from a file without a name, and
 * the device sends its descriptor to the client. Who wrote a byte cannot be
 * seen; but a page that nobody has touched is a hole of that file. So before
 * each launch and copy the touched pages count as initialised, and the others
 * do not. The file is sealed: a client that cut it short would kill the
 * device.
 */
#include "shared_pages.h"

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

size_t shared_span(size_t bytes)
{
    return round_up(bytes, page_bytes());
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

static struct allocation *own(struct engine *e, uint64_t address)
{
    return (struct allocation *)memory_find(&e->memory, address);
}

/* The pages of an allocation that has the address space already. */
static bool put_pages(struct engine *e, struct allocation *a)
{
    size_t span = shared_span(a->bytes);
    if (a->address % page_bytes())
        return false; /* reused space, of an ordinary allocation */
    int fd = make_file(span);
    if (fd < 0)
        return false;
    if (mmap(memory_host(&e->memory, a->address), span,
             PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, 0) ==
        MAP_FAILED) {
        close(fd);
        return false;
    }
    a->pages = fd;
    e->n_shared++;
    return true;
}

uint64_t shared_alloc(struct engine *e, size_t bytes, enum allocation_kind kind)
{
    struct memory *m = &e->memory;
    m->next = round_up(m->next, page_bytes());
    uint64_t address = memory_alloc(m, bytes, kind == ALLOCATION_MODULE);
    if (!address)
        return 0;
    struct allocation *a = own(e, address);
    a->kind = kind;
    if (kind == ALLOCATION_PINNED)
        m->used -= bytes; /* the host's memory, not the GPU's */
    if (put_pages(e, a))
        return address;
    a->module = false;
    engine_free(e, address);
    return 0;
}

void shared_drop(struct engine *e, struct allocation *a)
{
    if (a->kind == ALLOCATION_PINNED)
        e->memory.used += a->bytes; /* memory_free takes it off again */
    if (!a->pages)
        return;
    if (mmap(memory_host(&e->memory, a->address), shared_span(a->bytes),
             PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1,
             0) == MAP_FAILED)
        abort();
    close(a->pages);
    a->pages = 0;
    e->n_shared--;
}

static void note_writes(struct engine *e, const struct allocation *a)
{
    off_t at = 0, end = (off_t)a->bytes;
    while (at < end && (at = lseek(a->pages, at, SEEK_DATA)) >= 0) {
        off_t hole = lseek(a->pages, at, SEEK_HOLE);
        if (hole < 0 || hole > end)
            hole = end;
        if (at < hole)
            bits_set(e->memory.init,
                     a->address - DEVICE_BASE + (uint64_t)at,
                     (uint64_t)(hole - at));
        at = hole;
    }
}

void shared_note_writes(struct engine *e)
{
    size_t left = e->n_shared;
    for (size_t n = 0; left && n < e->memory.n; n++)
        if (e->memory.list[n].live && e->memory.list[n].pages) {
            note_writes(e, &e->memory.list[n]);
            left--;
        }
}
