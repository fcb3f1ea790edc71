// SPDX-License-Identifier: MIT
/*
 * early.c: the host touches pinned memory before a copy into it has landed, or
 * writes to it before a copy out of it is over; or it touches the device's own
 * memory.
 *
 *   rt_early_watch    these bytes are the target of a copy that is pending, or
 *                     its source
 *   rt_early_open     this library is about to touch these bytes
 *   rt_early_device   these bytes are the device's alone
 *   rt_is_device      is this among such bytes?
 *   rt_early_handles  this file handles SIGSEGV, and the program does not
 *
 * An access to the device's own memory ends the program, as with a GPU; the
 * device is told first. For a copy, the target's pages are taken away, and the
 * source's cannot be written to, so that the first such access is a signal; its
 * handler gives them back, tells the device, and lets the program go on with
 * what is there, in a target NaN. Only pages without other data are taken, so a
 * right program never sees the signal; and only while the handler is still the
 * program's. A copy into or out of a part of a page is not watched, nor are
 * pages of registered memory, which has neighbours. A system call that is given
 * such pages fails with EFAULT.
 */
#include "runtime.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

struct watched {
    struct watched *next;
    char *pages, *at;
    size_t n, bytes;
    bool source;
    uint64_t on;
    struct rt_frames frames; /* of the copy */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct watched *first;
static struct sigaction before; /* the program's handler */

/* From the first byte that is the device's alone to behind the last. */
static uintptr_t device_from = UINTPTR_MAX, device_to;

/* Gives pages back that overlap with [p, p + n). The one around p. */
static struct watched *open_pages(const char *p, size_t n)
{
    struct watched *found = NULL;
    for (struct watched **link = &first; *link;) {
        struct watched *x = *link;
        if (x->pages >= p + n || p >= x->pages + x->n) {
            link = &x->next;
            continue;
        }
        mprotect(x->pages, x->n, PROT_READ | PROT_WRITE);
        *link = x->next;
        free(found);
        found = x;
    }
    return found;
}

bool rt_is_device(const void *p)
{
    return (uintptr_t)p >= device_from && (uintptr_t)p < device_to;
}

void rt_early_open(const void *p, size_t bytes)
{
    pthread_mutex_lock(&lock);
    free(open_pages(p, bytes));
    pthread_mutex_unlock(&lock);
}

#if defined __x86_64__ && defined __linux__

enum { WRITES = 2 }; /* in a page fault's error code */

static bool writes(const ucontext_t *at)
{
    return at->uc_mcontext.gregs[REG_ERR] & WRITES;
}

/* Where the access is: its own instruction is the first frame that counts. */
static struct rt_frames frames_of(const ucontext_t *at)
{
    const uintptr_t here = (uintptr_t)at->uc_mcontext.gregs[REG_RIP];
    struct rt_frames f = rt_frames();
    while (f.first < f.n && (uintptr_t)f.at[f.first] != here)
        f.first++;
    return f;
}

static void accuse(const struct watched *x, const ucontext_t *at)
{
    struct rt_frames f = frames_of(at);
    const char *what = x->source ? "out of it need not be over"
                                 : "into it has not landed";
    char text[200];
    snprintf(text, sizeof text, "the copy of %zu bytes %s: nothing has waited "
             "for stream %u since", x->bytes, what, (unsigned)x->on);
    rt_accuse_at(writes(at) ? "a write by the host to pinned memory"
                            : "a read by the host of pinned memory", text, &f,
                 &x->frames);
}

static void accuse_device(const char *p, const ucontext_t *at)
{
    static const struct rt_frames none;
    struct simwire_header wait = {.op = OP_MEMORY};
    struct rt_frames f = frames_of(at);
    char text[200];
    snprintf(text, sizeof text, "%p is memory of the GPU, which only kernels "
             "and copies can access: %s", (const void *)p, writes(at)
             ? "write to memory of the host, and cudaMemcpy it to the device"
             : "cudaMemcpy it to the host, and read it there");
    rt_accuse_at(writes(at) ? "a write by the host to device memory"
                            : "a read by the host of device memory", text, &f,
                 &none);
    rt_ask(&wait, NULL, NULL, 0); /* until the device has read that */
}

static void pass_on(int signal, siginfo_t *info, void *context)
{
    if (before.sa_flags & SA_SIGINFO)
        before.sa_sigaction(signal, info, context);
    else if (before.sa_handler == SIG_DFL || before.sa_handler == SIG_IGN)
        sigaction(signal, &before, NULL); /* it comes again */
    else
        before.sa_handler(signal);
}

static void handle(int signal, siginfo_t *info, void *context)
{
    const char *at = info->si_addr;
    pthread_mutex_lock(&lock);
    struct watched *x = open_pages(at, 1);
    pthread_mutex_unlock(&lock);
    if (x && at - x->at >= 0 && (size_t)(at - x->at) < x->bytes)
        accuse(x, context);
    if (!x && !rt_mapped(at)) {
        if (rt_is_device(at))
            accuse_device(at, context);
        pass_on(signal, info, context);
    }
    free(x);
}

static bool handles(void)
{
    static bool tried;
    struct sigaction now, mine = {.sa_sigaction = handle,
                                  .sa_flags = SA_SIGINFO | SA_ONSTACK};
    if (!tried && sigaction(SIGSEGV, &mine, &before) != 0)
        return false;
    tried = true;
    return sigaction(SIGSEGV, NULL, &now) == 0 && now.sa_flags & SA_SIGINFO &&
           now.sa_sigaction == handle;
}

bool rt_early_handles(void)
{
    struct sigaction now;
    return sigaction(SIGSEGV, NULL, &now) == 0 && now.sa_flags & SA_SIGINFO &&
           now.sa_sigaction == handle && !(before.sa_flags & SA_SIGINFO) &&
           before.sa_handler == SIG_DFL;
}

void rt_early_watch(void *p, size_t bytes, uint64_t on, bool source)
{
    struct watched *x = calloc(1, sizeof *x);
    pthread_mutex_lock(&lock);
    if (x && rt_own_pages(p, bytes, &x->pages, &x->n) && handles()) {
        x->at = p;
        x->bytes = bytes;
        x->source = source;
        x->on = on;
        x->frames = rt_frames();
        x->next = first;
        first = x;
        mprotect(x->pages, x->n, source ? PROT_READ : PROT_NONE);
        x = NULL;
    }
    pthread_mutex_unlock(&lock);
    free(x);
}

#else

static bool handles(void)
{
    return false;
}

bool rt_early_handles(void)
{
    return false;
}

void rt_early_watch(void *p, size_t bytes, uint64_t on, bool source)
{
    (void)p, (void)bytes, (void)on, (void)source;
}

#endif

void rt_early_device(const void *p, size_t bytes)
{
    uintptr_t from = (uintptr_t)p, to = from + bytes;
    pthread_mutex_lock(&lock);
    if (!device_to && rt_private())
        handles();
    device_from = from < device_from ? from : device_from;
    device_to = to > device_to ? to : device_to;
    pthread_mutex_unlock(&lock);
}
