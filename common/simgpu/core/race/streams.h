// SPDX-License-Identifier: MIT
/*
 * streams.h: what orders the work of different streams, and who touched which
 * bytes last.
 *
 *   streams_open, streams_close
 *   streams_before   is earlier work ordered before what is under way?
 *   streams_overlap  what is under way began beside its stream's last work
 *   streams_saw      what is under way has seen earlier work; streams_told:
 *                    the host has seen what is under way
 *   streams_put_aside, streams_take_up
 *                    other work comes between the parts of what is under way
 *   ledger_*         the bytes: ledger.c
 *
 * A piece of work (a kernel, a copy, a memset, a free) has a number, and a time
 * on its stream. A clock says, stream by stream, up to which time work is
 * ordered before: each stream, each event and the host have one.
 */
#ifndef SIMGPU_STREAMS_H
#define SIMGPU_STREAMS_H

#include "simgpu/core/state/finding.h"
#include "race.h"

/* Streams that are told apart; more of them share the last place, and what
 * shares a place counts as ordered. */
enum { TRACKS = 64 };

struct clock {
    uint32_t at[TRACKS];
};

struct stream {
    uint64_t id;
    bool live, blocking; /* blocking: waits for the default stream's work, and
                            that for its */
    struct clock clock;
    uint32_t last; /* work; 0: none that is recorded */
};

struct work {
    const char *name;            /* in words, or a kernel's, mangled */
    const struct kernel *kernel; /* NULL: it is none */
    uint64_t stream;
    uint32_t track, time;
    bool fenced;                 /* a kernel that may pass messages on */
};

struct streams {
    struct stream list[TRACKS];
    uint32_t n;
    struct clock host, now;      /* now: of the work under way */
    struct clock **events;
    size_t n_events;
    bool records;                /* there was a stream beside the default */
    struct work *works;          /* from 1 */
    uint32_t n_works, room;
    uint32_t work;               /* under way; 0: not recorded */
    uint32_t previous;           /* its stream's work before it, */
    uint32_t primary;            /* if it is a kernel that may still run when
                                    this begins; else 0 */
    struct page **pages;         /* ledger.c; of DEVICE_BASE and up */
    size_t n_pages;
    bool *books;                 /* of BOOK pages: is there any? */
    struct found *found;         /* of work that is no kernel */
};

struct streams *streams_open(const struct memory *m);
void streams_close(struct streams *s);
bool streams_before(const struct streams *s, uint32_t work);
/* If the stream's last work was a kernel that the host has not waited for: it
 * may still run. */
bool streams_overlap(struct streams *s);
void streams_saw(struct streams *s, uint32_t work);
void streams_told(struct streams *s);

/* Work under way. */
struct under_way {
    struct clock now;
    uint32_t work, previous, primary;
};
void streams_put_aside(struct streams *s, struct under_way *w);
void streams_take_up(struct streams *s, const struct under_way *w);

/* What other work did to some bytes. */
struct seen {
    uint32_t work;               /* 0: nobody */
    uint32_t site;               /* the low end of a tag: class, early, site */
};

/* What the work under way did to them. */
struct deed {
    unsigned classes;            /* enum race_class, a bit each */
    uint32_t site[RACE_CLASSES]; /* and whether early */
    uint32_t known;              /* 1: the value that plain writes left is */
};

enum { LEDGER_PAGE = RACE_GROUP * RACE_WORD, BOOK = 512 }; /* bytes; pages */
/* The same of a page, whose units are words, or bytes, or all of it. */
struct deeds {
    uint32_t units;
    uint32_t n;                  /* different ones; from 1 */
    struct deed deed[LEDGER_PAGE + 1];
    uint16_t which[LEDGER_PAGE]; /* a unit's; 0: nothing was done to it */
    uint32_t value[LEDGER_PAGE]; /* a unit's, where a deed knows it */
};

/* A conflict of the deed's class with before, which nothing orders. */
typedef void ledger_accuse(void *context, uint64_t address, unsigned class,
                           struct seen before);

/* The number of a deed: that of an equal one, or a new one. */
uint16_t deeds_add(struct deeds *x, const struct deed *d);
/* The work under way does x to the page that begins at the address: accuses,
 * then remembers. */
void ledger_page(struct streams *s, uint64_t address, struct deeds *x,
                 ledger_accuse *accuse, void *context);
/* The same to each byte of a range. */
void ledger_range(struct streams *s, uint64_t address, uint64_t bytes,
                  const struct deed *d, uint32_t value, ledger_accuse *accuse,
                  void *context);
/* Forgets the access history of these bytes. */
void ledger_forget(struct streams *s, uint64_t address, uint64_t bytes);
/* Of a unit to which x did something: earlier work, unordered, of a fenced
 * kernel that wrote it by an atomic or volatile access; 0: none. */
uint32_t ledger_signal(const struct streams *s, uint64_t address,
                       const struct deeds *x);

#endif
