// SPDX-License-Identifier: MIT
/*
 * deferred.c: asynchronous copies to pinned memory, completed at a wait.
 *
 *   rt_defer_copy        queues a copy; until it completes, its target holds
 *                        NaN
 *   rt_watch_source      a copy from pinned memory: until it has been waited
 *                        for, the host must not write there
 *   rt_finish_copies     completes all of them, in order
 *   rt_finish_copies_in  those into these bytes
 *   rt_copies_see        a message to the device: what now follows a copy?
 *   rt_copies_waited     the device has answered: what has the host waited for?
 *   rt_has_deferred      is any pending?
 *
 * On a device such a copy completes at some time before the program's next
 * wait for it, so a program that reads the target earlier, or has waited for
 * another stream, may see anything. Here it always sees bytes 0xff, so the bug
 * shows on the first run, and early.c names the line. A copy knows which
 * streams and events follow it; a wait for one of these completes it. So does
 * every call that reads its target for the device, and a launch with a pointer
 * to mapped memory among its arguments. Where it is not certain that a wait is
 * in vain, it completes the copy.
 */
#include "runtime.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define EVENT (1ull << 62) /* a key: an event's number; else a stream's */
#define EVERYTHING UINT64_MAX

struct keys {
    uint64_t *list;
    size_t n;
};

enum { SOURCES_MOST = 256 }; /* watched at a time */

struct deferred {
    struct deferred *next;
    char *to;          /* or what it reads, if */
    bool source;
    uint64_t address;  /* the device's, of the same */
    size_t bytes;
    void *from;        /* owned; NULL: source */
    struct keys after; /* what follows it */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct deferred *first, **end = &first;
static size_t n_sources;
static struct keys not_blocking; /* streams */

static bool holds(const struct keys *keys, uint64_t key)
{
    for (size_t k = 0; k < keys->n; k++)
        if (keys->list[k] == key)
            return true;
    return false;
}

static bool add(struct keys *keys, uint64_t key)
{
    if (holds(keys, key))
        return true;
    uint64_t *grown = realloc(keys->list, (keys->n + 1) * sizeof key);
    if (!grown)
        return false;
    keys->list = grown;
    grown[keys->n++] = key;
    return true;
}

static void drop(struct keys *keys, uint64_t key)
{
    for (size_t k = 0; k < keys->n; k++)
        if (keys->list[k] == key)
            keys->list[k--] = keys->list[--keys->n];
}

static struct deferred *deferred_new(void *at, void *from, size_t bytes,
                                     uint64_t on)
{
    struct deferred *copy = malloc(sizeof *copy);
    if (!copy)
        return NULL;
    *copy = (struct deferred){.to = at, .bytes = bytes, .from = from,
                              .source = !from, .address = rt_address(at)};
    if (add(&copy->after, on))
        return copy;
    free(copy);
    return NULL;
}

static void append(struct deferred *copy)
{
    pthread_mutex_lock(&lock);
    n_sources += copy->source;
    *end = copy;
    end = &copy->next;
    pthread_mutex_unlock(&lock);
}

bool rt_defer_copy(void *to, void *from, size_t bytes, uint64_t on)
{
    struct deferred *copy = deferred_new(to, from, bytes, on);
    if (!copy)
        return false;
    rt_early_open(to, bytes);
    memset(to, 0xff, bytes);
    if (rt_private())
        rt_early_watch(to, bytes, on, false);
    append(copy);
    return true;
}

void rt_watch_source(void *from, size_t bytes, uint64_t on)
{
    pthread_mutex_lock(&lock);
    bool room = n_sources < SOURCES_MOST;
    pthread_mutex_unlock(&lock);
    struct deferred *copy = room && rt_private()
                                ? deferred_new(from, NULL, bytes, on) : NULL;
    if (!copy)
        return;
    rt_early_watch(from, bytes, on, true);
    append(copy);
}

/* Completes the copy at link, and removes it. The lock is held. */
static void finish(struct deferred **link)
{
    struct deferred *copy = *link;
    rt_early_open(copy->to, copy->bytes);
    if (copy->source)
        n_sources--;
    else
        memcpy(copy->to, copy->from, copy->bytes);
    *link = copy->next;
    if (end == &copy->next)
        end = link;
    free(copy->from);
    free(copy->after.list);
    free(copy);
}

void rt_finish_copies(void)
{
    pthread_mutex_lock(&lock);
    while (first)
        finish(&first);
    pthread_mutex_unlock(&lock);
}

void rt_finish_copies_in(const void *p, size_t bytes)
{
    uint64_t at = rt_address(p);
    pthread_mutex_lock(&lock);
    for (struct deferred **link = &first; *link;) {
        uint64_t to = (*link)->address;
        if (!(*link)->source && to < at + bytes && at < to + (*link)->bytes)
            finish(link);
        else
            link = &(*link)->next;
    }
    pthread_mutex_unlock(&lock);
}

/* The default stream's work follows that of all streams that are not
 * non-blocking, and theirs follows its. */
static bool joins(const struct deferred *copy, uint64_t on)
{
    if (on != SIMWIRE_LEGACY)
        return !holds(&not_blocking, on) && holds(&copy->after, SIMWIRE_LEGACY);
    for (size_t k = 0; k < copy->after.n; k++)
        if (!(copy->after.list[k] & EVENT) &&
            !holds(&not_blocking, copy->after.list[k]))
            return true;
    return false;
}

static bool follow(struct deferred *copy, const struct simwire_header *m)
{
    uint64_t on = m->stream & ~SIMWIRE_WAITED;
    struct keys *after = &copy->after;
    bool good = !joins(copy, on) || add(after, on);
    if (m->op == OP_WAIT && holds(after, EVENT | m->a[0]))
        good &= add(after, on);
    if (m->op != OP_TIME || !m->a[0])
        return good;
    uint64_t event = EVENT | (m->a[0] - 1);
    if (holds(after, on))
        return good && add(after, event);
    drop(after, event);
    return good;
}

void rt_copies_see(const struct simwire_header *m)
{
    pthread_mutex_lock(&lock);
    if (m->op == OP_STREAM && m->a[0] == 2) /* else it counts as blocking */
        add(&not_blocking, m->stream);
    for (struct deferred **link = &first; m->stream && *link;) {
        if (m->op != OP_STREAM && !follow(*link, m))
            finish(link); /* no memory to follow it */
        else
            link = &(*link)->next;
    }
    pthread_mutex_unlock(&lock);
}

static uint64_t waited_for(const struct simwire_header *m)
{
    if (m->op == OP_SYNC && (m->a[0] || m->stream))
        return m->a[0] ? EVENT | (m->a[0] - 1) : m->stream;
    if (m->op == OP_HOST && m->a[0] == HOST_TURN)
        return m->stream; /* all before a host function is over */
    bool all = m->op == OP_SYNC || m->op == OP_RESET ||
               (m->op == OP_FREE && !m->stream);
    return all ? EVERYTHING : 0;
}

void rt_copies_waited(const struct simwire_header *m)
{
    uint64_t key = waited_for(m);
    pthread_mutex_lock(&lock);
    for (struct deferred **link = &first; key && *link;) {
        if (key == EVERYTHING || holds(&(*link)->after, key))
            finish(link);
        else
            link = &(*link)->next;
    }
    pthread_mutex_unlock(&lock);
}

bool rt_has_deferred(void)
{
    pthread_mutex_lock(&lock);
    bool any = false;
    for (const struct deferred *copy = first; copy; copy = copy->next)
        any |= !copy->source;
    pthread_mutex_unlock(&lock);
    return any;
}
