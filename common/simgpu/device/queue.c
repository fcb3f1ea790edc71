// SPDX-License-Identifier: MIT
/*
 * queue.c: work that comes while a kernel runs.
 *
 *   dev_queue_open    nothing is under way
 *   dev_queue_take    a message that comes while there is work: now, later, or
 *                     is it to be asked again?
 *   queued_*          see queued.h
 *
 * Work runs in the order of the calls, one piece after the other, and a launch
 * that runs to its end without waiting for anybody meets nothing of this file
 * but its beginning and end. Only if it polls memory, or runs on and on, does
 * it pause and let the program's messages come. Then work is put into a list;
 * calls that must wait are told to ask again, so that other threads of the
 * program get through. What depends on nothing that has not ended begins while
 * all launches under way poll: perhaps it is what they wait for. What depends
 * on what is an order of its own, simpler than the race detector's: a stream's
 * work, the default stream's beside that of blocking streams, and whatever
 * names one event, in the order of the calls.
 */
#include "queue.h"
#include "queued.h"

#include <driver_types.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST = 1024,            /* pieces of work, as on GPUs; then calls wait */
    MOST_BYTES = 256 << 20, /* of their data */
};

void dev_queue_open(struct device *dev)
{
    dev->queue = calloc(1, sizeof *dev->queue);
    if (!dev->queue)
        abort();
}

/* Order -------------------------------------------------------------------- */

static uint64_t stream_of(const struct simwire_header *m)
{
    return m->stream & ~SIMWIRE_WAITED;
}

static bool is_blocking(const struct dev_queue *q, uint64_t stream)
{
    for (size_t n = 0; n < q->n_beside; n++)
        if (q->beside[n] == (stream & UINT32_MAX))
            return false;
    return true;
}

static void note_stream(struct dev_queue *q, uint64_t stream)
{
    uint64_t *grown =
        realloc(q->beside, (q->n_beside + 1) * sizeof *q->beside);
    if (!grown)
        abort();
    q->beside = grown;
    grown[q->n_beside++] = stream & UINT32_MAX;
}

/* 1 + the event that it records or waits for; 0: none. */
static uint64_t event_of(const struct simwire_header *m)
{
    return m->op == OP_WAIT                                    ? m->a[0] + 1
           : m->op == OP_TIME || (m->op == OP_SYNC && m->a[0]) ? m->a[0] : 0;
}

static bool follows(const struct dev_queue *q, const struct simwire_header *m,
                    const struct simwire_header *before)
{
    uint64_t a = stream_of(m), b = stream_of(before);
    if (event_of(m) && event_of(m) == event_of(before))
        return true;
    if (m->op == OP_SYNC && m->a[0])
        return false;
    return !a || a == b ||
           (a == SIMWIRE_LEGACY && is_blocking(q, b)) ||
           (b == SIMWIRE_LEGACY && is_blocking(q, a));
}

/* Does it follow work that has not ended? end: only work before it. */
bool queued_waits(const struct dev_queue *q, const struct simwire_header *m,
                  const struct item *end)
{
    for (const struct item *x = q->first; x != end; x = x->next)
        if (follows(q, m, &x->m))
            return true;
    return false;
}

/* Messages ----------------------------------------------------------------- */

static bool lives(const struct device *dev, uint64_t address, uint64_t bytes)
{
    const struct allocation *list;
    size_t n = engine_allocations(dev->engine, &list);
    for (size_t k = 0; k < n; k++)
        if (list[k].live && address - list[k].address < list[k].bytes)
            return bytes <= list[k].bytes - (address - list[k].address);
    return false;
}

/* What would be refused is refused at once. */
static bool is_good(const struct device *dev, const struct simwire_header *m,
                    const uint8_t *data)
{
    uint64_t bytes;
    switch (m->op) {
    case OP_LAUNCH: return dev_accepts_launch(dev, m, data);
    case OP_COPY:
        return lives(dev, m->a[0], m->a[2]) && lives(dev, m->a[1], m->a[2]);
    case OP_WRITE: return lives(dev, m->a[0], m->data);
    case OP_READ:
        return lives(dev, m->a[0], m->a[1]) && lives(dev, m->a[2], m->a[1]);
    case OP_FILL:
        return !__builtin_mul_overflow(m->a[2], m->a[3], &bytes) &&
               lives(dev, m->a[0], bytes);
    case OP_FREE: return lives(dev, m->a[0], 0);
    default: return true;
    }
}

