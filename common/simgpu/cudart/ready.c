// SPDX-License-Identifier: MIT
/*
 * ready.c: is there work that the host has not waited for?
 *
 *   rt_ready_see    the device has accepted a message
 *   rt_busy_since   a stream has such work
 *   rt_still_busy   the host has waited for nothing since
 *   rt_ask_stream   should a query of this stream say "not ready"?
 *
 * The simulated device could always say that everything is done. On a GPU the
 * first look at an event rarely finds its work done, and a program that does
 * not look at the answer reads too early. So the first query after new work is
 * answered by cudaErrorNotReady, and the next one waits. As soon as the host
 * has waited for anything at all, everything before counts as done, which a GPU
 * may have achieved.
 */
#include "runtime.h"

#include <pthread.h>

enum { MOST = 64 }; /* streams; work on others counts as done */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
    uint64_t on;
    bool asked;
} busy[MOST];
static int n_busy;
static uint64_t waits = 1;

/* A branch of a graph belongs to the stream that the graph is launched on. */
static uint64_t whole(uint64_t on)
{
    uint64_t stream = on & UINT32_MAX;
    return stream == SIMWIRE_PER_THREAD ? on & ~SIMWIRE_WAITED : stream;
}

/* NULL: no such work. The lock is held. */
static bool *find(uint64_t on)
{
    for (int k = 0; k < n_busy; k++)
        if (busy[k].on == on)
            return &busy[k].asked;
    return NULL;
}

static void add(uint64_t on)
{
    bool *asked = find(on);
    if (!asked && n_busy < MOST) {
        asked = &busy[n_busy].asked;
        busy[n_busy++].on = on;
    }
    if (asked)
        *asked = false;
}

void rt_ready_see(const struct simwire_header *m)
{
    bool work = m->op == OP_LAUNCH || m->op == OP_COPY || m->op == OP_FILL ||
                m->op == OP_WRITE || m->op == OP_READ;
    pthread_mutex_lock(&lock);
    if (m->stream & SIMWIRE_WAITED || m->op == OP_SYNC || m->op == OP_RESET ||
        (m->op == OP_FREE && !m->stream)) {
        n_busy = 0;
        waits++;
    } else if (m->stream && (work || (m->op == OP_WAIT && n_busy > 0))) {
        add(whole(m->stream));
    }
    pthread_mutex_unlock(&lock);
}

uint64_t rt_busy_since(uint64_t on)
{
    pthread_mutex_lock(&lock);
    uint64_t since = find(whole(on)) ? waits : 0;
    pthread_mutex_unlock(&lock);
    return since;
}

bool rt_still_busy(uint64_t since)
{
    pthread_mutex_lock(&lock);
    bool still = since == waits;
    pthread_mutex_unlock(&lock);
    return still;
}

bool rt_ask_stream(uint64_t on)
{
    pthread_mutex_lock(&lock);
    bool *asked = find(whole(on)), first = asked && !*asked;
    if (first)
        *asked = true;
    pthread_mutex_unlock(&lock);
    return first;
}
