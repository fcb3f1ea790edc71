// SPDX-License-Identifier: MIT
/*
 * streams.c: which work happens before which, by streams, events and waits.
 *
 *   engine_stream, engine_stream_gone    a stream is made, and destroyed
 *   engine_streams_apart                 others will be made
 *   engine_record, engine_wait           an event's two ends
 *   engine_sync                          the host waits
 *   engine_work                          a piece of work begins
 *   streams_*                            see streams.h
 *
 * Vector clocks: a stream's clock grows with its own work and takes in the
 * clocks of what it waits for; what the host hands to a stream follows all
 * that the host has seen. The order of execution, which is the order of the
 * calls, decides nothing. All threads of the host count as one: an order too
 * many hides a race, an order too few would make one up.
 */
#include "streams.h"

#include <stdlib.h>
#include <string.h>

#include "simgpu/core/memory/own.h"
#include "simgpu/host/pages.h"

/* The table of pages has address space for all memory there may be, and costs
 * what is used of it. */
struct streams *streams_open(const struct memory *m)
{
    struct streams *s = own_not_null(calloc(1, sizeof *s));
    s->list[0] = (struct stream){.id = STREAM_LEGACY, .live = true};
    s->n = 1;
    s->n_pages = m->reserved / LEDGER_PAGE;
    s->pages = pages_zero(s->n_pages * sizeof *s->pages);
    s->books = pages_zero(s->n_pages / BOOK + 1);
    return s;
}

void streams_close(struct streams *s)
{
    for (size_t n = 0; n < s->n_events; n++)
        free(s->events[n]);
    pages_free(s->pages, s->n_pages * sizeof *s->pages);
    pages_free(s->books, s->n_pages / BOOK + 1);
    free(s->events);
    free(s->works);
    free(s->found);
    free(s);
}

static void join(struct clock *to, const struct clock *from)
{
    for (int t = 0; t < TRACKS; t++)
        to->at[t] = to->at[t] > from->at[t] ? to->at[t] : from->at[t];
}

/* Streams ----------------------------------------------------------------- */

/* A place for a new stream: a free one, that of a stream that is gone, or the
 * last one, to be shared. */
static struct stream *place(struct streams *s)
{
    if (s->n < TRACKS)
        return &s->list[s->n++];
    for (uint32_t n = 1; n < TRACKS; n++)
        if (!s->list[n].live)
            return &s->list[n];
    return &s->list[TRACKS - 1];
}

static struct stream *find_stream(struct streams *s, uint64_t id)
{
    for (uint32_t n = 0; n < s->n; n++)
        if (s->list[n].live && s->list[n].id == id)
            return &s->list[n];
    return NULL;
}

/* Beside the default stream alone nothing can race, and it costs nothing. The
 * first other one may race with one that is made while it works. */
static struct stream *make(struct streams *s, uint64_t id, bool blocking)
{
    struct stream *new = place(s);
    blocking &= !new->live || new->blocking;
    new->id = id;
    new->live = true;
    new->blocking = blocking;
    new->last = 0;
    s->records = true;
    return new;
}

static struct stream *stream_of(struct streams *s, uint64_t id)
{
    struct stream *known = find_stream(s, id);
    return known ? known : make(s, id, false);
}

void engine_stream(struct engine *engine, uint64_t stream, bool blocking)
{
    if (!find_stream(engine->streams, stream))
        make(engine->streams, stream, blocking);
}

void engine_streams_apart(struct engine *engine)
{
    engine->streams->records = true;
}

void engine_stream_gone(struct engine *engine, uint64_t stream)
{
    struct stream *gone = find_stream(engine->streams, stream);
    if (gone && gone != engine->streams->list)
        gone->live = false;
}

/* The default stream and the blocking ones wait for each other. */
static void join_default(struct streams *s, struct stream *to)
{
    struct stream *legacy = s->list;
    for (uint32_t n = 1; to == legacy && n < s->n; n++)
        if (s->list[n].blocking)
            join(&to->clock, &s->list[n].clock);
    if (to->blocking)
        join(&to->clock, &legacy->clock);
}