/* Work that the program does not wait for. */
static bool is_work(const struct simwire_header *m)
{
    switch (m->op) {
    case OP_LAUNCH: case OP_COPY: case OP_WRITE: case OP_FILL:
        return !(m->stream & SIMWIRE_WAITED);
    case OP_READ: return m->a[2] && m->a[3];
    case OP_FREE: return m->stream && m->a[1];
    case OP_TIME: return m->a[0] && !m->a[1];
    case OP_WAIT: return true;
    case OP_STREAM: return m->a[0] == 0;
    case OP_HOST: return m->a[0] == HOST_NEW;
    default: return false;
    }
}

static bool may_wait(const struct simwire_header *m)
{
    switch (m->op) {
    case OP_LAUNCH: case OP_COPY: case OP_WRITE: case OP_FILL: case OP_READ:
    case OP_FREE: case OP_HEAP: case OP_SYNC: case OP_RESET: case OP_BYE:
        return true;
    case OP_ALLOC: return m->a[1] == SIMWIRE_ALLOC_NODE;
    default: return false;
    }
}

void queued_add(struct dev_queue *q, const struct simwire_header *m,
                const uint8_t *data, struct item *x)
{
    struct item **end = &q->first;
    while (*end)
        end = &(*end)->next;
    x->m = *m;
    if (m->op == OP_READ)
        x->m.a[3] = 2; /* nobody takes the bytes then */
    x->data = m->data ? malloc(m->data) : NULL;
    if (m->data && !x->data)
        abort();
    if (m->data)
        memcpy(x->data, data, m->data);
    q->n++;
    q->bytes += m->data;
    *end = x;
}

struct item *queued_new(void)
{
    struct item *x = calloc(1, sizeof *x);
    if (!x)
        abort();
    return x;
}

void queued_take_out(struct dev_queue *q, struct item *x)
{
    struct item **link = &q->first;
    while (*link != x)
        link = &(*link)->next;
    *link = x->next;
    q->n--;
    q->bytes -= x->m.data;
    if (q->last_run == x)
        q->last_run = NULL;
    free(x->data);
    free(x);
}

/* A host function: the program is told when its turn comes, and tells when it
 * is done. */
static enum dev_turn host_function(struct device *dev,
                                   const struct simwire_header *m,
                                   struct reply *reply)
{
    struct dev_queue *q = dev->queue;
    struct item *x = q->first;
    if (m->a[0] == HOST_NEW) {
        x = queued_new();
        queued_add(q, m, NULL, x);
        reply->head.a[0] = x->m.a[1] = ++q->tickets;
        return DEV_LATER;
    }
    while (x && !(x->m.op == OP_HOST && x->m.a[1] == m->a[1]))
        x = x->next;
    if (m->a[0] == HOST_TURN)
        return x && queued_waits(q, &x->m, x) ? DEV_AGAIN : DEV_NOW;
    if (x)
        queued_take_out(q, x);
    return DEV_LATER;
}

/* Nobody will run host functions any more. */
static void leave(struct dev_queue *q)
{
    q->leaving = true;
    for (struct item *x = q->first, *next; x; x = next) {
        next = x->next;
        if (x->m.op == OP_HOST)
            queued_take_out(q, x);
    }
}

static enum dev_turn take(struct device *dev, const struct simwire_header *m,
                          const uint8_t *data, struct reply *reply)
{
    struct dev_queue *q = dev->queue;
    if (m->op == OP_STREAM && m->a[0] == 2)
        note_stream(q, m->stream);
    if (m->op == OP_HOST)
        return host_function(dev, m, reply);
    if (!q->first || dev->fault)
        return DEV_NOW;
    if (m->op == OP_BYE)
        leave(q);
    if (!is_work(m)) {
        bool waits = may_wait(m) && queued_waits(q, m, NULL);
        bool asks = m->op == OP_SYNC && m->a[1];
        if (waits && asks)
            reply->head.error = cudaErrorNotReady;
        return !waits ? DEV_NOW : asks ? DEV_LATER : DEV_AGAIN;
    }
    if (!is_good(dev, m, data))
        return DEV_NOW;
    if (q->n >= MOST || q->bytes + m->data > MOST_BYTES)
        return DEV_AGAIN;
    queued_add(q, m, data, queued_new());
    if (m->op == OP_TIME)
        dev_set_time(dev, m->a[0] - 1, 0);
    reply->head.stream = 1;
    return DEV_LATER;
}

enum dev_turn dev_queue_take(struct device *dev, const struct simwire_header *m,
                             const uint8_t *data, struct reply *reply)
{
    enum dev_turn turn = take(dev, m, data, reply);
    if (turn != DEV_AGAIN) /* the program goes on */
        atomic_store(&dev->queue->alone, false);
    return turn;
}