/* Events and waits -------------------------------------------------------- */

enum { EVENTS_MOST = 1 << 20 }; /* the rest count as waited for by nobody */

static struct clock *event_of(struct streams *s, uint64_t event)
{
    size_t n = s->n_events;
    if (event >= EVENTS_MOST)
        return NULL;
    if (event >= n) {
        s->n_events = event + 64;
        s->events = own_not_null(
            realloc(s->events, s->n_events * sizeof *s->events));
        memset(s->events + n, 0, (s->n_events - n) * sizeof *s->events);
    }
    if (!s->events[event])
        s->events[event] = own_not_null(calloc(1, sizeof **s->events));
    return s->events[event];
}

void engine_record(struct engine *engine, uint64_t stream, uint64_t event)
{
    struct streams *s = engine->streams;
    struct stream *on = stream_of(s, stream);
    struct clock *clock = event_of(s, event);
    join_default(s, on);
    join(&on->clock, &s->host);
    if (clock)
        *clock = on->clock;
}

void engine_wait(struct engine *engine, uint64_t stream, uint64_t event)
{
    struct streams *s = engine->streams;
    const struct clock *clock = event_of(s, event);
    if (clock)
        join(stream == STREAM_HOST ? &s->host : &stream_of(s, stream)->clock,
             clock);
}

void engine_sync(struct engine *engine, uint64_t stream)
{
    struct streams *s = engine->streams;
    if (stream != STREAM_HOST) {
        struct stream *one = stream_of(s, stream);
        join_default(s, one);
        join(&s->host, &one->clock);
        return;
    }
    for (uint32_t n = 0; n < s->n; n++)
        join(&s->host, &s->list[n].clock);
}

/* Work -------------------------------------------------------------------- */

static uint32_t add_work(struct streams *s, const struct work *work)
{
    if (s->n_works + 1 >= s->room) {
        s->room = s->room ? 2 * s->room : 256;
        s->works = own_not_null(realloc(s->works, s->room * sizeof *s->works));
    }
    s->works[++s->n_works] = *work;
    return s->n_works;
}

/* What the host does itself leaves no trace: time 0. */
void engine_work(struct engine *engine, uint64_t stream, const char *what,
                 bool waited)
{
    struct streams *s = engine->streams;
    struct work work = {.name = what, .stream = stream};
    struct stream *on = NULL;
    s->now = s->host;
    if (stream != STREAM_HOST) {
        on = stream_of(s, stream);
        work.track = (uint32_t)(on - s->list);
        join_default(s, on);
        join(&on->clock, &s->host);
        work.time = ++on->clock.at[work.track];
        s->now = on->clock;
    }
    if (waited)
        streams_told(s);
    bool looks = s->records && engine->config.checks & CHECK_STREAMS;
    s->work = looks ? add_work(s, &work) : 0;
    s->previous = on ? on->last : 0;
    s->primary = 0;
    if (on)
        on->last = s->work;
}

bool streams_overlap(struct streams *s)
{
    const struct work *w = &s->works[s->previous];
    if (s->work && s->previous && w->kernel &&
        w->time > s->host.at[w->track])
        s->primary = s->previous;
    return s->primary;
}

bool streams_before(const struct streams *s, uint32_t work)
{
    const struct work *w = &s->works[work];
    return w->time <= s->now.at[w->track];
}

void streams_saw(struct streams *s, uint32_t work)
{
    struct stream *theirs = &s->list[s->works[work].track];
    struct stream *mine = &s->list[s->works[s->work].track];
    join(&s->now, &theirs->clock);
    join(&mine->clock, &theirs->clock);
}

void streams_told(struct streams *s)
{
    join(&s->host, &s->now);
}

void streams_put_aside(struct streams *s, struct under_way *w)
{
    *w = (struct under_way){s->now, s->work, s->previous, s->primary};
    s->work = 0;
}

void streams_take_up(struct streams *s, const struct under_way *w)
{
    s->now = w->now;
    s->work = w->work;
    s->previous = w->previous;
    s->primary = w->primary;
}
